import { DAY_MS, utcDay } from '../../contract/periods.ts';
import {
  isForged,
  isVerified,
  type Lease,
  type LeaseRequest,
  type LeaseResult,
  type PaymentKey,
  type PaymentQuery,
  type PaymentRecord,
  type Payments,
  type PaymentTotal,
  type PurchasedResponse,
} from '../port/payments.ts';
import { all, exists, first, number, type Runner, run, type SqlProgram, type Value, value } from '../sql.ts';

/** Columns of a payment record; `transaction` is an SQL keyword. */
const PAYMENT_COLUMNS = `id, network, token, payer, nonce, state, pay_to, amount, valid_before, item, identifier,
  signature_hash, transaction_hash AS "transaction", reason, request_id, created_at, updated_at, settled_at, delivered_at`;

const dayAfter = (day: string): string => utcDay(new Date(Date.parse(day) + DAY_MS));

const PENDING = `SELECT ${PAYMENT_COLUMNS} FROM payments
  WHERE state IN ('settling', 'unknown') AND (owner IS NULL OR lease_until <= ?) ORDER BY updated_at LIMIT ?`;

const BOUGHT = `SELECT data, meta, transaction_hash AS "transaction" FROM payments
  WHERE network = ? AND token = ? AND payer = ? AND item = ? AND state = 'settled' AND data IS NOT NULL
  ORDER BY id DESC LIMIT 1`;

function createLedger(
  { query }: Runner,
  now: () => Date,
): Pick<Payments, 'pending' | 'bought' | 'list' | 'lookUp' | 'totals'> {
  return {
    pending: (limit) => query(all<PaymentRecord>(PENDING, now().getTime(), limit)),
    bought: async ({ network, token, payer, item }) => {
      const row = await query(first<PurchasedResponse & { transaction: string }>(BOUGHT, network, token, payer, item));
      return row && { purchased: { data: row.data, meta: row.meta }, transaction: row.transaction };
    },
    list: ({ network, token, payer, state, isUndelivered, from, to, before, limit }) => {
      const { sql, parameters } = conditions([
        ['network = ?', network],
        ['token = ?', token],
        ['payer = ?', payer],
        ['state = ?', state],
        ["state = 'settled' AND delivered_at IS NULL", isUndelivered && NO_PARAMETER],
        ['created_at >= ?', from],
        ['created_at < ?', to && dayAfter(to)],
        ['id < ?', before],
      ]);
      const select = `SELECT ${PAYMENT_COLUMNS} FROM payments WHERE ${sql} ORDER BY id DESC LIMIT ?`;
      return query(all<PaymentRecord>(select, ...parameters, limit));
    },
    lookUp: (given) => {
      const text = given.toLowerCase();
      const isNumber = /^\d{1,15}$/.test(given);
      const select = `SELECT ${PAYMENT_COLUMNS} FROM payments
        WHERE ${isNumber ? 'id = ? OR ' : ''}transaction_hash = ? OR nonce = ? OR request_id = ? ORDER BY id`;
      return query(all<PaymentRecord>(select, ...(isNumber ? [Number(given)] : []), text, text, given));
    },
    totals: async ({ from, to }) => summed(await query(all<PaymentTotal>(...totalsSql({ from, to })))),
  };
}

/** Sums per day and token. Computed here, because amounts with 18 decimals exceed SQL integers. */
function summed(parts: readonly PaymentTotal[]): PaymentTotal[] {
  const totals = new Map<string, PaymentTotal>();
  for (const part of parts) {
    const key = `${part.day} ${part.network} ${part.token}`;
    const { payments = 0, undelivered = 0, amount = '0' } = totals.get(key) ?? {};
    totals.set(key, {
      ...part,
      payments: payments + part.payments,
      undelivered: undelivered + part.undelivered,
      amount: String(BigInt(amount) + BigInt(part.amount) * BigInt(part.payments)),
    });
  }
  return [...totals.values()];
}

function totalsSql({ from, to }: Pick<PaymentQuery, 'from' | 'to'>): [string, ...Value[]] {
  const { sql, parameters } = conditions([
    ["state = 'settled'", NO_PARAMETER],
    ['settled_at >= ?', from],
    ['settled_at < ?', to && dayAfter(to)],
  ]);
  return [
    `SELECT substr(settled_at, 1, 10) AS day, network, token, amount, count(*) AS payments,
       sum(CASE WHEN delivered_at IS NULL THEN 1 ELSE 0 END) AS undelivered
     FROM payments WHERE ${sql} GROUP BY substr(settled_at, 1, 10), network, token, amount ORDER BY day, network, token`,
    ...parameters,
  ];
}

const NO_PARAMETER = null;

