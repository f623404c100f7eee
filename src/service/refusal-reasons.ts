/** The official facilitator's names, so that clients see a single set. */
export const FACILITATOR_REASONS = {
  value: 'invalid_exact_evm_payload_authorization_value_mismatch',
  recipient: 'invalid_exact_evm_recipient_mismatch',
  validBefore: 'invalid_exact_evm_payload_authorization_valid_before',
  validAfter: 'invalid_exact_evm_payload_authorization_valid_after',
  signature: 'invalid_exact_evm_signature',
  nonce: 'invalid_exact_evm_nonce_already_used',
  balance: 'invalid_exact_evm_insufficient_balance',
  simulation: 'invalid_exact_evm_transaction_simulation_failed',
  payload: 'invalid_payload',
  network: 'invalid_network',
  scheme: 'invalid_scheme',
  requirements: 'invalid_payment_requirements',
  factory: 'eip6492_factory_not_allowed',
} as const;

const MESSAGES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    [FACILITATOR_REASONS.value]: 'The authorization is for another amount than the price',
    [FACILITATOR_REASONS.recipient]: 'The authorization pays another address than the one in accepts',
    [FACILITATOR_REASONS.validBefore]:
      'The authorization has ended, or ends too soon to be settled: check the clock and sign a new one',
    [FACILITATOR_REASONS.validAfter]: 'The authorization is not valid yet: check the clock and sign a new one',
    [FACILITATOR_REASONS.signature]: 'The signature is not one of the payer for this token and network',
    [FACILITATOR_REASONS.nonce]: 'The authorization was used before: sign a new one',
    [FACILITATOR_REASONS.balance]: 'The wallet holds less of the token than the price',
    [FACILITATOR_REASONS.simulation]: 'The token would refuse the transfer',
    [FACILITATOR_REASONS.payload]: 'The value of PAYMENT-SIGNATURE is not a payment of x402 version 2',
    [FACILITATOR_REASONS.network]: 'The payment is on another network than the one in accepts',
    [FACILITATOR_REASONS.scheme]: 'The payment is of another scheme than the one in accepts',
    [FACILITATOR_REASONS.requirements]: 'The payment accepts other terms than those in accepts',
    [FACILITATOR_REASONS.factory]:
      'The facilitator does not deploy wallets of this factory: use the wallet once on the chain, and then pay',
  }),
);

/** The `error` of a refused payment: a message with the reason code. */
export const refusalMessage = (reason: string): string =>
  `${MESSAGES.get(reason) ?? 'The payment was refused, and nothing was charged'} (${reason})`;
