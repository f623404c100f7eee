/** Requests a key may make per UTC day and month; null is unlimited. */
export interface Limits {
  readonly daily: number | null;
  readonly monthly: number | null;
}

interface Plan extends Limits {
  readonly label: string;
  readonly hasApi: boolean;
}

/** Plans of an account. An enterprise account has custom limits, or none. */
export const PLANS = {
  none: { label: 'No plan', daily: 0, monthly: 0, hasApi: false },
  api_access: { label: 'API Access', daily: 1_000, monthly: 30_000, hasApi: true },
  enterprise: { label: 'Enterprise', daily: null, monthly: null, hasApi: true },
} as const satisfies Record<string, Plan>;

export type PlanName = keyof typeof PLANS;
export const PLAN_NAMES = Object.keys(PLANS) as [PlanName, ...PlanName[]];

export const LIMIT_MAX = 1_000_000_000;
export const UNLIMITED: Limits = { daily: null, monthly: null };

/** The limits of an account: those of its plan, or for an enterprise account its custom limits. */
export function limitsOf(plan: PlanName, own: Limits): Limits {
  if (plan === 'enterprise') return own;
  const { daily, monthly } = PLANS[plan];
  return { daily, monthly };
}

/** Pages of the console per person and minute; programs should use a key. */
export const PAGES_MAX = 300;
/** Public pages per address and minute. */
export const PUBLIC_PAGES_MAX = 120;
