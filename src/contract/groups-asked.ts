import {
  type AggregateData,
  figuresOf,
  isOfTime,
  MEASURED_FIELD,
  TOP_DEFAULT,
  TOP_MAX,
  withRows,
} from './aggregate.ts';
import { foldName } from './names.ts';
import { isPeriodWithin, type Period } from './periods.ts';
import type { AskedAggregate } from './sentence-calls.ts';

/** The rows of an aggregate that a sentence asks for. */

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
}: Pick<AskedAggregate, 'group_by' | 'filters' | 'isComparison'>): readonly string[] {
  const isOfParties = group === 'investor' || group === 'lead_investor';
  const names = isOfParties ? filters['investor'] : isComparison && filters[group];
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
  const own = new Set(partiesCounted(asked).map(foldName));
  const isOwn = ([cell]: AggregateData['rows'][number]): boolean => {
    const names = typeof cell === 'object' ? [cell?.slug, cell?.name] : [cell];
    return names.some((name) => own.has(foldName(String(name))));
  };
  const { isComparison = false } = asked;
  const shown = [...data.rows.keys()].filter((row) => isOwn(data.rows[row] ?? []) === isComparison);
  if (isComparison) return shown.length < own.size ? undefined : asWhole(withRows(data, shown));
  const groups = data.groups - (data.rows.length - shown.length);
  return { ...withRows(data, shown.slice(0, rowsShown(asked, rowsMax))), groups };
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
