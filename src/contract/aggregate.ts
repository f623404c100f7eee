import * as z from 'zod';
import { MEASURES } from './aggregate-rows.ts';
import { RECORD_TYPES, type RecordType } from './entities/index.ts';
import { invalidAt, type ServiceError } from './errors.ts';
import { count, isoDate, nameText } from './fields.ts';
import { FILTER_NAMES, facetFieldsOf, filterShape } from './filters.ts';
import type { PeriodUnit } from './periods.ts';
import { listNamed, type Relation, relationOf, type Step } from './relations.ts';

export type Measure = (typeof MEASURES)[number];

/** The field that measures other than `count` are computed over. Types without one support `count` only. */
export const MEASURED_FIELD: Readonly<Partial<Record<RecordType, string>>> = {
  rounds: 'amount_usd',
  companies: 'total_funding_usd',
  investors: 'investments_count',
};

/** Whether a measured field is money (text with two decimals) rather than a count. */
export const isMoney = (field: string): boolean => field.endsWith('_usd');

/** The date field of a type by which `from`, `to` and the response's period are computed. */
export function datedField(type: RecordType): string {
  if (type === 'rounds') return 'announced_date';
  return type === 'events' ? 'start_date' : 'as_of';
}

/** Source of a record's group values: its date, a field of it or of a referenced record, or linked records. */
export type GroupSource =
  | { readonly kind: 'period'; readonly period: PeriodUnit }
  | { readonly kind: 'value'; readonly field: string; readonly through?: Relation }
  | { readonly kind: 'links'; readonly paths: readonly (readonly Step[])[] };

const period = (unit: PeriodUnit): GroupSource => ({ kind: 'period', period: unit });
const value = (field: string): GroupSource => ({ kind: 'value', field });
const ofCompany = (field: string): GroupSource => ({ kind: 'value', field, through: relation('rounds', 'company') });

function relation(type: RecordType, field: string): Relation {
  const found = relationOf(type, field);
  if (found === undefined) throw new Error(`No relation ${type}.${field}`);
  return found;
}

/** Groups by the records that these fields name, including names that match no record. */
const named = (type: RecordType, ...fields: readonly string[]): GroupSource => ({
  kind: 'links',
  paths: fields.map((field) => [{ relation: relation(type, field), direction: 'to' }]),
});

/** Groups by the records of a related list, including names that match no record. */
function listed(type: RecordType, name: string): GroupSource {
  const list = listNamed(type, name);
  if (list === undefined) throw new Error(`No related list ${type}/${name}`);
  return { kind: 'links', paths: list.paths };
}

const location = { country: value('location_json.country'), city: value('location_json.city') };

type Groups = Readonly<Record<string, GroupSource>>;

/** Groups that are not filters by value. */
const OWN_GROUPS: Readonly<Partial<Record<RecordType, Groups>>> = {
  rounds: {
    year: period('year'),
    quarter: period('quarter'),
    month: period('month'),
    stage: value('stage'),
    company: named('rounds', 'company'),
    investor: named('rounds', 'investors', 'lead_investors'),
    lead_investor: named('rounds', 'lead_investors'),
    tag: ofCompany('tags'),
    chain: ofCompany('chains'),
    country: ofCompany('location_json.country'),
  },
  companies: {
    tag: value('tags'),
    chain: value('chains'),
    ...location,
    year_founded: value('year_founded'),
    status: value('status'),
    funding_stage: value('funding_stage'),
    investor: listed('companies', 'investors'),
  },
  investors: { ...location, investor_type: value('investor_type'), focus: value('focus') },
  people: { organization: named('people', 'roles'), ...location, event: listed('people', 'events') },
  events: {
    year: period('year'),
    month: period('month'),
    ...location,
    event_type: value('event_type'),
    organizer: named('events', 'organizers'),
    speaker: listed('events', 'speakers'),
  },
};

/** The groups of each type. A record with several values of a group counts once in each of them, so groups overlap. */
export const GROUPS = {
  ...OWN_GROUPS,
  ...Object.fromEntries(
    RECORD_TYPES.filter((type) => OWN_GROUPS[type] === undefined).map((type) => [
      type,
      Object.fromEntries(facetFieldsOf(type).map(([name, field]) => [name, value(field)])),
    ]),
  ),
} as Readonly<Record<RecordType, Groups>>;

export const GROUP_NAMES = [...new Set(Object.values(GROUPS).flatMap((groups) => Object.keys(groups)))] as [
  string,
  ...string[],
];

export const TOP_DEFAULT = 20;
export const TOP_MAX = 200;
const GROUPS_MAX = 2;

const piped = { param: { style: 'pipeDelimited', explode: false } } as const;
const groupsAbout = (type: RecordType): string => `${type}: ${Object.keys(GROUPS[type]).join(', ')}`;

