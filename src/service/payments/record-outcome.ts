import type { Lease, Payments } from '../../store/port/payments.ts';
import type { PaymentOutcome } from './chain-reader.ts';
import { FACILITATOR_REASONS } from './refusal-reasons.ts';

/** Records the state of a payment on the chain. False if the lease was lost. */
export function recordOutcome(journal: Payments, lease: Lease, outcome: PaymentOutcome): Promise<boolean> {
  switch (outcome.kind) {
    case 'paid':
      return journal.settled(lease, outcome.transaction);
    case 'void':
      return journal.failed(lease, 'authorization_void');
    case 'expired':
      return journal.failed(lease, FACILITATOR_REASONS.validBefore);
    case 'unused':
      return journal.unknown(lease, 'not_used_yet');
    case 'away':
      return journal.unknown(lease, outcome.reason);
  }
}
