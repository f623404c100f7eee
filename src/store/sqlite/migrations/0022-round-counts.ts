import { sortIndex } from './0001-initial.ts';

/** The numbers of rounds that companies raised. */
export const roundCounts = sortIndex(['companies', 'known_rounds']);