/** Query of an aggregate. Strict, because ignoring an unknown filter would change what is counted. */
export const aggregateQuery = z.strictObject({
  of: z.enum(RECORD_TYPES).meta({ description: 'Kind of record.' }),
  group_by: z
    .array(z.enum(GROUP_NAMES, { error: () => `one of ${RECORD_TYPES.map(groupsAbout).join('; ')}` }))
    .min(1)
    .max(GROUPS_MAX)
    .meta({ description: `One or two groups, as year|stage. ${RECORD_TYPES.map(groupsAbout).join('; ')}.`, ...piped }),
  measure: z
    .array(z.enum(MEASURES))
    .min(1)
    .max(MEASURES.length)
    .default(['count'])
    .meta({
      description:
        'One or several, as count|sum; all but count are over the amount of a round, the known funding of a company or the investments of an investor.',
      ...piped,
    }),
  top: z
    .int()
    .min(1)
    .max(TOP_MAX, `at most ${TOP_MAX}; for other groups, narrow from and to or another filter, or group by one`)
    .optional()
    .meta({ description: `Rows at most, up to ${TOP_MAX}; ${TOP_DEFAULT} when left out.` }),
  order: nameText.optional().meta({
    description:
      'A measure (largest first), largest or smallest (first, by the first measure), a group (-group: last first). When left out, the first measure; without top as well, years, quarters and months come in the order of time, the newest of them when there are more.',
  }),
  ...filterShape,
});

export type AggregateQuery = z.output<typeof aggregateQuery>;

/** Order of the rows: by a measure or by a group. */
interface AggregateOrder {
  readonly by: 'measure' | 'group';
  /** Index in the requested measures or groups. */
  readonly column: number;
  readonly isDescending: boolean;
  /** Whether the selected rows are then sorted by their first group, ascending. */
  readonly isSeries?: true;
}

export interface Aggregate {
  readonly of: RecordType;
  readonly groups: readonly string[];
  readonly measures: readonly Measure[];
  readonly order: AggregateOrder;
  readonly top: number;
}

/**
 * Validates what the schema cannot.
 * @throws ServiceError `invalid_parameter`, with the allowed values, for a group, measure or order that the type does
 * not have
 */
export function checkAggregate({ of, group_by, measure, order, top }: AggregateQuery): Aggregate {
  const groups = [...new Set(group_by.map((name) => groupNamed(of, name)))];
  const measures = [...new Set(measure)];
  const known = Object.keys(GROUPS[of]);
  if (groups.length < group_by.length) throw refusal('group_by', 'two different groups');
  if (groups.some((group) => !known.includes(group))) throw refusal('group_by', `of ${of} one of ${known.join(', ')}`);
  if (MEASURED_FIELD[of] === undefined && measures.some((each) => each !== 'count'))
    throw refusal('measure', `count for ${of}; sums are for ${Object.keys(MEASURED_FIELD).join(', ')}`);
  return { of, groups, measures, top: top ?? TOP_DEFAULT, order: orderOf({ order, top }, groups, measures) };
}

/** A group by any of its names: rounds have a stage and companies a funding_stage, and both accept either. */
export function groupNamed(of: RecordType, name: string): string {
  const other = name === 'stage' ? 'funding_stage' : 'stage';
  return Object.hasOwn(GROUPS[of], name) || (name !== 'funding_stage' && name !== 'stage') ? name : other;
}

/** Groups that are shown in the order of time. */
const TIMES: ReadonlySet<string> = new Set(['year', 'quarter', 'month', 'year_founded']);

/** Whether rows are shown in the order of time. */
export const isOfTime = ([first = '']: readonly string[]): boolean => TIMES.has(first);

/** Orders by the first measure. */
export const EXTREMES = ['largest', 'smallest'] as const;
export type Extreme = (typeof EXTREMES)[number];

function orderOf(
  { order: given, top }: Pick<AggregateQuery, 'order' | 'top'>,
  groups: readonly string[],
  measures: readonly Measure[],
): AggregateOrder {
  if (given === undefined && top === undefined && isOfTime(groups))
    return { by: groups.length > 1 ? 'measure' : 'group', column: 0, isDescending: true, isSeries: true };
  if (EXTREMES.some((each) => each === given)) return { by: 'measure', column: 0, isDescending: given === 'largest' };
  const isDescending = given?.startsWith('-') === true;
  const name = isDescending ? given.slice(1) : given;
  const measure = name === undefined ? 0 : measures.findIndex((each) => name === each || name.startsWith(`${each}_`));
  if (measure >= 0) return { by: 'measure', column: measure, isDescending: true };
  const group = name === 'group' ? 0 : groups.indexOf(name ?? '');
  if (group < 0)
    throw refusal(
      'order',
      `one of ${[...measures, ...EXTREMES, ...groups].join(', ')}; measures largest first, -group last first`,
    );
  return { by: 'group', column: group, isDescending };
}

const refusal = (name: string, wanted: string): ServiceError => invalidAt(`query.${name}`, `${name} must be ${wanted}`);

interface Figures {
  readonly groups: readonly string[];
  readonly measure: string;
  readonly top: string | number;
  readonly order?: string | undefined;
}

