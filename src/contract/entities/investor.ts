import * as z from 'zod';
import { defineEntity } from '../entity.ts';
import {
  count,
  isoDate,
  labels,
  location,
  longText,
  money,
  monthOnly,
  references,
  shortText,
  webUrl,
  year,
} from '../fields.ts';
import { FUNDING_STAGES, INVESTOR_TYPES } from '../vocabulary.ts';

const fields = {
  logo: webUrl.nullable().describe('Address of the logo.'),
  tagline: shortText.nullable().describe('What the investor does, in a line.'),
  overview: longText.nullable().describe('What the investor does.'),
  website: webUrl.nullable().describe('Address of the website.'),
  investor_type: z.enum(INVESTOR_TYPES).nullable().describe('Kind of investor.'),
  focus: labels.describe('Sectors the investor says it invests in.'),
  funding_stages: z
    .array(z.enum(FUNDING_STAGES))
    .max(FUNDING_STAGES.length)
    .describe('Stages of its known investments.'),
  location_json: location.nullable().describe('Head office.'),
  year_founded: year.nullable().describe('Year of foundation.'),
  fund_size_usd: money
    .nullable()
    .describe('Size of its largest known fund, or assets under management, in US dollars.'),
  investments_count: count.nullable().describe('Known funding rounds the investor took part in, without grants.'),
  lead_count: count.nullable().describe('Known funding rounds the investor led.'),
  portfolio_count: count.nullable().describe('Companies among its known investments.'),
  first_investment_date: isoDate.nullable().describe('First known investment.'),
  last_investment_date: isoDate.nullable().describe('Latest known investment.'),
  month_only: monthOnly(['first_investment_date', 'last_investment_date']),
  portfolio: references.describe('Portfolio companies, besides those of the known rounds.'),
  founders: references.describe('Founders of the firm.'),
  twitter: webUrl.nullable().describe('Address on X (Twitter).'),
};

export const investor = defineEntity({
  type: 'investors',
  noun: 'investor',
  fields,
  searched: {
    names: ['name', 'aliases'],
    tickers: [],
    domain: 'website',
    keywords: ['focus', 'investor_type'],
    headline: ['tagline'],
    overview: ['overview'],
    related: ['portfolio', 'founders', 'location_json'],
  },
  concise: [
    'tagline',
    'website',
    'investor_type',
    'focus',
    'location_json',
    'investments_count',
    'lead_count',
    'last_investment_date',
    'month_only',
  ],
  fromRounds: [
    'investments_count',
    'lead_count',
    'portfolio_count',
    'first_investment_date',
    'last_investment_date',
    'month_only',
  ],
  paid: ['logo', 'tagline', 'overview', 'website', 'investor_type', 'focus', 'location_json', 'investments_count'],
});
