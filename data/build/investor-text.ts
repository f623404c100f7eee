import type { FundingStage } from '../../src/contract/vocabulary.ts';
import type { Investment, Investor } from './investors.ts';
import { grantedWords, stageWords } from './rounds.ts';
import { counted, listed, monthWords, sentences } from './text.ts';

/** The sentences about an investor. */

const PORTFOLIO_SAID_MAX = 6;

export interface SaidInvestor extends Investor {
  readonly slug: string;
  readonly investments: readonly Investment[];
  readonly stages: readonly FundingStage[];
  readonly focus: readonly string[];
}

/** Funding rounds and grants, which are counted apart. */
function split({ investments }: SaidInvestor): { rounds: readonly Investment[]; grants: readonly Investment[] } {
  const isGrant = ({ stage }: Investment): boolean => stage === 'grant';
  return { rounds: investments.filter((one) => !isGrant(one)), grants: investments.filter(isGrant) };
}

const companiesOf = (investments: readonly Investment[]): string[] => [
  ...new Set(investments.map(({ company }) => company.name)),
];

const TYPES: Readonly<Partial<Record<NonNullable<Investor['type']>, string>>> = {
  venture_capital: 'Venture capital firm',
  corporate_venture_capital: 'Venture arm of a company',
  exchange_arm: 'Venture arm of an exchange',
  hedge_fund: 'Hedge fund',
  family_office: 'Family office',
  market_maker: 'Market maker and investor',
  accelerator: 'Web3 accelerator',
  ecosystem_fund: 'Ecosystem fund',
  private_equity: 'Private equity firm',
  dao: 'Investing DAO',
};

/** What kind of investor it is, and where. */
function kindOf({ type, isTypeDerived, edited }: SaidInvestor): string {
  const kind = (isTypeDerived ? undefined : TYPES[type ?? 'other']) ?? 'Web3 and crypto investor';
  const city = edited?.place?.city ?? null;
  return city === null ? kind : `${kind} in ${city}`;
}

/** What the investor does, in a line. */
export function investorTagline(investor: SaidInvestor): string {
  const { rounds, grants } = split(investor);
  const since = (some: readonly Investment[]): string => {
    const [first] = datesOf(some);
    return first === undefined ? '' : ` since ${first.slice(0, 4)}`;
  };
  if (rounds.length === 0) return `Grant giver: ${counted(grants.length, 'known Web3 grant')}${since(grants)}`;
  const led = rounds.filter(({ isLead }) => isLead).length;
  const also = grants.length === 0 ? '' : `; also ${counted(grants.length, 'grant')} given`;
  return `${kindOf(investor)}: ${counted(rounds.length, 'announced funding round')}${since(rounds)}${ledWords(led, rounds.length)}${also}`;
}

function ledWords(led: number, rounds: number): string {
  if (led === 0) return '';
  if (led < rounds) return `, ${led} of them led`;
  return rounds === 1 ? ', which it led' : ', all of them led';
}

/** What is known of the investor. */
export function investorOverview(investor: SaidInvestor): string {
  const { name, focus, stages } = investor;
  const { rounds, grants } = split(investor);
  const given =
    grants.length === 0
      ? null
      : `Public registers list ${counted(grants.length, 'grant')} of ${name} to ${counted(companiesOf(grants).length, 'project')}${spanOf(grants)}, ${grantedWords(grants.map(({ amountUsd, paid }) => ({ amount: amountUsd ?? 0, paid })))} in all`;
  if (rounds.length === 0) return sentences([given, fundedSentence('Projects', investor), focusSentence(focus)]);
  return sentences([
    `${name} took part in ${counted(rounds.length, 'announced funding round')}${ofCompanies(rounds)}${spanOf(rounds)}`,
    given,
    stages.length === 0 ? null : `Stages: ${listed(stages.slice(0, 6).map((stage) => stageWords(stage, null)))}`,
    fundedSentence('Companies', investor),
    focusSentence(focus),
  ]);
}

/** How many companies there are, if they are fewer than the rounds. */
function ofCompanies(rounds: readonly Investment[]): string {
  const { length } = companiesOf(rounds);
  return length === rounds.length ? '' : ` of ${counted(length, 'company')}`;
}

function fundedSentence(what: string, { investments }: SaidInvestor): string | null {
  const funded = companiesOf(investments);
  const said = listed(funded.slice(0, PORTFOLIO_SAID_MAX));
  if (funded.length === 0) return null;
  return funded.length > PORTFOLIO_SAID_MAX ? `${what} include ${said}` : `${what}: ${said}`;
}

/** The months of the first and last of some investments. */
function spanOf(investments: readonly Investment[]): string {
  const dates = datesOf(investments);
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return '';
  const [from, until] = [first, last].map((date) => monthWords(date.slice(0, 7)));
  return from === until ? ` in ${from}` : ` between ${from} and ${until}`;
}

const focusSentence = (focus: readonly string[]): string | null =>
  focus.length === 0 ? null : `By the categories of what it funded, its focus is ${listed(focus)}`;

function datesOf(investments: readonly Investment[]): string[] {
  return investments.flatMap(({ date }) => (date === null ? [] : [date])).sort();
}
