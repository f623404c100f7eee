import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { type Connection, Query, type QueryConfig } from 'pg';
import { ServiceError } from '../../contract/errors.ts';
import {
  insertSql,
  type Rows,
  type Runner,
  type SqlProgram,
  type Statement,
  type Value,
  type Written,
} from '../sql.ts';
import { connectionOf, lockSql, type Pool, type PoolClient, sharedLockSql } from './pool.ts';
import { isNewerSchema, NEWER_SCHEMA_SQL, newerSchema } from './schema.ts';

/** Lock time-out of long writes, such as the filling of a new database. */
const LONG_WAIT_MS = 60_000;
/** Time-out of a statement of a long write, which may be sent while earlier ones still wait for the lock. */
const LONG_ANSWER_MS = 600_000;
/** Maximum prepared statements per connection; further combinations of filters are sent unprepared. */
const NAMED_MAX = 500;

/** Below this, COPY is not worth its planning. */
const COPIED_MIN = 8;

/** Runs SQL programs over a pool, pipelining statements whose results are not needed. */
export function createRunner(pool: Pool): Runner & Pick<Turns, 'waiting'> {
  const { max } = pool.options;
  const turns = createWriteQueue(max);
  const bounded = <Result>(bounds: TransactionOptions, program: SqlProgram<Result>): Promise<Result> =>
    turns.run(() => withClient({ pool, max }, (client) => transact(client, bounds, program)));
  const within = <Result>(begin: string, end: string, program: SqlProgram<Result>): Promise<Result> =>
    bounded({ begin, end }, program);
  return {
    query: (program) => bounded({}, program),
    snapshot: (program) => within(BEGIN_READ, 'COMMIT', program),
    transaction: (written, program) => within(beginSql(written), 'COMMIT', program),
    longTransaction: (written, program) =>
      bounded({ begin: beginSql(written, WAIT_LONG), end: 'COMMIT', answerMs: LONG_ANSWER_MS }, program),
    relaxedTransaction: (written, program) =>
      within(beginSql(written, 'SET LOCAL synchronous_commit = off; '), 'COMMIT', program),
    transactionIfFree: (written, program) =>
      within(beginSql(written, 'SET LOCAL lock_timeout = 1; '), 'COMMIT', program).catch(undefinedIfLocked),
    groupedTransaction: (program) => within(beginSql('rows'), 'COMMIT', program),
    dryRun: (written, program) => within(beginSql(written), 'ROLLBACK', program),
    waiting: turns.waiting,
  };
}

const BEGIN_READ = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

const WAIT_LONG = `SET LOCAL lock_timeout = ${LONG_WAIT_MS}; SET LOCAL statement_timeout = 0; `;

const LOCK_NOT_AVAILABLE = '55P03';

