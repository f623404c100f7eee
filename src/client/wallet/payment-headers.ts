import { attempt } from '../../contract/attempt.ts';
import { parseJson } from '../../contract/json.ts';

/** Parses JSON from a header or body: base64, base64url or plain. Undefined if it is malformed. */
export function decodeJson(text: string | null | undefined): unknown {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return undefined;
  return attempt(() => parseJson(trimmed.startsWith('{') ? trimmed : Buffer.from(trimmed, 'base64').toString('utf8')));
}

/** The value if it is an object, otherwise an empty object. */
export const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Settlement as reported by a server, with a success or a refusal. */
export interface Settlement {
  readonly success: boolean;
  readonly transaction: string | null;
  readonly network: string | null;
  readonly payer: string | null;
  readonly errorReason: string | null;
}

const TRANSACTION = /^0x[0-9a-fA-F]{64}$/;

/** Parses the receipt of a response. Undefined if it is missing or malformed. */
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
