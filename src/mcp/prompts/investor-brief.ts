import * as z from 'zod';
import { definePrompt, namedRecord, recordNamed } from '../prompt.ts';

export const investorBrief = definePrompt({
  name: 'investor_brief',
  title: 'Brief on an investor',
  description: 'What an investor invests in, its known portfolio, activity and people.',
  args: z.strictObject({ investor: namedRecord('investor') }),
  completed: { investor: 'investors' },
  include: ['portfolio', 'people', 'rounds', 'co_investors'],
  records: ({ investor }) => [recordNamed('investors', investor)],
  task: ({ investor }) =>
    `Write a brief on the investor ${JSON.stringify(investor)}: kind, focus and stages, fund size, number of known investments and how many it led, first and latest one, portfolio by sector, latest rounds, whom it invests with most, and people. Take counts by year and stage from aggregate (of rounds, investor). Say which facts are not known.`,
});
