import type { RecordType } from '../../contract/entities/index.ts';
import { type FilterName, type Filters, fieldsOf, pickFilters } from '../../contract/filters.ts';
import { usualSort } from '../../contract/sorts.ts';
import { GRANT } from '../../contract/vocabulary.ts';
import type { Coverage, SearchPage } from '../port/records.ts';
import type { IndexRequest, IndexResult, RecordCondition, SearchIndex } from '../search/search-index.ts';
import type { ParsedSentence } from '../sentences/parser.ts';
import { number, type SqlProgram } from '../sql.ts';
import { conditionOf, leavesOut, orderOf, type ResolvedFilters, unknownFact } from './conditions.ts';
import { roundsOfCompany } from './party-filters.ts';
import { resolveFilters, UNFILTERED } from './resolve-filters.ts';
import type { Interpretation } from './sentence-interpretations.ts';
import { countRecords } from './vocabulary.ts';

const NO_FILTERS: Filters = {};
const ONLY_GRANTS = { mode: 'any', values: [GRANT] } as const;

/** What an interpretation of a search finds. */
export interface Matched {
  readonly interpretation: Interpretation;
  readonly filters: ResolvedFilters;
  readonly result: IndexResult;
  readonly total: number;
}

/**
 * Finds the records of an interpretation, by its filters and its text.
 * @throws `invalid_parameter` for a filter whose value no record has
 */
export function* match(fullText: SearchIndex, interpretation: Interpretation): SqlProgram<Matched> {
  const { types, text, filters: given = NO_FILTERS, window, isInterleaved } = interpretation.request;
  const isListed = text.trim() === '';
  const sort = interpretation.request.sort ?? (isListed ? usualSort(types) : undefined);
  const filters = Object.keys(given).length > 0 ? yield* resolveFilters(fullText, types, given) : UNFILTERED;
  const where = filters === UNFILTERED ? undefined : (type: RecordType) => conditionOf(type, filters);
  const { relaxations } = interpretation;
  const result = yield* findFullText(fullText, {
    types,
    text,
    where,
    ...window,
    order: sort && ((type) => orderOf(type, sort)),
    isInterleaved,
    relaxations,
  });
  const total = types.reduce((sum, type) => sum + result.totals[type], 0);
  return { interpretation, filters, result, total };
}

/** Finds records by a text; rounds also by the name of their company, which they need not mention. */
export function* findFullText(fullText: SearchIndex, request: IndexRequest): SqlProgram<IndexResult> {
  const isOfRounds = request.types.length === 1 && request.types[0] === 'rounds' && request.text.trim() !== '';
  return fullText.find(isOfRounds ? { ...request, namedIds: yield* roundsOfCompany(request.text) } : request);
}

/** By filter, how many records pass the others and lack the fact that it is about, so that they may match. */
export function* unknownOf(fullText: SearchIndex, matched: Matched): SqlProgram<SearchPage['unknown']> {
  const { types, text } = matched.interpretation.request;
  const unknown: Partial<Record<FilterName, number>> = {};
  for (const each of Object.keys(matched.filters.given)) {
    const name = each as FilterName;
    const lacking: Conditions = new Map();
    const known: Conditions = new Map();
    let count = 0;
    for (const type of types) {
      const fact = unknownFact(type, { filters: matched.filters, name });
      if (text.trim() === '' && fact?.records !== undefined) count += fact.records;
      else if (fact) lacking.set(type, fact.lacking);
      if (fact?.known) known.set(type, fact.known);
    }
    count += (yield* countUnder(fullText, matched, lacking)) - (yield* countUnder(fullText, matched, known));
    if (count > 0) unknown[name] = count;
  }
  return unknown;
}

/** How many of the excluded records are grants; undefined for none, with a stage, and for other types. */
export function* unknownGrantsOf(fullText: SearchIndex, matched: Matched, unknown: SearchPage['unknown']) {
  const names = Object.keys(unknown);
  const filters = names.length === 0 ? undefined : yield* amongGrants(fullText, matched);
  if (filters === undefined) return undefined;
  const all = Object.entries(yield* unknownOf(fullText, { ...matched, filters }));
  const counts = all.filter(([name]) => names.includes(name));
  return counts.length === 0 ? undefined : (Object.fromEntries(counts) as SearchPage['unknown']);
}

