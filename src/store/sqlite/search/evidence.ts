import { FIELD, FIELD_WEIGHT, FIELDS, KEYWORD_WHOLE_WEIGHT, STEM_QUALITY } from '../../search/layers.ts';
import type { Alternative, Plan } from '../../search/plan.ts';
import { type Entry, type Lists, listOfKey } from './lists.ts';
import type { Source } from './sources.ts';
import { listOf } from './writer.ts';

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

export function gatherEvidence(lists: Lists, plan: Plan): Evidence {
  const words = plan.words.map(({ alternatives }, index) => {
    const sources = alternatives.flatMap((alternative) => sourcesOf(lists, alternative, index));
    return { sources, count: total(sources), countTyped: total(sources.filter((source) => source.isTyped)) };
  });
  const keywords = plan.keywords.map(({ term, from, to }) => {
    const list = listOf(term, FIELD.keyword);
    return makeSource(lists.directory(list, list + 1), KEYWORD_WHOLE_WEIGHT, from, to);
  });
  return { words, keywords, start: startSource(lists, plan) };
}

interface WordSource extends Source {
  isTyped: boolean;
}

function sourcesOf(lists: Lists, { term, quality, isBeginning }: Alternative, word: number): WordSource[] {
  const fields = isBeginning ? FIELD.keyword + 1 : FIELDS.length;
  const byField: Entry[][] = FIELDS.map(() => []);
  for (const entry of lists.directory(listOf(term, 0), listOf(term, fields)))
    byField[listOfKey(entry.key) % FIELDS.length].push(entry);
  const isTyped = quality >= STEM_QUALITY && !isBeginning;
  return FIELDS.filter((field) => byField[field].length > 0).map((field) => ({
    ...makeSource(byField[field], FIELD_WEIGHT[field] * quality, word, word),
    isTyped,
  }));
}

function startSource(lists: Lists, { start, words }: Plan): Source | undefined {
  if (start === undefined) return undefined;
  const list = listOf(start, FIELD.name);
  return makeSource(lists.directory(list, list + 1), 0, 0, Math.max(0, words.length - 1));
}

function makeSource(entries: readonly Entry[], weight: number, from: number, to: number): Source {
  return { entries, count: entries.reduce((sum, entry) => sum + entry.count, 0), weight, from, to };
}

function total(sources: readonly Source[]): number {
  return sources.reduce((sum, source) => sum + source.count, 0);
}
