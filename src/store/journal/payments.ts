import type { Payments } from '../port/payments.ts';
import type { Runner } from '../sql/runner.ts';
import { changes } from './changes.ts';
import { claimPayment, findPayment } from './claims.ts';
import { createLedger } from './ledger.ts';

/**
 * The journal of payments. Only two commits wait for the disk: that a payment is about to be handed over, and that its
 * answer went out. A power cut that takes back one of the others loses nothing: before the first nothing was charged, and
 * after it the chain tells what became of the payment.
 */
export function createPayments(runner: Runner, now: () => Date): Payments {
  const { ask, writeRelaxed, writeShared } = runner;
  return {
    find: (key) => ask(findPayment(key)),
    // Nobody else claims a payment of this payer meanwhile.
    claim: (claim) => writeRelaxed({ payer: claim.payer }, claimPayment(claim, now)),
    adopt: (id, owner, leaseMs) => writeRelaxed('rows', changes.adopt({ id, owner }, leaseMs, now())),
    renew: (lease, leaseMs) => writeRelaxed('rows', changes.renew(lease, now().getTime() + leaseMs)),
    release: (lease) => writeRelaxed('rows', changes.release(lease, now())),
    withdraw: (lease) => writeRelaxed('rows', changes.withdraw(lease, now())),
    settling: (lease, purchased) => writeShared(changes.settling(lease, purchased, now())),
    settled: (lease, transaction) => writeRelaxed('rows', changes.settled(lease, transaction, now())),
    unknown: (lease, reason) => writeRelaxed('rows', changes.unknown(lease, reason, now())),
    failed: (lease, reason) => writeRelaxed('rows', changes.failed(lease, reason, now())),
    delivered: (lease) => writeShared(changes.delivered(lease, now())),
    sweep: () => writeRelaxed('rows', changes.sweep(now())),
    ...createLedger(runner, now),
  };
}
