import { LRUCache } from 'lru-cache';
import type { RecordType } from '../../contract/entities/index.ts';
import { type Reading, readSentence } from '../sentences/reader.ts';
import type { Sentence } from '../sentences/sentence.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { SqlProgram } from '../sql/program.ts';
import { knowledgeOf } from './sentence-knowledge.ts';

/**
 * Parses a text as a sentence with knowledge from the records; undefined if it is not one.
 * @param epoch state of the index; results are cached until it changes
 */
export type Readings = (
  sentence: Sentence,
  types: readonly RecordType[],
  epoch: number | undefined,
) => SqlProgram<Reading | undefined>;

const READINGS_MAX = 256;

export function createSentenceCache(dialect: Dialect): Readings {
  const readings = new LRUCache<string, Reading | 'none'>({ max: READINGS_MAX });
  let known: number | undefined;
  return function* reading(sentence, types, epoch) {
    if (epoch === undefined || epoch !== known) readings.clear();
    known = epoch;
    const key = `${sentence.today.toISOString().slice(0, 10)} ${types.join()} ${sentence.text}`;
    const cached = readings.get(key);
    if (cached !== undefined) return cached === 'none' ? undefined : cached;
    const read = readSentence({ ...sentence, types, knowledge: yield* knowledgeOf(dialect, sentence, types) });
    readings.set(key, read ?? 'none');
    return read;
  };
}
