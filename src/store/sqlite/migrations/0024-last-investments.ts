import { sortIndex } from './0001-initial.ts';

/** The day on which an investor last invested, as far as it is known. */
export const lastInvestments = sortIndex(['investors', 'last_investment_date']);
