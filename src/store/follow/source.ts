import type { Dialect } from '../sql/dialect.ts';
import type { Runner } from '../sql/runner.ts';

/** The database whose change log is followed. */
export interface Source {
  readonly dialect: Dialect;
  readonly runner: Pick<Runner, 'ask' | 'read' | 'writeIfFree'>;
  /**
   * Says when there are changes, and whether somebody waits for them. An announcement may be lost.
   * @returns ends it
   */
  listen(heard: (isUrgent: boolean) => void): () => Promise<void>;
}
