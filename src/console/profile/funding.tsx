import { monthText } from '../../contract/day-text.ts';
import type { RecordData } from '../../contract/entities/index.ts';
import { yearsBetween } from '../../contract/periods.ts';
import { amountText, dayOf, leadsOf } from '../../contract/record-texts.ts';
import { type Backer, backersOf, countsText, isGrant } from '../../contract/rounds.ts';
import { INVESTORS_LISTED } from '../../contract/sample-notes.ts';
import { isUnsourced, isUnsourcedIn, UNSOURCED } from '../../contract/unsourced.ts';
import { shortMoney } from '../../contract/usd.ts';
import { countText, isBlank, joinTexts } from '../../contract/value-text.ts';
import { type FundingStage, isRaised, isTokenSale } from '../../contract/vocabulary.ts';
import { type Bar, BarChart, Legend, type Series } from '../charts.tsx';
import { Card, Folded, InvestorLink, RecordLink, SmallLink, Table, usePage } from '../components.tsx';
import { RecordItem } from '../data/related.tsx';
import type { RoundStatistics } from '../data/round-statistics.ts';
import { moneyText } from '../data/values.tsx';
import { unsourcedOf } from './cited-sources.tsx';
import { Announcement, isCut, LeadParties, LeadsNote, programOf, stageText, Valuation } from './round-table.tsx';

export const dateOf = (round: RecordData): string => String(round['announced_date'] ?? '');
const yearOf = (round: RecordData): number => Number(dateOf(round).slice(0, 4));
export const amountOf = (round: RecordData): number => Number(round['amount_usd'] ?? 0);

/** Rounds by date, those of a day by amount. */
export const inTime = (rounds: readonly RecordData[]): RecordData[] =>
  rounds.toSorted((one, other) => dateOf(one).localeCompare(dateOf(other)) || amountOf(one) - amountOf(other));

const DRAWN_MAX = 16;
const FOLDED_MAX = 14;
/** Fewer amounts with a date are no history. */
const DRAWN_MIN = 2;
/** Up to this many bars show their stage. */
const NAMED_MAX = 6;
/** Up to this many bars stand evenly if some are nearer in time than this share of all, so that each has its texts. */
const EVEN_MAX = 10;
const NEAR_SHARE = 0.09;

interface FundingProps {
  readonly rounds: readonly RecordData[];
  readonly total: number;
  /** Counts of all rounds, if they are known. */
  readonly statistics: RoundStatistics | undefined;
  readonly all: string;
  readonly title?: string;
  readonly current?: RecordData;
}

export const isRaise = ({ stage }: RecordData): boolean => isRaised((stage ?? null) as FundingStage | null);

