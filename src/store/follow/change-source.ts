import type { Dialect } from '../sql/dialect.ts';
import type { SqlProgram } from '../sql/program.ts';
import type { Runner } from '../sql/runner.ts';

/** A database whose change log is followed. */
export interface ChangeSource {
  readonly dialect: Dialect;
  readonly runner: Pick<Runner, 'query' | 'snapshot' | 'transactionIfFree'>;
  /** In a snapshot: delays imports until its end (see `Engine.awaitFollowers`). */
  delayImports(): SqlProgram<void>;
  /**
   * Notifies of changes, and whether a reader waits for them. Notifications may be lost.
   * @returns stops listening
   */
  listen(onChange: (isUrgent: boolean) => void): () => Promise<void>;
}
