import { type Aggregate, GROUPS } from '../../contract/aggregate.ts';
import { RECORD_TYPES, type RecordData, type RecordType } from '../../contract/entities/index.ts';
import type { Facet } from '../../contract/facets.ts';
import { filterValueText } from '../../contract/filter-words.ts';
import {
  COMPANY_FIELD,
  choiceOf,
  type FilterName,
  facetFieldsOf,
  facetOf,
  fieldsOf,
  filterOf,
  hasFilter,
  parseChoice,
  pickFilters,
} from '../../contract/filters.ts';
import { foldName } from '../../contract/names.ts';
import type { NamedReference } from '../../contract/rounds.ts';
import { GRANT, NO_GRANTS } from '../../contract/vocabulary.ts';
import type { Records } from '../../store/port/records.ts';
import {
  ALL,
  type FilterTexts,
  type FoundType,
  kindOf,
  type ParsedSearch,
  requestOf,
  type SearchKind,
  typed,
} from './parsed-search.ts';
import { countMatches, parseRecords, searchInOrder } from './read-records.ts';

/** A facet: an aggregate group, and the filters that select the records of its values. */
export interface ListFacet {
  /** Name in URLs, which has a label. */
  readonly name: string;
  readonly group: string;
  /** The first is about the values: of a year it is the lower bound. */
  readonly filters: readonly FilterName[];
  select(values: readonly string[]): FilterTexts;
}

const byFilter = (filter: FilterName, group: string = filter): ListFacet => ({
  ...{ name: filter, group, filters: [filter] },
  select: (values) => ({ [filter]: choiceOf(values) }),
});
const byYear = (group: string, from: FilterName, to: FilterName): ListFacet => ({
  ...{ name: group, group, filters: [from, to] },
  select: ([year = '']) => ({ [from]: year, [to]: year }),
});
const byRecord = (group: string, filter: FilterName, restriction: FilterTexts = {}): ListFacet => ({
  ...{ name: group, group, filters: [filter, ...(Object.keys(restriction) as FilterName[])] },
  select: (values) => ({ [filter]: choiceOf(values), ...restriction }),
});

const ORGANISATION = 'organization';

/** Facets per type; by default all facet filters. */
const FACETS: Readonly<Partial<Record<RecordType, readonly ListFacet[]>>> = {
  companies: [
    ...[byFilter('tag'), byFilter('chain'), byFilter('country'), byFilter('status')],
    byYear('year_founded', 'founded_from', 'founded_to'),
  ],
  investors: [byFilter('investor_type'), byFilter('tag', 'focus'), byFilter('country')],
  people: [byRecord('event', 'event'), byFilter('country'), byRecord(ORGANISATION, 'company')],
  events: [
    byYear('year', 'starts_after', 'starts_before'),
    ...[byFilter('event_type'), byFilter('country'), byFilter('city')],
  ],
  rounds: [
    byYear('year', 'from', 'to'),
    byFilter('funding_stage', 'stage'),
    byRecord('lead_investor', 'investor', { led: 'true' }),
    ...[byFilter('tag'), byFilter('chain'), byFilter('country')],
  ],
};
const facetsOf = (type: RecordType): readonly ListFacet[] =>
  FACETS[type] ?? facetFieldsOf(type).flatMap(([name]) => (Object.hasOwn(GROUPS[type], name) ? [byFilter(name)] : []));

export interface ValueCount {
  readonly value: string;
  readonly text: string;
  readonly records: number;
  readonly isChosen: boolean;
}

export type FacetCounts = ReturnType<typeof facetCounts>;

export const VALUES_MAX = 1_000;
/** Text searches count facets in this many top matches; others in all. */
export const COUNTED_MAX = 200;

interface SearchFacets {
  readonly facets: readonly FacetCounts[];
  /** Number of top matches in which facets were counted; undefined if in all. */
  readonly countedIn: number | undefined;
}

