import type { RecordType } from '../../contract/entities/index.ts';
import type { Source } from '../../contract/fields.ts';
import { foldName } from '../../contract/names.ts';
import { isOfEditorsAlone } from '../../contract/unsourced.ts';
import { FUNDING_STAGES, type FundingStage, GRANT, isPricedRound, isRaised } from '../../contract/vocabulary.ts';
import { allLists, type Dialect, type SqlProgram } from '../sql.ts';

type Raise = {
  readonly stage: FundingStage | null;
  readonly amount_usd: string | null;
  readonly announced_date: string | null;
  /** Absent from rounds that an older version stored. */
  readonly month_only?: readonly string[];
  readonly investors: readonly RawReference[];
  readonly lead_investors: readonly RawReference[];
  readonly announcement?: string | null;
  readonly sources?: readonly Source[];
};

type RawReference = Readonly<Record<'name' | 'type' | 'slug', string | null>>;

/**
 * Computes a company's funding from its known rounds: the raised sum, how much of it has no page and how many it adds up,
 * the stage and date of the latest priced round, and, without grants, their number, the investors and the date of the latest.
 */
export function fundingOf(rounds: readonly Raise[]) {
  const deals = rounds.filter((round) => round.stage !== GRANT);
  const disclosed = rounds.filter((round) => isRaised(round.stage) && round.amount_usd !== null);
  const priced = newestFirst(rounds.filter((round) => isPricedRound(round.stage)))[0];
  const latest = newestFirst(deals)[0];
  return {
    total_funding_usd: sumOf(disclosed),
    unsourced_funding_usd: sumOf(disclosed.filter(isOfEditorsAlone)),
    funding_stage: priced?.stage ?? null,
    funding_stage_date: priced?.announced_date ?? null,
    funding_stages: FUNDING_STAGES.filter((stage) => rounds.some((round) => round.stage === stage)),
    known_rounds: deals.length || null,
    disclosed_rounds: disclosed.length || null,
    last_round_date: latest?.announced_date ?? null,
    month_only: [
      ...(isOfMonth(priced) ? ['funding_stage_date'] : []),
      ...(isOfMonth(latest) ? ['last_round_date'] : []),
    ],
    investors_count: countNames(deals.flatMap((round) => [...round.investors, ...round.lead_investors])) || null,
  };
}

/** The exact sum of some amounts; null without any. */
function sumOf(rounds: readonly Raise[]): string | null {
  const cents = rounds.reduce((sum, { amount_usd: amount }) => sum + BigInt(amount?.replace('.', '') ?? 0), 0n);
  const digits = cents.toString().padStart(3, '0');
  return rounds.length === 0 ? null : `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const isOfMonth = (round: Raise | undefined): boolean => (round?.month_only?.length ?? 0) > 0;

/** Those without a date come last, and a day before the month that it begins. */
const newestFirst = (rounds: readonly Raise[]): Raise[] =>
  [...rounds].sort(
    (left, right) =>
      (right.announced_date ?? '').localeCompare(left.announced_date ?? '') ||
      Number(isOfMonth(left)) - Number(isOfMonth(right)),
  );

const countNames = (names: readonly RawReference[]): number =>
  new Set(names.map(({ type, slug, name }) => (slug === null ? foldName(name ?? '') : `${type}/${slug}`))).size;

type Raised = ReturnType<typeof fundingOf>;
type Round = Parameters<typeof fundingOf>[0][number];

/**
 * Computes funding from stored rounds, within one transaction.
 * @param flush writes pending records and links
 */
export function createFunding({ numbersOf }: Dialect, flush: () => SqlProgram<void>) {
  const known = new Map<number, Round[]>();
  const sql = `SELECT to_id, document FROM links JOIN rounds ON rounds.id = links.from_id
    WHERE relation = 'rounds.company' AND to_type = 'companies' AND to_id IN (${numbersOf}) AND deleted_at IS NULL
    ORDER BY rounds.id`;
  const load = function* load(ids: readonly number[]): SqlProgram<void> {
    const missing = ids.filter((id) => !known.has(id));
    if (missing.length === 0) return;
    yield* flush();
    for (const id of missing) known.set(id, []);
    const rows = yield* allLists<[number, string]>(sql, JSON.stringify(missing));
    for (const [id, round] of rows) known.get(id)?.push(JSON.parse(round) as Round);
  };
  const roundsOf = function* roundsOf(id: number): SqlProgram<Round[]> {
    yield* load([id]);
    return known.get(id) ?? [];
  };
  return {
    load,
    /** Funding of a company; unknown without rounds. */
    *ofCompany(id: number): SqlProgram<Raised> {
      return fundingOf(yield* roundsOf(id));
    },
    /** The same for any record; empty for types without rounds. */
    *ofRecord(type: RecordType, id: number): SqlProgram<Partial<Raised>> {
      const rounds = type === 'companies' ? yield* roundsOf(id) : [];
      return rounds.length === 0 ? {} : fundingOf(rounds);
    },
    /** Invalidates a company whose rounds change. */
    forget: (id: number): void => void known.delete(id),
  };
}
