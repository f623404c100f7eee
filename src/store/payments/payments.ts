import type { Payments } from '../port/payments.ts';
import type { Runner } from '../sql/runner.ts';
import { paymentChanges } from './payment-changes.ts';
import { acquireLease, findPayment } from './payment-leases.ts';
import { createLedger } from './payment-ledger.ts';

/**
 * The payments journal. Only two commits wait for the disk: before submission, and after delivery. Losing another one
 * to a power failure is harmless: before submission nothing was charged, and afterwards the chain has the outcome.
 */
export function createPayments(runner: Runner, now: () => Date): Payments {
  const { query, relaxedTransaction, groupedTransaction } = runner;
  return {
    find: (key) => query(findPayment(key)),
    // The payer's lock serializes requests for leases of one payer.
    acquire: (request) => relaxedTransaction({ payer: request.payer }, acquireLease(request, now)),
    adopt: (id, owner, leaseMs) => relaxedTransaction('rows', paymentChanges.adopt({ id, owner }, leaseMs, now())),
    renew: (lease, leaseMs) => relaxedTransaction('rows', paymentChanges.renew(lease, now().getTime() + leaseMs)),
    release: (lease) => relaxedTransaction('rows', paymentChanges.release(lease, now())),
    withdraw: (lease) => relaxedTransaction('rows', paymentChanges.withdraw(lease, now())),
    settling: (lease, purchased) => groupedTransaction(paymentChanges.settling(lease, purchased, now())),
    settled: (lease, transaction) => relaxedTransaction('rows', paymentChanges.settled(lease, transaction, now())),
    unknown: (lease, reason) => relaxedTransaction('rows', paymentChanges.unknown(lease, reason, now())),
    failed: (lease, reason) => relaxedTransaction('rows', paymentChanges.failed(lease, reason, now())),
    delivered: (lease) => groupedTransaction(paymentChanges.delivered(lease, now())),
    sweep: () => relaxedTransaction('rows', paymentChanges.sweep(now())),
    ...createLedger(runner, now),
  };
}