/** Query parameters of a displayed aggregate: the measure with its number of records, by default latest periods first. */
export function figuresOf({ groups, measure, top, order = isOfTime(groups) ? `-${groups[0]}` : undefined }: Figures) {
  return {
    group_by: groups.join('|'),
    measure: [...new Set([measure, 'count'])].join('|'),
    top,
    ...(order !== undefined && { order }),
  };
}

/** Column names of the response: the groups, then the measures, such as `sum_amount_usd`. */
export const columnsOf = ({ of, groups, measures }: Pick<Aggregate, 'of' | 'groups' | 'measures'>): string[] => [
  ...groups,
  ...measures.map((each) => (each === 'count' ? each : `${each}_${MEASURED_FIELD[of]}`)),
];

const groupRecord = z.object({ type: z.string(), slug: z.string(), name: z.string() });

export const aggregateData = z.object({
  columns: z.array(z.string()).meta({ description: 'Column names: the groups, then the measures.' }),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null(), groupRecord]))).meta({
    description: 'One row per group: its values (a record as {type, slug, name}), then its measures; money is text.',
  }),
  groups: count.meta({ description: 'Number of groups; the rows are the first of them.' }),
  covered: z
    .object({
      records: count.meta({ description: 'Records that match.' }),
      known: count.meta({
        description: 'Records with a known measured field; for a count, with a value of every group.',
      }),
      unknown: count.meta({ description: 'The others.' }),
      sum: z
        .union([z.string(), z.number()])
        .optional()
        .meta({ description: 'With the measure `sum`: that of all records, each once, whatever groups there are.' }),
      average: z
        .union([z.string(), z.number()])
        .optional()
        .meta({ description: 'With the measure `average`: that of all records.' }),
      median: z
        .union([z.string(), z.number()])
        .optional()
        .meta({ description: 'With the measure `median`: that of all records.' }),
      ungrouped: count.optional().meta({
        description: 'Records without a value of a group, where `unknown` is about a measured field; absent for none.',
      }),
      ungrouped_sum: z
        .union([z.string(), z.number()])
        .optional()
        .meta({ description: 'With the measure `sum` of one group: the sum of these; absent where none is known.' }),
      from: isoDate.nullable().meta({ description: 'First date of the records.' }),
      to: isoDate.nullable().meta({ description: 'Last date of the records.' }),
      grants: count
        .optional()
        .meta({ description: 'Rounds that are grants, unless all are: programs pay many small ones.' }),
      unsourced: z
        .object({
          records: count.optional(),
          leads: count.optional().meta({ description: 'Those of them of which they state only who led.' }),
          sum: z.union([z.string(), z.number()]).optional(),
        })
        .optional()
        .meta({
          description:
            'What only the editors of the data set state, without a page: rounds, or companies with such rounds in their funding; with the measure `sum` also how much that is, of compared periods that alone; by lead investor also rounds of which they state who led; absent for none.',
        }),
      unsourced_by_row: z
        .array(z.union([z.string(), z.number()]))
        .optional()
        .meta({ description: 'Of each row: the same, with the measure `sum` how much it is, else how many records.' }),
      on_record: count.optional().meta({
        description:
          'Of rounds and events: funding rounds without grants, or events, on record in the period. They are the announced ones, a sample of all.',
      }),
      may_be_cut: count.optional().meta({
        description:
          'By investor: rounds whose investors may be cut, so that counts and sums by investor are at least; absent for none.',
      }),
      grants_by_row: z.array(count).optional().meta({
        description: 'Of each row: the grants among its rounds; absent by stage, and for none or only grants.',
      }),
      overlapping: count
        .optional()
        .meta({ description: 'Records that count in several groups, so that rows do not add up; absent for none.' }),
      known_by_row: z
        .array(count)
        .optional()
        .meta({ description: 'Of each row, the records that have what is measured; left out when all shown have it.' }),
      left_out: z
        .partialRecord(z.enum(FILTER_NAMES), count)
        .optional()
        .meta({ description: 'By filter: records excluded because the field is unknown.' }),
      left_out_grants: z
        .partialRecord(z.enum(FILTER_NAMES), count)
        .optional()
        .meta({ description: 'Of rounds, unless a stage is given, by filter: those in `left_out` that are grants.' }),
    })
    .meta({ description: 'What was counted; dates are of announcement, of the start or of the newest source.' }),
});

export type AggregateData = z.output<typeof aggregateData>;

/** An aggregate with some of its rows, by their places, and with what is stated by row of these alone. */
export function withRows(data: AggregateData, places: readonly number[]): AggregateData {
  const ofPlaces = <Value>(values: readonly Value[]): Value[] => places.map((place) => values[place] as Value);
  const byRow = Object.entries(data.covered)
    .filter(([name]) => name.endsWith('_by_row'))
    .map(([name, values]) => [name, ofPlaces(values as readonly unknown[])]);
  return { ...data, rows: ofPlaces(data.rows), covered: { ...data.covered, ...Object.fromEntries(byRow) } };
}
