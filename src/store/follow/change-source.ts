import type { Dialect } from '../sql/dialect.ts';
import type { Runner } from '../sql/runner.ts';

/** The database whose change log is followed. */
export interface ChangeSource {
  readonly dialect: Dialect;
  readonly runner: Pick<Runner, 'query' | 'snapshot' | 'transactionIfFree'>;
  /**
   * Says when there are changes, and whether somebody waits for them. An announcement may be lost.
   * @returns ends it
   */
  listen(heard: (isUrgent: boolean) => void): () => Promise<void>;
}