/** The filters of rounds narrowed to grants; undefined with a stage, and for other types. */
function* amongGrants(
  fullText: SearchIndex,
  { filters: { given }, interpretation }: Matched,
): SqlProgram<ResolvedFilters | undefined> {
  const { types } = interpretation.request;
  if (types.length > 1 || types[0] !== 'rounds' || given.funding_stage !== undefined) return undefined;
  return yield* resolveFilters(fullText, types, { ...given, funding_stage: ONLY_GRANTS });
}

/** How many records have the facts that an answer depends on: several together, or one by which nothing was found. */
export function* coverageOf({ filters, interpretation, total }: Matched): SqlProgram<SearchPage['coverage']> {
  const names = (Object.keys(filters.given) as FilterName[]).filter((name) => leavesOut(name, filters.given));
  if (names.length < (total === 0 ? 1 : 2)) return undefined;
  const coverage: Partial<Record<FilterName, Coverage>> = {};
  const grants = interpretation.request.types.includes('rounds') ? yield* countGrants() : 0;
  for (const name of names) {
    let [known, records] = [0, 0];
    for (const type of interpretation.request.types) {
      const [field] = fieldsOf(type, name);
      if (field === undefined) continue;
      const all = yield* countRecords(type);
      records += all;
      known += all - (filters.lacking.get(`${type} ${field}`) ?? 0);
    }
    if (known < records) coverage[name] = { known, records, ...(grants > 0 && { grants }) };
  }
  return Object.keys(coverage).length === 0 ? undefined : coverage;
}

const countGrants = (): SqlProgram<number> =>
  number("SELECT sum(records) FROM label_values WHERE type = 'rounds' AND field = 'stage' AND value = ?", GRANT);

type Conditions = Map<RecordType, RecordCondition>;

function* countUnder(fullText: SearchIndex, matched: Matched, conditions: Conditions): SqlProgram<number> {
  const { interpretation, result } = matched;
  if (conditions.size === 0) return 0;
  const { totals } = yield* findFullText(fullText, {
    types: [...conditions.keys()],
    text: interpretation.request.text,
    where: (type) => conditions.get(type),
    offset: 0,
    limit: 0,
    relaxations: result.relaxation === 'any' ? ['any'] : interpretation.relaxations,
  });
  return Object.values(totals).reduce((sum, total) => sum + total, 0);
}

/** How many of the matching rounds are grants; undefined for none, with a stage, and for other types. */
export function* grantsOf(fullText: SearchIndex, matched: Matched): SqlProgram<number | undefined> {
  const narrowed = matched.total === 0 ? undefined : yield* amongGrants(fullText, matched);
  if (narrowed === undefined) return undefined;
  const { text } = matched.interpretation.request;
  const condition = conditionOf('rounds', narrowed) as RecordCondition;
  const isAll = text.trim() === '' && Object.keys(matched.filters.given).length === 0;
  const grants = isAll
    ? (narrowed.keys.get('funding_stage')?.records ?? 0)
    : yield* countUnder(fullText, matched, new Map([['rounds', condition]]));
  return grants === 0 ? undefined : grants;
}

/**
 * Whether any of the records that an interpretation finds may be as a sentence asks, although it goes without some bounds of it,
 * the kind of events, or a chain: no record states the facts of these. True of the one record that is asked about.
 */
export function* areUnstated(
  fullText: SearchIndex,
  matched: Matched,
  { filters, sparse }: ParsedSentence,
): SqlProgram<boolean> {
  const { types, text } = matched.interpretation.request;
  const { given } = matched.filters;
  // Words for a kind or a chain may be searched for instead.
  const isKept = (name: FilterName): boolean =>
    name in given || name === 'investor_type' || (text.trim() !== '' && !sparse.has(name));
  const spared = [...new Set<FilterName>(['event_type', 'chain', ...sparse.keys()])].filter(
    (name) => filters[name] !== undefined && !isKept(name),
  );
  if (spared.length === 0 || matched.interpretation.isOfNamed) return true;
  if (matched.total === 0) return false;
  const asked = pickFilters(Object.fromEntries(spared.map((name) => [name, filters[name]])));
  const all = yield* resolveFilters(fullText, types, { ...given, ...asked });
  const unknown = yield* unknownOf(fullText, { ...matched, filters: all });
  return spared.every((name) => unknown[name] === matched.total);
}