export async function countFacets(
  records: Records,
  parsed: ParsedSearch,
  effective: ParsedSearch,
): Promise<SearchFacets> {
  const { type, query, given } = effective;
  if (type === ALL) {
    if (query !== '')
      return countInMatches(records, parsed, { facets: SHARED_FACETS, types: RECORD_TYPES, query, given });
    return { facets: withValues(await countInAll(records, given)), countedIn: undefined };
  }
  // No organisation has more than a few of all people.
  const isOfAll = query === '' && Object.keys(given).length === 0;
  const facets = facetsOf(type).filter(
    (facet) => isAvailable(facet, given) && !(isOfAll && facet.name === ORGANISATION),
  );
  if (query !== '') return countInMatches(records, parsed, { facets, types: [type], query, given });
  const kind = kindOf(effective);
  const counted = await Promise.all(
    facets.map(async (facet) => {
      // A facet does not restrict its own values, which are alternatives.
      const rest = withoutFilters(given, facet.filters);
      const counts = await countGroup(records, type, facet, rest);
      const ofKind = counts.filter(([{ value }]) => isOfKind(kind, facet, value));
      return facetCounts(
        facet,
        given,
        await countShared(records, facet, { types: [type], query, rest, counts: ofKind }),
      );
    }),
  );
  return { facets: withValues(counted), countedIn: undefined };
}

const withValues = (facets: readonly FacetCounts[]): readonly FacetCounts[] =>
  facets.filter(({ values }) => values.length > 0);

async function countGroup(records: Records, type: RecordType, facet: ListFacet, rest: FilterTexts) {
  const { rows } = await records.aggregate({
    of: type,
    groups: [facet.group],
    measures: ['count'],
    order: isYear(facet) ? LATEST : MOST,
    top: VALUES_MAX,
    filters: pickFilters(typed(rest)),
  });
  return rows.flatMap(([value = null, count]): Counted[] =>
    value === null ? [] : [[namedValue(facet, value), Number(count)]],
  );
}

const INVESTORS_MAX = 8;

/** Names of the most frequent investors, which a form offers; they are too many for a facet. */
export async function frequentInvestors(records: Records, type: FoundType): Promise<readonly string[]> {
  if (type === ALL || !hasFilter(type, 'investor')) return [];
  const { rows } = await records.aggregate({
    ...{ of: 'rounds', groups: ['investor'], measures: ['count'], order: MOST, top: INVESTORS_MAX + 1 },
    // Programmes that give many small grants would be most of them.
    filters: pickFilters({ funding_stage: NO_GRANTS }),
  });
  const names = rows.flatMap(([party]) => (party !== null && typeof party === 'object' ? [party.name] : []));
  return names.slice(0, INVESTORS_MAX);
}

/** Facets of records of every type, each of which has some of them. */
const SHARED_FACETS = [byFilter('tag'), byFilter('chain'), byFilter('country')];
const SHARED_VALUES_MAX = 6;

/** The values that most records have, counted by their filter, because aggregates are of one type and not of every one. */
async function countInAll(records: Records, given: FilterTexts): Promise<readonly FacetCounts[]> {
  const counted = SHARED_FACETS.map(async (facet) => {
    const rest = withoutFilters(given, facet.filters);
    const types = RECORD_TYPES.filter((type) =>
      [...facet.filters, ...Object.keys(rest)].every((name) => hasFilter(type, name as FilterName)),
    );
    const rows = await Promise.all(
      types.map((type) => {
        const own = facetsOf(type).find(({ name }) => name === facet.name);
        return own === undefined ? [] : countGroup(records, type, own, rest);
      }),
    );
    const sums = new Map<string, Counted>();
    for (const [named, records] of rows.flat())
      if (!NO_SINGLE.test(named.value)) sums.set(named.value, [named, records + (sums.get(named.value)?.[1] ?? 0)]);
    const most = [...sums.values()].toSorted(([, one], [, other]) => other - one).slice(0, SHARED_VALUES_MAX);
    return facetCounts(facet, given, await countShared(records, facet, { types, query: '', rest, counts: most }));
  });
  return Promise.all(counted);
}

interface CountedSearch {
  readonly types: readonly RecordType[];
  readonly query: string;
  readonly rest: FilterTexts;
  readonly counts: readonly Counted[];
}

