import { capitalize } from './capitalize.ts';

/** Closed vocabularies. A funding label outside them is stored beside as text, never mapped by guessing. */

export const COMPANY_STAGES = ['idea', 'early', 'growth', 'mature', 'acquired', 'public', 'closed'] as const;

/** Stages that rounds after them do not change. */
const FINAL_STAGES = ['acquired', 'public', 'closed'];

export const isFinal = (stage: unknown): boolean => FINAL_STAGES.includes(String(stage));

/** The displayed stage of a company: what it became, or else that of its latest priced round. */
export function stageOfCompany(company: Readonly<Record<string, unknown>>): unknown {
  const { company_stage: stage, funding_stage: funded } = company;
  return isFinal(stage) ? stage : (funded ?? stage);
}

export const COMPANY_STATUSES = ['active', 'acquired', 'closed'] as const;

export const FUNDING_STAGES = [
  'pre_seed',
  'angel',
  'seed',
  'pre_series_a',
  'series_a',
  'series_b',
  'series_c',
  'series_d',
  'series_e',
  'series_f',
  'series_g',
  'series_h',
  'strategic',
  'private_token_sale',
  'public_token_sale',
  'initial_coin_offering',
  'grant',
  'corporate_round',
  'convertible_note',
  'debt_financing',
  'private_equity',
  'secondary_market',
  'post_ipo_equity',
  'post_ipo_debt',
  'm_and_a',
  'bootstrapped',
  'undisclosed',
] as const;

export type FundingStage = (typeof FUNDING_STAGES)[number];

/** The stage of grants, which are counted apart from funding rounds, because programs pay many small ones. */
export const GRANT = 'grant' satisfies FundingStage;
/** The filter for rounds without grants. */
export const NO_GRANTS = `except:${GRANT}` as const;

/** Stages that raise neither equity nor token money, or follow a listing; excluded from total funding. */
const NOT_RAISED: readonly FundingStage[] = [
  'debt_financing',
  'post_ipo_debt',
  'post_ipo_equity',
  'm_and_a',
  'secondary_market',
  GRANT,
  'bootstrapped',
];

/** Whether the amount of a round counts towards the company's total_funding_usd. */
export const isRaised = (stage: FundingStage | null): boolean => stage === null || !NOT_RAISED.includes(stage);

/** Stages that sell tokens, whose amounts pages state apart from equity. */
export const TOKEN_SALES: readonly string[] = ['private_token_sale', 'public_token_sale', 'initial_coin_offering'];
export const isTokenSale = ({ stage }: Readonly<Record<string, unknown>>): boolean =>
  TOKEN_SALES.includes(String(stage));

/** Whether a round determines the company's funding_stage: a priced or token round of a known stage. */
export const isPricedRound = (stage: FundingStage | null): stage is FundingStage =>
  stage !== null && stage !== 'undisclosed' && isRaised(stage);

export const INVESTOR_TYPES = [
  'venture_capital',
  'micro_vc',
  'corporate_venture_capital',
  'angel',
  'angel_group',
  'accelerator',
  'incubator',
  'hedge_fund',
  'family_office',
  'market_maker',
  'exchange_arm',
  'ecosystem_fund',
  'dao',
  'syndicate',
  'launchpad',
  'private_equity',
  'fund_of_funds',
  'government',
  'other',
] as const;

export const ROLE_TYPES = ['founder', 'executive', 'board', 'advisor', 'investor', 'employee', 'other'] as const;

export const EVENT_FORMATS = ['in_person', 'online', 'hybrid'] as const;

export const EVENT_TYPES = [
  'conference',
  'summit',
  'hackathon',
  'meetup',
  'workshop',
  'week',
  'festival',
  'demo_day',
  'expo',
  'popup_city',
  'networking',
  'webinar',
  'other',
] as const;

