import { periodOf } from '../contract/periods.ts';
import type { KeyRecord, Usage, UsageReading } from '../store/port/access.ts';

/**
 * The credential of the local operator: read access without limits. It has no row and no secret, so it is never visible
 * over a network.
 */
export const LOCAL_KEY: KeyRecord = {
  id: 0,
  account: 'embedded',
  plan: 'enterprise',
  limits: { daily: null, monthly: null },
  name: 'embedded',
  level: 'read',
  display: '',
  created_at: new Date(0).toISOString(),
  created_by: null,
  expires_at: null,
  revoked_at: null,
  allowed_cidrs: [],
  last_used_at: null,
  last_used_ip: null,
  rotated_from: null,
  replaced_at: null,
  overlap_ends_at: null,
  client_id: null,
};

/** Counts the requests of this process for information only; nothing is stored. */
export function createLocalUsage(clock: () => Date): Usage {
  const counts = new Map<string, number>();
  const read = (): UsageReading => {
    const at = clock();
    const [today = 0, thisMonth = 0] = Object.values(periodOf(at)).map((period) => counts.get(period));
    return { at, today, thisMonth };
  };
  const add = (at: Date, amount: number): UsageReading => {
    for (const period of Object.values(periodOf(at))) counts.set(period, (counts.get(period) ?? 0) + amount);
    return read();
  };
  return {
    take: async () => ({ ...add(clock(), 1), isAdmitted: true }),
    giveBack: async (_key, countedAt) => add(countedAt, -1),
    read: async () => read(),
    readAll: async (keys) => keys.map(() => ({ ...read(), last_used_at: null, last_used_ip: null })),
  };
}
