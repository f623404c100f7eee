import type { Payments } from '../../store/port/payments.ts';
import type { Log } from '../logging.ts';
import type { ChainReader, PaymentOutcome } from './chain.ts';
import { noteFate } from './fate.ts';
import { LEASE_MS, newOwner } from './lease.ts';

/** Payments looked after at once; the rest wait for the next time. */
const BATCH = 50;

interface RecoveryParts {
  readonly journal: Payments;
  readonly chain: ChainReader | undefined;
  readonly log: Log;
}

/** What became of payments whose outcome was open. */
export interface Recovered {
  readonly id: number;
  readonly fate: PaymentOutcome['kind'];
}

/**
 * Decides on the chain what became of payments that were left in the middle. It settles nothing itself: a payment that was
 * not used waits for its client to come again, so that nobody is charged who has gone.
 */
export async function recover({ journal, chain, log }: RecoveryParts): Promise<Recovered[]> {
  await journal.sweep();
  if (chain === undefined) return [];
  const recovered: Recovered[] = [];
  for (const { id } of await journal.pending(BATCH)) {
    const payment = await journal.adopt(id, newOwner(), LEASE_MS);
    if (payment === undefined) continue;
    const fate = await chain.fateOf(payment);
    const isNoted = await noteFate(journal, payment.lease, fate);
    // A settled payment waits for its client; nobody has to hold it.
    if (fate.kind === 'paid') await journal.release(payment.lease);
    if (!isNoted) continue;
    recovered.push({ id, fate: fate.kind });
    if (fate.kind !== 'unused') log.info({ payment: id, fate: fate.kind }, 'payment looked after');
  }
  return recovered;
}

const EVERY_MS = 10_000;

/** Looks after payments now and from time to time; gives what ends that. */
export function keepRecovering(parts: RecoveryParts): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const next = async (): Promise<void> => {
    try {
      await recover(parts);
    } catch (error) {
      // The database may be away; the next time may be better.
      if (!isOver) parts.log.error({ err: error }, 'payments could not be looked after');
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
