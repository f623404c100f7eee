import { sortIndex } from './0001-initial.ts';

/** The valuations of rounds, which few state. */
export const valuations = sortIndex(['rounds', 'valuation_usd']);
