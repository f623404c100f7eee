import * as z from 'zod';
import { defineEntity } from '../entity.ts';
import { isoDate, money, monthOnly, reference, references, shortText, webUrl } from '../fields.ts';
import { FUNDING_STAGES, INVESTORS_LISTED_MAX } from '../vocabulary.ts';

const fields = {
  company: reference.meta({ description: 'Company that was funded.' }),
  announced_date: isoDate
    .nullable()
    .meta({ description: 'Day it was announced; only the month is known if month_only has it.' }),
  stage: z.enum(FUNDING_STAGES).nullable().meta({ description: 'Stage of the round.' }),
  stage_raw: shortText.nullable().meta({ description: 'A stage label outside the vocabulary, as given.' }),
  amount_usd: money
    .nullable()
    .meta({ description: 'Disclosed amount, in US dollars. With amount_raw, what the source converts that to.' }),
  valuation_usd: money.nullable().meta({ description: 'Disclosed valuation, in US dollars.' }),
  lead_investors: references.meta({ description: 'Investors that led.' }),
  investors: references.meta({ description: 'All known investors, the leading ones too.' }),
  investors_may_be_cut: z
    .boolean()
    .nullable()
    .meta({
      description: `True when investors has as many names as sources list at most, ${INVESTORS_LISTED_MAX} beside the leads: there may be others.`,
      readOnly: true,
    }),
  announcement: webUrl.nullable().meta({ description: 'Address of the announcement.' }),
  unsourced: z.boolean().nullable().meta({
    description: 'True when only the editors of the data set state the round: there is no page to check it by.',
    readOnly: true,
  }),
  amount_raw: shortText
    .nullable()
    .meta({ description: 'What was paid, where it was no US dollars, such as "150,000 OP".' }),
  month_only: monthOnly(['announced_date', 'as_of']),
};

export const round = defineEntity({
  type: 'rounds',
  noun: 'funding round',
  fields,
  searched: {
    names: ['name', 'aliases'],
    tickers: [],
    domain: null,
    keywords: ['stage'],
    headline: ['company'],
    overview: [],
    related: ['announced_date', 'lead_investors', 'investors'],
    hasComposedNames: true,
  },
  concise: [
    'company',
    'announced_date',
    'stage',
    'amount_usd',
    'valuation_usd',
    'lead_investors',
    'investors',
    'investors_may_be_cut',
    'announcement',
    'unsourced',
    'amount_raw',
    'month_only',
  ],
  paid: [...(Object.keys(fields) as (keyof typeof fields)[]), 'unsourced_fields'],
});
