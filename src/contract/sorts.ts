import * as z from 'zod';
import { entityOf, NAMED_TYPES, RECORD_TYPES, type RecordType } from './entities/index.ts';
import { invalidAt } from './errors.ts';
import { similarNames } from './name-similarity.ts';
import { labelOf } from './vocabulary.ts';

/** Fields by which results are sorted, if the type has them. */
export const SORTED_FIELDS = [
  'name',
  'total_funding_usd',
  'last_round_date',
  'announced_date',
  'amount_usd',
  'valuation_usd',
  'year_founded',
  'total_employees',
  'investments_count',
  'lead_count',
  'angel_investments',
  'start_date',
  'updated_at',
] as const;
export type SortedField = (typeof SORTED_FIELDS)[number];

export interface Sort {
  readonly field: SortedField;
  readonly isDescending: boolean;
}

/** Sorts whose field depends on the type: the first that it has is used. */
const GENERAL_SORTS: Readonly<Record<string, readonly SortedField[]>> = {
  date: ['announced_date', 'start_date', 'last_round_date'],
  amount: ['amount_usd', 'total_funding_usd'],
};

const SORTS = [...SORTED_FIELDS, ...Object.keys(GENERAL_SORTS)].flatMap((field) => [field, `-${field}`]) as [
  string,
  ...string[],
];

/** The allowed sorts for an error message: fields by type, common ones first. */
export function sortsAbout(): string {
  const common = SORTED_FIELDS.filter((field) => RECORD_TYPES.every((type) => isSortedBy(type, field)));
  const others = RECORD_TYPES.map((type) => {
    const own = SORTED_FIELDS.filter((field) => isSortedBy(type, field) && !common.includes(field));
    return `${type}: ${own.join(', ')}`;
  });
  return `one of ${common.flatMap((field) => [field, `-${field}`]).join(', ')}; ${others.join('; ')}; and -field for the largest first`;
}

export const sortParameter = z
  .enum(SORTS, { error: sortsAbout })
  .optional()
  .meta({ description: 'Field, or -field for the largest first; unknown last.' });

/** Sorts by what few records state, which the tools take without a word. */
const RARE: readonly SortedField[] = ['valuation_usd'];

/** Every usual sort in few words: a general one stands for the fields by which it sorts. */
export const SORTS_TEXT = `${[
  ...Object.keys(GENERAL_SORTS),
  ...SORTED_FIELDS.filter((field) => ![...Object.values(GENERAL_SORTS).flat(), ...RARE].includes(field)),
].join(', ')}; -date: newest first.`;

/** Default order of lists by type; without one, by rank. */
const USUAL: Readonly<Partial<Record<RecordType, Sort>>> = {
  rounds: { field: 'announced_date', isDescending: true },
};

export const isSortedBy = (type: RecordType, field: SortedField): boolean =>
  Object.hasOwn(entityOf(type).record.shape, field);

/** Parses a sort parameter. Throws `invalid_parameter` for a field that no searched type has. */
export function parseSort(types: readonly RecordType[], sort: string | undefined): Sort | undefined {
  if (sort === undefined) return undefined;
  const isDescending = sort.startsWith('-');
  const name = isDescending ? sort.slice(1) : sort;
  const isKnown = (each: SortedField): boolean => types.some((type) => isSortedBy(type, each));
  const field = GENERAL_SORTS[name]?.find(isKnown) ?? (name as SortedField);
  if (isKnown(field)) return { field, isDescending };
  const known = SORTED_FIELDS.filter(isKnown);
  const [suggestion] = similarNames(field, known);
  const hint = suggestion === undefined ? '' : `did you mean ${isDescending ? '-' : ''}${suggestion}? `;
  throw invalidAt(
    'query.sort',
    `sort: ${types.join(', ')} cannot be sorted by ${field}; ${hint}they can by ${known.join(', ')}`,
  );
}

interface Sorted {
  readonly type: RecordType | 'all';
  readonly sort?: string | undefined;
}

/** The field by which a list is ordered: by its own sort, or by that of its sentence. Undefined for one by rank. */
export const sortedBy = ({ type, sort }: Sorted, understood?: { readonly sort?: string | undefined }) =>
  sort === undefined
    ? understood?.sort?.replace('-', '')
    : parseSort(type === 'all' ? NAMED_TYPES : [type], sort)?.field;

/** Default order of a list of these types. */
export const usualSort = ([type, ...others]: readonly RecordType[]): Sort | undefined =>
  type !== undefined && others.length === 0 ? USUAL[type] : undefined;

/** A sort in words, such as `Founded, latest first`. */
export function sortText(sort: string): string {
  const field = sort.replace('-', '');
  const [up, down] = ORDERS.find(([fields]) => fields.test(field))?.[1] ?? ['smallest first', 'largest first'];
  return `${labelOf(field)}, ${sort === field ? up : down}`;
}
const ORDERS = [
  [/^name$/, ['A to Z', 'Z to A']],
  [/date|founded|as_of/, ['earliest first', 'latest first']],
  [/count|investments|employees/, ['fewest first', 'most first']],
] as const;

/** The fields by which lists are restricted, by the first word of the filters. */
const BOUNDED: Readonly<Partial<Record<RecordType, Readonly<Record<string, SortedField>>>>> = {
  companies: { funding: 'total_funding_usd', employees: 'total_employees' },
  rounds: { valuation: 'valuation_usd', funding: 'amount_usd' },
  investors: { led: 'lead_count', investments: 'investments_count' },
  people: { investments: 'angel_investments' },
};

/** The order by the number that is at least so high in a list: of `investors with more than 20 deals` by these. */
export function orderOfBound(type: RecordType | 'all' | undefined, given: Readonly<Record<string, unknown>>) {
  const isBound = ([name]: readonly [string, SortedField]): boolean =>
    Number(given[`${name}_min`]) > 1 && String(given[`${name}_min`]) !== String(given[`${name}_max`]);
  const bound = Object.entries((type !== 'all' && type && BOUNDED[type]) || {}).find(isBound);
  return bound && (`-${bound[1]}` as const);
}