/** Combines spellings of one value, and counts by filter the values that also select records of others, as groups of tags do. */
async function countShared(records: Records, facet: ListFacet, search: CountedSearch): Promise<Counted[]> {
  const { types, query: text, rest, counts } = search;
  const values = spellingsOf(facet);
  const keysOf = ({ value, text: shown }: Named): readonly string[] =>
    values === undefined ? [...new Set([foldName(value), foldName(shown)])] : [values.key(value)];
  const uses = new Map<string, Named[]>();
  for (const [named] of counts) for (const key of keysOf(named)) uses.set(key, [...(uses.get(key) ?? []), named]);
  const isShared = (named: Named): boolean =>
    types.length > 1 ||
    values?.group?.(named.value) !== undefined ||
    keysOf(named).some((key) => (uses.get(key)?.length ?? 0) > 1);
  const isFirst = (named: Named): boolean =>
    values === undefined || keysOf(named).every((key) => uses.get(key)?.[0] === named);
  const count = async (value: string): Promise<number> => {
    const filters = pickFilters(typed({ ...rest, ...facet.select([value]) }));
    return countMatches(records, { types, text, filters });
  };
  const exact = await Promise.all(
    counts
      .filter(([named]) => isFirst(named))
      .map(async ([named, known]) => [named, isShared(named) ? await count(named.value) : known] as const),
  );
  return exact;
}

/** How values that have several spellings are told; undefined for others. */
function spellingsOf({ filters: [filter] }: ListFacet): Facet | undefined {
  const definition = filter === undefined ? undefined : filterOf(filter);
  return definition?.test === 'facet' ? facetOf(definition) : undefined;
}

/** The same for each spelling of a value, such as a code of a country. */
const keyIn = (facet: ListFacet, value: string): string => spellingsOf(facet)?.key(value) ?? value.toLowerCase();

const MOST: Aggregate['order'] = { by: 'measure', column: 0, isDescending: true };
const LATEST: Aggregate['order'] = { by: 'group', column: 0, isDescending: true };

/** A value as its filter takes it, and as people read it. */
type Named = Pick<ValueCount, 'value' | 'text'>;
type Counted = readonly [named: Named, records: number];

function namedValue({ filters: [filter] }: ListFacet, value: string | number | NamedReference): Named {
  if (typeof value === 'object') return { value: value.slug ?? value.name, text: value.name };
  return { value: String(value), text: filter === undefined ? '' : filterValueText(filter, String(value)) };
}

/** The stages of rounds are a facet without the grants, which are a kind of their own. */
const isOfKind = (kind: SearchKind, { name }: ListFacet, value: string): boolean =>
  kind.stage === undefined || name !== 'funding_stage' || (kind.stage !== GRANT && value !== GRANT);

interface InMatches {
  readonly facets: readonly ListFacet[];
  readonly types: readonly RecordType[];
  readonly query: string;
  readonly given: FilterTexts;
}

async function countInMatches(records: Records, parsed: ParsedSearch, search: InMatches): Promise<SearchFacets> {
  const { facets, given: rest, query } = search;
  const filters = pickFilters(typed(parsed.given));
  const found = await searchInOrder(records, requestOf({ ...parsed, filters }, 0, COUNTED_MAX));
  const documents = parseRecords(found.results);
  // Of several types, each value would be a search of its own, because rounds have those of their company.
  const isPart = found.total > COUNTED_MAX || search.types.length > 1;
  const counted = facets.map(async (facet) => {
    const counts = countIn(documents, facet);
    const exact = isPart ? counts : await countShared(records, facet, { types: search.types, query, rest, counts });
    return facetCounts(facet, rest, exact);
  });
  const all = await Promise.all(counted);
  return { facets: all.filter(({ values }) => values.length > 0), countedIn: isPart ? documents.length : undefined };
}

function countIn(documents: readonly RecordData[], facet: ListFacet): readonly Counted[] {
  const counts = new Map<string, Counted>();
  for (const document of documents) {
    const path = pathIn(document.type, facet);
    for (const value of path === undefined ? [] : valuesAt(document, path)) {
      const named = namedValue(facet, isYear(facet) ? String(value).slice(0, YEAR_LENGTH) : value);
      counts.set(named.value, [named, (counts.get(named.value)?.[1] ?? 0) + 1]);
    }
  }
  const inOrder = ([one, few]: Counted, [other, many]: Counted): number =>
    isYear(facet) ? Number(other.value) - Number(one.value) : many - few;
  return [...counts.values()].toSorted(inOrder);
}

const YEAR_LENGTH = 4;

/** The field of the values in a document; undefined if another record may state them. */
function pathIn(type: RecordType, { filters }: ListFacet): string | undefined {
  const isOfOthers = filters.length === 1 && filters.some((filter) => filterOf(filter).test === 'party');
  const path = filters.map((filter) => fieldsOf(type, filter)[0]).at(-1);
  return isOfOthers || path?.startsWith(COMPANY_FIELD) ? undefined : path;
}

