import { isNamedType, type RecordType } from '../../contract/entities/index.ts';
import type { Store } from '../store.ts';
import { createNamedMatcher } from './name-matching.ts';
import type { Decisions, RowMatcher } from './proposals.ts';
import { createRoundMatcher } from './round-matching.ts';

/** With more records of a type, comparing a file with all of them takes too much memory and time. */
const COMPARED_MAX = 200_000;

/** Finds the records that rows of a type are about. Undefined if there are too many, unless all are to be compared. */
export async function createRowMatcher(
  store: Pick<Store, 'records' | 'duplicates'>,
  type: RecordType,
  { comparesAll = false, ...decisions }: Decisions & { readonly comparesAll?: boolean } = {},
): Promise<RowMatcher | undefined> {
  if (!comparesAll && (await store.records.count(type)) > COMPARED_MAX) return undefined;
  return isNamedType(type) ? createNamedMatcher(store, type, decisions) : createRoundMatcher(store, decisions);
}
