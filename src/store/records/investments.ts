import type { RecordType } from '../../contract/entities/index.ts';
import { GRANT } from '../../contract/vocabulary.ts';
import type { RecordRef } from '../port/analytics.ts';
import { allLists, type Dialect, type SqlProgram } from '../sql.ts';
import { type Document, isStated } from './document.ts';

/** Types of records that take part in rounds and state how many. */
export type InvestingType = 'investors' | 'people';
export const isInvestingType = (type: string): type is InvestingType => Object.hasOwn(COUNTS, type);

/** What the rounds on record say of one that takes part in them; grants do not count. Dates are null if none is known. */
export interface RecordedInvestments {
  readonly rounds: number;
  readonly led: number;
  /** Those of them that only the editors of the data set state, or who led them. */
  readonly unsourcedLed: number;
  readonly companies: number;
  readonly first: string | null;
  readonly last: string | null;
  /** Which of the dates are known to the month only. */
  readonly month_only: readonly ('first' | 'last')[];
}

const NONE: RecordedInvestments = {
  ...{ rounds: 0, led: 0, unsourcedLed: 0, companies: 0 },
  ...{ first: null, last: null, month_only: [] },
};

const COUNTS: Readonly<Record<InvestingType, Readonly<Record<string, 'rounds' | 'led' | 'companies'>>>> = {
  investors: { investments_count: 'rounds', lead_count: 'led', portfolio_count: 'companies' },
  people: { angel_investments: 'rounds' },
};
const DATES: Readonly<Record<InvestingType, Readonly<Record<string, 'first' | 'last'>>>> = {
  investors: { first_investment_date: 'first', last_investment_date: 'last' },
  people: {},
};

/**
 * The fields of a record that follow the rounds on record: their number and first and last date, or what the record
 * states beyond them, for example from a source that knows more rounds.
 * @param before the rounds that the record's fields followed, if some have left since; what equals them is not a statement
 */
export function investmentsOf(
  document: Document,
  recorded: RecordedInvestments = NONE,
  before: RecordedInvestments = NONE,
): Record<string, unknown> {
  if (!isInvestingType(document.type)) return {};
  const fields: Record<string, unknown> = {};
  for (const [field, name] of Object.entries(COUNTS[document.type])) {
    const stated = (document[field] ?? null) as number | null;
    const counted = stated !== null && stated > before[name] ? Math.max(stated, recorded[name]) : recorded[name];
    fields[field] = counted === 0 && stated !== 0 ? null : counted;
  }
  const months: string[] = [];
  for (const [field, name] of Object.entries(DATES[document.type])) {
    const stated = (document[field] ?? null) as string | null;
    const isStatement =
      stated !== null && isBeyond(name, stated, before[name]) && isBeyond(name, stated, recorded[name]);
    fields[field] = isStatement ? stated : recorded[name];
    const isOfMonth = isStatement ? isMonthOf(document, field) : recorded.month_only.includes(name);
    if (isOfMonth) months.push(field);
  }
  if (document.type === 'people') return fields;
  return { ...fields, unsourced_lead_count: recorded.unsourcedLed || null, month_only: months };
}

const isMonthOf = (document: Document, field: string): boolean =>
  ((document['month_only'] ?? []) as readonly string[]).includes(field);

const isBeyond = (name: 'first' | 'last', stated: string, known: string | null): boolean =>
  known === null || (name === 'first' ? stated < known : stated > known);

/** A record without the fields that follow rounds, which a restored one follows anew; what it states beyond them stays. */
export function withoutInvestments(type: InvestingType, document: Document, recorded: RecordedInvestments): Document {
  const names = Object.entries({ ...COUNTS[type], ...DATES[type] });
  const followed = names.flatMap(([field, name]) => (document[field] === recorded[name] ? field : []));
  return { ...document, ...Object.fromEntries(followed.map((field) => [field, null])) };
}

/** Faults of written fields that state less than the rounds on record. */
export function understated(
  type: InvestingType,
  input: Readonly<Record<string, unknown>>,
  recorded: RecordedInvestments,
): { location: string; message: string }[] {
  const counts = Object.entries(COUNTS[type])
    .filter(([field, name]) => isStated(input[field]) && Number(input[field]) < recorded[name])
    .map(([field, name]) => [field, `state ${recorded[name]} or more`]);
  const dates = Object.entries(DATES[type]).flatMap(([field, name]) => {
    const known = recorded[name];
    if (known === null || !isStated(input[field]) || input[field] === known) return [];
    if (isBeyond(name, input[field] as string, known)) return [];
    return [[field, `state ${known} or ${name === 'first' ? 'an earlier' : 'a later'} day`]];
  });
  return [...counts, ...dates].map(([field, advice]) => ({
    location: `body.${field}`,
    message: `${field} follows the known rounds, of which more are on record; ${advice}, or change those`,
  }));
}

