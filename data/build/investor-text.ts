import type { Investor } from './investors.ts';
import { stageWords } from './rounds.ts';
import { counted, listed, monthWords, sentences, variantOf } from './text.ts';

/** The sentences about an investor. */

const PORTFOLIO_SAID_MAX = 6;
const STAGES_SAID_MAX = 3;

/** What the investor does, in a line. */
export function investorTagline(investor: Investor): string {
  const from = investor.place?.country ? ` from ${withThe(investor.place.country)}` : '';
  if (investor.known === null) return `Investor in Web3 and crypto companies${from}`;
  const { rounds, led, first } = investor.known;
  const lead = led === 0 ? '' : `, ${led} of them led`;
  return `Web3 and crypto investor${from}: ${counted(rounds, 'known funding round')} since ${first.slice(0, 4)}${lead}`;
}

/** What is known of the investor, in two to five sentences. */
export function investorOverview(
  investor: Investor,
  founders: readonly string[],
  portfolio: readonly string[],
): string {
  return sentences([
    originSentence(investor, founders),
    roundsSentence(investor),
    stagesSentence(investor),
    portfolio.length === 0 ? null : portfolioSentence(investor, portfolio),
  ]);
}

function originSentence(investor: Investor, founders: readonly string[]): string | null {
  const year = investor.yearFounded === null ? '' : ` in ${investor.yearFounded}`;
  const by = founders.length === 0 ? '' : ` by ${listed(founders)}`;
  const founded = year + by === '' ? '' : `, founded${year}${by}`;
  const country = investor.place?.country ?? null;
  const from =
    country === null ? '' : ` from ${investor.place?.city ? `${investor.place.city}, ` : ''}${withThe(country)}`;
  const also = investor.aliases.length === 0 ? '' : ` (also known as ${listed(investor.aliases)})`;
  if (founded + from + also === '') return null;
  return `${investor.name}${also} is an investor in Web3 and crypto companies${from}${founded}`;
}

function roundsSentence(investor: Investor): string | null {
  if (investor.known === null || investor.knownAsOf === null) return null;
  const { rounds, led, companies, first, last } = investor.known;
  const asOf = monthWords(investor.knownAsOf);
  const lead = led === 0 ? '' : ` and led ${led} of them`;
  const count = `${counted(rounds, 'known funding round')} of ${counted(companies, 'company')}`;
  const span = `between ${monthWords(first.slice(0, 7))} and ${monthWords(last.slice(0, 7))}`;
  return variantOf(investor.slug, [
    `As of ${asOf}, ${investor.name} has taken part in ${count}${lead}, all ${span}`,
    `${investor.name} took part in ${count} ${span}${lead}, by the lists of ${asOf}`,
  ]);
}

function stagesSentence(investor: Investor): string | null {
  const most = [...investor.stages].sort((left, right) => right[1] - left[1]).slice(0, STAGES_SAID_MAX);
  if (most.length === 0) return null;
  const words = most.map(([stage, count]) => `${stageWords(stage, null).replace(/ round$/, '')} (${count})`);
  return most.length === 1 ? `The stage seen is ${words[0]}` : `The stages seen most often are ${listed(words)}`;
}

function portfolioSentence(investor: Investor, portfolio: readonly string[]): string {
  const names = portfolio.slice(0, PORTFOLIO_SAID_MAX);
  return variantOf(`${investor.slug} portfolio`, [
    `Its known investments include ${listed(names)}`,
    `Companies it has backed include ${listed(names)}`,
    `Among its portfolio companies are ${listed(names)}`,
  ]);
}

function withThe(country: string): string {
  return /^(United|Cayman Islands|Netherlands|Czech Republic|Seychelles|Philippines|Bahamas)/.test(country)
    ? `the ${country}`
    : country;
}
