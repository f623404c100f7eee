import type { Matches } from './matches.ts';
import type { SearchAnswer, SearchHit, SearchRequest } from './search-index.ts';

/** The answer to a request: the totals of its types, and the page of all of them by score. */
export function answerOf<Type extends string>(
  { types, offset, limit }: Pick<SearchRequest<Type>, 'types' | 'offset' | 'limit'>,
  matches: readonly Matches[],
  idOf: (type: Type, ordinal: number) => number,
): SearchAnswer<Type> {
  const hitsOf = (index: number, from: number, count: number): SearchHit<Type>[] => {
    const type = types[index];
    return matches[index].page(from, count).map(({ ordinal, score }) => ({ type, id: idOf(type, ordinal), score }));
  };
  const totals = Object.fromEntries(types.map((type, index) => [type, matches[index].total])) as Record<Type, number>;
  if (types.length === 1) return { totals, hits: hitsOf(0, offset, limit) };
  // Each type may hold the whole page, so each gives its first ones; a stable sort keeps the order of types.
  const first = types.flatMap((_, index) => hitsOf(index, 0, offset + limit));
  return { totals, hits: first.sort((one, other) => other.score - one.score).slice(offset, offset + limit) };
}
