import type { AnswerIndex } from './answers/answer-index.ts';
import type { WordIndex } from './records/record-index.ts';
import type { Dialect } from './sql/dialect.ts';
import type { Runner } from './sql/runner.ts';

/** A database that is open, with what every part of a store is built on. */
export interface Engine {
  readonly dialect: Dialect;
  readonly words: WordIndex;
  readonly answers: AnswerIndex;
  /** Where records are read; it may lie behind where they are written. */
  readonly reader: Pick<Runner, 'ask' | 'read'>;
  readonly runner: Runner;
  close(): Promise<void>;
}
