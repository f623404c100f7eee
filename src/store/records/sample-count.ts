import { LRUCache } from 'lru-cache';
import type { RecordType } from '../../contract/entities/index.ts';
import type { Filters } from '../../contract/filters.ts';
import { filtersOfPeriod, hasPeriod, isOfGrants, isSampled } from '../../contract/sample-notes.ts';
import { GRANT } from '../../contract/vocabulary.ts';
import type { SearchRequest } from '../port/records.ts';
import type { SearchIndex } from '../search/search-index.ts';
import type { SqlProgram } from '../sql.ts';
import { conditionOf } from './conditions.ts';
import { resolveFilters } from './resolve-filters.ts';
import { countRecords } from './vocabulary.ts';

/**
 * Number of records of a type in the period of some filters: events, or funding rounds without grants.
 * @param given filters, of which only the period counts
 */
export type OnRecord = (type: RecordType, given: Filters) => SqlProgram<number>;

const PERIODS_MAX = 256;
const GRANTS: Filters = { funding_stage: { mode: 'any', values: [GRANT] } };

/** Counts are cached until the epoch of the index changes. */
export function createOnRecord(fullText: SearchIndex): OnRecord {
  const counts = new LRUCache<string, number>({ max: PERIODS_MAX });
  let known: number | undefined;
  const count = function* count(type: RecordType, given: Filters): SqlProgram<number> {
    const filters = yield* resolveFilters(fullText, [type], given);
    const where = () => conditionOf(type, filters);
    return fullText.find({ types: [type], text: '', where, offset: 0, limit: 0 }).totals[type];
  };
  return function* onRecord(type, given) {
    const period = filtersOfPeriod(given);
    const epoch = fullText.epoch();
    if (epoch !== known) counts.clear();
    known = epoch;
    const key = JSON.stringify([type, period]);
    const cached = counts.get(key);
    if (cached !== undefined) return cached;
    const isAll = Object.keys(period).length === 0;
    const all = isAll ? yield* countRecords(type) : yield* count(type, period);
    const grants = type === 'rounds' ? yield* count(type, { ...period, ...GRANTS }) : 0;
    counts.set(key, all - grants);
    return all - grants;
  };
}

/** What is on record in the period of a search; undefined without a period or an order, and for other types. */
export function* countOfSample(
  onRecord: OnRecord,
  { types, sort }: Pick<SearchRequest, 'types' | 'sort'>,
  given: Filters,
): SqlProgram<number | undefined> {
  const [type] = types;
  const isAsked =
    types.length === 1 && isSampled(type) && !isOfGrants(given) && (sort !== undefined || hasPeriod(given));
  return isAsked ? yield* onRecord(type, given) : undefined;
}
