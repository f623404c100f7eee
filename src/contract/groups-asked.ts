import {
  type AggregateData,
  figuresOf,
  isOfTime,
  MEASURED_FIELD,
  TOP_DEFAULT,
  TOP_MAX,
  withRows,
} from './aggregate.ts';
import { englishRegion } from './countries.ts';
import { type Facet, type FacetKind, facets } from './facets.ts';
import { foldName } from './names.ts';
import { isPeriodWithin, type Period } from './periods.ts';
import type { AskedAggregate } from './sentence-calls.ts';

/** The rows of an aggregate that a sentence asks for. */

type Cell = AggregateData['rows'][number][number];

/** The parameters of the aggregate that a sentence asks for, for a number of rows besides those whose rounds it counts. */
export const parametersOfAsked = (asked: AskedAggregate, rows: number): Readonly<Record<string, unknown>> => ({
  of: asked.of,
  ...figuresOf({
    groups: asked.group_by,
    measure: asked.measure ?? 'count',
    top: rowsFor(asked, rows),
    order: asked.order,
  }),
  ...asked.filters,
});

/** How many rows are counted for some to be shown. Compared investors may be anywhere among those of their rounds. */
export const rowsFor = (asked: AskedAggregate, rows: number): number =>
  asked.isComparison || asked.periods ? TOP_MAX : rowsShown(asked, rows) + partiesCounted(asked).length;

/** How many rows are shown: of periods enough for a year of months, whatever page was asked for. */
const rowsShown = ({ group_by }: Pick<AskedAggregate, 'group_by'>, rows: number): number =>
  isOfTime(group_by) ? Math.max(rows, TOP_DEFAULT) : rows;

/** The investors whose rounds a sentence counts by investor, or the other groups that it compares; none for any other. */
export function partiesCounted({
  group_by: [group = ''],
  filters,
  isComparison,
  share,
}: Pick<AskedAggregate, 'group_by' | 'filters' | 'isComparison' | 'share'>): readonly string[] {
  const isOfParties = group === 'investor' || group === 'lead_investor';
  const names = share ?? (isOfParties ? filters['investor'] : isComparison && filters[group]);
  return typeof names === 'string' ? names.replace(/^all:/, '').split('|') : [];
}

/**
 * An aggregate without the groups of those whose rounds it counts, who take part in all of them, and with so many rows at most.
 * Of a comparison, only these groups; undefined if one of them is missing. Of compared periods, only their groups; undefined for none.
 */
export function withGroupsAsked(
  data: AggregateData,
  asked: Omit<AskedAggregate, 'of' | 'measure'>,
  rowsMax = data.rows.length,
): AggregateData | undefined {
  if (asked.periods !== undefined) return ofPeriods(data, asked.periods);
  const [group = ''] = asked.group_by;
  const parties = partiesCounted(asked);
  const placesOf = (party: string): readonly number[] => {
    const keys = keysOf(group, party);
    return [...data.rows.keys()].filter((row) => keysIn(group, data.rows[row]?.[0]).some((key) => keys.includes(key)));
  };
  if (asked.isComparison)
    return ofCompared(
      data,
      parties.map((party) => [party, placesOf(party)] as const),
      group,
    );
  const own = new Set(parties.flatMap(placesOf));
  const shown = [...data.rows.keys()].filter((row) => !own.has(row));
  const groups = data.groups - (data.rows.length - shown.length);
  return { ...withRows(data, shown.slice(0, rowsShown(asked, rowsMax))), groups };
}

const kindOf = (group: string): FacetKind | undefined => {
  const name = group === 'stage' ? 'funding_stage' : group;
  return Object.hasOwn(facets, name) ? (name as FacetKind) : undefined;
};

/** What a value or a name is compared as; several for a region. */
function keysOf(group: string, value: string): readonly string[] {
  const kind = kindOf(group);
  const facet: Facet | undefined = kind && facets[kind];
  return facet === undefined ? [foldName(value)] : (facet.group?.(value) ?? [facet.key(value)]);
}

/** The same of a cell. */
function keysIn(group: string, cell: Cell | undefined): readonly string[] {
  const kind = kindOf(group);
  const names = typeof cell === 'object' ? [cell?.slug, cell?.name] : [cell];
  return names.map((name) => (kind === undefined ? foldName(String(name)) : facets[kind].key(String(name))));
}

/**
 * The groups that are compared, those of a region as one; undefined where groups of one may overlap, or where one is missing, unless
 * all records are of the other investor.
 */
