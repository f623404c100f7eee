import { SEARCHED_TYPES, type SearchedType } from '../../../contract/entities/index.ts';
import type { WordIndex } from '../../records/record-index.ts';
import { atOnce } from '../../sql/steps.ts';

export const postgresWords: WordIndex = {
  putMany: () => atOnce(() => {}),
  remove: () => atOnce(() => {}),
  find: () =>
    atOnce(() => ({
      totals: Object.fromEntries(SEARCHED_TYPES.map((type) => [type, 0])) as Record<SearchedType, number>,
      hits: [],
    })),
};