/** The rounds of a company by date: a chart, and every figure in a table with its source; the grants are folded. */
export function FundingHistory(props: FundingProps) {
  const { rounds, total, statistics, all, title = 'Funding history', current } = props;
  const byDate = inTime(rounds);
  const drawn = drawnOf(byDate, current);
  // Rounds of a host's answer may have no id.
  const isCurrent = ({ id }: RecordData): boolean => current !== undefined && id === current.id;
  const series = seriesOf(current !== undefined && isGrant(current) ? 'grant' : 'round');
  const isShown = (round: RecordData, place: number): boolean => placeIn(round, isCurrent(round)) === place;
  const shown = series.filter((_, place) => drawn.some((round) => isShown(round, place)));
  const isDrawn = drawn.filter((round) => amountOf(round) > 0).length >= DRAWN_MIN;
  const years = yearsFrom(drawn);
  const placeOf = (round: RecordData): number => shareIn(years, dateOf(round));
  const known = drawn.filter((round) => amountOf(round) > 0).map(placeOf);
  const isNear = known.some((place, index) => place - (known[index - 1] ?? -1) < NEAR_SHARE);
  const isEven = isNear && drawn.length <= EVEN_MAX;
  const others = byDate.filter((round) => !drawn.includes(round)).toReversed();
  const kinds = [
    [...drawn.toReversed(), ...others].filter((round) => !isGrant(round)).slice(0, DRAWN_MAX),
    drawn.some(isGrant)
      ? [...drawn.toReversed(), ...others.filter((round) => dateOf(round) === '').slice(0, DRAWN_MAX)].filter(isGrant)
      : largestOf(byDate.filter(isGrant).toReversed()),
  ] as const;
  const listed = kinds.flat();
  return (
    <Card title={title} {...(total > listed.length && { action: <All to={all} total={total} /> })}>
      {isDrawn ? (
        <BarChart
          label="Amount of each known round by date; the table has the same values"
          bars={drawn.map((round) => ({
            ...barOf(round, { isNamed: drawn.length <= NAMED_MAX, isCurrent: isCurrent(round) }),
            ...(isEven && { label: monthText(dateOf(round)), detail: stageOf(round) }),
            at: placeOf(round),
          }))}
          {...{ series, periods: isEven ? undefined : years }}
          format={shortMoney}
        />
      ) : null}
      {isDrawn && (shown.length > 1 || shown[0] !== series[0]) ? <Legend series={shown} /> : null}
      <p class="muted">
        {statistics === undefined
          ? `The newest ${countText(rounds.length)} of ${countText(total)}`
          : countsText(statistics)}
        {rounds.some((round) => amountOf(round) > 0) ? '' : ', no amount disclosed'}
        {isDrawn && others.some((other) => drawn.some((round) => isGrant(round) === isGrant(other)))
          ? `; ${countsText(countKinds(drawn))} in the chart`
          : ''}
        .
        {isDrawn && drawn.some((round) => amountOf(round) === 0)
          ? ' A short mark is a round whose amount is not disclosed.'
          : ''}
        {statistics === undefined || statistics.rounds === 0
          ? ''
          : ' Rounds that were never announced, or that no source here names, are missing.'}
      </p>
      {kinds.map((some, index) =>
        some.length === 0 ? null : index === 0 || kinds[0].length === 0 ? (
          <RoundFigures key={index} rounds={some} isCurrent={isCurrent} />
        ) : (
          <details key={index} class="behind" open={some.some(isCurrent)}>
            <summary>
              {some.length < (statistics?.grants ?? 0) ? `The ${countText(some.length)} largest of ` : ''}
              {countsText({ rounds: 0, grants: statistics?.grants ?? some.length })}
            </summary>
            <RoundFigures rounds={some} isCurrent={isCurrent} />
          </details>
        ),
      )}
    </Card>
  );
}

/** As many grants as fit on the page: the largest, in the given order. */
function largestOf(grants: readonly RecordData[]): readonly RecordData[] {
  const largest = grants.toSorted((one, other) => amountOf(other) - amountOf(one)).slice(0, FOLDED_MAX);
  return grants.filter((grant) => largest.includes(grant));
}

/** How many rounds have a known amount, which shows how complete their sum is. */
export function amountsText(rounds: readonly RecordData[]): string | undefined {
  const raised = rounds.filter(isRaise);
  if (raised.length === 0) return undefined;
  const known = raised.filter((round) => amountOf(round) > 0).length;
  const all = countsText({ rounds: raised.length, grants: 0 });
  const part = known === 0 || known === raised.length ? '' : `, amount known for ${countText(known)}`;
  return joinTexts(', ', `in ${all}${part}`, tokenSalesText(raised), unsourcedOf(raised));
}

/** How much of the amounts of some rounds bought tokens instead of equity; blank for none. */
export function tokenSalesText(rounds: readonly RecordData[]): string {
  const sumOf = (some: readonly RecordData[]): number => some.reduce((sum, round) => sum + amountOf(round), 0);
  const [sold, all] = [sumOf(rounds.filter(isTokenSale)), sumOf(rounds)];
  if (sold === 0) return '';
  return sold === all ? 'all in token sales' : `${shortMoney(sold)} in token sales`;
}

