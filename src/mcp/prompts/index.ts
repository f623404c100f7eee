import { companyBrief } from './company-brief.ts';
import { compareCompanies } from './compare-companies.ts';
import { eventPrep } from './event-prep.ts';
import { investorBrief } from './investor-brief.ts';

/** Every prompt, in the order in which hosts list them. */
export const prompts = [companyBrief, compareCompanies, investorBrief, eventPrep];
