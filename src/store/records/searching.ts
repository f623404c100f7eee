import type { AnswerIndex } from '../answers/answer-index.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { SqlProgram } from '../sql/program.ts';
import { createRecordIndex, type RecordIndex, type WordIndex } from './record-index.ts';

/** What searches and lists are answered from. */
export interface SearchModel {
  readonly dialect: Dialect;
  readonly index: RecordIndex;
  /** What aggregates and connections are answered from. */
  readonly answers: AnswerIndex;
}

/** A read model of the records. It may lie behind where they are written, and is always of one moment. */
export interface Searching {
  /**
   * Reads of one moment.
   * @param atLeast the position in the change log that they must include, where the model follows one; without it, the newest
   * position at the time of the call. Rejects with `unavailable` when the model does not reach it in time.
   */
  read<Result>(program: (model: SearchModel) => SqlProgram<Result>, atLeast?: number): Promise<Result>;
}

export function createSearchModel(dialect: Dialect, words: WordIndex, answers: AnswerIndex): SearchModel {
  return { dialect, index: createRecordIndex(dialect, words, answers), answers };
}
