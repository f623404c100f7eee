import { groupBy } from '../../contract/group-by.ts';
import { foldName } from '../../contract/names.ts';
import { DAY_MS } from '../../contract/periods.ts';
import { allLists, type SqlProgram } from '../sql.ts';
import type { Document } from './document.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** Sources give one round the date of its announcement, of an article or of a filing. */
const APART_DAYS_MAX = 7;

/** The round on record, by the number of a new one, that both are probably about: of one company and stage, days apart, with no two amounts. */
export function* similarRounds(work: UnitOfWork, ids: readonly number[]): SqlProgram<ReadonlyMap<number, string>> {
  const rounds = ids.flatMap((id) => work.changed.get(`rounds ${id}`) ?? []);
  if (rounds.length === 0) return new Map();
  yield* work.flush();
  const companies = rounds.map(companyOf);
  const stored = yield* allLists<[string]>(
    ROUNDS.replace('NUMBERS', work.dialect.numbersOf).replace('TEXTS', work.dialect.textsOf),
    JSON.stringify(companies.filter((company) => typeof company === 'number')),
    JSON.stringify(companies.filter((company) => typeof company === 'string')),
  );
  const known = groupBy(
    stored.map(([json]) => JSON.parse(json) as Document),
    companyOf,
  );
  return new Map(
    rounds.flatMap((round) => {
      const like = known.get(companyOf(round))?.find((other) => other.id < round.id && isSimilar(other, round));
      return like === undefined ? [] : [[round.id, like.slug] as const];
    }),
  );
}

/** Rounds of companies, by the number of a record or the name of one without. */
const ROUNDS = `SELECT document FROM rounds WHERE deleted_at IS NULL AND id IN (
    SELECT from_id FROM links WHERE relation = 'rounds.company' AND to_type = 'companies' AND to_id IN (NUMBERS)
    UNION ALL SELECT from_id FROM links WHERE relation = 'rounds.company' AND to_id IS NULL AND key IN (TEXTS)
  ) ORDER BY id`;

function companyOf(round: Document): number | string {
  const { id, name } = round['company'] as { id: number | null; name: string };
  return id ?? foldName(name);
}

function isSimilar(one: Document, other: Document): boolean {
  const [amount, otherAmount] = [one['amount_usd'], other['amount_usd']];
  const isOtherAmount = amount !== null && otherAmount !== null && amount !== otherAmount;
  if (one['stage'] !== other['stage'] || isOtherAmount) return false;
  // Of a month, any of its days may be meant.
  const isOfMonth = [one, other].some((round) => (round['month_only'] as readonly string[]).length > 0);
  const [day, otherDay] = [one, other].map((round) =>
    Date.parse(String(round['announced_date']).slice(0, isOfMonth ? 'YYYY-MM'.length : undefined)),
  ) as [number, number];
  return Math.abs(day - otherDay) <= APART_DAYS_MAX * DAY_MS;
}
