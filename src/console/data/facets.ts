import { GROUPS } from '../../contract/aggregate.ts';
import { choiceOf, parseChoice } from '../../contract/choices.ts';
import type { RecordType } from '../../contract/entities/index.ts';
import {
  COMPANY_FIELD,
  type FilterName,
  facetFieldsOf,
  fieldsOf,
  isChoice,
  pickFilters,
} from '../../contract/filters.ts';
import { GRANT } from '../../contract/vocabulary.ts';
import type { Records } from '../../store/port/records.ts';
import { ALL, type FilterTexts, type Kind, kindOf, type ParsedSearch, requestOf, typed } from './parsed-search.ts';
import type { RecordData } from './values.tsx';

export interface ValueCount {
  readonly value: string;
  readonly records: number;
  readonly isChosen: boolean;
}

export interface FacetCounts {
  readonly filter: FilterName;
  /** All values, the most frequent first. */
  readonly values: readonly ValueCount[];
}

/** Counted filters per type, with the aggregate group of the same values; by default all facet filters. */
const FACETS: Readonly<Partial<Record<RecordType, Partial<Record<FilterName, string>>>>> = {
  companies: { tag: 'tag', chain: 'chain', country: 'country', status: 'status' },
  investors: { investor_type: 'investor_type', tag: 'focus', country: 'country' },
  people: { country: 'country' },
  events: { event_type: 'event_type', country: 'country', city: 'city' },
  rounds: { funding_stage: 'stage', tag: 'tag', country: 'country' },
};
const countedOf = (type: RecordType): Partial<Record<FilterName, string>> =>
  FACETS[type] ?? Object.fromEntries(facetFieldsOf(type).map(([name]) => [name, name]));
/** Maximum values of a facet. */
export const VALUES_MAX = 1_000;
/** Text searches count facets in this many top matches; others in all. */
const COUNTED_MAX = 200;

export interface Facets {
  readonly facets: readonly FacetCounts[];
  /** Number of top matches in which facets were counted; undefined if in all. */
  readonly countedIn: number | undefined;
}

export async function countFacets(records: Records, parsed: ParsedSearch, effective: ParsedSearch): Promise<Facets> {
  const { type, query, given } = effective;
  if (type === ALL) return { facets: [], countedIn: undefined };
  if (query !== '') return countInMatches(records, parsed, effective);
  const kind = kindOf(effective);
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
          order: { by: 'measure', column: 0, isDescending: true },
          top: VALUES_MAX,
          filters: pickFilters(typed(others)),
        });
        const counts = rows.filter(([value]) => typeof value === 'string') as unknown as [string, number][];
        const shown = counts.filter(([value]) => isOfKind(kind, filter, value));
        return facetCounts(filter, shown, given);
      }),
  );
  return { facets: facets.filter(({ values }) => values.length > 0), countedIn: undefined };
}

/** The stages of rounds are a facet without the grants, which are a kind of their own. */
const isOfKind = (kind: Kind, filter: FilterName, value: string): boolean =>
  kind.stage === undefined || filter !== 'funding_stage' || (kind.stage !== GRANT && value !== GRANT);

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
  return {
    filter,
    values: counts.map(([value, records]) => ({ value, records, isChosen: chosen.includes(value.toLowerCase()) })),
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
