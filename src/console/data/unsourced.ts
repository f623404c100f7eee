import type { Records } from '../../store/port/records.ts';
import { areMostlyUnsourced } from '../profile/cited-sources.tsx';
import { readFundingRounds } from './round-statistics.ts';
import { isBlank, type RecordData } from './values.tsx';

/** More rounds than the companies of one page have. */
const ROUNDS_READ_MAX = 200;

/** Records, of which the companies whose known funding is mostly of rounds without a source page say so. */
export async function markUnsourced(records: Records, found: readonly RecordData[]): Promise<readonly RecordData[]> {
  const funded = found.filter(({ type, total_funding_usd: amount }) => type === 'companies' && !isBlank(amount));
  if (funded.length === 0) return found;
  const { rounds } = await readFundingRounds(records, ROUNDS_READ_MAX, {
    company: { mode: 'any', values: funded.map(({ id }) => String(id)) },
  });
  const isOf = (company: RecordData, round: RecordData): boolean =>
    (round['company'] as RecordData | null)?.id === company.id;
  const marked = funded.filter((company) => areMostlyUnsourced(rounds.filter((round) => isOf(company, round))));
  return found.map((record) => (marked.includes(record) ? { ...record, is_unsourced: true } : record));
}