function conditions(some: readonly (readonly [string, Value | undefined])[]): { sql: string; parameters: Value[] } {
  const stated = some.filter(([, parameter]) => parameter !== undefined) as [string, Value][];
  return {
    sql: ['1 = 1', ...stated.map(([condition]) => condition)].join(' AND '),
    parameters: stated.map(([, parameter]) => parameter).filter((parameter) => parameter !== NO_PARAMETER),
  };
}

type Row = PaymentRecord & LeaseColumns;
interface LeaseColumns {
  readonly data: string | null;
  readonly meta: string | null;
  readonly owner: string | null;
  readonly lease_until: number;
}

const BY_KEY = `SELECT ${PAYMENT_COLUMNS}, data, meta, owner, lease_until FROM payments
  WHERE network = ? AND token = ? AND payer = ? AND nonce = ?`;
const INSERT = `INSERT INTO payments (network, token, payer, nonce, state, pay_to, amount, valid_before, item, identifier,
    signature_hash, request_id, owner, lease_until, created_at, updated_at)
  VALUES (?, ?, ?, ?, 'open', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`;
const REOPEN = `UPDATE payments SET state = 'open', pay_to = ?, amount = ?, valid_before = ?, item = ?, identifier = ?,
    signature_hash = ?, request_id = ?, owner = ?, lease_until = ?, updated_at = ?
  WHERE id = ?`;
const OTHER_WITH_IDENTIFIER = `SELECT count(*) FROM payments WHERE payer = ? AND identifier = ? AND network = ? AND token = ?
  AND nonce <> ? AND state <> 'failed'`;

const rowOf = ({ network, token, payer, nonce }: PaymentKey): SqlProgram<Row | undefined> =>
  first<Row>(BY_KEY, network, token, payer, nonce);

function* findPayment(key: PaymentKey): SqlProgram<PaymentRecord | undefined> {
  const row = yield* rowOf(key);
  return row && withoutLease(row);
}

const withoutLease = ({ data, meta, owner, lease_until, ...record }: Row): PaymentRecord => record;

/** Acquires the lease of a payment. Requires the payer's lock. */
function* acquireLease(request: LeaseRequest, now: () => Date): SqlProgram<LeaseResult> {
  const row = yield* rowOf(request);
  // Read under the lock, because a lease may have expired while waiting.
  const at = now();
  if (row === undefined) return yield* fresh(request, undefined, at);
  if (isForged(row, request.signature_hash)) return { kind: 'forged' };
  if (row.owner !== null && row.lease_until > at.getTime()) return { kind: 'busy' };
  if (!isVerified(row)) return yield* fresh(request, row.id, at);
  const isPaid = row.state === 'settled';
  if (row.item !== request.item) return { kind: isPaid ? 'spent' : 'elsewhere' };
  const purchased = purchasedOf(row);
  if (purchased === undefined || (isPaid && !canFetch(row, request, at))) return { kind: 'spent' };
  const until = at.getTime() + request.leaseMs;
  yield* run('UPDATE payments SET owner = ?, lease_until = ? WHERE id = ?', request.owner, until, row.id);
  const lease: Lease = { id: row.id, owner: request.owner };
  if (row.transaction === null) return { kind: 'pending', lease, purchased, record: withoutLease(row) };
  return { kind: 'settled', lease, purchased, transaction: row.transaction };
}

function* fresh(request: LeaseRequest, known: number | undefined, at: Date): SqlProgram<LeaseResult> {
  const { network, token, payer, nonce, identifier, owner } = request;
  if (identifier !== null && (yield* value(OTHER_WITH_IDENTIFIER, payer, identifier, network, token, nonce)) !== 0)
    return { kind: 'conflict' };
  const { pay_to, amount, valid_before, item, signature_hash, request_id } = request;
  const bought = [pay_to, amount, valid_before, item, identifier, signature_hash, request_id];
  const lease = [owner, at.getTime() + request.leaseMs, at.toISOString()];
  if (known !== undefined) yield* run(REOPEN, ...bought, ...lease, known);
  const key = [network, token, payer, nonce];
  const id = known ?? (yield* number(INSERT, ...key, ...bought, ...lease, at.toISOString()));
  return { kind: 'fresh', lease: { id, owner } };
}

const purchasedOf = ({ data, meta }: LeaseColumns): PurchasedResponse | undefined =>
  data === null || meta === null ? undefined : { data, meta };

/** A response is delivered once; a client that sent an identifier may fetch it again until the authorization expires. */
function canFetch(row: Row, { identifier }: LeaseRequest, at: Date): boolean {
  if (row.delivered_at === null) return true;
  return row.identifier !== null && row.identifier === identifier && at.getTime() < row.valid_before * 1_000;
}

const ENDED = 'owner = NULL, lease_until = 0, updated_at = ?';

/** Updates a payment if the lease is valid and the state allows it. Returns whether it did. */
function* update(
  lease: Lease,
  [what, state]: readonly [string, string],
  parameters: readonly Value[],
): SqlProgram<boolean> {
  const sql = `UPDATE payments SET ${what} WHERE id = ? AND owner = ? AND ${state} RETURNING id`;
  return yield* exists(sql, ...parameters, lease.id, lease.owner);
}

