import type { Answers } from './port/answers.ts';
import type { RecordIndexing } from './records/record-index.ts';
import type { Searching } from './records/searching.ts';
import type { Dialect } from './sql/dialect.ts';
import type { Runner } from './sql/runner.ts';

/** A database that is open, with what every part of a store is built on. */
export interface Engine {
  readonly dialect: Dialect;
  /** Where records are read one by one; it may lie behind where they are written. */
  readonly reader: Pick<Runner, 'query' | 'snapshot'>;
  readonly runner: Runner;
  /** Keeps the read model up to date, within the transaction of a change: the index itself, or a log that one follows. */
  readonly indexing: RecordIndexing;
  /** Has the read model take in what was left for later, part by part, while others have their turn. */
  compact(): Promise<void>;
  /** The read model: where records are searched and listed. */
  readonly searching: Searching;
  /** Where aggregates and connections are computed, when it is not in this thread. */
  readonly answers?: Pick<Answers, 'aggregate' | 'connect'> | undefined;
  close(): Promise<void>;
}
