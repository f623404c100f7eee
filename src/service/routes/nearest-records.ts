import { NAMED_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { isNearMiss } from '../../contract/name-similarity.ts';
import type { Store } from '../../store/store.ts';

export const SEARCH_BY_NAME = 'search by its name';
const NEAREST_MAX = 3;

/** The references of the records nearest to a name, or how to find one. */
export async function nearestRecords(store: Store, name: string): Promise<string> {
  // A hint need not be of the newest position, and without an index there is none.
  const window = { offset: 0, limit: NEAREST_MAX, atLeast: 0 };
  const found = await store.records.search({ types: NAMED_TYPES, text: name, window }).catch(() => undefined);
  const near = (found?.results ?? [])
    .map((json) => JSON.parse(json) as { type: RecordType; slug: string; name: string })
    .filter((record) => isNearMiss(record.name, name))
    .map(({ type, slug }) => `${type}/${slug}`);
  return near.length === 0 ? SEARCH_BY_NAME : `the nearest are ${near.join(', ')}`;
}
