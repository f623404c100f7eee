import { LRUCache } from 'lru-cache';
import { keyTable } from '../access/key-table.ts';
import { type KeyRecord, USE_RECORDED_EVERY_MS } from '../port/access.ts';
import { type Runner, type SqlProgram, value } from '../sql.ts';

const CACHED_MAX = 10_000;

/** Transaction ids of the last writes of a key and its account, which change with any update. */
export const REVISION = `keys.xmin::text || ' ' || accounts.xmin::text`;
const REVISION_OF = `SELECT ${REVISION} FROM keys JOIN accounts ON accounts.id = keys.account_id WHERE hash = ?`;

/** Cache of keys found within the last minute. */
export type KeyCache = ReturnType<typeof createKeyCache>;

/** Whether a use of a key must be recorded. Such a key is not served from the cache, so that it is read with its recorded use. */
export const isUseDue = ({ last_used_at }: KeyRecord, at: Date): boolean =>
  last_used_at === null || last_used_at <= new Date(at.getTime() - USE_RECORDED_EVERY_MS).toISOString();

export function createKeyCache({ query }: Runner, now: () => Date) {
  const byHash = new LRUCache<string, KeyRecord>({ max: CACHED_MAX });
  const origins = new WeakMap<KeyRecord, { readonly name: string; readonly revision: string }>();
  return {
    /** The key of a hash, possibly cached; its use must depend on its revision. */
    byHash: async (hash: Buffer): Promise<KeyRecord | undefined> => {
      const name = hash.toString('base64');
      const known = byHash.get(name);
      if (known !== undefined && !isUseDue(known, now())) return known;
      const found = await query(findWithRevision(hash));
      if (found === undefined) return undefined;
      origins.set(found.key, { name, revision: found.revision });
      byHash.set(name, found.key);
      return found.key;
    },
    revisionOf: (key: KeyRecord): string | undefined => origins.get(key)?.revision,
    forget: (key: KeyRecord): void => {
      const name = origins.get(key)?.name;
      if (name !== undefined && byHash.get(name) === key) byHash.delete(name);
    },
  };
}

/** Reads the revision first, so that a concurrent change makes it stale. */
function* findWithRevision(
  hash: Buffer,
): SqlProgram<{ readonly key: KeyRecord; readonly revision: string } | undefined> {
  const revision = yield* value<string>(REVISION_OF, hash);
  if (revision === undefined) return undefined;
  const key = yield* keyTable.byHash(hash);
  return key && { key, revision };
}
