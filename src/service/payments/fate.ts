import type { Lease, Payments } from '../../store/port/payments.ts';
import type { PaymentOutcome } from './chain.ts';
import { FACILITATOR_REASONS } from './reasons.ts';

/** Records the state of a payment on the chain. False if the lease was lost. */
export function noteFate(journal: Payments, lease: Lease, fate: PaymentOutcome): Promise<boolean> {
  switch (fate.kind) {
    case 'paid':
      return journal.settled(lease, fate.transaction);
    case 'void':
      return journal.failed(lease, 'authorization_void');
    case 'expired':
      return journal.failed(lease, FACILITATOR_REASONS.validBefore);
    case 'unused':
      return journal.unknown(lease, 'not_used_yet');
    case 'away':
      return journal.unknown(lease, fate.reason);
  }
}
