interface Plan {
  readonly label: string;
  /** Requests a key may make in a UTC day and month; null is as many as it likes. */
  readonly daily: number | null;
  readonly monthly: number | null;
  readonly hasApi: boolean;
}

/** Plans of an account (specification 5.2). The limits of an enterprise account are its own. */
export const PLANS = {
  none: { label: 'No plan', daily: 0, monthly: 0, hasApi: false },
  api_access: { label: 'API Access', daily: 1_000, monthly: 30_000, hasApi: true },
  enterprise: { label: 'Enterprise', daily: null, monthly: null, hasApi: true },
} as const satisfies Record<string, Plan>;

export type PlanName = keyof typeof PLANS;
export const PLAN_NAMES = Object.keys(PLANS) as [PlanName, ...PlanName[]];
