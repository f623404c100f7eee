import type { FundingStage } from '../../src/contract/vocabulary.ts';
import type { Investment, Investor } from './investors.ts';
import { stageWords } from './rounds.ts';
import { listed, monthWords, sentences } from './text.ts';

/** The sentences about an investor. */

const PORTFOLIO_SAID_MAX = 6;
const FOCUS_SAID_MAX = 3;

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
function kindOf({ name, type, isTypeDerived, edited }: SaidInvestor): string {
  const kind = (isTypeDerived ? undefined : armOf(name, type)) ?? 'Web3 and crypto investor';
  const city = edited?.place?.city ?? null;
  const end = edited?.closed == null ? '' : ` (closed ${edited.closed.slice(0, 4)})`;
  return `${kind}${city === null ? '' : ` in ${city}`}${end}`;
}

/** What an arm is called after the name of its company. */
const ARM_WORDS = / (Ventures|Venture Capital|VenturePartners|Capital|Next|Frontier Fund)$/;

/** The kind, with the company if an arm is named after it; a company that invests itself is none. */
function armOf(name: string, type: Investor['type']): string | undefined {
  if (type !== 'corporate_venture_capital' && type !== 'exchange_arm') return TYPES[type ?? 'other'];
  if (OWN_NAME.has(name)) return TYPES[type];
  if (ARM_WORDS.test(name)) return `Venture arm of ${name.replace(ARM_WORDS, '')}`;
  return type === 'exchange_arm' ? TYPES[type] : 'Company that invests itself';
}

/** Arms that are not named after their company. */
const OWN_NAME = new Set(['CapitalG', 'M12', 'Mirana Ventures', 'SCB 10X', 'SIG DTI']);

/** What the investor does, in a line. What is counted stands in fields alone, which follow later rounds and merges. */
export function investorTagline(investor: SaidInvestor): string {
  const { rounds, grants } = split(investor);
  const focus = investor.focus.slice(0, FOCUS_SAID_MAX);
  const end = focus.length === 0 ? '' : `: ${listed(focus)}`;
  if (rounds.length === 0) return `Grant giver, with known grants${since(grants)}${end}`;
  return `${kindOf(investor)}, with known investments${since(rounds)}${end}${grants.length === 0 ? '' : '; also gives grants'}`;
}

/** What is known of the investor. */
export function investorOverview(investor: SaidInvestor): string {
  const { name, focus, stages } = investor;
  const { rounds, grants } = split(investor);
  const given = grants.length === 0 ? null : `Public registers list grants of ${name}${since(grants)}`;
  const over = investor.edited?.closed;
  const closed = over == null ? null : `It closed in ${monthWords(over)}`;
  if (rounds.length === 0) return sentences([given, fundedSentence('Projects', investor), focusSentence(focus)]);
  return sentences([
    roundsSentence(name, rounds),
    closed,
    given,
    stages.length === 0 ? null : `Stages: ${listed(stages.slice(0, 6).map((stage) => stageWords(stage, null)))}`,
    fundedSentence('Companies', investor),
    focusSentence(focus),
  ]);
}

/** A share that further rounds will not soon make wrong. */
const MOST = 0.6;

/** One round is told as that, which more of them do not make wrong. */
function roundsSentence(name: string, rounds: readonly Investment[]): string {
  const isLead = rounds.some((round) => round.isLead);
  if (rounds.length === 1)
    return `${name} ${isLead ? 'led' : 'took part in'} a funding round${since(rounds).replace('since', 'in')}`;
  const led = rounds.filter((round) => round.isLead).length;
  if (led === rounds.length) return `${name} has led funding rounds${since(rounds)}`;
  const share = led > rounds.length * MOST ? 'most' : 'some';
  return `${name} has taken part in funding rounds${since(rounds)}${isLead ? `, and has led ${share} of them` : ''}`;
}

function fundedSentence(what: string, { investments }: SaidInvestor): string | null {
  const funded = companiesOf(investments);
  const said = listed(funded.slice(0, PORTFOLIO_SAID_MAX));
  if (funded.length === 0) return null;
  return funded.length > PORTFOLIO_SAID_MAX ? `${what} include ${said}` : `${what}: ${said}`;
}

const focusSentence = (focus: readonly string[]): string | null =>
  focus.length === 0 ? null : `Commonest categories of the companies that it funded: ${listed(focus)}`;

/** " since 2019", or nothing where no day is known. */
function since(investments: readonly Investment[]): string {
  const [first] = investments.flatMap(({ date }) => date ?? []).sort();
  return first === undefined ? '' : ` since ${first.slice(0, 4)}`;
}
