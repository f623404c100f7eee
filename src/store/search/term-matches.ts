import { FIELD, FIELD_WEIGHT, FIELDS, KEYWORD_WHOLE_WEIGHT, LAYER, STEM_QUALITY } from './layers.ts';
import type { Alternative, Plan } from './plan.ts';

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
  /** Number of fields that count, from the first on. */
  fields: number;
  /** Weights by field. */
  weights: readonly number[];
  /** Documents in these fields. */
  count: number;
  /** First and last token of the query that it covers. */
  from: number;
  to: number;
}

/** Posting lists of one type for a plan. */
export interface TermMatches<Lists extends TermStatistics = TermStatistics> {
  /** By query word. */
  words: WordMatches<Lists>[];
  /** Complete keywords; they only add to scores. */
  keywords: WeightedPostings<Lists>[];
  /** Names that begin with the whole query. */
  namePrefix: WeightedPostings<Lists> | undefined;
}

export interface WordMatches<Lists extends TermStatistics = TermStatistics> {
  postings: WeightedPostings<Lists>[];
  /** Sum of document counts over the alternatives. */
  count: number;
  /** Documents with the word as typed. */
  typedCount: number;
}

const KEYWORD_WHOLE_WEIGHTS = FIELDS.map(() => KEYWORD_WHOLE_WEIGHT);
const NAME_PREFIX_WEIGHTS = FIELDS.map(() => LAYER.namePrefix);

/** @param known postings of earlier plans of the query by alternative, which extended plans share */
export function gatherTermMatches<Lists extends TermStatistics>(
  reader: PostingsLookup<Lists>,
  { words, keywords, namePrefix }: Plan,
  known: Map<Alternative, WeightedPostings<Lists>>,
): TermMatches<Lists> {
  const weightedOf = (alternative: Alternative, word: number): WeightedPostings<Lists> => {
    const before = known.get(alternative);
    if (before?.from === word) return before;
    const { term, quality, isBeginning } = alternative;
    const fields = isBeginning ? FIELD.keyword + 1 : FIELDS.length;
    const weights = FIELD_WEIGHT.map((weight) => weight * quality);
    const weighted = weightedPostings(reader.of(term), { fields, weights, from: word, to: word });
    known.set(alternative, weighted);
    return weighted;
  };
  const gathered = words.map(({ alternatives }, word) => gatherWord(alternatives, (each) => weightedOf(each, word)));
  const whole = keywords.map(({ term, from, to }) =>
    weightedPostings(reader.of(term), { fields: FIELD.keyword + 1, weights: KEYWORD_WHOLE_WEIGHTS, from, to }),
  );
  return {
    words: gathered,
    keywords: whole,
    namePrefix: namePrefix === undefined ? undefined : namePrefixPostings(reader, namePrefix),
  };
}

function gatherWord<Lists extends TermStatistics>(
  alternatives: readonly Alternative[],
  weightedOf: (alternative: Alternative) => WeightedPostings<Lists>,
): WordMatches<Lists> {
  const postings: WeightedPostings<Lists>[] = [];
  let count = 0;
  let typedCount = 0;
  for (const alternative of alternatives) {
    const weighted = weightedOf(alternative);
    if (weighted.count === 0) continue;
    postings.push(weighted);
    count += weighted.count;
    if (alternative.quality >= STEM_QUALITY && !alternative.isBeginning) typedCount += weighted.count;
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
