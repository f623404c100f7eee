import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type {
  Authorization,
  Budgets,
  CachedResponse,
  Payment,
  PaymentState,
  Reservation,
  Spent,
} from '../../contract/spending.ts';
import { openSqlite, type Sqlite } from '../sqlite/driver.ts';
import { keepLog } from '../sqlite/write-lock.ts';

/** Lock time-out; writes take milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;
const CACHED_MAX = 1_000;
const UNRESOLVED_MAX = 100;

/** States in which a signature may be sent again. */
const UNFINISHED = `('reserved', 'open', 'refused', 'outcome_unknown', 'paid_not_served')`;

/** A wallet's ledger in an SQLite file of mode 0600, shared by all processes. */
export async function openLedger(file: string, now: () => Date) {
  const database = openSqlite(file, { timeout: BUSY_TIMEOUT_MS });
  await keepLog(database, BUSY_TIMEOUT_MS);
  migrate(database);
  const owner = thisOwner();
  return {
    ...cachedResponses(database),
    ...paying(database, { owner, now }),
    ...showing(database, now),
    close: () => void database.close(),
  };
}

function migrate(database: Sqlite): void {
  if (database.pragma('user_version', { simple: true }) === LEDGER_VERSION) return;
  database
    .transaction(() => {
      if (database.pragma('user_version', { simple: true }) === LEDGER_VERSION) return;
      database.exec(SCHEMA);
      database.pragma(`user_version = ${LEDGER_VERSION}`);
    })
    .immediate();
}

interface Process {
  readonly owner: string;
  readonly now: () => Date;
}

function cachedResponses(database: Sqlite) {
  const columns = 'payments.*, answers.body';
  const joined = `SELECT ${columns} FROM answers JOIN payments ON payments.id = answers.payment`;
  const one = database.prepare(`${joined} WHERE answers.request = ? AND answers.kept_at >= ?`);
  const all = database.prepare(
    `${joined} WHERE answers.kept_at >= ? ORDER BY answers.kept_at DESC LIMIT ${CACHED_MAX}`,
  );
  const cachedOf = (row: unknown): CachedResponse => ({
    payment: paymentOf(row as PaymentRow),
    body: (row as { body: string }).body,
  });
  return {
    cachedResponse: (request: string, since: Date): CachedResponse | undefined => {
      const row = one.get(request, since.toISOString());
      return row === undefined ? undefined : cachedOf(row);
    },
    cachedResponses: (since: Date): readonly CachedResponse[] => all.all(since.toISOString()).map(cachedOf),
  };
}

