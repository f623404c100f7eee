import * as z from 'zod';
import { checkFilters } from '../../contract/check-filters.ts';
import { entityOf, NAMED_TYPES, RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import {
  FILTER_NAMES,
  type FilterName,
  type Filters,
  filterShape,
  hasFilter,
  pickFilters,
} from '../../contract/filters.ts';
import { OTHER_NAMES } from '../../contract/name-similarity.ts';
import { searchText } from '../../contract/queries.ts';
import { createReader } from '../../contract/reader.ts';
import { isSortedBy, parseSort, type SortedField, sortParameter } from '../../contract/sorts.ts';
import { GRANT, labelOf, NO_GRANTS } from '../../contract/vocabulary.ts';
import { MIXED_TYPE_COLUMNS } from '../../service/routes/csv.ts';
import type { SearchRequest } from '../../store/port/records.ts';
import { type PageQuery, pageNumber } from '../query.ts';

/** The URL of a search, which contains the whole query. */

export const ALL = 'all';
export const PAGE_SIZE = 20;

export const FOUND_TYPES = [ALL, ...RECORD_TYPES] as const;
export type FoundType = (typeof FOUND_TYPES)[number];

export const VIEWS = ['cards', 'table', 'chart'] as const;
export type ListView = (typeof VIEWS)[number];

const searchParameters = z.object({
  type: z.enum(FOUND_TYPES).default(ALL),
  query: searchText,
  page: pageNumber.default(1),
  sort: sortParameter,
  view: z.enum(VIEWS).optional(),
  columns: z.array(z.string()).optional(),
  values: z.string().optional(),
  show: z.enum(['all']).optional(),
  ...filterShape,
});
export const PARAMETERS = [...Object.keys(searchParameters.shape), ...Object.keys(OTHER_NAMES), 'format'];
const read = createReader(searchParameters, 'query');

export type FilterTexts = Partial<Record<FilterName, string>>;

/** What pages list: grants are rounds of a stage, and listed apart from the others. */
export interface SearchKind {
  readonly label: string;
  readonly type: FoundType;
  readonly stage?: string;
}
export const ROUNDS = { label: 'Rounds', type: 'rounds', stage: NO_GRANTS } as const;
export const GRANTS = { label: 'Grants', type: 'rounds', stage: GRANT } as const;
export const KINDS: readonly SearchKind[] = [
  { label: 'Everything', type: ALL },
  ...NAMED_TYPES.map((type) => ({ label: labelOf(type), type })),
  ROUNDS,
  GRANTS,
];

/** The kind of a search. A search for rounds of any stage is of the kind of rounds. */
export const kindOf = ({ type, given }: Pick<ParsedSearch, 'type' | 'given'>): SearchKind =>
  type === 'rounds' && given.funding_stage === GRANT ? GRANTS : (KINDS.find((kind) => kind.type === type) ?? ROUNDS);

/** The filters of a search besides that of its kind. */
export function ownFilters(search: Pick<ParsedSearch, 'type' | 'given'>): FilterTexts {
  const { funding_stage: stage, ...others } = search.given;
  return stage === undefined || stage === kindOf(search).stage ? others : search.given;
}

export interface ParsedSearch {
  readonly type: FoundType;
  readonly query: string;
  readonly page: number;
  readonly sort: string | undefined;
  readonly view: ListView | undefined;
  readonly columns: readonly string[] | undefined;
  /** The facet whose values are listed instead of records. */
  readonly values: string | undefined;
  /** Whether companies without known funding were asked for. */
  readonly show: 'all' | undefined;
  readonly given: FilterTexts;
}

/** How records are listed unless a view is asked for: rounds side by side, because each is a few short values. */
export const usualView = (type: FoundType): ListView => (type === 'rounds' ? 'table' : 'cards');
export const viewOf = (search: Pick<ParsedSearch, 'type' | 'query' | 'view'>): ListView =>
  search.view === undefined || (search.view === 'chart' && !isCharted(search)) ? usualView(search.type) : search.view;
/** Whether the records of a search can be counted by groups: those that keywords find cannot. */
export const isCharted = ({ type, query }: Pick<ParsedSearch, 'type' | 'query'>): boolean =>
  type !== ALL && query === '';

/** What the page of companies lists by default: with known funding. */
const FUNDED: FilterTexts = { funding_min: '1' };
const PAGE_PARAMETERS = ['page', 'sort', 'view', 'columns', 'format'];

/** The query of a page of companies that names no choice, with the default one. */
export const asFunded = (query: PageQuery): PageQuery => {
  const { type, ...others } = query;
  const isPlain = type === 'companies' && Object.keys(others).every((name) => PAGE_PARAMETERS.includes(name));
  return isPlain ? { ...query, ...FUNDED } : query;
};

/** Whether a search lists the companies with known funding and is otherwise not narrowed. */
export const isFunded = ({ type, query, given }: Pick<ParsedSearch, 'type' | 'query' | 'given'>): boolean =>
  type === 'companies' && query === '' && given.funding_min === '1' && Object.keys(given).length === 1;

/** The filters of a search that one for other records keeps. */
export const keptFilters = (search: ParsedSearch): FilterTexts => (isFunded(search) ? {} : ownFilters(search));

/** Parses a search URL; empty form fields are ignored. Throws `invalid_parameter`. */
export function parseSearch(raw: PageQuery): ParsedSearch & { readonly filters: Filters } {
  const filled = Object.fromEntries(Object.entries(raw).filter(([, value]) => value.trim() !== ''));
  const { type, query, page, sort, view, columns: asked, values, show, ...rest } = read(filled);
  const columns = isUsual(type, asked) ? undefined : asked;
  const given = Object.fromEntries(
    FILTER_NAMES.filter((name) => rest[name] !== undefined).map((name) => [name, String(rest[name])]),
  );
  return { type, query, page, sort, view, columns, values, show, given, filters: filtersOf({ type, given }, rest) };
}

function filtersOf({ type }: Pick<ParsedSearch, 'type' | 'given'>, values: Readonly<Record<string, unknown>>): Filters {
  const filters = pickFilters(values);
  checkFilters(typesOf(type), filters);
  return filters;
}

export const typesOf = (type: FoundType): readonly RecordType[] => (type === ALL ? RECORD_TYPES : [type]);

export const EMPTY_SEARCH: ParsedSearch = parseSearch({});

/** The URL of a search with some parameters changed. Changes reset the page and lead back to the records. */
export function recordPath(at: string, parsed: ParsedSearch, change: Partial<ParsedSearch> = {}): string {
  const { type, query, page, sort, view, columns, values, show, given } = {
    ...parsed,
    page: 1,
    values: undefined,
    ...change,
  };
  const has = (name: string): boolean => type === ALL || hasFilter(type, name as FilterName);
  const fitting = Object.entries(given).filter(([name]) => has(name));
  const sorted =
    sort !== undefined && typesOf(type).some((one) => isSortedBy(one, sort.replace('-', '') as SortedField));
  const parameters = {
    ...(query !== '' && { query }),
    ...(type !== ALL && { type }),
    ...Object.fromEntries(fitting),
    ...(sorted && { sort }),
    ...(view !== undefined && (type === ALL || view !== usualView(type)) && { view }),
    ...(columns !== undefined && type === parsed.type && { columns: shownColumns({ type, columns }).join() }),
    ...(values !== undefined && { values }),
    ...(show !== undefined && type === 'companies' && { show }),
    ...(page > 1 && { page: String(page) }),
  };
  const text = new URLSearchParams(parameters as Record<string, string>).toString();
  return text === '' ? at : `${at}?${text}`;
}

export const kindPath = ({ type, stage }: SearchKind): string =>
  recordPath('/search', EMPTY_SEARCH, { type, ...(stage && { given: { funding_stage: stage } }) });

/** Order of lists without keywords. Of events the upcoming ones come first. */
const LISTED_BY: Readonly<Partial<Record<FoundType, string>>> = {
  [ALL]: '-total_funding_usd',
  companies: '-total_funding_usd',
  people: '-angel_investments',
  investors: '-investments_count',
  rounds: '-announced_date',
};
/** Whether a search lists events in the default order. */
export const isOfUpcoming = ({ type, query, sort }: ParsedSearch): boolean =>
  type === 'events' && query === '' && sort === undefined;
export const sortOf = ({ type, query, sort }: ParsedSearch): string | undefined =>
  sort ?? (query === '' ? LISTED_BY[type] : undefined);

export function requestOf(
  parsed: ParsedSearch & { readonly filters: Filters },
  offset: number,
  limit: number,
): SearchRequest {
  const types = typesOf(parsed.type);
  const { query: text, filters } = parsed;
  return { types, text, filters, sort: parseSort(types, sortOf(parsed)), window: { offset, limit } };
}

/** Filter texts parsed like those of a search. */
export const typed = (given: FilterTexts): Readonly<Record<string, unknown>> => read(given as Record<string, string>);

const NO_COLUMNS = [
  ...['type', 'id', 'name', 'slug', 'logo', 'sources', 'overview', 'created_at', 'updated_at'],
  // Notes on other fields.
  ...['month_only', 'see_also', 'former_names', 'status_as_of', 'status_source', 'unlisted_since', 'stage_raw'],
  ...['funding_stage_raw', 'funding_stage_date', 'disclosed_rounds', 'amount_raw', 'investors_may_be_cut'],
  ...['unsourced', 'unsourced_funding_usd', 'unsourced_fields', 'unsourced_lead_count'],
];

/** Columns of a table that fit side by side, figures first; by default all. */
export const TABLE_COLUMNS: Readonly<Partial<Record<RecordType, readonly string[]>>> = {
  companies: [
    ...['total_funding_usd', 'funding_stage', 'last_round_date', 'investors_count'],
    ...['tags', 'year_founded', 'location_json'],
  ],
  investors: [
    ...['investments_count', 'lead_count', 'rounds_last_year', 'last_investment_date', 'median_round_usd'],
    ...['funding_stages', 'focus', 'location_json'],
  ],
  people: ['roles', 'angel_investments', 'events', 'tags', 'location_json'],
  events: ['start_date', 'end_date', 'location_json', 'event_type', 'website'],
  rounds: ['company', 'announced_date', 'stage', 'amount_usd', 'lead_investors', 'investors', 'announcement'],
};

/** Whether the columns that are asked for are those of a table without a choice, as a form sends them. */
function isUsual(type: FoundType, asked: readonly string[] = []): boolean {
  const usual = type === ALL ? [] : (TABLE_COLUMNS[type] ?? []);
  return usual.length === asked.length && usual.every((field) => asked.includes(field));
}

/** Columns that no record states: see `withRoundFigures`. */
export const COUNTED_COLUMNS: Readonly<Partial<Record<FoundType, readonly string[]>>> = {
  investors: ['rounds_last_year', 'median_round_usd'],
};

export const columnsFor = (type: FoundType): readonly string[] =>
  type === ALL
    ? MIXED_TYPE_COLUMNS
    : [...Object.keys(entityOf(type).record.shape), ...(COUNTED_COLUMNS[type] ?? [])].filter(
        (field) => !NO_COLUMNS.includes(field),
      );

/** More would fit neither a screen nor a light page. */
export const COLUMNS_MAX = 8;

export function shownColumns({ type, columns }: Pick<ParsedSearch, 'type' | 'columns'>): readonly string[] {
  const known = columnsFor(type);
  const asked = columns?.filter((field) => known.includes(field)) ?? [];
  if (asked.length > 0) return asked.slice(0, COLUMNS_MAX);
  return type === ALL ? known : (TABLE_COLUMNS[type] ?? known);
}
