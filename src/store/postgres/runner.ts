import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import type { QueryConfig } from 'pg';
import { ServiceError } from '../../contract/errors.ts';
import { insertSql, type Rows, type SqlProgram, type Statement } from '../sql/program.ts';
import type { Runner, Written } from '../sql/runner.ts';
import { connectionOf, type Pool, type PoolClient } from './connections.ts';
import { copyRows } from './copy.ts';
import { lockSql, sharedLockSql } from './locks.ts';
import { isNewerSchema, NEWER_SCHEMA_SQL, newerSchema } from './schema.ts';
import { createWriteQueue, type Turns } from './turns.ts';

/** How long a write waits for one that takes longer than others, such as the filling of a new database. */
const LONG_WAIT_MS = 60_000;
/**
 * How long each statement of such a write may take. The time counts from when it is sent, which is while those before it
 * still wait for the lock, so it is longer than the wait and the write together.
 */
const LONG_ANSWER_MS = 600_000;
/** Statements that are prepared by name on each connection; beyond, combinations of filters are sent as they are. */
const NAMED_MAX = 500;

/** Fewer rows than this are not worth a statement that is planned anew. */
const COPIED_MIN = 8;

/** Takes steps over a pool. Statements go out without waiting for those before them that nobody waits for. */
export function createRunner(pool: Pool): Runner & Pick<Turns, 'waiting'> {
  const { max } = pool.options;
  const turns = createWriteQueue(max);
  const bounded = <Result>(bounds: Bounds, steps: SqlProgram<Result>): Promise<Result> =>
    turns.take(() => withClient({ pool, max }, (client) => transact(client, bounds, steps)));
  const within = <Result>(begin: string, end: string, steps: SqlProgram<Result>): Promise<Result> =>
    bounded({ begin, end }, steps);
  return {
    query: (steps) => bounded({}, steps),
    snapshot: (steps) => within(BEGIN_READ, 'COMMIT', steps),
    transaction: (written, steps) => within(beginSql(written), 'COMMIT', steps),
    longTransaction: (written, steps) =>
      bounded({ begin: beginSql(written, WAIT_LONG), end: 'COMMIT', answerMs: LONG_ANSWER_MS }, steps),
    relaxedTransaction: (written, steps) =>
      within(beginSql(written, 'SET LOCAL synchronous_commit = off; '), 'COMMIT', steps),
    transactionIfFree: (written, steps) =>
      within(beginSql(written, 'SET LOCAL lock_timeout = 1; '), 'COMMIT', steps).catch(undefinedIfLocked),
    groupedTransaction: (steps) => within(beginSql('rows'), 'COMMIT', steps),
    dryRun: (written, steps) => within(beginSql(written), 'ROLLBACK', steps),
    waiting: turns.waiting,
  };
}

/** One moment for all that is read. */
const BEGIN_READ = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

const WAIT_LONG = `SET LOCAL lock_timeout = ${LONG_WAIT_MS}; SET LOCAL statement_timeout = 0; `;

/** What PostgreSQL says when a lock was not to be had in time. */
const LOCK_NOT_AVAILABLE = '55P03';

function undefinedIfLocked(error: unknown): undefined {
  if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
}

/**
 * Rows are locked by the statements themselves; everything else is written by one at a time. The schema stays as it is until
 * the end of the transaction, which fails at once when a newer version of the program has changed it.
 */
function beginSql(written: Written, settings = ''): string {
  const lock = written === 'rows' ? '' : `; ${lockSql(written)}`;
  return `BEGIN; ${settings}${sharedLockSql('schema')}; ${NEWER_SCHEMA_SQL}${lock}`;
}

/** Lends a connection. One that failed in a way that leaves its state unknown is not used again. */
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

/** The statements around some steps; none for what needs no transaction. */
interface Bounds {
  readonly begin?: string;
  readonly end?: string;
  /** How long the answer to each statement may take, where it is longer than usual. */
  readonly answerMs?: number;
}

async function transact<Result>(client: PoolClient, bounds: Bounds, steps: SqlProgram<Result>): Promise<Result> {
  const { begin, end, answerMs } = bounds;
  const sent: Promise<unknown>[] = [];
  const unheard = (answer: Promise<unknown>): void => {
    // Waited for below; until then a rejection must not end the process.
    answer.catch(() => {});
    sent.push(answer);
  };
  const bound = (text: string): Promise<unknown> => client.query({ text, query_timeout: answerMs } as QueryConfig);
  try {
    holdWrites(client);
    if (begin !== undefined) unheard(bound(begin));
    const result = await take({ client, answerMs, unheard }, steps);
    // After a failure this takes everything back, and the failure is told all the same.
    if (end !== undefined) unheard(bound(end));
    await Promise.all(sent);
    return result;
  } catch (error) {
    // In a transaction everything fails after the first failure, and that one says why.
    const settled = await Promise.allSettled(sent);
    const failed = settled.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    if (begin !== undefined) await client.query('ROLLBACK').catch(() => {});
    const reason = failed?.reason ?? error;
    throw failed === settled[0] && isNewerSchema(reason) ? newerSchema(reason) : reason;
  }
}

/** Where the statements of some steps go, and what becomes of answers that nobody waits for. */
interface Line {
  readonly client: PoolClient;
  readonly answerMs: number | undefined;
  readonly unheard: (answer: Promise<unknown>) => void;
}

/** Takes steps to their end; what they write and do not wait for is handed to `unheard`. */
async function take<Result>(line: Line, steps: SqlProgram<Result>): Promise<Result> {
  let step = steps.next([]);
  while (!step.done) {
    holdWrites(line.client);
    const asked = step.value.flatMap((each) => ('rows' in each ? sendRows(line, each) : [send(line, each)]));
    if (step.value.every(({ wanted }) => wanted === 'nothing')) {
      asked.forEach(line.unheard);
      step = steps.next([]);
    } else {
      step = await answered(steps, asked);
    }
  }
  return step.value;
}

/** What goes out in one turn of the event loop leaves in one write: each is a call of the system. */
function holdWrites(client: PoolClient): void {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

type Step<Result> = IteratorResult<readonly (Statement | Rows)[], Result>;

async function answered<Result>(
  steps: SqlProgram<Result>,
  asked: Promise<readonly unknown[]>[],
): Promise<Step<Result>> {
  let answers: (readonly unknown[])[];
  for (const each of asked) each.catch(() => {});
  try {
    answers = await Promise.all(asked);
  } catch (error) {
    return steps.throw(error);
  }
  return steps.next(answers);
}

async function send({ client, answerMs }: Line, { sql, parameters, wanted }: Statement): Promise<readonly unknown[]> {
  const query: Query = { ...namedQuery(sql), values: [...parameters], query_timeout: answerMs };
  if (wanted === 'arrays') query.rowMode = 'array';
  const { rows } = await client.query(query);
  return rows as unknown[];
}

/** What a statement also has, which its type does not tell. */
type Query = QueryConfig & { rowMode?: 'array'; query_timeout: number | undefined };

/** A few rows are written by statements that are prepared already; many are copied. */
function sendRows(line: Line, asked: Rows): Promise<readonly unknown[]>[] {
  if (asked.rows.length >= COPIED_MIN) return [copyRows(line.client, asked, line.answerMs)];
  const sql = insertSql(asked);
  return asked.rows.map((parameters) => send(line, { sql, parameters, wanted: 'nothing' }));
}

const named = new Map<string, { text: string; name?: string }>();

/** A statement with its parameters numbered, and the name it is prepared under. */
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
