import type { ReadModel, RecordIndexing } from './records/record-index.ts';
import type { Dialect, Runner } from './sql.ts';
import type { ThreadQueries } from './sqlite/analytics/analytics-thread.ts';

export interface Engine {
  readonly dialect: Dialect;
  /** Reads single records; may lag behind writes. */
  readonly reader: Pick<Runner, 'query' | 'snapshot'>;
  readonly runner: Runner;
  /** Maintains the read model in the transaction of a change: the index itself, or its change log. */
  readonly indexing: RecordIndexing;
  /** Applies deferred work to the read model, in parts that allow other work in between. */
  compact(): Promise<void>;
  /** Waits, for some seconds at most, while a follower has many changes to apply; for imports before each batch. */
  awaitFollowers(): Promise<void>;
  readonly readModel: ReadModel;
  /** Computes aggregates, connections and long searches outside this thread, if available. */
  readonly analytics?: ThreadQueries | undefined;
  close(): Promise<void>;
}
