import { randomUUID } from 'node:crypto';
import type { Lease, Payments } from '../../store/port/payments.ts';

/** Lease duration: how long a dead process blocks its payments. */
export const LEASE_MS = 3_000;
const RENEW_EVERY_MS = 1_000;

/** A unique lease owner. */
export const newLeaseOwner = (): string => randomUUID();

/** Renews a lease periodically. Returns a function that stops renewal. */
export function startLeaseRenewal(journal: Payments, lease: Lease): () => void {
  const timer = setInterval(() => {
    // Renewal errors are harmless: every change under the lease checks that it is still valid.
    journal.renew(lease, LEASE_MS).catch(() => undefined);
  }, RENEW_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
