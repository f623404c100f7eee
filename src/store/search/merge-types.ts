import type { QueryMatches, ScoredDocument } from './matches.ts';
import type { IndexRequest, SearchAnswer, SearchHit } from './search-index.ts';

type Paging = Pick<IndexRequest<string>, 'offset' | 'limit' | 'isInterleaved'>;

/** A match among those of all types. */
interface Candidate extends ScoredDocument {
  /** Index of the type in the request. */
  readonly type: number;
  /** Rank among the matches of its type. */
  readonly position: number;
}

/** Combines matches of several types: totals, and one page. */
export function mergeTypes<Type extends string>(
  { types, offset, limit, isInterleaved }: Paging & { readonly types: readonly Type[] },
  { matches, relaxation }: QueryMatches,
  { epoch, idOf }: { readonly epoch: number | undefined; idOf(type: Type, docId: number): number },
): SearchAnswer<Type> {
  const totals = Object.fromEntries(types.map((type, index) => [type, matches[index].total])) as Record<Type, number>;
  // Spreading these objects would cost as much as the rest of the page.
  const candidates = (type: number, from: number, count: number): Candidate[] =>
    matches[type].page(from, count).map(({ docId, score }, position) => ({ docId, score, type, position }));
  const toHit = ({ type, docId, score }: Candidate): SearchHit<Type> => ({
    type: types[type],
    id: idOf(types[type], docId),
    score,
  });
  if (types.length === 1) return { totals, hits: candidates(0, offset, limit).map(toHit), relaxation, epoch };
  // One type may fill every page so far, so the first matches of each are needed.
  const first = types.flatMap((_, type) => candidates(type, 0, offset + limit));
  const ordered = first.sort(isInterleaved ? roundRobin : byScore);
  return { totals, hits: ordered.slice(offset, offset + limit).map(toHit), relaxation, epoch };
}

/** The sort is stable, so ties keep the order of types. */
const byScore = (one: Candidate, other: Candidate): number => other.score - one.score;

/**
 * Round-robin: the best match of each type, then the second of each; each round is ordered by score. Any part of the
 * list is divided evenly among the types with matches left, and begins with the best match.
 */
const roundRobin = (one: Candidate, other: Candidate): number => one.position - other.position || byScore(one, other);
