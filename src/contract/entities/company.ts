import * as z from 'zod';
import { defineEntity } from '../entity.ts';
import {
  count,
  isoDate,
  LIST_LENGTH_MAX,
  labels,
  location,
  longText,
  money,
  monthOnly,
  nameText,
  partialDate,
  reference,
  references,
  shortText,
  webUrl,
  year,
} from '../fields.ts';
import { COMPANY_STAGES, COMPANY_STATUSES, FUNDING_STAGES } from '../vocabulary.ts';

const tokenContract = z.object({
  symbol: nameText.meta({ description: 'Ticker.' }),
  chain: nameText.meta({ description: 'Chain that it is on.' }),
  address: nameText.meta({ description: 'Address of its contract there.' }),
});

const formerName = z.object({
  name: nameText.meta({ description: 'The name.' }),
  as_of: shortText.nullable().default(null).meta({ description: 'Date of the source that calls it a former name.' }),
});

const fields = {
  logo: webUrl.nullable().meta({ description: 'Address of the logo.' }),
  tagline: shortText.nullable().meta({ description: 'What the company does, in a line.' }),
  overview: longText.nullable().meta({ description: 'What the company does.' }),
  website: webUrl.nullable().meta({ description: 'Address of the website.' }),
  tags: labels.meta({ description: 'Industry and business-model tags.' }),
  chains: labels.meta({ description: 'Blockchains the company builds on or runs.' }),
  token_symbols: labels.meta({ description: 'Tickers of its tokens.' }),
  token_contracts: z.array(tokenContract).max(LIST_LENGTH_MAX).meta({ description: 'Where its tokens are.' }),
  location_json: location.nullable().meta({ description: 'Head office.' }),
  year_founded: year.nullable().meta({ description: 'Year of foundation.' }),
  founded_date: isoDate.nullable().meta({ description: 'Day of foundation; null when only the year is known.' }),
  total_employees: count.nullable().meta({ description: 'Number of employees.' }),
  status: z
    .enum(COMPANY_STATUSES)
    .nullable()
    .meta({ description: 'Whether it is active; null when no source states it.' }),
  status_as_of: shortText
    .nullable()
    .meta({ description: 'Date of the source of the status: YYYY-MM-DD, YYYY-MM or YYYY.' }),
  status_source: shortText.nullable().meta({ description: 'Where the status was read.' }),
  status_since: partialDate
    .nullable()
    .meta({ description: 'When it was acquired or closed: YYYY-MM-DD, YYYY-MM or YYYY, as far as it is known.' }),
  acquired_by: reference.nullable().meta({ description: 'Who acquired it.' }),
  former_names: z.array(formerName).max(LIST_LENGTH_MAX).meta({ description: 'Former names; each is also an alias.' }),
  see_also: labels.meta({
    description: 'Slugs of other companies of the same name, with which it is not to be confused.',
  }),
  company_stage: z.enum(COMPANY_STAGES).nullable().meta({ description: 'Stage of the company.' }),
  funding_stage: z.enum(FUNDING_STAGES).nullable().meta({ description: 'Latest priced or token round.' }),
  funding_stage_date: isoDate.nullable().meta({
    description: 'Day of that round. Where last_round_date is later, the later rounds state no stage.',
    readOnly: true,
  }),
  funding_stage_raw: shortText.nullable().meta({ description: 'A stage label outside the vocabulary, as given.' }),
  funding_stages: z
    .array(z.enum(FUNDING_STAGES))
    .max(FUNDING_STAGES.length)
    .meta({ description: 'Stages of its known rounds.' }),
  last_round_date: isoDate.nullable().meta({ description: 'Day of its latest known funding round, without grants.' }),
  month_only: monthOnly(['funding_stage_date', 'last_round_date']).meta({ readOnly: true }),
  known_rounds: count.nullable().meta({ description: 'Its known funding rounds, without grants.', readOnly: true }),
  disclosed_rounds: count.nullable().meta({
    description: 'Those of them with a disclosed amount that total_funding_usd adds up.',
    readOnly: true,
  }),
  investors_count: count.nullable().meta({ description: 'Investors in its known rounds, without grants.' }),
  total_funding_usd: money
    .nullable()
    .meta({ description: 'Sum of the known disclosed equity and token rounds, in US dollars.' }),
  unsourced_funding_usd: money.nullable().meta({
    description: 'How much of it only the editors of the data set state, without a page to check it by; null for none.',
    readOnly: true,
  }),
  founders: references.meta({ description: 'Founders.' }),
  team: references.meta({ description: 'Members of the team, besides those whose record names the company.' }),
  investors: references.meta({ description: 'Investors, besides those of the known rounds.' }),
  twitter: webUrl.nullable().meta({ description: 'Address on X (Twitter).' }),
  github: webUrl.nullable().meta({ description: 'Address on GitHub.' }),
};

export const company = defineEntity({
  type: 'companies',
  noun: 'company',
  fields,
  searched: {
    names: ['name', 'aliases'],
    addresses: ['token_contracts'],
    tickers: ['token_symbols'],
    domain: 'website',
    accounts: ['twitter', 'github'],
    keywords: ['tags', 'chains'],
    headline: ['tagline'],
    overview: ['overview'],
    related: ['founders', 'team', 'investors', 'location_json'],
  },
  concise: [
    'tagline',
    'website',
    'tags',
    'chains',
    'location_json',
    'year_founded',
    'total_employees',
    'company_stage',
    'status_since',
    'acquired_by',
    'funding_stage',
    'funding_stage_date',
    'total_funding_usd',
    'unsourced_funding_usd',
    'disclosed_rounds',
    'known_rounds',
    'last_round_date',
    'month_only',
  ],
  fromRounds: [
    'funding_stage',
    'funding_stage_date',
    'funding_stages',
    'last_round_date',
    'month_only',
    'known_rounds',
    'disclosed_rounds',
    'investors_count',
    'total_funding_usd',
    'unsourced_funding_usd',
  ],
  paid: [
    'logo',
    'tagline',
    'overview',
    'website',
    'company_stage',
    'funding_stage',
    'total_funding_usd',
    'founded_date',
    'total_employees',
  ],
  paidNames: { employee_count: 'total_employees' },
});
