import type { AnswerIndex } from '../answers/answer-index.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { SqlProgram } from '../sql/program.ts';
import { createRecordIndex, type RecordIndex, type WordIndex } from './record-index.ts';

/** The read model of searches and lists. */
export interface SearchModel {
  readonly dialect: Dialect;
  readonly index: RecordIndex;
  /** Read model of aggregates and connections. */
  readonly answers: AnswerIndex;
}

/** Read access to the read model. It may lag behind writes, and every read is of one snapshot. */
export interface ReadModel {
  /**
   * Runs a program in one snapshot.
   * @param atLeast change-log position that the snapshot must include, if the model follows a log; by default the newest at the time of the call
   * @throws ServiceError `unavailable` if the model does not reach the position in time
   */
  read<Result>(program: (model: SearchModel) => SqlProgram<Result>, atLeast?: number): Promise<Result>;
}

export function createSearchModel(dialect: Dialect, words: WordIndex, answers: AnswerIndex): SearchModel {
  return { dialect, index: createRecordIndex(dialect, words, answers), answers };
}
