import {
  type Claimed,
  isForged,
  isVerified,
  type Lease,
  type PaidAnswer,
  type PaymentClaim,
  type PaymentKey,
  type PaymentRecord,
} from '../port/payments.ts';
import { first, run, type SqlProgram, value } from '../sql/program.ts';
import { PAYMENT_COLUMNS } from './payment-ledger.ts';

/** A payment with the columns for claims. */
type Row = PaymentRecord & Held;
interface Held {
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
const CLAIMED_BEFORE = `SELECT count(*) FROM payments WHERE payer = ? AND identifier = ? AND network = ? AND token = ?
  AND nonce <> ? AND state <> 'failed'`;

const rowOf = ({ network, token, payer, nonce }: PaymentKey): SqlProgram<Row | undefined> =>
  first<Row>(BY_KEY, network, token, payer, nonce);

export function* findPayment(key: PaymentKey): SqlProgram<PaymentRecord | undefined> {
  const row = yield* rowOf(key);
  return row && withoutHeld(row);
}

function withoutHeld({ data, meta, owner, lease_until, ...record }: Row): PaymentRecord {
  return record;
}

/** Claims a payment. Requires the payer's lock. */
export function* claimPayment(claim: PaymentClaim, now: () => Date): SqlProgram<Claimed> {
  const row = yield* rowOf(claim);
  // Read under the lock, because a lease may have expired while waiting.
  const at = now();
  if (row === undefined) return yield* fresh(claim, undefined, at);
  if (isForged(row, claim.signature_hash)) return { kind: 'forged' };
  if (row.owner !== null && row.lease_until > at.getTime()) return { kind: 'busy' };
  if (!isVerified(row)) return yield* fresh(claim, row.id, at);
  const isPaid = row.state === 'settled';
  if (row.item !== claim.item) return { kind: isPaid ? 'spent' : 'elsewhere' };
  const purchased = purchasedOf(row);
  if (purchased === undefined || (isPaid && !canFetch(row, claim, at))) return { kind: 'spent' };
  const until = at.getTime() + claim.leaseMs;
  yield* run('UPDATE payments SET owner = ?, lease_until = ? WHERE id = ?', claim.owner, until, row.id);
  const lease: Lease = { id: row.id, owner: claim.owner };
  if (row.transaction === null) return { kind: 'pending', lease, purchased, record: withoutHeld(row) };
  return { kind: 'settled', lease, purchased, transaction: row.transaction };
}

function* fresh(claim: PaymentClaim, known: number | undefined, at: Date): SqlProgram<Claimed> {
  const { network, token, payer, nonce, identifier, owner } = claim;
  if (identifier !== null && (yield* value(CLAIMED_BEFORE, payer, identifier, network, token, nonce)) !== 0)
    return { kind: 'conflict' };
  const { pay_to, amount, valid_before, item, signature_hash, request_id } = claim;
  const bought = [pay_to, amount, valid_before, item, identifier, signature_hash, request_id];
  const held = [owner, at.getTime() + claim.leaseMs, at.toISOString()];
  if (known !== undefined) yield* run(REOPEN, ...bought, ...held, known);
  const key = [network, token, payer, nonce];
  const id = known ?? (yield* value<number>(INSERT, ...key, ...bought, ...held, at.toISOString())) ?? 0;
  return { kind: 'fresh', lease: { id, owner } };
}

const purchasedOf = ({ data, meta }: Held): PaidAnswer | undefined =>
  data === null || meta === null ? undefined : { data, meta };

/** A response is delivered once; a client that sent an identifier may fetch it again until the authorization expires. */
function canFetch(row: Row, { identifier }: PaymentClaim, at: Date): boolean {
  if (row.delivered_at === null) return true;
  return row.identifier !== null && row.identifier === identifier && at.getTime() < row.valid_before * 1_000;
}
