import * as z from 'zod';
import { entityOf, type SearchedType, searchedEntities } from './entities/index.ts';
import { count, isoDate, nameText, year } from './fields.ts';
import { EVENT_TYPES, FUNDING_STAGES, INVESTOR_TYPES } from './vocabulary.ts';

type ValueSchema = z.ZodType<FilterValue, FilterValue>;
type FilterSchema = z.ZodOptional<ValueSchema>;

/** A condition on records: a value that a field has, or a bound on it. */
export interface Filter {
  /** Fields it is about, by path; a record type is asked about the first that it has. */
  readonly fields: readonly string[];
  readonly test: 'has' | 'from' | 'to';
  readonly schema: FilterSchema;
}

const filterBy =
  (test: Filter['test']) =>
  (field: string | readonly string[], schema: ValueSchema, about: string): Filter => ({
    fields: [field].flat(),
    test,
    schema: described(schema, about),
  });
const described = (schema: ValueSchema, description: string): FilterSchema => schema.optional().meta({ description });

const has = filterBy('has');
const from = filterBy('from');
const to = filterBy('to');

/** Every filter of search and lists, by parameter. */
export const filters = {
  country: has(['location_json.country'], nameText, 'Country, such as United States.'),
  city: has(['location_json.city'], nameText, 'City.'),
  tag: has(['tags', 'focus'], nameText, 'Tag, such as DeFi.'),
  chain: has(['chains'], nameText, 'Blockchain.'),
  founded_from: from('year_founded', year, 'Founded in this year or later.'),
  founded_to: to('year_founded', year, 'Founded in this year or before.'),
  employees_min: from('total_employees', count, 'Employees at least.'),
  employees_max: to('total_employees', count, 'Employees at most.'),
  funding_min: from('total_funding_usd', count, 'Known funding in US dollars at least.'),
  funding_max: to('total_funding_usd', count, 'Known funding in US dollars at most.'),
  funding_stage: has(['funding_stage', 'funding_stages'], z.enum(FUNDING_STAGES), 'Funding stage.'),
  investor_type: has(['investor_type'], z.enum(INVESTOR_TYPES), 'Kind of investor.'),
  event_type: has(['event_type'], z.enum(EVENT_TYPES), 'Kind of event.'),
  starts_after: from('start_date', isoDate, 'Events from this day on.'),
  starts_before: to('start_date', isoDate, 'Events up to this day.'),
  verified: has(['is_verified'], z.boolean(), 'Checked by the operator.'),
} as const satisfies Record<string, Filter>;

export type FilterName = keyof typeof filters;
export const FILTER_NAMES = Object.keys(filters) as FilterName[];
export type FilterValue = string | number | boolean;
export type Filters = Partial<Record<FilterName, FilterValue>>;

/** The parameters of all filters, to be put beside others. */
export const filterShape = Object.fromEntries(FILTER_NAMES.map((name) => [name, filters[name].schema])) as Record<
  FilterName,
  FilterSchema
>;

/** The field of a type that a filter is about, or undefined when the type has none. */
export function fieldOf(type: SearchedType, name: FilterName): string | undefined {
  const { shape } = entityOf(type).record;
  return filters[name].fields.find((path) => Object.hasOwn(shape, path.split('.')[0] ?? ''));
}

/** The filters among other parameters. */
export function pickFilters(query: Readonly<Record<string, unknown>>): Filters {
  return Object.fromEntries(
    FILTER_NAMES.filter((name) => query[name] !== undefined).map((name) => [name, query[name]]),
  ) as Filters;
}

/** Fields that results can be sorted by, where their type has them. */
export const SORTED_FIELDS = [
  'name',
  'total_funding_usd',
  'year_founded',
  'total_employees',
  'investments_count',
  'start_date',
  'updated_at',
] as const;
export type SortedField = (typeof SORTED_FIELDS)[number];

export interface Sort {
  readonly field: SortedField;
  readonly isDescending: boolean;
}

const SORTS = SORTED_FIELDS.flatMap((field) => [field, `-${field}`]) as [string, ...string[]];

export const sortParameter = z.enum(SORTS).optional().meta({
  description: 'Field such as total_funding_usd, or -field for the largest first. What is not known comes last.',
});

/** The order that a sort parameter asks for. */
export function parseSort(sort: string | undefined): Sort | undefined {
  if (sort === undefined) return undefined;
  const isDescending = sort.startsWith('-');
  return { field: (isDescending ? sort.slice(1) : sort) as SortedField, isDescending };
}

/** Whether records of a type have the field of a sort. */
export function isSortedBy(type: SearchedType, field: SortedField): boolean {
  return Object.hasOwn(entityOf(type).record.shape, field);
}

/** Fields that records of some types can be sorted by, to tell the caller. */
export function sortsOf(types: readonly SearchedType[]): SortedField[] {
  return SORTED_FIELDS.filter((field) => types.some((type) => isSortedBy(type, field)));
}

/** Filters that no record type of a search knows, so that they could only empty it. */
export function foreignFilters(types: readonly SearchedType[], given: Filters): FilterName[] {
  return (Object.keys(given) as FilterName[]).filter((name) =>
    types.every((type) => fieldOf(type, name) === undefined),
  );
}

/** Types that know a filter, to tell the caller. */
export function typesOfFilter(name: FilterName): SearchedType[] {
  return searchedEntities.map((entity) => entity.type).filter((type) => fieldOf(type, name) !== undefined);
}
