import { FIELD, FIELD_WEIGHT, FIELDS, KEYWORD_WHOLE_WEIGHT, LAYER, STEM_QUALITY } from '../../search/layers.ts';
import type { Alternative, Plan } from '../../search/plan.ts';
import type { TermLists, TermReader } from './term-lists.ts';

/** A term as evidence for some words of the query. */
export interface Source {
  lists: TermLists;
  /** Only the first fields count. */
  fields: number;
  /** What it is worth by field. */
  weights: readonly number[];
  count: number;
  /** The first and the last word of the query that it stands for. */
  from: number;
  to: number;
}

/** What the lists of one type hold for a plan. */
export interface Evidence {
  /** By word of the query. */
  words: WordEvidence[];
  /** Complete keywords: they add worth, never matches. */
  keywords: Source[];
  /** Names that begin with the whole query. */
  start: Source | undefined;
}

export interface WordEvidence {
  sources: Source[];
  /** Documents, those in several sources counted each time. */
  count: number;
  /** Documents with the word as it was typed. */
  countTyped: number;
}

const KEYWORD_WHOLE_WEIGHTS = FIELDS.map(() => KEYWORD_WHOLE_WEIGHT);
const NAME_START_WEIGHTS = FIELDS.map(() => LAYER.nameStart);

export function gatherEvidence(reader: TermReader, { words, keywords, start }: Plan): Evidence {
  const gathered = words.map(({ alternatives }, word) => gatherWord(reader, alternatives, word));
  const whole = keywords.map(({ term, from, to }) =>
    makeSource(reader.of(term), { fields: FIELD.keyword + 1, weights: KEYWORD_WHOLE_WEIGHTS, from, to }),
  );
  return { words: gathered, keywords: whole, start: start === undefined ? undefined : startSource(reader, start) };
}

function gatherWord(reader: TermReader, alternatives: readonly Alternative[], word: number): WordEvidence {
  const sources: Source[] = [];
  let count = 0;
  let countTyped = 0;
  for (const { term, quality, isBeginning } of alternatives) {
    const fields = isBeginning ? FIELD.keyword + 1 : FIELDS.length;
    const weights = FIELD_WEIGHT.map((weight) => weight * quality);
    const source = makeSource(reader.of(term), { fields, weights, from: word, to: word });
    if (source.count === 0) continue;
    sources.push(source);
    count += source.count;
    if (quality >= STEM_QUALITY && !isBeginning) countTyped += source.count;
  }
  return { sources, count, countTyped };
}

function startSource(reader: TermReader, term: number): Source {
  return makeSource(reader.of(term), { fields: FIELD.name + 1, weights: NAME_START_WEIGHTS, from: 0, to: 0 });
}

function makeSource(lists: TermLists, how: Pick<Source, 'fields' | 'weights' | 'from' | 'to'>): Source {
  let count = 0;
  for (let field = 0; field < how.fields; field++) count += lists.byField[field].count;
  return { lists, count, ...how };
}
