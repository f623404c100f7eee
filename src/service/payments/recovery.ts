import type { PaymentOutcome } from './chain-reader.ts';
import type { PaymentDeps } from './payment-gate.ts';
import { LEASE_MS, newLeaseOwner, recordOutcome } from './settlement.ts';

const BATCH = 50;

type RecoveryParts = Pick<PaymentDeps, 'journal' | 'chain' | 'log'>;

export interface Recovered {
  readonly id: number;
  readonly outcome: PaymentOutcome['kind'];
}

/**
 * Determines on the chain the outcome of interrupted payments. Settles nothing: an unused payment waits for its
 * client's retry, so that clients who left are not charged.
 */
export async function recover({ journal, chain, log }: RecoveryParts): Promise<Recovered[]> {
  await journal.sweep();
  if (chain === undefined) return [];
  const recovered: Recovered[] = [];
  for (const { id } of await journal.pending(BATCH)) {
    const payment = await journal.adopt(id, newLeaseOwner(), LEASE_MS);
    if (payment === undefined) continue;
    const outcome = await chain.outcomeOf(payment);
    const isRecorded = await recordOutcome(journal, payment.lease, outcome);
    // A settled payment waits for its client without a lease.
    if (outcome.kind === 'paid') await journal.release(payment.lease);
    if (!isRecorded) continue;
    recovered.push({ id, outcome: outcome.kind });
    if (outcome.kind !== 'unused') log.info({ payment: id, outcome: outcome.kind }, 'interrupted payment resolved');
  }
  return recovered;
}

const EVERY_MS = 10_000;

/** Runs recovery now and periodically. Returns a function that stops it. */
export function keepRecovering(parts: RecoveryParts): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const next = async (): Promise<void> => {
    try {
      await recover(parts);
    } catch (error) {
      // The database may be unavailable; the next run retries.
      if (!isOver) parts.log.error({ err: error }, 'interrupted payments could not be resolved');
    }
    if (isOver) return;
    timer = setTimeout(next, EVERY_MS);
    timer.unref();
  };
  void next();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
