import { type FacilitatorConfig, HTTPFacilitatorClient } from '@x402/core/http';
import { type PaymentPayload, SettleError, VerifyError } from '@x402/core/types';
import type { NetworkId } from '../../contract/networks.ts';
import { X402_VERSION } from '../../contract/x402.ts';
import type { Tracing } from '../tracing.ts';
import type { PaidRequest } from './payment-gate.ts';
import type { PresentedPayment } from './payment-header.ts';
import type { PaymentTerms } from './terms.ts';

type VerifyResult =
  | { readonly kind: 'valid' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'away'; readonly reason: string };

type SettleResult =
  | { readonly kind: 'settled'; readonly transaction: string }
  /** Rejected before submission to the chain. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The request never reached the facilitator. */
  | { readonly kind: 'notSent'; readonly reason: string }
  /** May have been submitted; `isPending` if it was. */
  | { readonly kind: 'unknown'; readonly reason: string; readonly isPending: boolean };

/** Verifies and settles payments. Never throws; reasons contain nothing of the payment. */
export interface Facilitator {
  verify(payment: PresentedPayment, request: RequestContext): Promise<VerifyResult>;
  settle(payment: PresentedPayment, request: RequestContext): Promise<SettleResult>;
}

type RequestContext = Pick<PaidRequest, 'resource' | 'traceparent'>;

interface FacilitatorOptions {
  readonly url: string;
  readonly verifyTimeoutMs: number;
  readonly settleTimeoutMs: number;
  readonly terms: PaymentTerms;
  readonly tracing?: Tracing | undefined;
}

export function createFacilitator({ tracing, ...options }: FacilitatorOptions): Facilitator {
  const facilitator = createUntracedFacilitator(options);
  if (tracing === undefined) return facilitator;
  const attributes = { 'http.request.method': 'POST', 'server.address': new URL(options.url).hostname };
  /** Runs a call in a client span, whose trace context is sent along. */
  const traced = async <T extends VerifyResult | SettleResult>(
    name: keyof Facilitator,
    { resource, traceparent }: RequestContext,
    ask: (request: RequestContext) => Promise<T>,
  ): Promise<T> => {
    const span = tracing.begin(`facilitator.${name}`, { isCall: true, attributes });
    const result = await ask({ resource, traceparent: span?.trace.traceparent ?? traceparent });
    span?.end({ error: FAILED_KINDS.find((kind) => kind === result.kind) });
    return result;
  };
  return {
    verify: (payment, asked) => traced('verify', asked, (request) => facilitator.verify(payment, request)),
    settle: (payment, asked) => traced('settle', asked, (request) => facilitator.settle(payment, request)),
  };
}

/** Outcomes that fail a span; a refused payment is a valid response. */
const FAILED_KINDS = ['away', 'notSent', 'unknown'] as const satisfies (VerifyResult | SettleResult)['kind'][];

function createUntracedFacilitator({ url, terms, ...timeouts }: Omit<FacilitatorOptions, 'tracing'>): Facilitator {
  const client = (timeoutMs: number, { traceparent }: RequestContext): HTTPFacilitatorClient =>
    new HTTPFacilitatorClient({ url, timeoutMs, ...(traceparent && traceHeaders(traceparent)) });
  return {
    verify: async (payment, request) => {
      try {
        const verifier = client(timeouts.verifyTimeoutMs, request);
        return verifyResultOf(await verifier.verify(payloadOf(payment, request.resource, terms), terms.requirements));
      } catch (error) {
        if (error instanceof VerifyError && error.statusCode < 500 && error.invalidReason !== undefined)
          return verifyResultOf({ isValid: false, invalidReason: error.invalidReason });
        return { kind: 'away', reason: faultOf(error) };
      }
    },
    settle: async (payment, request) => {
      try {
        const settler = client(timeouts.settleTimeoutMs, request);
        return settleResultOf(await settler.settle(payloadOf(payment, request.resource, terms), terms.requirements));
      } catch (error) {
        if (error instanceof SettleError && error.statusCode < 500) {
          const { errorReason, transaction } = error;
          return settleResultOf({ success: false, transaction, ...(errorReason !== undefined && { errorReason }) });
        }
        const reason = faultOf(error);
        return NEVER_SENT.has(codeOf(error)) ? { kind: 'notSent', reason } : unknownOutcome(reason);
      }
    },
  };
}