function countKinds(rounds: readonly RecordData[]): Pick<RoundStatistics, 'rounds' | 'grants'> {
  const grants = rounds.filter(isGrant).length;
  return { rounds: rounds.length - grants, grants };
}

/** The newest rounds, or those around the current one. Grants are drawn by themselves, as they would be too small. */
function drawnOf(byDate: readonly RecordData[], current: RecordData | undefined): readonly RecordData[] {
  const dated = byDate.filter((round) => dateOf(round) !== '');
  const raised = dated.filter(isRaise);
  const kind = current === undefined || isRaise(current) ? raised : dated.filter((round) => !isRaise(round));
  const shown = raised.length > 0 ? kind : dated;
  const place = shown.findIndex(({ id }) => id === current?.id);
  const last = place < 0 ? shown.length : Math.max(place + DRAWN_MAX / 2, DRAWN_MAX);
  return shown.slice(0, last).slice(-DRAWN_MAX);
}

/** Every year from that of the first of some rounds by date to that of the last. */
function yearsFrom(dated: readonly RecordData[]): readonly string[] {
  const [first, last] = [dated[0], dated.at(-1)];
  return first === undefined || last === undefined ? [] : yearsBetween(yearOf(first), yearOf(last)).map(String);
}

/** Where a day is within some years, from 0 to 1. */
function shareIn(years: readonly string[], day: string): number {
  const start = Date.UTC(Number(years[0]), 0);
  const end = Date.UTC(Number(years.at(-1)) + 1, 0);
  return (Date.parse(day) - start) / (end - start);
}

const seriesOf = (noun: string): readonly Series[] => [
  { label: 'amount', colour: 'key-0' },
  { label: `this ${noun}`, colour: 'key-2' },
  { label: UNSOURCED, colour: 'key-0 unsourced' },
  { label: `this ${noun}, ${UNSOURCED}`, colour: 'key-2 unsourced' },
];

/** Which of the series a round is of. One without an amount is a mark, of which no source says more. */
const placeIn = (round: RecordData, isCurrent: boolean): number =>
  Number(isCurrent) + (amountOf(round) > 0 && isUnsourcedIn(round, 'amount_usd') ? 2 : 0);

function barOf(round: RecordData, { isNamed, isCurrent }: { isNamed: boolean; isCurrent: boolean }): Bar {
  const amount = amountOf(round);
  const stage = isBlank(round['stage']) ? '' : stageText(round);
  return {
    label: isNamed ? joinTexts(' ', stage, valuationText(round)) : '',
    parts: [...Array.from({ length: placeIn(round, isCurrent) }, () => 0), amount],
    isUnknown: amount === 0,
    title: `${stageOf(round)}, ${dateOf(round) === '' ? 'date not known' : dayOf(round)}: ${amount > 0 ? moneyText(amount) : 'amount undisclosed'}${valuationText(round, ' ')}${leadsOf(round, ', led by ')}${isUnsourced(round) ? `, ${UNSOURCED}` : ''}`,
  };
}

const stageOf = (round: RecordData): string => (isBlank(round['stage']) ? 'Round' : stageText(round));

const valuationText = ({ valuation_usd: valuation }: RecordData, before = ''): string =>
  isBlank(valuation) ? '' : `${before}at ${shortMoney(Number(valuation))}`;

interface RoundFiguresProps {
  readonly rounds: readonly RecordData[];
  readonly isCurrent: (round: RecordData) => boolean;
}

