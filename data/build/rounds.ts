import { FUNDING_STAGES, type FundingStage } from '../../src/contract/vocabulary.ts';
import { LEFT_OUT_ROUNDS, NO_ANNOUNCEMENTS, ROUND_OWNERS } from './decisions.ts';
import { type Fact, factValues, type RoundValue, type Subject, shippableFacts } from './facts.ts';
import { distinct, type Links, type Reference } from './links.ts';
import {
  announcementOf,
  groupReadings,
  isFrontPage,
  newestDate,
  type Reading,
  readingsOf,
  type SourceLine,
} from './sources.ts';
import type { Tally } from './tally.ts';
import { cleanText, daysBetween } from './text.ts';

/** Funding rounds: chosen, freed of doubles and written as records. */

export interface Round {
  owner: string;
  date: string;
  stage: FundingStage | null;
  stageRaw: string | null;
  amount: number | null;
  leads: string[];
  investors: string[];
  announcement: string | null;
  isHigh: boolean;
  readings: Reading[];
}

export interface RoundLine {
  name: string;
  slug: string;
  company: Reference;
  announced_date: string;
  stage?: FundingStage;
  stage_raw?: string;
  amount_usd?: string;
  lead_investors?: Reference[];
  investors?: Reference[];
  announcement?: string;
  as_of: string | null;
  sources: SourceLine[];
}

/** The rounds of all companies by the slug of the company that they belong to, newest first, without doubles. */
export function roundsByCompany(subjects: readonly Subject[], tally: Tally): Map<string, Round[]> {
  const byOwner = new Map<string, Round[]>();
  for (const subject of subjects) {
    for (const fact of shippableFacts(subject, 'funding_round')) {
      const round = roundFrom(subject.slug, fact);
      const reason = reasonToLeaveOut(subject.slug, round, factValues.round.parse(fact.value).stage);
      if (reason === null) byOwner.set(round.owner, [...(byOwner.get(round.owner) ?? []), round]);
      else tally.leaveOut('rounds', reason);
    }
  }
  for (const [owner, rounds] of byOwner) byOwner.set(owner, withoutDoubles(rounds, tally));
  return byOwner;
}

function roundFrom(slug: string, fact: Fact): Round {
  const value = factValues.round.parse(fact.value);
  const announcement = announcementOf(fact);
  const stage = FUNDING_STAGES.find((known) => known === value.stage) ?? null;
  return {
    owner: ROUND_OWNERS[slug] ?? slug,
    date: value.date,
    stage,
    stageRaw: stage === null ? value.stage : null,
    amount: value.amount_usd,
    leads: value.lead_investors.map(investorName),
    investors: [...value.lead_investors, ...value.investors].map(investorName).filter((name) => name.length > 1),
    announcement: announcement !== null && isFrontPage(announcement) ? null : announcement,
    isHigh: fact.confidence === 'high',
    readings: fieldsOf(value).flatMap((field) => readingsOf(fact, field)),
  };
}

/** An investor's name, with the dot that one list takes out of "Crypto.com". */
function investorName(text: string): string {
  return cleanText(text).replace(/^(\w+) com\b/, '$1.com');
}

function fieldsOf(value: RoundValue): string[] {
  return [
    'company',
    'announced_date',
    ...(value.stage === null ? [] : [FUNDING_STAGES.some((known) => known === value.stage) ? 'stage' : 'stage_raw']),
    ...(value.amount_usd === null ? [] : ['amount_usd']),
    ...(value.lead_investors.length === 0 ? [] : ['lead_investors']),
    ...(value.investors.length === 0 ? [] : ['investors']),
  ];
}

function reasonToLeaveOut(slug: string, round: Round, label: string | null): string | null {
  const decided = LEFT_OUT_ROUNDS[`${slug}@${round.date}`];
  if (decided !== undefined) return `${slug}, ${round.date}: ${decided}`;
  if (label === 'ecosystem_fund') return 'a fund that a project set up for others, no money raised';
  if (NO_ANNOUNCEMENTS.some((page) => page.test(round.announcement ?? '')))
    return 'the page lists what one investor holds';
  if (round.announcement === null && round.amount === null && round.stage === null)
    return 'no amount, no stage and only a front page as source';
  return null;
}

const DOUBLE_DAYS_MAX = 30;
const DOUBLE_AMOUNT_SHARE = 0.01;
/** Announced within a few days at a like stage, amounts differ by what a writer rounded. */
const SAME_NEWS_DAYS_MAX = 3;
const SAME_NEWS_AMOUNT_SHARE = 0.05;

