import type { Matches } from '../../search/matches.ts';
import type { NameMatch } from '../../search/name-matcher.ts';
import type { TermMatches } from '../../search/term-matches.ts';
import { denseMatches, type SetTools } from './dense-matches.ts';
import type { SetExpression } from './set-expression.ts';
import {
  type DocIdSet,
  EMPTY_SET,
  intersectUnion,
  isWorthBitmap,
  type Layout,
  setOfDocIds,
  sizeOf,
  union,
  withoutRepeats,
} from './sets.ts';
import { sparseMatches } from './sparse-matches.ts';
import type { WeightedPostingsReader } from './weighted-postings.ts';

export interface MatchRequest {
  termMatches: TermMatches;
  nameMatches: readonly NameMatch[];
  documents: number;
  layout: Layout;
  /** Filters document ids by the caller's condition. */
  filter: ((docIds: Uint32Array) => Uint32Array) | undefined;
}

/** Up to this many candidates are scored individually, to bound the cost at any store size. */
const SCORED_MAX = 512;
/** Up to this many candidates are scored directly instead of intersected with the next word. */
const FEW_MAX = 64;

export function matchesOf(tools: SetTools, request: MatchRequest): Matches {
  const { termMatches, nameMatches, layout, filter } = request;
  const { reader, evaluator } = tools;
  const namePrefix = termMatches.namePrefix ? reader.set(termMatches.namePrefix, layout) : EMPTY_SET;
  const nameMatched = docIdsOf(nameMatches);
  // Scoring determines which of few candidates match; with many name prefixes nothing is scored.
  const fewMax = sizeOf(namePrefix) + nameMatched.docIds.length + FEW_MAX <= SCORED_MAX ? FEW_MAX : 0;
  const gathered = gatherCandidates(reader, request, fewMax);
  const expression: SetExpression = {
    allOf: gathered ? [[gathered.set]] : termMatches.clauses.map(({ postings }) => reader.sets(postings, layout)),
    orAnyOf: [namePrefix, nameMatched],
    noneOf: [],
    notAllOf: [],
  };
  const united = gathered && union(layout, [gathered.set, namePrefix, nameMatched]);
  const { total, docIds } = united
    ? { total: sizeOf(united), docIds: united.bits ? undefined : united.docIds }
    : evaluator.find(expression, layout, SCORED_MAX);
  const all = (): Uint32Array => docIds ?? evaluator.pick(expression, layout, { offset: 0, limit: total }).docIds;
  const isExact = gathered === undefined || gathered.isExact;
  if (total <= SCORED_MAX) return sparseMatches(reader, request, { docIds: all, total: isExact ? total : undefined });
  const named = { namePrefix, nameMatched };
  if (!filter) return denseMatches(tools, request, { ...named, all: united, total, docIds: all });
  const passing = setOfDocIds(filter(all()));
  const { docIds: kept } = passing;
  return denseMatches(tools, request, { ...named, all: passing, total: kept.length, docIds: () => kept });
}

interface Gathered {
  set: DocIdSet;
  /** Whether every candidate has every word. */
  isExact: boolean;
}

/** Candidate documents: a superset of the matches if few enough to list, otherwise exactly the matches. */
function gatherCandidates(reader: WeightedPostingsReader, request: MatchRequest, fewMax: number): Gathered | undefined {
  const { termMatches, layout } = request;
  const [rarest, ...others] = termMatches.clauses.toSorted((one, other) => one.count - other.count);
  if (rarest === undefined) return { set: EMPTY_SET, isExact: true };
  if (isWorthBitmap(layout, rarest.count)) return undefined;
  let set = reader.union(rarest.postings, layout);
  for (const { postings } of others) {
    if (set.docIds.length <= fewMax) return { set, isExact: false };
    set = intersectUnion(layout, set, reader.sets(postings, layout));
  }
  return { set, isExact: true };
}

function docIdsOf(nameMatches: readonly NameMatch[]): DocIdSet {
  if (nameMatches.length === 0) return EMPTY_SET;
  const docIds = new Uint32Array(nameMatches.length);
  for (let index = 0; index < nameMatches.length; index++) docIds[index] = nameMatches[index].docId;
  return setOfDocIds(withoutRepeats(docIds.sort()));
}