function ofCompared(
  data: AggregateData,
  compared: readonly (readonly [name: string, places: readonly number[]])[],
  group: string,
): AggregateData | undefined {
  // One alone is asked for as a part of all.
  const withWhole = compared.length === 1 ? (some: AggregateData): AggregateData => some : asWhole;
  const found = compared.filter(([, places]) => places.length > 0);
  const [[, [only = -1]] = ['', []], ...others] = found;
  const count = data.rows[only]?.[data.columns.indexOf('count')];
  const isOfOne = /investor$/.test(group) && others.length === 0 && count === data.covered.records;
  if (found.length < compared.length && !isOfOne) return undefined;
  if (found.some(([, places]) => places.length > 1) && group !== 'country') return undefined;
  if (group !== 'country' || !compared.some(([name]) => englishRegion(name) !== undefined))
    return withWhole(
      withRows(
        data,
        found.map(([, [place = 0]]) => place).toSorted((one, other) => one - other),
      ),
    );
  if (data.columns.slice(1).some((column) => column !== 'count' && !column.startsWith('sum_'))) return undefined;
  const merged = compared.map(([name, places]) => mergedRow(withRows(data, places), name)).toSorted(byFigure);
  const byRow = Object.keys(data.covered)
    .filter((field) => field.endsWith('_by_row'))
    .map((field) => [field, merged.flatMap(({ covered }) => (covered as Record<string, unknown>)[field])]);
  return withWhole({
    ...data,
    rows: merged.flatMap(({ rows }) => rows),
    covered: { ...data.covered, ...Object.fromEntries(byRow) },
  });
}

const byFigure = ({ rows: [one] }: AggregateData, { rows: [other] }: AggregateData): number =>
  Number(other?.[1] ?? 0) - Number(one?.[1] ?? 0);

/** The rows of an aggregate as one, by the sums of their figures. */
function mergedRow(data: AggregateData, name: string): AggregateData {
  const sum = (values: readonly unknown[]): string | number =>
    values.some((value) => typeof value === 'string') ? sumOf(values).toFixed(2) : sumOf(values);
  const figures = data.columns.slice(1).map((_, index) => sum(data.rows.map((row) => row[index + 1])));
  const byRow = Object.entries(data.covered).flatMap(([field, values]) =>
    field.endsWith('_by_row') ? [[field, [sum(values as readonly unknown[])]]] : [],
  );
  return {
    ...data,
    rows: [[englishRegion(name) ?? data.rows[0]?.[0] ?? name, ...figures]],
    covered: { ...data.covered, ...Object.fromEntries(byRow) },
  };
}

/** An aggregate by time of some periods alone, whose records are in one group each. */
function ofPeriods(data: AggregateData, periods: readonly Period[]): AggregateData | undefined {
  const isWithin = (label: unknown): boolean => periods.some((period) => isPeriodWithin(String(label), period));
  const shown = [...data.rows.keys()].filter((row) => isWithin(data.rows[row]?.[0]));
  if (shown.length === 0) return undefined;
  const { covered, ...some } = withRows(data, shown);
  const columnOf = (name: string): unknown[] => some.rows.map((row) => row[data.columns.indexOf(name)]);
  const records = sumOf(columnOf('count'));
  const known = covered.known_by_row === undefined ? records : sumOf(covered.known_by_row);
  const { unsourced, unsourced_by_row: unsourcedParts = [], ...whole } = covered;
  // Figures of all days from the first period to the last.
  const { ungrouped: _, ungrouped_sum: __, average: ___, median: ____, ...others } = whole;
  const isSummed = covered.sum !== undefined;
  // The first and the last date are of all days from the first period to the last.
  const isOfPeriod = (day: string | null): boolean =>
    day !== null && periods.some(({ from, to }) => from <= day && day <= to);
  const isDated = isOfPeriod(covered.from) && isOfPeriod(covered.to);
  const part = sumOf(unsourcedParts);
  return {
    ...some,
    groups: shown.length,
    covered: {
      ...others,
      ...{ records, known, unknown: records - known },
      ...(!isDated && { from: null, to: null }),
      ...(isSummed && { sum: sumOf(columnOf(`sum_${MEASURED_FIELD.rounds}`)).toFixed(2) }),
      ...(unsourced &&
        part > 0 && {
          unsourced: isSummed ? { sum: part.toFixed(2) } : { records: part },
          unsourced_by_row: unsourcedParts,
        }),
    },
  };
}

const sumOf = (values: readonly unknown[]): number =>
  values.reduce<number>((sum, value) => sum + Number(value ?? 0), 0);

/**
 * An aggregate whose rows are all groups that its records may be in. Two share as many records as are counted twice; of more, the
 * counts do not tell how many records are shared.
 */
function asWhole(data: AggregateData): AggregateData {
  const { overlapping: _, ...covered } = data.covered;
  const place = data.columns.indexOf('count');
  const twice = data.rows.reduce((sum, row) => sum + Number(row[place]), -covered.records);
  const groups = data.rows.length;
  return { ...data, groups, covered: { ...covered, ...(groups === 2 && twice > 0 && { overlapping: twice }) } };
}
