import { recoverTypedDataAddress } from 'viem';
import { NETWORKS } from '../../contract/networks.ts';
import type { Payment } from './payment.ts';
import type { Terms } from './terms.ts';

/** As the official facilitator names them, so that a client meets one set of names. */
export const REASONS = {
  value: 'invalid_exact_evm_payload_authorization_value_mismatch',
  recipient: 'invalid_exact_evm_recipient_mismatch',
  validBefore: 'invalid_exact_evm_payload_authorization_valid_before',
  validAfter: 'invalid_exact_evm_payload_authorization_valid_after',
  signature: 'invalid_exact_evm_signature',
  nonce: 'invalid_exact_evm_nonce_already_used',
} as const;

/** A settlement needs a block; an authorization that ends sooner could not be used. */
const REMAINING_SECONDS_MIN = 6n;
/** Signature of a key: r, s and v. */
const KEY_SIGNATURE_LENGTH = 2 + 65 * 2;

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/** What an authorization says, against what was asked and the time; the reason of a refusal, or undefined. */
export function checkWords({ authorization }: Payment, { requirements }: Terms, now: Date): string | undefined {
  const { to, value, validAfter, validBefore } = authorization;
  const seconds = BigInt(Math.floor(now.getTime() / 1_000));
  if (to !== requirements.payTo) return REASONS.recipient;
  if (BigInt(value) !== BigInt(requirements.amount)) return REASONS.value;
  if (BigInt(validBefore) < seconds + REMAINING_SECONDS_MIN) return REASONS.validBefore;
  return BigInt(validAfter) > seconds ? REASONS.validAfter : undefined;
}

/**
 * Whether the payer's own key signed the authorization. `maybe` is for a signature that only a contract can judge, when
 * the payer is one.
 */
export async function isSigned({ authorization, signature }: Payment, { network }: Terms): Promise<boolean | 'maybe'> {
  if (signature.length !== KEY_SIGNATURE_LENGTH) return 'maybe';
  const { chainId, token } = NETWORKS[network];
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const message = {
    from,
    to,
    value: BigInt(value),
    validAfter: BigInt(validAfter),
    validBefore: BigInt(validBefore),
    nonce,
  };
  const domain = { ...token.domain, chainId, verifyingContract: token.address };
  try {
    const primaryType = 'TransferWithAuthorization';
    return (await recoverTypedDataAddress({ domain, types: TYPES, primaryType, message, signature })) === from;
  } catch {
    return false;
  }
}
