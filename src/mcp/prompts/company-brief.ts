import * as z from 'zod';
import { definePrompt, namedRecord, recordNamed } from '../prompt.ts';

export const companyBrief = definePrompt({
  name: 'company_brief',
  title: 'Brief on a company',
  description: 'What a company does, who runs it, who funded it, and what is not known.',
  args: z.strictObject({ company: namedRecord('company') }),
  completed: { company: 'companies' },
  include: ['people', 'investors', 'rounds', 'events', 'similar'],
  records: ({ company }) => [recordNamed('companies', company)],
  task: ({ company }) =>
    `Write a brief on the company ${JSON.stringify(company)}: what it does and on which chains, people, funding rounds with dates and investors, head office, events, and the companies most like it with what they share. Say which facts are not known.`,
});
