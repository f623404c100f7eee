import { monthText } from '../../contract/day-text.ts';
import type { RecordData } from '../../contract/entities/index.ts';
import { fundingNote } from '../../contract/record-texts.ts';
import { isGrant, partiesIn } from '../../contract/rounds.ts';
import { shortMoney } from '../../contract/usd.ts';
import { counted, countText, isBlank, joinTexts } from '../../contract/value-text.ts';
import type { Records } from '../../store/port/records.ts';
import { Card, FactList, RecordLink, SmallLink } from '../components.tsx';
import { amountOf, amountsText, dateOf } from '../profile/funding.tsx';
import { stageText } from '../profile/round-table.tsx';
import { noteFunding } from './funding-notes.ts';
import { EMPTY_SEARCH, recordPath } from './parsed-search.ts';
import { readFirst } from './read-records.ts';
import { listIn, type Related, RelatedRecords } from './related.tsx';

/** What stands on the page of a record beside its own facts: how it compares. */

const ALIKE_MAX = 6;

/** For a company without anything related: those of its first tag with the most funding. */
export async function fundedAlike(records: Records, { id, tags }: RecordData) {
  const [tag] = (tags ?? []) as readonly string[];
  if (tag === undefined) return null;
  const { found } = await readFirst(records, ALIKE_MAX + 1, {
    types: ['companies'],
    filters: { tag: { mode: 'any', values: [tag] }, funding_min: 1 },
    sort: { field: 'total_funding_usd', isDescending: true },
  });
  const alike = found.filter((other) => other.id !== id);
  const others = await noteFunding(records, alike.slice(0, ALIKE_MAX));
  if (others.length === 0) return null;
  const all = recordPath('/search', EMPTY_SEARCH, { type: 'companies', given: { tag, funding_min: '1' } });
  const title = `${tag} companies with known funding`;
  const withFunding = (other: RecordData): RecordData => {
    const funding = `${shortMoney(Number(other['total_funding_usd']))} known`;
    return { ...other, reason: joinTexts(', ', funding, fundingNote(other)) };
  };
  return (
    <Card title={title} action={<SmallLink to={all}>Show all</SmallLink>}>
      <RelatedRecords records={others.map(withFunding)} label={title} />
    </Card>
  );
}

const valuationOf = (round: RecordData): number => Number(round['valuation_usd'] ?? 0);
const namesIn = (round: RecordData): ReadonlySet<string> => new Set(partiesIn(round).map(({ name }) => name));

export function BesideEarlier({ round, related }: { round: RecordData; related: readonly Related[] }) {
  const all = listIn(related, 'rounds');
  const earlier = all.filter((one) => !isGrant(one) && dateOf(one) !== '' && dateOf(one) < dateOf(round));
  const [last] = earlier.toSorted((one, other) => (dateOf(one) < dateOf(other) ? 1 : -1));
  if (last === undefined || isGrant(round)) return null;
  const before = new Set(earlier.flatMap((one) => [...namesIn(one)]));
  const parties = [...namesIn(round)];
  const again = parties.filter((name) => before.has(name)).length;
  const times = amountOf(round) / amountOf(last);
  const raised = [...earlier, round].reduce((sum, one) => sum + amountOf(one), 0);
  const facts = [
    [
      'Since the round before',
      <>
        {spanText(dateOf(last), dateOf(round))} after{' '}
        <RecordLink to={last}>{isBlank(last['stage']) ? 'a round' : stageText(last)}</RecordLink> of{' '}
        {monthText(dateOf(last))}
      </>,
    ],
    [
      'Size',
      Number.isFinite(times) && times > 0 ? `${factorText(times)} that round’s ${shortMoney(amountOf(last))}` : '',
    ],
    ['Valuation', valuationText(round, earlier)],
    ['Raised up to this round', raised > 0 ? `${shortMoney(raised)} ${amountsText([...earlier, round]) ?? ''}` : ''],
    ['Took part before', parties.length === 0 ? '' : tookPartText(again, parties.length)],
  ] as const;
  return (
    <Card title="Compared with earlier rounds">
      <FactList facts={facts} isBeside />
    </Card>
  );
}

function tookPartText(again: number, all: number): string {
  if (all === 1)
    return again === 1 ? 'The one investor named in this round' : 'None; one investor is named in this round';
  return `${again === 0 ? 'None' : countText(again)} of the ${countText(all)} investors named in this round`;
}

/** How the valuation of a round compares with the last one before that is known; blank if either is not. */
function valuationText(round: RecordData, earlier: readonly RecordData[]): string {
  const [last] = earlier
    .filter((one) => valuationOf(one) > 0)
    .toSorted((one, other) => (dateOf(one) < dateOf(other) ? 1 : -1));
  if (last === undefined || valuationOf(round) === 0) return '';
  return `${factorText(valuationOf(round) / valuationOf(last))} the ${shortMoney(valuationOf(last))} of ${monthText(dateOf(last))}`;
}

function factorText(times: number): string {
  const text = times.toLocaleString('en-US', { maximumSignificantDigits: times < 1 ? 1 : 2 });
  return text === '1' ? `${times === 1 ? '' : 'about '}the same as` : `${text} times`;
}

function spanText(from: string, to: string): string {
  const [fromYear = 0, fromMonth = 0] = from.split('-').map(Number);
  const [toYear = 0, toMonth = 0] = to.split('-').map(Number);
  const months = (toYear - fromYear) * 12 + toMonth - fromMonth;
  const parts = [
    [Math.floor(months / 12), 'years'],
    [months % 12, 'months'],
  ] as const;
  const words = parts.filter(([count]) => count > 0).map(([count, units]) => counted(count, units));
  return words.length === 0 ? 'Less than a month' : words.join(' ');
}
