import type { Statement as Prepared } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { cached } from '../cached.ts';
import type { Rows, Runner, SqlProgram, Statement } from '../sql.ts';
import { type Appender, createAppender } from './appender.ts';
import type { Connection } from './database.ts';
import { isBusy, type Sqlite } from './driver.ts';
import type { GroupCommit, LogSync } from './group-commit.ts';
import { FILLING_WAIT_MS } from './write-lock.ts';

/** Cache of prepared statements; only combinations of filters exceed it. */
const PREPARED_MAX = 500;
const NO_ROWS: readonly unknown[] = [];

/** Runs SQL programs synchronously on one connection, so that nothing else can enter a transaction. */
export function createRunner(
  { database, lock }: Connection,
  { commit, sync }: { commit: GroupCommit['commit']; sync: LogSync['sync'] },
): Runner {
  const runProgram = createProgramRunner(database);
  // A read transaction around a program; better-sqlite3's type erases the result.
  const together = database.transaction((program: SqlProgram<unknown>) => runProgram(program)) as unknown as RunProgram;
  const durably = async <Result>(written: Promise<Result>): Promise<Result> => {
    const result = await written;
    await sync();
    return result;
  };
  return {
    query: async (program) => runProgram(program),
    snapshot: async (program) => together(program),
    transaction: (_written, program) => durably(lock.transact(() => runProgram(program))),
    longTransaction: (_written, program) => durably(lock.transact(() => runProgram(program), FILLING_WAIT_MS)),
    // The next sync of any process makes it durable.
    relaxedTransaction: (_written, program) => lock.transact(() => runProgram(program)),
    transactionIfFree: (_written, program) =>
      durably(lock.transact(() => runProgram(program), 0)).catch(undefinedIfBusy),
    groupedTransaction: (program) => commit(() => runProgram(program)),
    dryRun: (_written, program) => lock.dryRun(() => runProgram(program)),
  };
}

function undefinedIfBusy(error: unknown): undefined {
  if (!isBusy(error)) throw error;
}

/** Runs a SQL program synchronously in the connection's current transaction. */
export type RunProgram = <Result>(program: SqlProgram<Result>) => Result;

export function createProgramRunner(database: Sqlite): RunProgram {
  const execute = createExecutor(database);
  return (program) => {
    let step = program.next([]);
    while (!step.done) {
      try {
        step = program.next(step.value.map(execute));
      } catch (error) {
        step = program.throw(error);
      }
    }
    return step.value;
  };
}

/** Executes statements, each prepared once. */
function createExecutor(database: Sqlite): (asked: Statement | Rows) => readonly unknown[] {
  const objects = new LRUCache<string, Prepared>({ max: PREPARED_MAX });
  const arrays = new LRUCache<string, Prepared>({ max: PREPARED_MAX });
  const prepareObjects = (sql: string): Prepared => database.prepare(sql);
  const prepareArrays = (sql: string): Prepared => database.prepare(sql).raw();
  const appenders = new Map<string, Appender>();
  const appenderOf = ({ table, columns }: Rows): Appender => {
    return cached(appenders, `${table} ${columns.join()}`, () => createAppender(database, table, columns));
  };
  return (asked) => {
    if ('rows' in asked) {
      const appender = appenderOf(asked);
      for (const row of asked.rows) appender.add(row);
      appender.flush();
      return NO_ROWS;
    }
    const { sql, parameters, wanted } = asked;
    if (wanted === 'arrays') return cached(arrays, sql, prepareArrays).all(...parameters);
    const statement = cached(objects, sql, prepareObjects);
    if (wanted === 'objects') return statement.all(...parameters);
    statement.run(...parameters);
    return NO_ROWS;
  };
}
