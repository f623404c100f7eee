import type { Lease, PaidAnswer, PaymentRecord } from '../port/payments.ts';
import { first, run, type SqlProgram, type Value, value } from '../sql/program.ts';
import { PAYMENT_COLUMNS } from './payment-ledger.ts';

const ENDED = 'owner = NULL, lease_until = 0, updated_at = ?';

/** Updates a payment if the lease is valid and the state allows it. Returns whether it did. */
function* update(
  lease: Lease,
  [what, state]: readonly [string, string],
  parameters: readonly Value[],
): SqlProgram<boolean> {
  const sql = `UPDATE payments SET ${what} WHERE id = ? AND owner = ? AND ${state} RETURNING id`;
  return (yield* value(sql, ...parameters, lease.id, lease.owner)) !== undefined;
}

/** How long a wallet can fetch a delivered response again, from the expiry of its authorization. */
const KEPT_SECONDS = 24 * 60 * 60;

const RENEW = ['lease_until = ?', '1 = 1'] as const;
const RELEASE = [ENDED, '1 = 1'] as const;
const SETTLING = [`state = 'settling', data = ?, meta = ?, updated_at = ?`, `state = 'open'`] as const;
const SETTLED = [
  `state = 'settled', transaction_hash = ?, reason = NULL, settled_at = ?, updated_at = ?`,
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

/** State changes of a payment. Each is one statement that checks the lease. */
export const paymentChanges = {
  renew: (lease: Lease, until: number): SqlProgram<boolean> => update(lease, RENEW, [until]),
  release: (lease: Lease, at: Date): SqlProgram<boolean> => update(lease, RELEASE, [at.toISOString()]),
  withdraw: function* withdraw(lease: Lease, at: Date): SqlProgram<void> {
    const isForgotten = (yield* value(FORGET, lease.id, lease.owner)) !== undefined;
    if (!isForgotten) yield* update(lease, WITHDRAWN, [at.toISOString()]);
  },
  settling: (lease: Lease, { data, meta }: PaidAnswer, at: Date): SqlProgram<boolean> =>
    update(lease, SETTLING, [data, meta, at.toISOString()]),
  settled: (lease: Lease, transaction: string, at: Date): SqlProgram<boolean> =>
    update(lease, SETTLED, [transaction, at.toISOString(), at.toISOString()]),
  unknown: (lease: Lease, reason: string, at: Date): SqlProgram<boolean> =>
    update(lease, UNKNOWN, [reason, at.toISOString()]),
  failed: (lease: Lease, reason: string, at: Date): SqlProgram<boolean> =>
    update(lease, FAILED, [reason, at.toISOString()]),
  delivered: (lease: Lease, at: Date): SqlProgram<boolean> =>
    update(lease, DELIVERED, [at.toISOString(), at.toISOString()]),
  adopt: function* adopt(lease: Lease, leaseMs: number, at: Date): SqlProgram<Adopted> {
    const time = at.getTime();
    const taken = [lease.owner, time + leaseMs, at.toISOString()];
    const record = yield* first<PaymentRecord>(ADOPT, ...taken, lease.id, time);
    return record && { ...record, lease };
  },
  sweep: function* sweep(at: Date): SqlProgram<void> {
    const time = at.getTime();
    yield* run(`DELETE FROM payments WHERE state = 'open' AND lease_until <= ? AND reason IS NULL`, time);
    const failOpen = `UPDATE payments SET state = 'failed', ${ENDED} WHERE state = 'open' AND lease_until <= ?`;
    yield* run(failOpen, at.toISOString(), time);
    yield* run(
      `UPDATE payments SET data = NULL, meta = NULL
       WHERE state = 'settled' AND delivered_at IS NOT NULL AND data IS NOT NULL AND valid_before <= ?`,
      Math.floor(time / 1_000) - KEPT_SECONDS,
    );
  },
};

type Adopted = (PaymentRecord & { readonly lease: Lease }) | undefined;
