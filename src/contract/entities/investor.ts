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
  logo: webUrl.nullable().meta({ description: 'Address of the logo.' }),
  tagline: shortText.nullable().meta({ description: 'What the investor does, in a line.' }),
  overview: longText.nullable().meta({ description: 'What the investor does.' }),
  website: webUrl.nullable().meta({ description: 'Address of the website.' }),
  investor_type: z.enum(INVESTOR_TYPES).nullable().meta({ description: 'Kind of investor.' }),
  focus: labels.meta({
    description: 'Sectors: those that it names, or else the commonest of the companies that it funded.',
  }),
  funding_stages: z
    .array(z.enum(FUNDING_STAGES))
    .max(FUNDING_STAGES.length)
    .meta({ description: 'Stages of its known investments.' }),
  location_json: location.nullable().meta({ description: 'Head office.' }),
  year_founded: year.nullable().meta({ description: 'Year of foundation.' }),
  fund_size_usd: money
    .nullable()
    .meta({ description: 'Size of its largest known fund, or assets under management, in US dollars.' }),
  investments_count: count
    .nullable()
    .meta({ description: 'Known funding rounds the investor took part in, without grants.' }),
  lead_count: count.nullable().meta({ description: 'Known funding rounds the investor led.' }),
  unsourced_lead_count: count.nullable().meta({
    description:
      'How many of those only the editors of the data set state, or who led them, without a page; null for none.',
    readOnly: true,
  }),
  portfolio_count: count.nullable().meta({ description: 'Companies among its known investments.' }),
  first_investment_date: isoDate.nullable().meta({ description: 'First known investment.' }),
  last_investment_date: isoDate.nullable().meta({ description: 'Latest known investment.' }),
  month_only: monthOnly(['first_investment_date', 'last_investment_date']),
  portfolio: references.meta({ description: 'Portfolio companies, besides those of the known rounds.' }),
  founders: references.meta({ description: 'Founders of the firm.' }),
  twitter: webUrl.nullable().meta({ description: 'Address on X (Twitter).' }),
};

export const investor = defineEntity({
  type: 'investors',
  noun: 'investor',
  fields,
  searched: {
    names: ['name', 'aliases'],
    tickers: [],
    domain: 'website',
    accounts: ['twitter'],
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
    'unsourced_lead_count',
    'last_investment_date',
    'month_only',
  ],
  fromRounds: [
    'investments_count',
    'lead_count',
    'unsourced_lead_count',
    'portfolio_count',
    'first_investment_date',
    'last_investment_date',
    'month_only',
  ],
  paid: [
    ...(['logo', 'tagline', 'overview', 'website', 'investor_type', 'focus', 'location_json'] as const),
    ...(['investments_count', 'unsourced_fields'] as const),
  ],
});
