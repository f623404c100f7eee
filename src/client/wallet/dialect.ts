import { parseJson } from '../../contract/json.ts';

/**
 * JSON as servers put it into a header or a body: base64 of the standard or the URL alphabet, or plain.
 * Undefined for what is none of these.
 */
export function decodeJson(text: string | null | undefined): unknown {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return undefined;
  try {
    return parseJson(trimmed.startsWith('{') ? trimmed : Buffer.from(trimmed, 'base64').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** An object, to read keys of; anything else reads as one without keys. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** What a server says of the settlement, on a success or on a refusal. */
export interface Settlement {
  readonly success: boolean;
  readonly transaction: string | null;
  readonly network: string | null;
  readonly payer: string | null;
  readonly errorReason: string | null;
}

const TRANSACTION = /^0x[0-9a-fA-F]{64}$/;

/** Reads the receipt of an answer; undefined when there is none that can be read. */
export function readSettlement(headers: Headers): Settlement | undefined {
  const value = decodeJson(headers.get('payment-response') ?? headers.get('x-payment-response'));
  if (value === undefined) return undefined;
  const { success, transaction, network, payer, errorReason } = asObject(value);
  return {
    success: success === true || success === 'true',
    transaction: typeof transaction === 'string' && TRANSACTION.test(transaction) ? transaction : null,
    network: typeof network === 'string' ? network : null,
    payer: typeof payer === 'string' ? payer : null,
    errorReason: typeof errorReason === 'string' ? errorReason : null,
  };
}