/** How long a wallet can fetch a delivered response again, from the expiry of its authorization. */
const KEPT_SECONDS = 24 * 60 * 60;

const RENEW = ['lease_until = ?', '1 = 1'] as const;
const RELEASE = [ENDED, '1 = 1'] as const;
const SETTLING = [`state = 'settling', data = ?, meta = ?, updated_at = ?`, `state = 'open'`] as const;
const SETTLED = [
  `state = 'settled', transaction_hash = ?, reason = ?, settled_at = ?, updated_at = ?`,
  `state IN ('settling', 'unknown')`,
] as const;
const UNKNOWN = [`state = 'unknown', reason = ?, ${ENDED}`, `state IN ('settling', 'unknown')`] as const;
const FAILED = [`state = 'failed', reason = ?, data = NULL, meta = NULL, ${ENDED}`, `state <> 'settled'`] as const;
const DELIVERED = [`delivered_at = coalesce(delivered_at, ?), ${ENDED}`, `state = 'settled'`] as const;
const WITHDRAWN = [`state = 'failed', data = NULL, meta = NULL, ${ENDED}`, `state IN ('open', 'settling')`] as const;
const FORGET = `DELETE FROM payments WHERE id = ? AND owner = ? AND ${WITHDRAWN[1]} AND reason IS NULL RETURNING id`;
const ADOPT = `UPDATE payments SET owner = ?, lease_until = ?, updated_at = ?
  WHERE id = ? AND state IN ('settling', 'unknown') AND (owner IS NULL OR lease_until <= ?)
  RETURNING ${PAYMENT_COLUMNS}`;

function* withdraw(lease: Lease, at: Date): SqlProgram<void> {
  const isForgotten = yield* exists(FORGET, lease.id, lease.owner);
  if (!isForgotten) yield* update(lease, WITHDRAWN, [at.toISOString()]);
}

function* adopt(lease: Lease, leaseMs: number, at: Date): SqlProgram<Awaited<ReturnType<Payments['adopt']>>> {
  const time = at.getTime();
  const record = yield* first<PaymentRecord>(ADOPT, lease.owner, time + leaseMs, at.toISOString(), lease.id, time);
  return record && { ...record, lease };
}

function* sweep(at: Date): SqlProgram<void> {
  const time = at.getTime();
  yield* run(`DELETE FROM payments WHERE state = 'open' AND lease_until <= ? AND reason IS NULL`, time);
  const failOpen = `UPDATE payments SET state = 'failed', ${ENDED} WHERE state = 'open' AND lease_until <= ?`;
  yield* run(failOpen, at.toISOString(), time);
  yield* run(
    `UPDATE payments SET data = NULL, meta = NULL
     WHERE state = 'settled' AND delivered_at IS NOT NULL AND data IS NOT NULL AND valid_before <= ?`,
    Math.floor(time / 1_000) - KEPT_SECONDS,
  );
}

/**
 * The payments journal. Two commits must reach the disk: before submission, and after delivery. Losing another one to a power
 * failure is harmless: before submission nothing was charged, and afterwards the chain has the outcome.
 */
export function createPayments(runner: Runner, now: () => Date): Payments {
  const { query, relaxedTransaction, groupedTransaction } = runner;
  const at = (): string => now().toISOString();
  const atTwice = (): string[] => Array<string>(2).fill(at());
  const relaxed = <Result>(program: SqlProgram<Result>): Promise<Result> => relaxedTransaction('rows', program);
  return {
    find: (key) => query(findPayment(key)),
    // The payer's lock serializes requests for leases of one payer.
    acquire: (request) => relaxedTransaction({ payer: request.payer }, acquireLease(request, now)),
    adopt: (id, owner, leaseMs) => relaxed(adopt({ id, owner }, leaseMs, now())),
    // In groups: many payments that wait for their settlement would otherwise fill the queue for the write lock.
    renew: (lease, leaseMs) => groupedTransaction(update(lease, RENEW, [now().getTime() + leaseMs])),
    release: (lease) => relaxed(update(lease, RELEASE, [at()])),
    withdraw: (lease) => relaxed(withdraw(lease, now())),
    settling: (lease, { data, meta }) => groupedTransaction(update(lease, SETTLING, [data, meta, at()])),
    settled: (lease, transaction, reason = null) =>
      relaxed(update(lease, SETTLED, [transaction, reason, ...atTwice()])),
    unknown: (lease, reason) => relaxed(update(lease, UNKNOWN, [reason, at()])),
    failed: (lease, reason) => relaxed(update(lease, FAILED, [reason, at()])),
    delivered: (lease) => groupedTransaction(update(lease, DELIVERED, atTwice())),
    sweep: () => relaxed(sweep(now())),
    ...createLedger(runner, now),
  };
}
