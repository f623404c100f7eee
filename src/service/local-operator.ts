import type { KeyRecord, Usage, UsageReading } from '../store/port/access.ts';

/**
 * What the person who runs the program may do in its own process: read, without limits. No row and no secret belongs to
 * this key, so nothing can show it over a network.
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

/** Counts the requests of this process, for the person's information: nothing limits them, so nothing is kept. */
export function createLocalUsage(clock: () => Date): Usage {
  const counts = new Map<string, number>();
  const read = (): UsageReading => {
    const at = clock();
    const [today = 0, thisMonth = 0] = periodsOf(at).map((period) => counts.get(period));
    return { at, today, thisMonth };
  };
  const add = (at: Date, amount: number): UsageReading => {
    for (const period of periodsOf(at)) counts.set(period, (counts.get(period) ?? 0) + amount);
    return read();
  };
  return {
    take: async () => ({ ...add(clock(), 1), isAdmitted: true }),
    giveBack: async (_key, countedAt) => add(countedAt, -1),
    read: async () => read(),
    readAll: async (keys) => keys.map(() => ({ ...read(), last_used_at: null, last_used_ip: null })),
  };
}

/** The UTC day and month of a moment. */
const periodsOf = (at: Date): [string, string] => [at.toISOString().slice(0, 10), at.toISOString().slice(0, 7)];