function valuesAt(record: RecordData, path: string): readonly (string | NamedReference)[] {
  const [field = '', part] = path.split('.');
  const value = part === undefined ? record[field] : ((record[field] ?? {}) as Record<string, unknown>)[part];
  return [value ?? []].flat() as (string | NamedReference)[];
}

const isYear = ({ filters }: ListFacet): boolean => filters.some((filter) => filterOf(filter).test === 'from');

/** Filters without some, and without those that need one of them. */
export const withoutFilters = (given: FilterTexts, names: readonly FilterName[]): FilterTexts =>
  Object.fromEntries(
    Object.entries(given).filter(([name]) => {
      const filter = filterOf(name as FilterName);
      const needed = filter.test === 'role' ? filter.of : name;
      return !names.some((each) => each === name || each === needed);
    }),
  );

/** Whether the filters of the facet are not given otherwise than its values give them: one would replace the other. */
const isAvailable = (facet: ListFacet, given: FilterTexts): boolean =>
  facet.filters.length === 1 ||
  facet.filters.every((name) => given[name] === undefined) ||
  chosenOf(facet, given).length > 0;

/** The selected values of a facet, of a choice those in mode `any`. */
function chosenOf(facet: ListFacet, given: FilterTexts): readonly string[] {
  const [filter, ...restrictions] = facet.filters;
  const text = filter && given[filter];
  if (filter === undefined || text === undefined) return [];
  const choice = isYear(facet) ? undefined : parseChoice(filter, text);
  if (choice !== undefined && choice.mode !== 'any') return [];
  const values = choice?.values ?? [text.slice(0, YEAR_LENGTH)];
  const selecting = typed(facet.select(values));
  const isSelecting = (name: FilterName): boolean => String(selecting[name]) === given[name];
  return (isYear(facet) ? facet.filters : restrictions).every(isSelecting) ? values : [];
}

/** Values that parse as several, or as excluded ones, have no URL. */
const NO_SINGLE = /\||^(all|not|except):/i;

function facetCounts(facet: ListFacet, given: FilterTexts, counts: readonly Counted[]) {
  const chosen = chosenOf(facet, given).map((value) => keyIn(facet, value));
  return {
    facet,
    values: (isYear(facet) ? counts : counts.toSorted(mostFirst))
      .filter(([{ value }]) => !NO_SINGLE.test(value))
      .map(([named, records]) => ({ ...named, records, isChosen: chosen.includes(keyIn(facet, named.value)) })),
  };
}

const ALPHABET = new Intl.Collator('en', { numeric: true });

/** Those of as many records by the alphabet. */
const mostFirst = ([one, few]: Counted, [other, many]: Counted): number =>
  many - few || ALPHABET.compare(one.text, other.text);

/** The filters with a value added, or removed if present; a year replaces another one. */
export function toggleValue({ given }: ParsedSearch, facet: ListFacet, value: string): FilterTexts {
  const chosen = chosenOf(facet, given);
  const rest = chosen.filter((one) => keyIn(facet, one) !== keyIn(facet, value));
  const kept = isYear(facet) ? [] : rest;
  const next = rest.length === chosen.length ? [...kept, value] : kept;
  return { ...withoutFilters(given, facet.filters), ...(next.length > 0 && facet.select(next)) };
}

/** Words of headlines and roles. Investors are those with investments, whatever their headline says. */
const ROLES = ['Founder', 'CEO', 'Partner', 'Speaker', 'Team member', 'Author', 'Researcher', 'Engineer'];

export type RoleCount = Awaited<ReturnType<typeof countRoles>>[number];

/** How many people of a list are known as each of some roles, one of which may be what it is of. */
export async function countRoles(records: Records, parsedSearch: ParsedSearch) {
  const { type, query, given } = parsedSearch;
  const isOf = (role: string): boolean => role.toLowerCase() === query.toLowerCase();
  if (type !== 'people' || (query !== '' && !ROLES.some(isOf))) return [];
  const filters = pickFilters(typed(given));
  const counts = ROLES.map(async (role) => {
    const found = await records.search({ types: ['people'], text: role, filters, window: { offset: 0, limit: 0 } });
    const { total, isTyped, understood } = found;
    return { role, people: isTyped && understood === undefined ? total : 0, isChosen: isOf(role) };
  });
  return (await Promise.all(counts))
    .filter(({ people }) => people > 0)
    .toSorted((one, other) => other.people - one.people);
}
