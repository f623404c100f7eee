import { searchedEntities } from '../contract/entities/index.ts';

/** Types that x402 sells, in the order in which lists show them. */
export const SOLD_TYPES = searchedEntities.flatMap(({ type, paid }) => (paid === null ? [] : [type]));
