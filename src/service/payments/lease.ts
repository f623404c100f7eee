import { randomUUID } from 'node:crypto';
import type { Lease, Payments } from '../../store/port/payments.ts';

/** How long a process that has died keeps others from its payments. */
export const LEASE_MS = 3_000;
const RENEW_EVERY_MS = 1_000;

/** A name for one piece of work; what it holds nobody else changes. */
export const newOwner = (): string => randomUUID();

/** Keeps a lease for as long as its work takes; gives what ends that. */
export function keepLease(journal: Payments, lease: Lease): () => void {
  const timer = setInterval(() => {
    // A renewal that fails is no reason to stop: every change with the lease asks whether it still holds.
    journal.renew(lease, LEASE_MS).catch(() => undefined);
  }, RENEW_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
