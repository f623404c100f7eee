import * as z from 'zod';
import { definePrompt, recordNamed } from '../prompt.ts';

const COMPANIES_MAX = 6;

const companies = z
  .string()
  .max(1_000)
  .transform((text) => text.split(',').map((name) => name.trim()))
  .transform((names) => names.filter((name) => name !== ''))
  .refine((names) => names.length >= 2 && names.length <= COMPANIES_MAX, `two to ${COMPANIES_MAX} names`)
  .meta({ description: `Two to ${COMPANIES_MAX} companies, with commas between.` });

export const compareCompanies = definePrompt({
  name: 'compare_companies',
  title: 'Compare companies',
  description: 'Companies side by side: product, chains, age, size, funding, investors.',
  args: z.strictObject({ companies }),
  completed: { companies: 'companies' },
  include: ['investors', 'rounds'],
  records: (args) => args.companies.map((name) => recordNamed('companies', name)),
  task: (args) =>
    `Compare the companies ${args.companies.map((name) => JSON.stringify(name)).join(', ')} in one table: what they do, chains, year of foundation, head office, funding stage and known total, last round, notable investors and those that they share. Write "not known" where no record states it, and say below what the table shows.`,
});
