import type { RecordData } from '../../contract/entities/index.ts';
import { isBlank } from '../../contract/value-text.ts';
import type { Records } from '../../store/port/records.ts';
import { isRaise, tokenSalesText } from '../profile/funding.tsx';
import { isCut } from '../profile/round-table.tsx';
import type { Cell } from './aggregate-figures.tsx';
import { readFundingRounds } from './round-statistics.ts';

/** More rounds than the companies of one page have. */
const ROUNDS_READ_MAX = 200;

/** Records, of which the companies say how much of their known funding bought tokens, and whether they may have more investors. */
export async function noteFunding(records: Records, found: readonly RecordData[]): Promise<readonly RecordData[]> {
  const funded = found.filter(
    ({ type, total_funding_usd: amount, investors_count: investors }) =>
      type === 'companies' && !(isBlank(amount) && isBlank(investors)),
  );
  if (funded.length === 0) return found;
  const { rounds } = await readFundingRounds(records, ROUNDS_READ_MAX, {
    company: { mode: 'any', values: funded.map(({ id }) => String(id)) },
  });
  const isOf = (company: RecordData, round: RecordData): boolean =>
    (round['company'] as RecordData | null)?.id === company.id;
  const notes = new Map(
    funded.map((company) => {
      const own = rounds.filter((round) => isOf(company, round));
      const noted = { token_sales: tokenSalesText(own.filter(isRaise)), investors_may_be_cut: isCut(own) };
      return [company, noted] as const;
    }),
  );
  return found.map((record) => ({ ...record, ...notes.get(record) }));
}

/** What became of a company; blank for nothing. */
export async function noteOnRaised(records: Records, company: Cell | undefined): Promise<string> {
  if (company == null || typeof company !== 'object' || company.slug == null) return '';
  const found = await records.get('companies', company.slug);
  const { status } = (found === undefined ? {} : JSON.parse(found.json)) as Partial<RecordData>;
  const became = { acquired: 'been acquired', closed: 'closed' }[String(status)];
  return became === undefined ? '' : ` (the company has since ${became})`;
}