/** Passes the trace context through the client's authorization headers. */
function traceHeaders(traceparent: string): Pick<FacilitatorConfig, 'createAuthHeaders'> {
  const headers = { traceparent };
  return { createAuthHeaders: async () => ({ verify: headers, settle: headers, supported: headers }) };
}

/** Whether the facilitator settles payments on a network. */
export type Supported =
  | { readonly kind: 'yes' }
  | { readonly kind: 'no' }
  | { readonly kind: 'away'; readonly reason: string };

interface SupportedOptions {
  readonly url: string;
  readonly timeoutMs: number;
  readonly network: NetworkId;
}

export async function checkSupported({ url, timeoutMs, network }: SupportedOptions): Promise<Supported> {
  try {
    const { kinds } = await new HTTPFacilitatorClient({ url, timeoutMs }).getSupported();
    const isSettled = kinds.some(
      (kind) => kind.scheme === 'exact' && kind.network === network && kind.x402Version === X402_VERSION,
    );
    return { kind: isSettled ? 'yes' : 'no' };
  } catch (error) {
    return { kind: 'away', reason: faultOf(error) };
  }
}

/** The payment reduced to the fields of x402; clients may echo additional ones. */
function payloadOf(payment: PresentedPayment, resource: string, terms: PaymentTerms): PaymentPayload {
  const { authorization, signature } = payment;
  const extensions = terms.extensionsOf(resource);
  return {
    x402Version: X402_VERSION,
    resource: terms.resourceOf(resource),
    accepted: terms.requirements,
    payload: { authorization: { ...authorization }, signature },
    ...(extensions && { extensions: { ...extensions } }),
  };
}

function verifyResultOf(answer: { isValid: boolean; invalidReason?: string | undefined }): VerifyResult {
  const { isValid, invalidReason } = answer;
  return isValid ? { kind: 'valid' } : { kind: 'refused', reason: reasonCode(invalidReason) };
}

interface SettleResponse {
  readonly success: boolean;
  readonly transaction: string;
  readonly errorReason?: string;
}

const HASH = /^0x[\da-f]{64}$/i;

function settleResultOf({ success, transaction, errorReason }: SettleResponse): SettleResult {
  if (success) return HASH.test(transaction) ? { kind: 'settled', transaction } : unknownOutcome('no_transaction');
  const reason = reasonCode(errorReason);
  if (transaction === '' && REFUSED_BEFORE_SUBMISSION.test(reason)) return { kind: 'refused', reason };
  return { kind: 'unknown', reason, isPending: reason === 'settlement_pending' };
}

const unknownOutcome = (reason: string): SettleResult => ({ kind: 'unknown', reason, isPending: false });

/** Reasons determined before submission; any other, such as a nonce that is used now, may have paid us. */
const REFUSED_BEFORE_SUBMISSION =
  /^(invalid_exact_evm_(scheme|network_mismatch|missing_eip712_domain|recipient_mismatch|signature|insufficient_balance|transaction_simulation_failed|token_(name|version)_mismatch|payload_\w+)|insufficient_funds|invalid_(network|scheme|payload|payment_requirements|x402_version)|unsupported_\w+)$/;

/** A reason is an identifier; any other text is discarded, because it could contain anything. */
const reasonCode = (reason = ''): string => (/^\w{1,100}$/.test(reason) ? reason : 'refused');

/** Errors before a connection is established. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

function codeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } };
  return String(cause?.code ?? '');
}

/** Describes an error without the library's message, which quotes the facilitator's response and possibly a payment. */
function faultOf(error: unknown): string {
  const { name, message } = error instanceof Error ? error : new Error('');
  if (name === 'FacilitatorTimeoutError') return 'timed_out';
  if (name === 'FacilitatorResponseError') return 'unreadable_answer';
  const status = /failed \((\d{3})\)/.exec(message)?.[1];
  if (status !== undefined) return `http_${status}`;
  const code = codeOf(error);
  return /^\w+$/.test(code) ? code : 'connection_failed';
}