export const isLockTimeout = (error: unknown): boolean => (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE;

function undefinedIfLocked(error: unknown): undefined {
  if (!isLockTimeout(error)) throw error;
}

/**
 * `rows` relies on row locks; other scopes take an advisory lock. A shared lock on the schema fails the transaction at
 * once if a newer program version has migrated it.
 */
function beginSql(written: Written, settings = ''): string {
  const lock = written === 'rows' ? '' : `; ${lockSql(written)}`;
  return `BEGIN; ${settings}${sharedLockSql('schema')}; ${NEWER_SCHEMA_SQL}${lock}`;
}

/** Checks out a connection. A connection in an unknown state is not reused. */
async function withClient<Result>(
  { pool, max }: { readonly pool: Pool; readonly max: number },
  use: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await connectionOf(pool, max);
  try {
    const result = await use(client);
    client.release();
    return result;
  } catch (error) {
    const isRefused = error instanceof ServiceError || (error as { severity?: unknown }).severity === 'ERROR';
    client.release(!isRefused);
    throw error;
  }
}

/** Statements around a program; none without a transaction. */
interface TransactionOptions {
  readonly begin?: string;
  readonly end?: string;
  /** Time-out of each statement, if longer than usual. */
  readonly answerMs?: number;
}

async function transact<Result>(
  client: PoolClient,
  bounds: TransactionOptions,
  program: SqlProgram<Result>,
): Promise<Result> {
  const { begin, end, answerMs } = bounds;
  const sent: Promise<unknown>[] = [];
  const unheard = (answer: Promise<unknown>): void => {
    // Awaited below; until then a rejection must not be unhandled.
    answer.catch(() => {});
    sent.push(answer);
  };
  const bound = (text: string): Promise<unknown> => client.query({ text, query_timeout: answerMs } as QueryConfig);
  try {
    holdWrites(client);
    if (begin !== undefined) unheard(bound(begin));
    const result = await runProgram({ client, answerMs, unheard }, program);
    // After an error this rolls back, and the error is still reported.
    if (end !== undefined) unheard(bound(end));
    await Promise.all(sent);
    return result;
  } catch (error) {
    // After the first error, a transaction fails every statement; the first error is the cause.
    const settled = await Promise.allSettled(sent);
    const failed = settled.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    if (begin !== undefined) await client.query('ROLLBACK').catch(() => {});
    const reason = failed?.reason ?? error;
    throw failed === settled[0] && isNewerSchema(reason) ? newerSchema(reason) : reason;
  }
}

/** Destination of statements, and handler of results that are not awaited. */
interface Line {
  readonly client: PoolClient;
  readonly answerMs: number | undefined;
  readonly unheard: (answer: Promise<unknown>) => void;
}

/** Runs a program to its end; writes that are not awaited go to `unheard`. */
async function runProgram<Result>(line: Line, program: SqlProgram<Result>): Promise<Result> {
  let step = program.next([]);
  while (!step.done) {
    holdWrites(line.client);
    const replies = step.value.flatMap((each) => ('rows' in each ? sendRows(line, each) : [send(line, each)]));
    if (step.value.every(({ wanted }) => wanted === 'nothing')) {
      replies.forEach(line.unheard);
      step = program.next([]);
    } else {
      step = await nextStep(program, replies);
    }
  }
  return step.value;
}

/** Combines the writes of one event loop turn into one system call. */
function holdWrites(client: PoolClient): void {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

type Step<Result> = IteratorResult<readonly (Statement | Rows)[], Result>;

async function nextStep<Result>(
  program: SqlProgram<Result>,
  asked: Promise<readonly unknown[]>[],
): Promise<Step<Result>> {
  let results: (readonly unknown[])[];
  for (const each of asked) each.catch(() => {});
  try {
    results = await Promise.all(asked);
  } catch (error) {
    return program.throw(error);
  }
  return program.next(results);
}

async function send({ client, answerMs }: Line, { sql, parameters, wanted }: Statement): Promise<readonly unknown[]> {
  const query: Properties = { ...namedQuery(sql), values: [...parameters], query_timeout: answerMs };
  if (wanted === 'arrays') query.rowMode = 'array';
  const { rows } = await client.query(query);
  return rows as unknown[];
}

/** Properties of a statement that its type lacks. */
type Properties = QueryConfig & { rowMode?: 'array'; query_timeout: number | undefined };

/** Inserts few rows with prepared statements, many with COPY. */
function sendRows(line: Line, asked: Rows): Promise<readonly unknown[]>[] {
  if (asked.rows.length >= COPIED_MIN) return [copyRows(line.client, asked, line.answerMs)];
  const sql = insertSql(asked);
  return asked.rows.map((parameters) => send(line, { sql, parameters, wanted: 'nothing' }));
}

const named = new Map<string, { text: string; name?: string }>();

/** A statement with numbered parameters and the name of its prepared form. */
function namedQuery(sql: string): { text: string; name?: string } {
  const known = named.get(sql);
  if (known !== undefined) return known;
  let count = 0;
  const text = sql.replaceAll('?', () => {
    count += 1;
    return `$${count}`;
  });
  if (named.size >= NAMED_MAX) return { text };
  const made = { text, name: createHash('sha256').update(sql).digest('base64url').slice(0, 20) };
  named.set(sql, made);
  return made;
}

/**
 * Inserts rows with COPY, several times faster than statements.
 * @param answerMs response time-out, if longer than usual
 */
function copyRows(client: PoolClient, rows: Rows, answerMs?: number): Promise<readonly unknown[]> {
  return new Promise((resolve, reject) => {
    const copy = new Copy(rows, (error) => (error === undefined || error === null ? resolve([]) : reject(error)));
    client.query(Object.assign(copy, { query_timeout: answerMs }));
  });
}

/** Methods for COPY that the type of a connection lacks. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** A COPY pipelined with its data, which the server consumes or discards, so that later statements need not wait. */
class Copy extends Query {
  constructor({ table, columns, rows }: Rows, done: (error: Error | undefined | null) => void) {
    super(`COPY ${table} (${columns.join(', ')}) FROM STDIN`, done);
    const { submit } = this;
    const data = Buffer.from(rows.map(lineOf).join(''));
    this.submit = (connection) => {
      const failed = submit.call(this, connection);
      const copying = connection as CopyConnection;
      copying.sendCopyFromChunk(data);
      copying.endCopyFrom();
      return failed;
    };
  }

  /** The data was sent already. */
  handleCopyInResponse(): void {}
}

const lineOf = (row: readonly Value[]): string => `${row.map(cellOf).join('\t')}\n`;

const ESCAPED = /[\\\t\n\r]/g;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function cellOf(value: Value): string {
  if (value === null) return '\\N';
  if (Buffer.isBuffer(value)) return `\\\\x${value.toString('hex')}`;
  return typeof value === 'string' ? value.replaceAll(ESCAPED, (sign) => ESCAPES[sign] ?? sign) : String(value);
}

/** Maximum wait: longer than a burst takes, shorter than client time-outs. */
const WAIT_MAX_MS = 30_000;

/** Limits concurrency, with a FIFO queue. */
type Turns = ReturnType<typeof createWriteQueue>;

/** Apart from the pool's time-out of connecting, waiting for this process's own operations may take longer. */
function createWriteQueue(count: number) {
  const waiting = new Set<() => void>();
  let free = count;

  function turn(): Promise<void> {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(begin);
        reject(new ServiceError('unavailable', 'The database is too busy at the moment; try again later.'));
      }, WAIT_MAX_MS);
      waiting.add(begin);
    });
  }

  function give(): void {
    const [next] = waiting;
    if (next === undefined) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  return {
    run: async <Result>(work: () => Promise<Result>): Promise<Result> => {
      await turn();
      try {
        return await work();
      } finally {
        give();
      }
    },
    waiting: (): number => waiting.size,
  };
}
