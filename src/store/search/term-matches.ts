import type { PostingsReader, TermPostings } from '../sqlite/search/term-postings.ts';
import { FIELD, FIELD_WEIGHT, FIELDS, KEYWORD_WEIGHT, SCORE_TIER, STEM_BOOST } from './matches.ts';
import type { Alternative, QueryPlan } from './query-plan.ts';

/** The posting lists of a term that matches tokens of the query, with its weights. */
export interface WeightedPostings {
  postings: TermPostings;
  fields: number;
  weights: readonly number[];
  count: number;
  /** First and last token of the query that it covers. */
  from: number;
  to: number;
}

/** Posting lists of one type for a plan. */
export interface TermMatches {
  /** By token of the query. */
  clauses: ClauseMatches[];
  /** Complete keywords; they only add to scores. */
  keywords: WeightedPostings[];
  /** Names that begin with the whole query. */
  namePrefix: WeightedPostings | undefined;
}

export interface ClauseMatches {
  postings: WeightedPostings[];
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
export function gatherTermMatches(
  reader: Pick<PostingsReader, 'of'>,
  plan: QueryPlan,
  known: Map<Alternative, WeightedPostings>,
): TermMatches {
  const weightedOf = (alternative: Alternative, token: number): WeightedPostings => {
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

function gatherClause(
  alternatives: readonly Alternative[],
  weightedOf: (alternative: Alternative) => WeightedPostings,
): ClauseMatches {
  const postings: WeightedPostings[] = [];
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

function namePrefixPostings(reader: Pick<PostingsReader, 'of'>, term: number): WeightedPostings {
  return weightedPostings(reader.of(term), { fields: FIELD.name + 1, weights: NAME_PREFIX_WEIGHTS, from: 0, to: 0 });
}

function weightedPostings(
  postings: TermPostings,
  how: Pick<WeightedPostings, 'fields' | 'weights' | 'from' | 'to'>,
): WeightedPostings {
  let count = 0;
  for (let field = 0; field < how.fields; field++) count += postings.byField[field].count;
  return { postings, count, ...how };
}
