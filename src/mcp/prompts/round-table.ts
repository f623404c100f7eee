import * as z from 'zod';
import { isoDate } from '../../contract/fields.ts';
import { definePrompt } from '../prompt.ts';

export const roundTable = definePrompt({
  name: 'round_table',
  title: 'Table of funding rounds',
  description: 'Funding rounds of a sector, chain, company or investor in a table, with totals by year.',
  args: z.strictObject({
    about: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .meta({ description: 'Sector, chain, company or investor, such as DeFi or Paradigm.' }),
    since: isoDate.optional().meta({ description: 'First day, as 2024-01-01.' }),
  }),
  completed: {},
  include: [],
  records: () => [],
  task: ({ about, since }) =>
    `Make a table of the funding rounds about ${JSON.stringify(about)}${since === undefined ? '' : ` since ${since}`}, the newest first: date, company, stage, amount, who led, announcement. Find them with search (type rounds, with the filter tag, chain, company or investor that it is; detail csv for many), and the totals by year with aggregate under the same filters. Say up to which date the data reaches (covered), how many amounts are not known, and how many rounds a filter left out as unknown.`,
});