function paying(database: Sqlite, { owner, now }: Process) {
  const unfinished = database.prepare(
    `SELECT * FROM payments WHERE request = ? AND state IN ${UNFINISHED} AND (held_until IS NULL OR held_until > ?)
     ORDER BY id DESC LIMIT 1`,
  );
  const lease = database.prepare(
    `UPDATE payments SET owner = ?, leased_until = ?, state = CASE state WHEN 'refused' THEN 'open' ELSE state END WHERE id = ?`,
  );
  const drop = database.prepare(`UPDATE payments SET state = 'unused', owner = NULL WHERE id = ?`);
  const insert = database.prepare(
    `INSERT INTO payments (request, session, day, state, amount, network, pay_to, payer, created_at, owner, leased_until)
     VALUES (@request, @session, @day, 'reserved', @amount, @network, @payTo, @payer, @createdAt, @owner, @until)`,
  );
  const isWorkedOn = (row: PaymentRow): boolean =>
    row.owner !== null && row.owner !== owner && (row.leased_until ?? '') > now().toISOString() && isAlive(row.owner);
  /** The unfinished payment of a request. An abandoned reservation was never sent, so it is deleted. */
  const find = (request: string): PaymentRow | 'busy' | undefined => {
    const row = unfinished.get(request, now().toISOString()) as PaymentRow | undefined;
    if (row === undefined) return undefined;
    if (isWorkedOn(row)) return 'busy';
    if (row.state !== 'reserved') return row;
    drop.run(row.id);
    return find(request);
  };
  const dropLeft = database.prepare(
    `UPDATE payments SET state = 'unused', owner = NULL WHERE state = 'reserved' AND leased_until <= ?`,
  );
  const spentOf = createSpent(database);
  return {
    leaseUnfinished: database.transaction((request: string, until: Date): Payment | 'busy' | undefined => {
      const row = find(request);
      if (row === undefined || row === 'busy') return row;
      lease.run(owner, until.toISOString(), row.id);
      return paymentOf(row);
    }).immediate,
    reserve: database.transaction((reservation: Reservation, budgets: Budgets, until: Date) => {
      if (find(reservation.request) !== undefined) return { kind: 'busy' as const };
      // Read under the lock, so that all processes agree on the day.
      const at = now().toISOString();
      dropLeft.run(at);
      const spent = spentOf(reservation.session, at);
      const { amount } = reservation;
      if (spent.session + amount > budgets.perSession)
        return { kind: 'over' as const, budget: 'session' as const, spent };
      if (spent.day + amount > budgets.perDay) return { kind: 'over' as const, budget: 'day' as const, spent };
      const row = { ...reservation, day: dayOf(at), createdAt: at, owner, until: until.toISOString() };
      const id = Number(insert.run(row).lastInsertRowid);
      return { kind: 'reserved' as const, id, createdAt: new Date(at) };
    }).immediate,
    spent: (session: string): Spent => spentOf(session, now().toISOString()),
    ...closing(database, { owner, now }),
  };
}

const dayOf = (at: string): string => at.slice(0, 10);

function createSpent(database: Sqlite) {
  const ofSession = database
    .prepare(`SELECT coalesce(sum(amount), 0) FROM payments WHERE session = ? AND state <> 'unused'`)
    .pluck()
    .safeIntegers();
  const ofDay = database
    .prepare(`SELECT coalesce(sum(amount), 0) FROM payments WHERE day = ? AND state <> 'unused'`)
    .pluck()
    .safeIntegers();
  return (session: string, at: string): Spent => ({
    session: ofSession.get(session) as bigint,
    day: ofDay.get(dayOf(at)) as bigint,
  });
}

function closing(database: Sqlite, { owner, now }: Process) {
  const sign = database.prepare(
    `UPDATE payments SET state = 'open', nonce = ?, valid_before = ?, header = ?, held_until = ?
     WHERE id = ? AND state = 'reserved' AND owner = ?`,
  );
  const close = database.prepare(
    `UPDATE payments SET state = @state, tx = coalesce(@transaction, tx), owner = NULL, leased_until = NULL, served = max(served, @served),
     header = CASE WHEN @state IN ('settled', 'unused') THEN NULL ELSE header END WHERE id = @id`,
  );
  const storeResponse = database.prepare(
    `INSERT OR REPLACE INTO answers (request, payment, body, kept_at) SELECT request, id, ?, ? FROM payments WHERE id = ?`,
  );
  const prune = database.prepare(
    `DELETE FROM answers WHERE request IN (SELECT request FROM answers ORDER BY kept_at DESC LIMIT -1 OFFSET ${CACHED_MAX})`,
  );
  return {
    sign: (id: number, { nonce, validBefore, header, heldUntil }: Authorization & { heldUntil: Date }): boolean => {
      // Only this must survive a power failure; it makes all earlier writes durable too.
      database.pragma('synchronous = FULL');
      const { changes } = sign.run(nonce, validBefore.toISOString(), header, heldUntil.toISOString(), id, owner);
      database.pragma('synchronous = NORMAL');
      return changes === 1;
    },
    recordOutcome: database.transaction(
      (id: number, closed: { state: PaymentState; transaction?: string | null; body?: string }) => {
        const served = closed.body === undefined ? 0 : 1;
        close.run({ id, state: closed.state, transaction: closed.transaction ?? null, served });
        if (closed.body === undefined) return;
        storeResponse.run(closed.body, now().toISOString(), id);
        prune.run();
      },
    ).immediate,
  };
}

