import type { FundingStage } from '../../src/contract/vocabulary.ts';
import type { Investment, Investor } from './investors.ts';
import { stageWords } from './rounds.ts';
import { counted, listed, moneyWords, monthWords, sentences, variantOf } from './text.ts';

/** The sentences about an investor. */

const PORTFOLIO_SAID_MAX = 6;

export interface SaidInvestor extends Investor {
  readonly slug: string;
  readonly investments: readonly Investment[];
  readonly stages: readonly FundingStage[];
  readonly focus: readonly string[];
}

const isGiver = ({ stages }: SaidInvestor): boolean => stages.length === 1 && stages[0] === 'grant';

const companiesOf = ({ investments }: SaidInvestor): string[] => [
  ...new Set(investments.map(({ company }) => company.name)),
];

/** What the investor does, in a line. */
export function investorTagline(investor: SaidInvestor): string {
  const { investments } = investor;
  const first = datesOf(investor)[0]?.slice(0, 4);
  const since = first === undefined ? '' : ` since ${first}`;
  if (isGiver(investor)) return `Giver of ${counted(investments.length, 'known Web3 grant')}${since}`;
  const led = investments.filter(({ isLead }) => isLead).length;
  return `Web3 and crypto investor: ${counted(investments.length, 'announced funding round')}${since}${led === 0 ? '' : `, ${led} of them led`}`;
}

/** What is known of the investor. */
export function investorOverview(investor: SaidInvestor): string {
  const { name, slug, investments, focus, stages } = investor;
  const companies = companiesOf(investor);
  const said = companies.slice(0, PORTFOLIO_SAID_MAX);
  const dates = datesOf(investor);
  const span =
    dates.length === 0
      ? ''
      : ` between ${monthWords(dates[0]?.slice(0, 7) ?? '')} and ${monthWords(dates.at(-1)?.slice(0, 7) ?? '')}`;
  if (isGiver(investor)) {
    const total = investments.reduce((sum, { amountUsd }) => sum + (amountUsd ?? 0), 0);
    return sentences([
      `Open registers list ${counted(investments.length, 'grant')} of ${name} to ${counted(companies.length, 'project')}${span}, ${moneyWords(total)} in all`,
      `Among the projects are ${listed(said)}`,
      focusSentence(focus),
    ]);
  }
  return sentences([
    variantOf(slug, [
      `Announcements name ${name} in ${counted(investments.length, 'funding round')} of ${counted(companies.length, 'company')}${span}`,
      `${name} is named in the announcements of ${counted(investments.length, 'funding round')}${span}`,
    ]),
    stages.length === 0
      ? null
      : `The stages seen are ${listed(stages.slice(0, 6).map((stage) => stageWords(stage, null)))}`,
    said.length === 0 ? null : `Among the companies are ${listed(said)}`,
    focusSentence(focus),
  ]);
}

const focusSentence = (focus: readonly string[]): string | null =>
  focus.length === 0 ? null : `By the categories of what it funded, its focus is ${listed(focus)}`;

function datesOf({ investments }: SaidInvestor): string[] {
  return investments.flatMap(({ date }) => (date === null ? [] : [date])).sort();
}
