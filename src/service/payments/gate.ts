import type { NetworkId } from '../../contract/networks.ts';
import type { Store } from '../../store/store.ts';
import type { Log } from '../logging.ts';
import type { Metrics } from '../metrics.ts';
import { createRefusalLimit } from '../middleware/rate-limits.ts';
import type { PaymentGate } from '../payment-gate.ts';
import type { Tracing } from '../tracing.ts';
import { createChainReader } from './chain-reader.ts';
import { createFacilitator } from './facilitator.ts';
import { createPaidRequestHandler } from './paid-request.ts';
import { createPurchases } from './purchases.ts';
import { keepRecovering } from './recovery.ts';
import { createSignIn } from './sign-in.ts';
import { createSignatureCheck } from './signature.ts';
import { createPaymentTerms } from './terms.ts';

export interface PaymentGateOptions {
  readonly network: NetworkId;
  /** Payee address. */
  readonly payTo: string;
  readonly facilitatorUrl: string;
  /** Without it, payments that the facilitator leaves open wait for the operator. */
  readonly rpcUrl?: string | undefined;
  readonly verifyTimeoutMs: number;
  readonly settleTimeoutMs: number;
  /** Whether the 402 contains discovery metadata for facilitators. */
  readonly isDiscoverable: boolean;
  /** Whether the network is a local copy. */
  readonly isOnLocalChain?: boolean;
  /** 0 disables the limit of refused payments, like every burst limit. */
  readonly burstPerSecond: number;
}

/** Dependencies of the payment gate. */
interface PaymentGateDeps {
  readonly store: Store;
  readonly clock: () => Date;
  readonly log: Log;
  readonly metrics?: Metrics | undefined;
  readonly tracing?: Tracing | undefined;
}

/** Margin over the facilitator's time-out. */
const BUSY_MARGIN_MS = 5_000;

/**
 * Validates the options and returns the constructor. Throws `invalid_parameter` for options under which no payment is
 * possible, before anything is opened.
 */
export function preparePaymentGate(options: PaymentGateOptions): (deps: PaymentGateDeps) => PaymentGate {
  const { facilitatorUrl: url, rpcUrl, verifyTimeoutMs, settleTimeoutMs } = options;
  const terms = createPaymentTerms(options);
  const isSigned = createSignatureCheck(terms);
  const chain = rpcUrl === undefined ? undefined : createChainReader(rpcUrl);
  const busyTimeoutMs = verifyTimeoutMs + settleTimeoutMs + BUSY_MARGIN_MS;
  return ({ store, clock, log, metrics, tracing }) => {
    const facilitator = createFacilitator({ url, verifyTimeoutMs, settleTimeoutMs, terms, tracing });
    const journal = store.payments;
    const refusedPayments = createRefusalLimit(options);
    const pendingWrites = new Set<Promise<unknown>>();
    const trackWrite = (work: Promise<unknown>): void => {
      pendingWrites.add(work);
      void work.finally(() => pendingWrites.delete(work));
    };
    const signIn = createSignIn({ network: options.network, attempts: store.attempts, chain, clock });
    const parts = {
      journal,
      terms,
      isSigned,
      facilitator,
      chain,
      refusedPayments,
      signIn,
      clock,
      log,
      metrics,
      trackWrite,
    };
    const stopRecovering = keepRecovering({ journal, chain, log });
    const close = async (): Promise<void> => {
      stopRecovering();
      await Promise.all(pendingWrites);
    };
    const paymentDeps = { ...parts, busyTimeoutMs, confirmationTimeoutMs: settleTimeoutMs };
    const { redeliver, list: purchases } = createPurchases(paymentDeps);
    const handlePaidRequest = createPaidRequestHandler(paymentDeps);
    const charge: PaymentGate['charge'] = (request) =>
      request.signIn !== undefined && request.payment === undefined
        ? redeliver(request.signIn, request)
        : handlePaidRequest(request);
    return { isOnLocalChain: options.isOnLocalChain ?? false, network: options.network, charge, purchases, close };
  };
}
