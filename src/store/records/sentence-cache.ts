import { LRUCache } from 'lru-cache';
import type { RecordType } from '../../contract/entities/index.ts';
import { utcDay } from '../../contract/periods.ts';
import { type ParsedSentence, parseSentence } from '../sentences/parser.ts';
import type { Sentence } from '../sentences/sentence.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { SqlProgram } from '../sql/program.ts';
import { knowledgeOf } from './sentence-knowledge.ts';

/**
 * Parses a text as a sentence with knowledge from the records; undefined if it is not one.
 * @param epoch state of the index; results are cached until it changes
 */
export type SentenceParser = (
  sentence: Sentence,
  types: readonly RecordType[],
  epoch: number | undefined,
) => SqlProgram<ParsedSentence | undefined>;

const SENTENCES_MAX = 256;

export function createSentenceCache(dialect: Dialect): SentenceParser {
  const parsed = new LRUCache<string, ParsedSentence | 'none'>({ max: SENTENCES_MAX });
  let known: number | undefined;
  return function* parse(sentence, types, epoch) {
    if (epoch === undefined || epoch !== known) parsed.clear();
    known = epoch;
    const key = `${utcDay(sentence.today)} ${types.join()} ${sentence.text}`;
    const cached = parsed.get(key);
    if (cached !== undefined) return cached === 'none' ? undefined : cached;
    const read = parseSentence({ ...sentence, types, knowledge: yield* knowledgeOf(dialect, sentence, types) });
    parsed.set(key, read ?? 'none');
    return read;
  };
}
