import { entityOf, type RecordType } from '../../contract/entities/index.ts';
import type { RecordRef } from '../port/analytics.ts';
import { atOnce, run, runEach, type SqlProgram } from '../sql.ts';
import type { Document } from './document.ts';
import {
  type InvestingType,
  investmentsOf,
  isInvestingType,
  leaving,
  type RecordedInvestments,
} from './investments.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** A record that takes part in rounds. */
export interface Invested extends RecordRef {
  readonly type: InvestingType;
  /** The rounds that its fields followed, if some may have left since. */
  readonly before?: RecordedInvestments;
}

/** Fields of a type that are computed from rounds on record. */
export const computedFields = (type: RecordType): readonly string[] => entityOf(type).fromRounds;

/** Schedules the update of the fields that follow the rounds in which a record takes part; nothing for types that take part in none. */
export function markInvested({ invested }: UnitOfWork, given: RecordRef & Pick<Invested, 'before'>): void {
  const { type, id } = given;
  if (!isInvestingType(type)) return;
  const key = `${type} ${id}`;
  const before = invested.get(key)?.before ?? given.before;
  invested.set(key, { type, id, ...(before !== undefined && { before }) });
}

/**
 * Notes the rounds on record of those that a change of a round may leave with fewer; to call before the change reaches the
 * database.
 * @param later the round after the change; undefined if it is removed
 */
export function* noteLeaving(work: UnitOfWork, earlier: Document, later?: Document): SqlProgram<void> {
  if (earlier.type === 'rounds') yield* noteRecorded(work, leaving(earlier, later));
}

/** Notes the rounds on record of records, some of which may leave. */
export function* noteRecorded(work: UnitOfWork, refs: readonly RecordRef[]): SqlProgram<void> {
  for (const type of ['investors', 'people'] as const) {
    const ids = refs.flatMap((ref) =>
      ref.type === type && work.invested.get(`${type} ${ref.id}`)?.before === undefined ? ref.id : [],
    );
    for (const [id, before] of yield* work.investments.recorded(type, ids)) markInvested(work, { type, id, before });
  }
}

type Readers = Pick<UnitOfWork, 'funding' | 'investments'>;

/** Prefetches for `computedOf`. */
export const loadComputed = (
  { funding, investments }: Readers,
  type: RecordType,
  ids: readonly number[],
): SqlProgram<void> => (type === 'companies' ? funding.load(ids) : investments.load(type, ids));

/** The fields of a record that are computed from rounds on record; of a company without rounds, none. */
export function* computedOf({ funding, investments }: Readers, document: Document): SqlProgram<object> {
  const type = document.type as RecordType;
  if (!isInvestingType(type)) return yield* funding.ofRecord(type, document.id);
  return investmentsOf(document, yield* investments.of(type, document.id));
}

/** Leaves computed fields to be computed once, when all rounds of an import have been written. */
export function* deferComputed({ dialect, funded, invested }: UnitOfWork): SqlProgram<void> {
  const investing = [...invested.values()];
  yield* runEach(
    `INSERT INTO pending_computed (type, id, recorded) VALUES (?, ?, ?)
      ON CONFLICT (type, id) DO UPDATE SET recorded = coalesce(pending_computed.recorded, excluded.recorded)`,
    investing.flatMap(({ type, id, before }) => (before === undefined ? [] : [[type, id, JSON.stringify(before)]])),
  );
  const idsOf = (type: InvestingType): number[] => investing.flatMap((ref) => (ref.type === type ? ref.id : []));
  const byType = { companies: [...funded], investors: idsOf('investors'), people: idsOf('people') };
  for (const [type, ids] of Object.entries(byType)) {
    if (ids.length === 0) continue;
    yield* run(
      `INSERT INTO pending_computed (type, id) SELECT ?, value FROM (${dialect.numbersOf}) AS given WHERE 1 = 1
        ON CONFLICT DO NOTHING`,
      type,
      JSON.stringify(ids),
    );
  }
}

export function* refreshComputed(work: UnitOfWork): SqlProgram<void> {
  const { funding, invested } = work;
  const companies = [...work.funded];
  yield* funding.load(companies);
  yield* refresh(work, 'companies', companies, ({ id }) => funding.ofCompany(id));
  for (const type of ['investors', 'people'] as const) {
    const ids = [...invested.values()].flatMap((ref) => (ref.type === type ? ref.id : []));
    if (ids.length === 0) continue;
    yield* work.flush();
    const recorded = yield* work.investments.recorded(type, ids);
    yield* refresh(work, type, ids, (stored) =>
      atOnce(() => investmentsOf(stored, recorded.get(stored.id), invested.get(`${type} ${stored.id}`)?.before)),
    );
  }
}

type Compute = (document: Document) => SqlProgram<object>;

function* refresh(work: UnitOfWork, type: RecordType, ids: readonly number[], compute: Compute): SqlProgram<void> {
  const { tables, changed, recomputed, ranked } = work;
  const table = tables[type];
  yield* table.load({ ids });
  for (const id of ids) {
    const row = yield* table.byId(id);
    if (row === undefined) continue;
    const stored = JSON.parse(row.document) as Document;
    const document = { ...stored, ...(yield* compute(stored)) };
    const json = JSON.stringify(document);
    if (json === row.document) continue;
    table.update(document, json);
    if (changed.has(`${type} ${id}`)) changed.set(`${type} ${id}`, document);
    else recomputed.push(document);
    // The rank of an investor depends on its rounds.
    if (type !== 'companies') ranked.set(`${type} ${id}`, { type, id });
  }
}