/** Keeps the better sourced of rounds that are one, and fills its gaps from the other. */
function withoutDoubles(rounds: readonly Round[], tally: Tally): Round[] {
  const kept: Round[] = [];
  for (const round of [...rounds].sort(byEvidence)) {
    const double = kept.find((other) => isDouble(round, other));
    if (double === undefined) kept.push({ ...round });
    else {
      fillGaps(double, round);
      tally.count('rounds merged as doubles');
    }
  }
  return kept.sort(
    (left, right) => right.date.localeCompare(left.date) || (left.stage ?? '').localeCompare(right.stage ?? ''),
  );
}

function byEvidence(left: Round, right: Round): number {
  if (left.isHigh !== right.isHigh) return left.isHigh ? -1 : 1;
  return right.investors.length - left.investors.length || left.date.localeCompare(right.date);
}

function isDouble(left: Round, right: Round): boolean {
  const hasAmounts = left.amount !== null && right.amount !== null;
  const isSameStage = left.stage === right.stage || left.stage === null || right.stage === null;
  const days = daysBetween(left.date, right.date);
  const difference =
    Math.abs((left.amount ?? 0) - (right.amount ?? 0)) / Math.max(left.amount ?? 0, right.amount ?? 0, 1);
  const isSameNews = isSameStage && days <= SAME_NEWS_DAYS_MAX && difference <= SAME_NEWS_AMOUNT_SHARE;
  const isSameAmount = hasAmounts && (difference <= DOUBLE_AMOUNT_SHARE || isSameNews);
  if (days > DOUBLE_DAYS_MAX) return false;
  if (left.date === right.date && left.stage === right.stage && left.stageRaw === right.stageRaw) return true;
  return isSameAmount || (!hasAmounts && isSameStage);
}

function fillGaps(kept: Round, other: Round): void {
  const filled = new Set<string>();
  if (kept.amount === null && other.amount !== null) {
    kept.amount = other.amount;
    filled.add('amount_usd');
  }
  if (kept.stage === null && other.stage !== null) {
    kept.stage = other.stage;
    filled.add('stage');
  }
  if (kept.investors.length === 0 && other.investors.length > 0) {
    kept.investors = other.investors;
    kept.leads = other.leads;
    filled.add('investors').add('lead_investors');
  }
  kept.announcement ??= other.announcement;
  kept.readings.push(...other.readings.filter((reading) => filled.has(reading.field)));
}

const STAGE_WORDS: Readonly<Partial<Record<FundingStage, string>>> = {
  pre_seed: 'pre-seed round',
  seed: 'seed round',
  angel: 'angel round',
  pre_series_a: 'pre-Series A',
  strategic: 'strategic round',
  private_token_sale: 'private token sale',
  public_token_sale: 'public token sale',
  initial_coin_offering: 'initial coin offering (ICO)',
  convertible_note: 'convertible note',
  post_ipo_debt: 'post-IPO debt round',
  post_ipo_equity: 'post-IPO equity round',
  m_and_a: 'acquisition',
};

const RAW_STAGE_WORDS: Readonly<Record<string, string>> = {
  private_round: 'private round',
  equity_crowdfunding: 'equity crowdfunding round',
};

/** A round's stage in words: "Series B", "seed round", "funding round". */
export function stageWords(stage: FundingStage | null, stageRaw: string | null): string {
  if (stage === null) return RAW_STAGE_WORDS[stageRaw ?? ''] ?? 'funding round';
  const series = /^series_([a-h])$/.exec(stage)?.[1];
  return series === undefined ? (STAGE_WORDS[stage] ?? stage.replaceAll('_', ' ')) : `Series ${series.toUpperCase()}`;
}

/** A round as it is shipped. */
export function roundLine(round: Round, company: Reference, links: Links): RoundLine {
  const refer = (name: string) => links.refer(name, ['investors', 'companies', 'people']);
  const leads = distinct(round.leads.map(refer));
  const investors = distinct(round.investors.map(refer));
  const sources = groupReadings(round.readings);
  return {
    name: `${company.name} ${stageWords(round.stage, round.stageRaw).replace('initial coin offering (ICO)', 'ICO')} (${round.date.slice(0, 4)})`,
    slug: `${company.slug}-${round.stage?.replaceAll('_', '-') ?? 'round'}-${round.date}`,
    company,
    announced_date: round.date,
    ...(round.stage === null ? {} : { stage: round.stage }),
    ...(round.stageRaw === null ? {} : { stage_raw: round.stageRaw }),
    ...(round.amount === null ? {} : { amount_usd: round.amount.toFixed(2) }),
    ...(leads.length === 0 ? {} : { lead_investors: leads }),
    ...(investors.length === 0 ? {} : { investors }),
    ...(round.announcement === null ? {} : { announcement: round.announcement }),
    as_of: newestDate(sources),
    sources,
  };
}