function showing(database: Sqlite, now: () => Date) {
  const newest = database.prepare(`SELECT * FROM payments WHERE state <> 'unused' ORDER BY id DESC LIMIT ?`);
  const unresolved = database.prepare(
    `SELECT * FROM payments WHERE state IN ('open', 'refused', 'outcome_unknown') ORDER BY id LIMIT ${UNRESOLVED_MAX}`,
  );
  const isFree = (row: PaymentRow): boolean =>
    row.owner === null || (row.leased_until ?? '') <= now().toISOString() || !isAlive(row.owner);
  return {
    list: (limit: number): readonly Payment[] => (newest.all(limit) as PaymentRow[]).map(paymentOf),
    unresolved: (): readonly Payment[] => (unresolved.all() as PaymentRow[]).filter(isFree).map(paymentOf),
  };
}

/** Distinguishes this process from an earlier one with the same pid, as in a restarted container. */
const START = randomUUID();

/** A unique lease owner: an open ledger in a process on a machine. */
const thisOwner = (): string => [hostname(), process.pid, START, randomUUID()].join('/');

/** Whether a lease owner may be alive. Owners on other machines count as alive until the lease expires. */
function isAlive(owner: string): boolean {
  const [host, pid, start] = owner.split('/');
  if (host !== hostname()) return true;
  if (Number(pid) === process.pid) return start === START;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const LEDGER_VERSION = 1;

/** Times are ISO 8601 UTC text, which sorts chronologically. */
const SCHEMA = `
CREATE TABLE payments (
  id INTEGER PRIMARY KEY,
  request TEXT NOT NULL,
  session TEXT NOT NULL,
  day TEXT NOT NULL,
  state TEXT NOT NULL,
  amount INTEGER NOT NULL,
  network TEXT NOT NULL,
  pay_to TEXT NOT NULL,
  payer TEXT NOT NULL,
  created_at TEXT NOT NULL,
  owner TEXT,
  leased_until TEXT,
  nonce TEXT,
  valid_before TEXT,
  header TEXT,
  held_until TEXT,
  tx TEXT,
  served INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX payments_by_request ON payments (request, id);
CREATE INDEX payments_by_day ON payments (day, state, amount);
CREATE INDEX payments_by_session ON payments (session, state, amount);
CREATE INDEX payments_undecided ON payments (state) WHERE state IN ('reserved', 'open', 'refused', 'outcome_unknown');
CREATE TABLE answers (
  request TEXT PRIMARY KEY,
  payment INTEGER NOT NULL REFERENCES payments (id),
  body TEXT NOT NULL,
  kept_at TEXT NOT NULL
) STRICT;
CREATE INDEX answers_by_time ON answers (kept_at);
`;

interface PaymentRow extends Pick<Payment, 'id' | 'request' | 'state' | 'network' | 'payer'> {
  readonly amount: number;
  readonly pay_to: string;
  readonly created_at: string;
  readonly owner: string | null;
  readonly leased_until: string | null;
  readonly nonce: string | null;
  readonly valid_before: string | null;
  readonly header: string | null;
  readonly tx: string | null;
  readonly served: 0 | 1;
}

function paymentOf({ amount, nonce, valid_before: validBefore, header, ...row }: PaymentRow): Payment {
  const { id, request, state, network, payer, pay_to: payTo, tx: transaction } = row;
  const authorization =
    nonce === null || validBefore === null ? null : { nonce, validBefore: new Date(validBefore), header };
  const dated = { createdAt: new Date(row.created_at), isServed: row.served === 1, authorization };
  return { id, request, state, amount: BigInt(amount), network, payTo, payer, transaction, ...dated };
}
