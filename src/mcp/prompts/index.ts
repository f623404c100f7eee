import { companyBrief } from './company-brief.ts';
import { compareCompanies } from './compare-companies.ts';
import { eventPrep } from './event-prep.ts';
import { investorBrief } from './investor-brief.ts';
import { roundTable } from './round-table.ts';
import { warmIntro } from './warm-intro.ts';

/** Every prompt, in the order of prompts/list. */
export const prompts = [companyBrief, compareCompanies, investorBrief, eventPrep, roundTable, warmIntro];
