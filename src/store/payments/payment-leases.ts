import {
  isForged,
  isVerified,
  type Lease,
  type LeaseRequest,
  type LeaseResult,
  type PaidAnswer,
  type PaymentKey,
  type PaymentRecord,
} from '../port/payments.ts';
import { first, run, type SqlProgram, value } from '../sql/program.ts';
import { PAYMENT_COLUMNS } from './payment-ledger.ts';

/** A payment with the columns of its lease. */
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

export function* findPayment(key: PaymentKey): SqlProgram<PaymentRecord | undefined> {
  const row = yield* rowOf(key);
  return row && withoutLease(row);
}

function withoutLease({ data, meta, owner, lease_until, ...record }: Row): PaymentRecord {
  return record;
}

/** Acquires the lease of a payment. Requires the payer's lock. */
export function* acquireLease(request: LeaseRequest, now: () => Date): SqlProgram<LeaseResult> {
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
  const id = known ?? (yield* value<number>(INSERT, ...key, ...bought, ...lease, at.toISOString())) ?? 0;
  return { kind: 'fresh', lease: { id, owner } };
}

const purchasedOf = ({ data, meta }: LeaseColumns): PaidAnswer | undefined =>
  data === null || meta === null ? undefined : { data, meta };

/** A response is delivered once; a client that sent an identifier may fetch it again until the authorization expires. */
function canFetch(row: Row, { identifier }: LeaseRequest, at: Date): boolean {
  if (row.delivered_at === null) return true;
  return row.identifier !== null && row.identifier === identifier && at.getTime() < row.valid_before * 1_000;
}
