import * as z from 'zod';
import { GROUPS } from '../../contract/aggregate.ts';
import { choiceOf, parseChoice } from '../../contract/choices.ts';
import { entityOf, NAMED_TYPES, RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import {
  COMPANY_FIELD,
  checkFilters,
  FILTER_NAMES,
  type FilterName,
  type Filters,
  facetFieldsOf,
  fieldsOf,
  filterShape,
  hasFilter,
  isChoice,
  pickFilters,
} from '../../contract/filters.ts';
import { searchText } from '../../contract/queries.ts';
import { createReader } from '../../contract/reader.ts';
import { isSortedBy, parseSort, type SortedField, sortParameter } from '../../contract/sorts.ts';
import { MIXED_TYPE_COLUMNS } from '../../service/routes/csv.ts';
import type { Records, SearchPage, SearchRequest, Window } from '../../store/port/records.ts';
import { pageNumber } from '../lists.tsx';
import { unknownParameters } from '../query.ts';
import { newestRoundDate, readGrants } from './round-statistics.ts';
import type { RecordData } from './values.tsx';

/** The console's search. Its URL contains the whole query. */

export const ALL = 'all';
export const PAGE_SIZE = 20;
/** Maximum rows of an export. */
export const EXPORT_MAX = 1_000;

const FOUND_TYPES = [ALL, ...RECORD_TYPES] as const;
export type FoundType = (typeof FOUND_TYPES)[number];

const searchParameters = z.object({
  type: z.enum(FOUND_TYPES).catch(ALL).default(ALL),
  query: searchText,
  page: pageNumber(PAGE_SIZE),
  sort: sortParameter,
  view: z.enum(['cards', 'table']).catch('cards').default('cards'),
  columns: z.array(z.string()).optional(),
  ...filterShape,
});
const PARAMETERS = [...Object.keys(searchParameters.shape), 'format'];
const read = createReader(searchParameters, 'query');

type FilterTexts = Partial<Record<FilterName, string>>;

/** A parsed search URL. */
export interface ParsedSearch {
  readonly type: FoundType;
  readonly query: string;
  readonly page: number;
  readonly sort: string | undefined;
  readonly view: 'cards' | 'table';
  readonly columns: readonly string[] | undefined;
  /** Filters as text. */
  readonly given: FilterTexts;
}

const EMPTY_SEARCH: ParsedSearch = {
  type: ALL,
  query: '',
  page: 1,
  sort: undefined,
  view: 'cards',
  columns: undefined,
  given: {},
};

/** Parses a search URL; empty form fields are ignored. Throws `invalid_parameter`. */
function parseSearch(raw: Readonly<Record<string, string>>): ParsedSearch & { readonly filters: Filters } {
  const filled = Object.fromEntries(Object.entries(raw).filter(([, value]) => value.trim() !== ''));
  const { type, query, page, sort, view, columns, ...rest } = read(filled);
  const given = Object.fromEntries(
    FILTER_NAMES.filter((name) => rest[name] !== undefined).map((name) => [name, String(rest[name])]),
  );
  return { type, query, page, sort, view, columns, given, filters: filtersOf({ type, given }, rest) };
}

function filtersOf({ type }: Pick<ParsedSearch, 'type' | 'given'>, values: Readonly<Record<string, unknown>>): Filters {
  const filters = pickFilters(values);
  checkFilters(typesOf(type), filters);
  return filters;
}

const typesOf = (type: FoundType): readonly RecordType[] => (type === ALL ? RECORD_TYPES : [type]);

/** The URL of a search with some parameters changed. Changes reset the page. */
export function recordPath(at: string, parsed: ParsedSearch, change: Partial<ParsedSearch> = {}): string {
  const { type, query, page, sort, view, columns, given } = { ...parsed, page: 1, ...change };
  const has = (name: string): boolean => type === ALL || hasFilter(type, name as FilterName);
  const fitting = Object.entries(given).filter(([name]) => has(name));
  const sorted = sort !== undefined && type !== ALL && isSortedBy(type, sort.replace('-', '') as SortedField);
  const parameters = {
    ...(query !== '' && { query }),
    ...(type !== ALL && { type }),
    ...Object.fromEntries(fitting),
    ...(sorted && { sort }),
    ...(view !== 'cards' && { view }),
    ...(columns !== undefined && type === parsed.type && { columns: columns.join() }),
    ...(page > 1 && { page: String(page) }),
  };
  const text = new URLSearchParams(parameters as Record<string, string>).toString();
  return text === '' ? at : `${at}?${text}`;
}

/** A facet value with its count. */
interface FacetValue {
  readonly value: string;
  readonly records: number;
  readonly isChosen: boolean;
}

export interface FacetCounts {
  readonly filter: FilterName;
  readonly values: readonly FacetValue[];
  /** Values to choose from, the most frequent first. */
  readonly choices: readonly string[];
}

/** Result of a search. */
export interface SearchOutcome {
  readonly parsed: ParsedSearch;
  /** The search with filters parsed from a sentence. */
  readonly effective: ParsedSearch;
  /** Undefined if the search was invalid. */
  readonly found: SearchPage | undefined;
  /** Matches per type; of the searched type only, if a filter or a sentence is about it. */
  readonly totals: SearchPage['totals'];
  readonly results: readonly RecordData[];
  /** Grants of the investors among the results, by slug. */
  readonly grants: ReadonlyMap<string, number>;
  readonly refusal: string | undefined;
  /** Parameters of the URL that a search does not have. */
  readonly ignored: readonly string[];
  readonly facets: readonly FacetCounts[];
  /** Number of top matches in which facets were counted; undefined if in all. */
  readonly countedIn: number | undefined;
  readonly isEmpty: boolean;
  /** Date of the newest funding round on record. */
  readonly newestRound?: string | undefined;
}

/** Runs the search of a URL; an invalid one yields its error message. */
export async function searchRecords(records: Records, raw: Readonly<Record<string, string>>): Promise<SearchOutcome> {
  const ignored = unknownParameters(raw, PARAMETERS);
  try {
    const parsed = parseSearch(raw);
    const { found, effective } = await searchRead(records, parsed, {
      offset: (parsed.page - 1) * PAGE_SIZE,
      limit: PAGE_SIZE,
    });
    const isEmpty = found.total === 0 && (await countAll(records)) === 0;
    const results = found.results.map((json) => JSON.parse(json) as RecordData);
    const investors = results.filter(({ type }) => type === 'investors');
    const isOfType = parsed.type === ALL || found.understood !== undefined || Object.keys(parsed.given).length > 0;
    const [{ totals }, grants, facets, newestRound] = await Promise.all([
      isOfType ? found : search(records, requestOf({ ...parsed, type: ALL, sort: undefined }, 0, 0)),
      readGrants(records, investors),
      facetsOf(records, parsed, effective),
      newestRoundDate(records),
    ]);
    return {
      parsed,
      effective,
      found,
      totals,
      results,
      grants,
      isEmpty,
      ignored,
      newestRound,
      refusal: undefined,
      ...facets,
    };
  } catch (thrown) {
    if (!(thrown instanceof ServiceError) || thrown.code !== 'invalid_parameter') throw thrown;
    const type = FOUND_TYPES.find((one) => one === raw['type']) ?? ALL;
    const parsed = { ...EMPTY_SEARCH, type, query: raw['query'] ?? '' };
    return {
      ...{ parsed, effective: parsed, found: undefined, facets: [], countedIn: undefined, isEmpty: false },
      ...{ totals: {}, results: [], grants: new Map(), ignored, refusal: thrown.message },
    };
  }
}

/** The search of a URL. A sentence that is wholly read as filters is listed in the order of a list with these filters. */
async function searchRead(
  records: Records,
  parsed: ParsedSearch & { readonly filters: Filters },
  { offset, limit }: Window,
): Promise<{ readonly found: SearchPage; readonly effective: ParsedSearch }> {
  const found = await search(records, requestOf(parsed, offset, limit));
  const effective = effectiveOf(parsed, found);
  const isList = found.understood !== undefined && effective.query === '' && effective.sort === undefined;
  if (!isList || sortOf(effective) === undefined) return { found, effective };
  const filters = pickFilters(typed(effective.given));
  const { results } = await search(records, requestOf({ ...effective, filters }, offset, limit));
  return { found: { ...found, results }, effective };
}

/**
 * Searches records. In a search of every type, rounds follow the others, because a company or an investor may have
 * thousands; they are left out if only the others match exactly.
 */
async function search(records: Records, request: SearchRequest): Promise<SearchPage> {
  if (request.types.length === 1) return records.search(request);
  const { offset, limit } = request.window;
  const named = await records.search({ ...request, types: NAMED_TYPES });
  if (named.understood?.type !== undefined) return named;
  const window = { offset: Math.max(offset - named.total, 0), limit: limit - named.results.length };
  const rounds = await records.search({ ...request, types: ['rounds'], window });
  if (named.total === 0 || rounds.total === 0) return named.total === 0 ? rounds : named;
  if (named.isTyped && !rounds.isTyped) return named;
  return {
    ...named,
    isTyped: rounds.isTyped,
    results: [...named.results, ...rounds.results],
    total: named.total + rounds.total,
    totals: { ...named.totals, ...rounds.totals },
  };
}

async function countAll(records: Records): Promise<number> {
  return (await records.search({ types: RECORD_TYPES, text: '', window: { offset: 0, limit: 0 } })).total;
}

/** The top matches of a search for an export. Throws `invalid_parameter`. */
export async function searchForExport(
  records: Records,
  raw: Readonly<Record<string, string>>,
): Promise<{ readonly found: SearchPage; readonly types: readonly RecordType[]; readonly parsed: ParsedSearch }> {
  const parsed = parseSearch(raw);
  const { found } = await searchRead(records, parsed, { offset: 0, limit: EXPORT_MAX });
  return { found, types: typesOf(parsed.type), parsed };
}

/** Order of lists without keywords; of other types, by rank or date. */
const LISTED_BY: Readonly<Partial<Record<FoundType, string>>> = {
  [ALL]: '-total_funding_usd',
  companies: '-total_funding_usd',
  investors: '-investments_count',
};
export const sortOf = ({ type, query, sort }: ParsedSearch): string | undefined =>
  sort ?? (query === '' ? LISTED_BY[type] : undefined);

function requestOf(parsed: ParsedSearch & { readonly filters: Filters }, offset: number, limit: number): SearchRequest {
  const types = typesOf(parsed.type);
  const { query: text, filters } = parsed;
  return { types, text, filters, sort: parseSort(types, sortOf(parsed)), window: { offset, limit } };
}

function effectiveOf(parsed: ParsedSearch, { understood }: SearchPage): ParsedSearch {
  if (understood === undefined) return parsed;
  const read = Object.fromEntries(Object.entries(understood.filters).map(([name, value]) => [name, String(value)]));
  return {
    ...parsed,
    type: understood.type ?? parsed.type,
    query: understood.text,
    sort: parsed.sort ?? understood.sort,
    given: { ...parsed.given, ...read },
  };
}

/** Counted filters per type, with the aggregate group of the same values; by default all facet filters. */
const FACETS: Readonly<Partial<Record<RecordType, Partial<Record<FilterName, string>>>>> = {
  companies: { tag: 'tag', chain: 'chain', country: 'country' },
  investors: { investor_type: 'investor_type', tag: 'focus', country: 'country' },
  people: { country: 'country' },
  events: { event_type: 'event_type', country: 'country', city: 'city' },
  rounds: { funding_stage: 'stage', tag: 'tag', country: 'country' },
};
const countedOf = (type: RecordType): Partial<Record<FilterName, string>> =>
  FACETS[type] ?? Object.fromEntries(facetFieldsOf(type).map(([name]) => [name, name]));
/** Shown facet values: the most frequent and the selected ones. */
const VALUES_MAX = 8;
/** Choices of a field of the form. */
const CHOICES_MAX = 50;
/** Text searches count facets in this many top matches; others in all, considering this many values. */
const COUNTED_MAX = 200;

type Facets = Pick<SearchOutcome, 'facets' | 'countedIn'>;

async function facetsOf(records: Records, parsed: ParsedSearch, effective: ParsedSearch): Promise<Facets> {
  const { type, query, given } = effective;
  if (type === ALL) return { facets: [], countedIn: undefined };
  if (query !== '') return countInMatches(records, parsed, effective);
  const facets = await Promise.all(
    (Object.entries(countedOf(type)) as [FilterName, string][])
      .filter(([, group]) => Object.hasOwn(GROUPS[type], group))
      .map(async ([filter, group]) => {
        // A facet does not restrict its own values, which are alternatives.
        const { [filter]: _, ...others } = given;
        const { rows } = await records.aggregate({
          of: type,
          groups: [group],
          measures: ['count'],
          order: { by: 'measure', place: 0, isDescending: true },
          top: COUNTED_MAX,
          filters: pickFilters(typed(others)),
        });
        const counts = rows.filter(([value]) => typeof value === 'string') as unknown as [string, number][];
        return facetCounts(filter, counts, given);
      }),
  );
  return { facets: facets.filter(({ values }) => values.length > 0), countedIn: undefined };
}

/** Filter texts parsed like those of a search. */
const typed = (given: FilterTexts): Readonly<Record<string, unknown>> => read(given as Record<string, string>);

async function countInMatches(records: Records, parsed: ParsedSearch, { type, given }: ParsedSearch): Promise<Facets> {
  const filters = pickFilters(typed(parsed.given));
  const found = await records.search(requestOf({ ...parsed, filters }, 0, COUNTED_MAX));
  const documents = found.results.map((json) => JSON.parse(json) as RecordData);
  const names = Object.keys(countedOf(type as RecordType)) as FilterName[];
  const facets = names.flatMap((filter) => {
    const [path = COMPANY_FIELD] = fieldsOf(type as RecordType, filter);
    if (path.startsWith(COMPANY_FIELD)) return [];
    const counts = new Map<string, number>();
    for (const document of documents)
      for (const value of valuesAt(document, path)) counts.set(value, (counts.get(value) ?? 0) + 1);
    const most = [...counts].sort(([, one], [, other]) => other - one);
    return most.length === 0 ? [] : [facetCounts(filter, most, given)];
  });
  return { facets, countedIn: found.total > COUNTED_MAX ? COUNTED_MAX : undefined };
}

function valuesAt(record: RecordData, path: string): readonly string[] {
  const [field = '', part] = path.split('.');
  const value = part === undefined ? record[field] : ((record[field] ?? {}) as Record<string, unknown>)[part];
  return [value ?? []].flat().map(String);
}

/** The selected values of a filter in mode `any`. */
const chosenOf = (filter: FilterName, text: string | undefined): readonly string[] => {
  const choice = text === undefined ? undefined : parseChoice(filter, text);
  return choice?.mode === 'any' ? choice.values : [];
};

function facetCounts(filter: FilterName, counts: readonly [string, number][], given: FilterTexts): FacetCounts {
  const chosen = chosenOf(filter, given[filter]).map((value) => value.toLowerCase());
  const values = counts.map(([value, records]) => ({ value, records, isChosen: chosen.includes(value.toLowerCase()) }));
  return {
    filter,
    values: values.filter(({ isChosen }, index) => isChosen || index < VALUES_MAX),
    choices: counts.slice(0, CHOICES_MAX).map(([value]) => value),
  };
}

/** The filters with a value added, or removed if present. */
export function toggleValue({ given }: ParsedSearch, filter: FilterName, value: string): FilterTexts {
  const { [filter]: text, ...others } = given;
  const chosen = isChoice(filter) ? chosenOf(filter, text) : [];
  const rest = chosen.filter((one) => one.toLowerCase() !== value.toLowerCase());
  const next = rest.length === chosen.length ? [...chosen, value] : rest;
  return next.length === 0 ? others : { ...others, [filter]: choiceOf(next) };
}

const NO_COLUMNS = ['type', 'id', 'name', 'slug', 'logo', 'sources', 'overview', 'created_at', 'updated_at'];
/** Fields that do not fit into a column; cards and pages of records show them. */
const LONG_FIELDS = ['tagline', 'announcement'];

/** The available columns of a type. */
export const columnsFor = (type: FoundType): readonly string[] =>
  type === ALL
    ? MIXED_TYPE_COLUMNS
    : Object.keys(entityOf(type).record.shape).filter((field) => !NO_COLUMNS.includes(field));

export function shownColumns({ type, columns }: ParsedSearch): readonly string[] {
  const known = columnsFor(type);
  const asked = columns?.filter((field) => known.includes(field)) ?? [];
  if (asked.length > 0) return asked;
  return type === ALL
    ? known
    : entityOf(type).concise.filter((field) => known.includes(field) && !LONG_FIELDS.includes(field));
}
