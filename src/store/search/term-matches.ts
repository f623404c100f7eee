import { FIELD, FIELD_WEIGHT, FIELDS, KEYWORD_WEIGHT, SCORE_TIER, STEM_BOOST } from './matches.ts';
import type { Alternative, QueryPlan } from './query-plan.ts';

/** Number of documents that have a term, by the field that counts. */
export interface TermStatistics {
  byField: readonly { count: number }[];
}

/** Finds the posting lists of a term by its id; empty lists if there are none. */
export interface PostingsLookup<Lists extends TermStatistics> {
  of(term: number): Lists;
}

/** The posting lists of a term that matches tokens of the query, with its weights. */
export interface WeightedPostings<Lists extends TermStatistics = TermStatistics> {
  postings: Lists;
  fields: number;
  weights: readonly number[];
  count: number;
  /** First and last token of the query that it covers. */
  from: number;
  to: number;
}

/** Posting lists of one type for a plan. */
export interface TermMatches<Lists extends TermStatistics = TermStatistics> {
  /** By token of the query. */
  clauses: ClauseMatches<Lists>[];
  /** Complete keywords; they only add to scores. */
  keywords: WeightedPostings<Lists>[];
  /** Names that begin with the whole query. */
  namePrefix: WeightedPostings<Lists> | undefined;
}

export interface ClauseMatches<Lists extends TermStatistics = TermStatistics> {
  postings: WeightedPostings<Lists>[];
  /** Sum of document counts over the alternatives. */
  count: number;
  /** Sum over the token itself and its stem, without prefixes and corrections. */
  typedCount: number;
}

const KEYWORD_WHOLE_WEIGHTS = FIELDS.map(() => KEYWORD_WEIGHT);
const NAME_PREFIX_WEIGHTS = FIELDS.map(() => SCORE_TIER.namePrefix);

/**
 * Looks up the posting lists of every alternative of a plan.
 * @param known those that earlier plans of the query looked up; plans that extend each other share alternatives
 */
export function gatherTermMatches<Lists extends TermStatistics>(
  reader: PostingsLookup<Lists>,
  plan: QueryPlan,
  known: Map<Alternative, WeightedPostings<Lists>>,
): TermMatches<Lists> {
  const weightedOf = (alternative: Alternative, token: number): WeightedPostings<Lists> => {
    const before = known.get(alternative);
    if (before?.from === token) return before;
    const { term, boost, isPrefix } = alternative;
    const fields = isPrefix ? FIELD.keyword + 1 : FIELDS.length;
    const weights = FIELD_WEIGHT.map((weight) => weight * boost);
    const weighted = weightedPostings(reader.of(term), { fields, weights, from: token, to: token });
    known.set(alternative, weighted);
    return weighted;
  };
  const clauses = plan.clauses.map(({ alternatives }, token) =>
    gatherClause(alternatives, (each) => weightedOf(each, token)),
  );
  const keywords = plan.keywords.map(({ term, from, to }) =>
    weightedPostings(reader.of(term), { fields: FIELD.keyword + 1, weights: KEYWORD_WHOLE_WEIGHTS, from, to }),
  );
  return {
    clauses,
    keywords,
    namePrefix: plan.namePrefix === undefined ? undefined : namePrefixPostings(reader, plan.namePrefix),
  };
}

function gatherClause<Lists extends TermStatistics>(
  alternatives: readonly Alternative[],
  weightedOf: (alternative: Alternative) => WeightedPostings<Lists>,
): ClauseMatches<Lists> {
  const postings: WeightedPostings<Lists>[] = [];
  let count = 0;
  let typedCount = 0;
  for (const alternative of alternatives) {
    const weighted = weightedOf(alternative);
    if (weighted.count === 0) continue;
    postings.push(weighted);
    count += weighted.count;
    if (alternative.boost >= STEM_BOOST && !alternative.isPrefix) typedCount += weighted.count;
  }
  return { postings, count, typedCount };
}

function namePrefixPostings<Lists extends TermStatistics>(
  reader: PostingsLookup<Lists>,
  term: number,
): WeightedPostings<Lists> {
  return weightedPostings(reader.of(term), { fields: FIELD.name + 1, weights: NAME_PREFIX_WEIGHTS, from: 0, to: 0 });
}

function weightedPostings<Lists extends TermStatistics>(
  postings: Lists,
  how: Pick<WeightedPostings, 'fields' | 'weights' | 'from' | 'to'>,
): WeightedPostings<Lists> {
  let count = 0;
  for (let field = 0; field < how.fields; field++) count += postings.byField[field].count;
  return { postings, count, ...how };
}