/** Kinds of investor in the plural, where it is not the value with an s. */
const INVESTORS_NAMED: Readonly<Record<string, string>> = {
  venture_capital: 'venture capital firms',
  micro_vc: 'micro VCs',
  corporate_venture_capital: 'corporate venture arms',
  dao: 'DAOs',
  private_equity: 'private equity firms',
  fund_of_funds: 'funds of funds',
  government: 'public bodies',
  other: 'other investors',
};

/** Investors of a kind in words: `hedge funds`. */
export const investorsWords = (kind: string): string => INVESTORS_NAMED[kind] ?? `${kind.replaceAll('_', ' ')}s`;

const VOCABULARY_FIELDS = [
  'status',
  'company_stage',
  'funding_stage',
  'funding_stages',
  'investor_type',
  'event_type',
  'stage',
];

/** Whether a field's values are of a closed vocabulary, shown with `vocabularyLabel`. */
export const isVocabularyField = (field: string): boolean => VOCABULARY_FIELDS.includes(field);

const SPELT_OTHERWISE: Readonly<Record<string, string>> = { dao: 'DAO', ipo: 'IPO', vc: 'VC', of: 'of', and: '&' };

/** Display text of a vocabulary value: `series_b` is Series B, `pre_seed` Pre-Seed. */
export const vocabularyLabel = (word: string): string =>
  word
    .split('_')
    .map((part) => SPELT_OTHERWISE[part] ?? capitalize(part))
    .join(' ')
    .replace(/^Pre /, 'Pre-')
    .replace(' & ', '&');

const STAGE_WORDS: Readonly<Record<string, string>> = {
  pre_seed: 'pre-seed round',
  seed: 'seed round',
  angel: 'angel round',
  strategic: 'strategic round',
  pre_series_a: 'pre-Series A',
  initial_coin_offering: 'ICO',
  m_and_a: 'acquisition',
};

/** The stage of a round in words, such as `Series B`, `seed round`. */
export function stageWords(stage: unknown): string {
  if (typeof stage !== 'string') return 'funding round';
  const series = /^series_([a-h])$/.exec(stage)?.[1];
  return series === undefined ? (STAGE_WORDS[stage] ?? stage.replaceAll('_', ' ')) : `Series ${series.toUpperCase()}`;
}

/** Sources list up to this many investors of a round beside its leads, without saying whether there were more. */
export const INVESTORS_LISTED_MAX = 10;

/** Labels that differ from the field's name. */
const SPELLING: Readonly<Record<string, string>> = {
  organization: 'Organisation',
  organizer: 'Organiser',
  organizers: 'Organisers',
  total_funding_usd: 'Known funding',
  unsourced_funding_usd: 'Unsourced funding',
  sourced: 'With a source page',
  location_json: 'Location',
  year_founded: 'Founded',
  total_employees: 'Employees',
  investments_count: 'Rounds',
  lead_count: 'Rounds led',
  unsourced_lead_count: 'Rounds led, unsourced',
  investors_count: 'Number of investors',
  updated_at: 'Updated',
  co_investors: 'Co-investors',
  first_investment_date: 'First round',
  last_investment_date: 'Latest round',
  is_verified: 'Verified',
  as_of: 'As of',
  series_slug: 'Series',
  stage_raw: 'Stage as stated',
  funding_stage_raw: 'Funding stage as stated',
  amount_raw: 'Paid as',
  month_only: 'Known to the month',
  rounds_last_year: 'Last 12 months on record',
  median_round_usd: 'Median round',
  stale: 'Older than two years',
  aum_usd: 'Assets managed',
  github: 'GitHub',
  linkedin: 'LinkedIn',
  twitter: 'X (Twitter)',
};

export function labelOf(field: string): string {
  const words = field
    .replaceAll('_', ' ')
    .replace(/^sum (?:total )?/, 'total ')
    .replace(/ investments count$/, ' rounds')
    .replace(/ usd$/, ' (USD)')
    .replace(/ json$/, '')
    .replace(/ url$/, '');
  return SPELLING[field] ?? capitalize(words);
}
