import type { PresentedPayment } from './payment.ts';
import { FACILITATOR_REASONS } from './reasons.ts';
import type { Terms } from './terms.ts';

/** A settlement needs a block; an authorization that ends sooner could not be used. */
const REMAINING_SECONDS_MIN = 6n;

/** What an authorization says, against what was asked and the time; the reason of a refusal, or undefined. */
export function checkWords(
  { authorization }: PresentedPayment,
  { requirements }: Terms,
  now: Date,
): string | undefined {
  const { to, value, validAfter, validBefore } = authorization;
  const seconds = BigInt(Math.floor(now.getTime() / 1_000));
  if (to !== requirements.payTo) return FACILITATOR_REASONS.recipient;
  if (BigInt(value) !== BigInt(requirements.amount)) return FACILITATOR_REASONS.value;
  if (BigInt(validBefore) < seconds + REMAINING_SECONDS_MIN) return FACILITATOR_REASONS.validBefore;
  return BigInt(validAfter) > seconds ? FACILITATOR_REASONS.validAfter : undefined;
}