function RoundFigures({ rounds, isCurrent }: RoundFiguresProps) {
  const isOfGrants = rounds.every(isGrant);
  const [label, what, who] = isOfGrants ? ['Grants', 'Grant', 'Given by'] : ['Funding rounds', 'Round', 'Led by'];
  return (
    <>
      <Table label={label} head={['Date', what, 'Amount', who, 'Source']} numbers={['Amount']}>
        {rounds.map((round) => (
          <tr key={round.id} aria-current={isCurrent(round) ? 'true' : undefined}>
            <td class="nowrap">{dayOf(round)}</td>
            <td class={isOfGrants ? undefined : 'nowrap'}>
              <RecordLink to={round}>{isOfGrants ? programOf(round) : stageOf(round)}</RecordLink>
            </td>
            <td class="number main">
              {amountText(round)}
              <Valuation round={round} />
            </td>
            <td class="names">
              <LeadParties round={round} hasOthers />
            </td>
            <td>
              <Announcement round={round} />
            </td>
          </tr>
        ))}
      </Table>
      <LeadsNote rounds={rounds} />
    </>
  );
}

const SHOWN_INVESTORS_MAX = 21;

function All({ to, total, of = '' }: { to: string; total: number; of?: string }) {
  if (!usePage().hasPages) return null;
  return (
    <SmallLink to={to}>
      Show all {countText(total)}
      {of}
    </SmallLink>
  );
}

interface BackersProps {
  readonly rounds: readonly RecordData[];
  /** URL of the list of those with a record, also without a round, and its entries. */
  readonly all: string;
  readonly total: number;
}

/** Investors of the funding rounds, the leading ones first, and apart from them those who gave grants. */
export function Backers({ rounds, all, total }: BackersProps) {
  const kinds = [backersOf(rounds.filter((round) => !isGrant(round))), backersOf(rounds.filter(isGrant))] as const;
  const isLonger = total > kinds[0].filter(({ investor }) => !isBlank(investor.slug)).length;
  const textOf = (backer: Backer, isOfRounds: boolean): string =>
    rounds.length === 1
      ? joinTexts(' · ', backer.led > 0 && 'Lead', backer.investor.reason)
      : partText(backer, isOfRounds);
  return (
    <>
      {kinds.map((backers, index) =>
        backers.length === 0 ? null : (
          <Card
            key={index}
            title={index === 0 ? 'Investors' : 'Grant givers'}
            {...(index === 0 && isLonger && { action: <All to={all} total={total} of=" with a record" /> })}
          >
            {index === 0 && isCut(rounds) ? (
              <p class="muted">
                There may be more: {INVESTORS_LISTED}
                {rounds.length === 1 ? '' : '; some of these rounds have as many'}.
              </p>
            ) : null}
            <BackerList
              backers={backers}
              shownMax={SHOWN_INVESTORS_MAX}
              textOf={(backer) => textOf(backer, index === 0)}
            />
          </Card>
        ),
      )}
    </>
  );
}

interface BackerListProps {
  readonly backers: readonly Backer[];
  /** Those after so many are folded. */
  readonly shownMax: number;
  /** Number of all, if some are left out. */
  readonly total?: number;
  readonly textOf: (backer: Backer) => string;
}

export function BackerList({ backers, shownMax, total = backers.length, textOf }: BackerListProps) {
  const all = backers.length < total ? `${backers.length} of` : 'all';
  return (
    <Folded items={backers} shownMax={shownMax} summary={() => `Show ${all} ${countText(total)}`} look="behind">
      {(some) => (
        <ul class="related">
          {some.map((backer) => (
            <RecordItem
              key={backer.investor.name}
              record={backer.investor}
              link={<InvestorLink to={backer.investor} />}
            >
              {textOf(backer)}
            </RecordItem>
          ))}
        </ul>
      )}
    </Folded>
  );
}

/** In how many rounds or grants an investor took part, and how many of them it led. */
export function partText({ led, joined }: Backer, isOfRounds: boolean): string {
  if (led > 0 && led < joined) return `Led ${led} of ${joined} rounds`;
  const text = countsText(isOfRounds ? { rounds: joined, grants: 0 } : { rounds: 0, grants: joined });
  return led > 0 ? `Led ${text}` : text;
}