/** Reads what the stored rounds say, within one transaction. */
export function createInvestments(dialect: Dialect) {
  const field = (name: string): string => dialect.field('rounds', name, 'text');
  const taken = `SELECT to_id, from_id, max(CASE relation WHEN 'rounds.lead_investors' THEN 1 ELSE 0 END) FROM links
    WHERE to_type = ? AND to_id IN (${dialect.numbersOf}) AND relation IN ('rounds.investors', 'rounds.lead_investors')
    GROUP BY to_id, from_id`;
  const facts = `SELECT rounds.id, coalesce(CAST(company.to_id AS TEXT), company.key), ${field('announced_date')},
      CASE WHEN ${field('month_only')} LIKE '%announced_date%' THEN 1 ELSE 0 END,
      CASE WHEN ${field('unsourced')} IS NOT NULL OR ${field('unsourced_fields')} LIKE '%lead_investors%' THEN 1 ELSE 0 END
    FROM rounds JOIN links AS company ON company.relation = 'rounds.company' AND company.from_id = rounds.id
    WHERE rounds.id IN (${dialect.numbersOf}) AND deleted_at IS NULL AND coalesce(${field('stage')}, '') <> '${GRANT}'`;
  const recorded = function* recorded(
    type: InvestingType,
    ids: readonly number[],
  ): SqlProgram<ReadonlyMap<number, RecordedInvestments>> {
    if (ids.length === 0) return new Map();
    const places = yield* allLists<[investor: number, round: number, led: number]>(taken, type, JSON.stringify(ids));
    const rounds = [...new Set(places.map(([, round]) => round))];
    // Many share a round, which is read once.
    const known = new Map((yield* allLists<RoundRow>(facts, JSON.stringify(rounds))).map((row) => [row[0], row]));
    const tallies = new Map<number, Tally>(
      ids.map((id) => [id, { rounds: 0, led: 0, unsourcedLed: 0, companies: new Set() }]),
    );
    for (const [investor, round, led] of places) {
      const tally = tallies.get(investor);
      const row = known.get(round);
      if (tally !== undefined && row !== undefined) count(tally, row, Number(led));
    }
    return new Map([...tallies].map(([id, tally]) => [id, fromTally(tally)]));
  };
  const known = new Map<string, RecordedInvestments>();
  const load = function* load(type: RecordType, ids: readonly number[]): SqlProgram<void> {
    if (!isInvestingType(type)) return;
    const missing = ids.filter((id) => !known.has(`${type} ${id}`));
    for (const [id, found] of yield* recorded(type, missing)) known.set(`${type} ${id}`, found);
  };
  return {
    /** By id; of every id that is given. */
    recorded,
    /** Prefetches for `of`. */
    load,
    /** Of one record, perhaps as of an earlier time in the transaction. */
    *of(type: InvestingType, id: number): SqlProgram<RecordedInvestments> {
      yield* load(type, [id]);
      return known.get(`${type} ${id}`) ?? NONE;
    },
  };
}

type RoundRow = readonly [id: number, company: string, date: string | null, isOfMonth: number, isUnsourced: number];

interface Day {
  readonly date: string;
  readonly isOfMonth: boolean;
}

interface Tally {
  rounds: number;
  led: number;
  unsourcedLed: number;
  readonly companies: Set<string>;
  first?: Day;
  last?: Day;
}

function count(tally: Tally, [, company, date, isOfMonth, isUnsourced]: RoundRow, led: number): void {
  tally.rounds += 1;
  tally.led += led;
  tally.unsourcedLed += led * Number(isUnsourced);
  tally.companies.add(company);
  if (date === null) return;
  const day = { date, isOfMonth: Number(isOfMonth) === 1 };
  // Of a day and the month that it begins, the day counts.
  const isOver = (known: Day | undefined, isBefore: boolean): boolean =>
    known === undefined || (known.date === date ? known.isOfMonth : date < known.date === isBefore);
  if (isOver(tally.first, true)) tally.first = day;
  if (isOver(tally.last, false)) tally.last = day;
}

const fromTally = ({ rounds, led, unsourcedLed, companies, first, last }: Tally): RecordedInvestments => ({
  ...{ rounds, led, unsourcedLed },
  companies: companies.size,
  first: first?.date ?? null,
  last: last?.date ?? null,
  month_only: [...(first?.isOfMonth ? ['first' as const] : []), ...(last?.isOfMonth ? ['last' as const] : [])],
});

/**
 * Records whose fields may follow fewer rounds after a change of a round.
 * @param later the round after the change; undefined if it is removed
 */
export function leaving(earlier: Document, later?: Document): InvestingRef[] {
  const known = new Map(later === undefined || factsOf(earlier) !== factsOf(later) ? [] : placesIn(later));
  return placesIn(earlier).flatMap(([key, place]) => {
    const after = known.get(key);
    return after === undefined || place.isLead !== after.isLead ? [place.ref] : [];
  });
}

const factsOf = ({ stage, announced_date, month_only, company, unsourced, unsourced_fields }: Document): string =>
  JSON.stringify([stage, announced_date, month_only, company, unsourced, unsourced_fields]);

interface InvestingRef extends RecordRef {
  readonly type: InvestingType;
}

interface Place {
  readonly ref: InvestingRef;
  readonly isLead: boolean;
}

function placesIn(round: Document): (readonly [key: string, Place])[] {
  const places = (field: string, isLead: boolean) =>
    ((round[field] ?? []) as RawReference[]).flatMap(({ type, id }) =>
      id !== null && type !== null && isInvestingType(type)
        ? [[`${type} ${id}`, { ref: { type, id }, isLead }] as const]
        : [],
    );
  return [...new Map([...places('investors', false), ...places('lead_investors', true)])];
}

interface RawReference {
  readonly type: RecordType | null;
  readonly id: number | null;
}
