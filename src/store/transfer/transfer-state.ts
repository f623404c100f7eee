import { ServiceError } from '../../contract/errors.ts';
import type { Engine } from '../engine.ts';
import { first, run, type SqlProgram, value } from '../sql/program.ts';
import { MOVED_TABLES } from './copied-tables.ts';
import type { KeyPosition } from './table-rows.ts';

/** The setting that says how far a move is; it is gone when the move is done. */
export const STATE_NAME = 'transfer';

/** How far a move is. */
export interface State {
  /** What is moved: a database is told by the secret of its keys. */
  readonly source: string;
  /** Tables that are done, and the one that is under way with the place to go on from. */
  readonly done: readonly string[];
  readonly table?: string;
  readonly place?: KeyPosition;
}

const SELECT = `SELECT value FROM settings WHERE name = '${STATE_NAME}'`;

export function keepState(state: State): SqlProgram<void> {
  return run(
    `INSERT INTO settings (name, value) VALUES ('${STATE_NAME}', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    JSON.stringify(state),
  );
}

export const dropState = (): SqlProgram<void> => run(`DELETE FROM settings WHERE name = '${STATE_NAME}'`);

/** Every table but the settings, which a new database has some of itself. */
const FILLED = MOVED_TABLES.filter(({ name }) => name !== 'settings').map(({ name }) => `SELECT 1 FROM ${name}`);
const IN_USE = `SELECT 1 WHERE ${["SELECT 1 FROM settings WHERE name = 'filled_at'", ...FILLED]
  .map((some) => `EXISTS (${some})`)
  .join(' OR ')}`;

/** Where a move into a database begins, or goes on; throws for one that holds anything else. */
export async function readState({ runner }: Engine, source: string): Promise<State> {
  const kept = await runner.query(value<string>(SELECT));
  if (kept !== undefined) {
    const state = JSON.parse(kept) as State;
    if (state.source === source) return state;
    throw refusal('The target holds half of another database; give an empty one.');
  }
  if ((await runner.query(first(IN_USE))) !== undefined)
    throw refusal('The target is in use already; give an empty database.');
  return { source, done: [] };
}

const refusal = (message: string): ServiceError => new ServiceError('invalid_parameter', message);
