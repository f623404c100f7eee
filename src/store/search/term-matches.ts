import { FIELD, FIELD_WEIGHT, FIELDS, KEYWORD_WHOLE_WEIGHT, LAYER, STEM_QUALITY } from './layers.ts';
import type { Alternative, Plan } from './plan.ts';

/** Statistics of a term: at least its document counts by field. */
export interface Counted {
  byField: readonly { count: number }[];
}

/** Looks up the posting lists of terms. */
export interface PostingSource<Lists extends Counted> {
  of(term: number): Lists;
}

/** A term that matches some words of the query. */
export interface Posting<Lists extends Counted = Counted> {
  lists: Lists;
  /** Only the first fields count. */
  fields: number;
  /** Weights by field. */
  weights: readonly number[];
  count: number;
  /** First and last word of the query that it covers. */
  from: number;
  to: number;
}

/** Posting lists of one type for a plan. */
export interface TermMatches<Lists extends Counted = Counted> {
  /** By query word. */
  words: WordMatches<Lists>[];
  /** Complete keywords; they only add to scores. */
  keywords: Posting<Lists>[];
  /** Names that begin with the whole query. */
  start: Posting<Lists> | undefined;
}

export interface WordMatches<Lists extends Counted = Counted> {
  sources: Posting<Lists>[];
  /** Sum of document counts over the alternatives. */
  count: number;
  /** Documents with the word as typed. */
  countTyped: number;
}

const KEYWORD_WHOLE_WEIGHTS = FIELDS.map(() => KEYWORD_WHOLE_WEIGHT);
const NAME_START_WEIGHTS = FIELDS.map(() => LAYER.namePrefix);

/** @param known postings of earlier plans of the query by alternative, which extended plans share */
export function gatherTermMatches<Lists extends Counted>(
  reader: PostingSource<Lists>,
  { words, keywords, start }: Plan,
  known: Map<Alternative, Posting<Lists>>,
): TermMatches<Lists> {
  const posting = (alternative: Alternative, word: number): Posting<Lists> => {
    const before = known.get(alternative);
    if (before?.from === word) return before;
    const { term, quality, isBeginning } = alternative;
    const fields = isBeginning ? FIELD.keyword + 1 : FIELDS.length;
    const weights = FIELD_WEIGHT.map((weight) => weight * quality);
    const made = makeSource(reader.of(term), { fields, weights, from: word, to: word });
    known.set(alternative, made);
    return made;
  };
  const gathered = words.map(({ alternatives }, word) => gatherWord(alternatives, (each) => posting(each, word)));
  const whole = keywords.map(({ term, from, to }) =>
    makeSource(reader.of(term), { fields: FIELD.keyword + 1, weights: KEYWORD_WHOLE_WEIGHTS, from, to }),
  );
  return { words: gathered, keywords: whole, start: start === undefined ? undefined : startSource(reader, start) };
}

function gatherWord<Lists extends Counted>(
  alternatives: readonly Alternative[],
  posting: (alternative: Alternative) => Posting<Lists>,
): WordMatches<Lists> {
  const sources: Posting<Lists>[] = [];
  let count = 0;
  let countTyped = 0;
  for (const alternative of alternatives) {
    const source = posting(alternative);
    if (source.count === 0) continue;
    sources.push(source);
    count += source.count;
    if (alternative.quality >= STEM_QUALITY && !alternative.isBeginning) countTyped += source.count;
  }
  return { sources, count, countTyped };
}

function startSource<Lists extends Counted>(reader: PostingSource<Lists>, term: number): Posting<Lists> {
  return makeSource(reader.of(term), { fields: FIELD.name + 1, weights: NAME_START_WEIGHTS, from: 0, to: 0 });
}

function makeSource<Lists extends Counted>(
  lists: Lists,
  how: Pick<Posting, 'fields' | 'weights' | 'from' | 'to'>,
): Posting<Lists> {
  let count = 0;
  for (let field = 0; field < how.fields; field++) count += lists.byField[field].count;
  return { lists, count, ...how };
}
