import type { Records } from '../port/records.ts';
import type { Store } from '../store.ts';

/**
 * The records of a store without what sources state whose terms forbid to hand it on.
 * @param allowed sources of which the operator has the right
 */
export function sharedRecords({ records, claims }: Store, allowed: readonly string[]): Pick<Records, 'walk'> {
  return {
    walk: async function* walk(type) {
      const restricted = (await claims.sources()).filter(({ isRestricted }) => isRestricted);
      const hidden = new Set(restricted.map(({ source }) => source).filter((source) => !allowed.includes(source)));
      for await (const json of records.walk(type)) {
        const shared = hidden.size === 0 ? json : await claims.without(type, json, hidden);
        if (shared !== null) yield shared;
      }
    },
  };
}
