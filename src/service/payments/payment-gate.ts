import { setImmediate as turn } from 'node:timers/promises';
import { instantiateSecp256k1, type RecoveryId } from '@bitauth/libauth';
import {
  bytesToHex,
  concat,
  domainSeparator,
  getAddress,
  type Hex,
  hexToBytes,
  keccak256,
  numberToHex,
  pad,
  stringToHex,
} from 'viem';
import { publicKeyToAddress } from 'viem/accounts';
import { NETWORKS, type NetworkId } from '../../contract/networks.ts';
import { toUsd } from '../../contract/usd.ts';
import { boughtItem, type PaidMeta, type Purchase } from '../../contract/x402.ts';
import type { PaymentRecord, Payments } from '../../store/port/payments.ts';
import { type ApiResponse, bareResponse } from '../call.ts';
import type { ServiceDeps } from '../deps.ts';
import type { Log } from '../logging.ts';
import type { Metrics } from '../metrics.ts';
import { createRefusalLimit, type RefusalLimit } from '../middleware/rate-limits.ts';
import { type ChainReader, createChainReader } from './chain-reader.ts';
import { paidResponse } from './delivery.ts';
import { createFacilitator, type Facilitator } from './facilitator.ts';
import { createPaidRequestHandler } from './paid-request.ts';
import type { PresentedPayment } from './payment-header.ts';
import { keepRecovering } from './recovery.ts';
import { createPaymentTerms, type PaymentTerms } from './terms.ts';
import { createSignIn } from './wallet-sign-in.ts';

/** The purchased resource, computed before the payment is settled. */
export interface PaidResource {
  readonly data: string;
  readonly meta: PaidMeta;
}

export interface PaidRequest {
  /** URL of the resource as clients see it. */
  readonly resource: string;
  /** Canonical form of the resource without the host. A payment is valid for one item only. */
  readonly item: string;
  readonly payment: string | undefined;
  /** The SIGN-IN-WITH-X header, if present, with which a wallet requests a past purchase again. */
  readonly signIn: string | undefined;
  readonly requestId: string;
  readonly traceparent: string | undefined;
  readonly address: string | null;
  isDisconnected(): boolean;
  /**
   * Checks before payment is requested. Absent if there is certainly something to sell.
   * @throws ServiceError if there is nothing to sell
   */
  check?(): Promise<void>;
  /** Computes the resource. If it throws, nothing is charged. */
  compute(): Promise<PaidResource>;
}

interface PurchasesRequest extends Pick<PaidRequest, 'resource' | 'signIn' | 'address'> {
  readonly limit: number;
  /** Cursor: only purchases with smaller numbers. */
  readonly before: number | undefined;
}

export interface PaymentGate {
  /** Whether payments are made on a local chain, which no public explorer shows. */
  readonly isOnLocalChain: boolean;
  readonly network: NetworkId;
  /**
   * Responds 402 with the payment requirements, or 200 with the resource after payment.
   * @throws ServiceError that states whether the same payment can be sent again
   */
  charge(request: PaidRequest): Promise<ApiResponse>;
  /** The purchases of the signed-in wallet, newest first; 402 with a challenge without sign-in. */
  purchases(request: PurchasesRequest): Promise<ApiResponse>;
  /** Stops recovery, and resolves when the outcome of each payment in progress and all deliveries are recorded. */
  close(): Promise<void>;
}

export interface PaymentGateOptions {
  readonly network: NetworkId;
  readonly payTo: string;
  readonly facilitatorUrl: string;
  /** Without it, payments that the facilitator leaves open wait for the operator. */
  readonly rpcUrl?: string | undefined;
  readonly verifyTimeoutMs: number;
  readonly settleTimeoutMs: number;
  /** Whether the 402 contains discovery metadata for facilitators. */
  readonly isDiscoverable: boolean;
  readonly isOnLocalChain?: boolean;
  /** 0 disables the limit of refused payments. */
  readonly burstPerSecond: number;
}

type PaymentGateDeps = Pick<ServiceDeps, 'store' | 'clock' | 'log' | 'metrics' | 'tracing'>;

/** Margin over the facilitator's time-out. */
const BUSY_MARGIN_MS = 5_000;

/** Validates the options before anything is opened; throws `invalid_parameter` if no payment is possible with them. */
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
    const pending = createPendingWork();
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
      trackWrite: pending.track,
    };
    const stopRecovering = keepRecovering({ journal, chain, log });
    const close = async (): Promise<void> => {
      stopRecovering();
      await pending.ended();
    };
    const paymentDeps = { ...parts, busyTimeoutMs, confirmationTimeoutMs: settleTimeoutMs };
    const { redeliver, list: purchases } = createPurchases(paymentDeps);
    const handlePaidRequest = createPaidRequestHandler(paymentDeps);
    const charge: PaymentGate['charge'] = (request) =>
      request.signIn !== undefined && request.payment === undefined
        ? redeliver(request.signIn, request)
        : pending.track(handlePaidRequest(request));
    return { isOnLocalChain: options.isOnLocalChain ?? false, network: options.network, charge, purchases, close };
  };
}

/** Work that writes to the journal and may outlast its connection. */
function createPendingWork() {
  const works = new Set<Promise<unknown>>();
  return {
    track: <Work extends Promise<unknown>>(work: Work): Work => {
      works.add(work);
      const end = (): void => void works.delete(work);
      work.then(end, end);
      return work;
    },
    /** Resolves when all work has ended, and the work that it led to. */
    ended: async (): Promise<void> => {
      while (works.size > 0) {
        await Promise.allSettled(works);
        // A request that has ended notes in this turn whether its response was sent.
        await turn();
      }
    },
  };
}

/** The purchases of a signed-in wallet, and their stored responses. Nothing is charged. */
function createPurchases(parts: PaymentDeps) {
  const { journal, terms, refusedPayments, signIn } = parts;
  const wallet = { network: terms.network, token: terms.requirements.asset.toLowerCase() };

  return {
    /** The response purchased at a URL; 402 if the sign-in is invalid or nothing was purchased. */
    redeliver: async (signed: string, request: RepeatRequest): Promise<ApiResponse> => {
      const signedIn = await authenticateWallet(signed, request);
      if ('refusal' in signedIn) return terms.paymentRequired(request.resource, signedIn.refusal);
      const bought = await journal.bought({ ...wallet, payer: signedIn.payer, item: request.item });
      if (bought === undefined)
        return countWithoutPurchases(request, terms.paymentRequired(request.resource, NOT_BOUGHT));
      return paidResponse(terms, { ...bought, payer: getAddress(signedIn.payer) });
    },
    list: async (request: PurchasesRequest): Promise<ApiResponse> => {
      if (request.signIn === undefined)
        return terms.signInRequired(request.resource, 'Sign in with the wallet that paid');
      const signedIn = await authenticateWallet(request.signIn, request);
      if ('refusal' in signedIn) return terms.signInRequired(request.resource, signedIn.refusal);
      const { limit, before } = request;
      const found = await journal.list({ ...wallet, payer: signedIn.payer, limit, before });
      const next = found.length === limit ? (found.at(-1)?.id ?? null) : null;
      const body = { data: found.map(toPurchase), meta: { payer: getAddress(signedIn.payer), next } };
      const response = { ...bareResponse(JSON.stringify(body)), headers: { 'Cache-Control': 'private, no-store' } };
      return found.length === 0 ? countWithoutPurchases(request, response) : response;
    },
  };

  /** Counts a wallet without purchases as refused: creating one is free, and each sign-in is recorded. */
  async function countWithoutPurchases(
    { address }: Pick<PaidRequest, 'address'>,
    response: ApiResponse,
  ): Promise<ApiResponse> {
    await refusedPayments.count(address);
    return response;
  }

  async function authenticateWallet(signed: string, { resource, address }: Pick<PaidRequest, 'resource' | 'address'>) {
    // Verifying a signature is as expensive as for a payment.
    await refusedPayments.check(address);
    const signedIn = await signIn(signed, resource);
    if ('refusal' in signedIn) await refusedPayments.count(address);
    return signedIn;
  }
}

type RepeatRequest = Pick<PaidRequest, 'resource' | 'address' | 'item'>;

const NOT_BOUGHT = 'This wallet has not bought this response within a day: pay for it (not_bought)';

const toPurchase = (record: PaymentRecord): Purchase =>
  boughtItem.parse({ ...record, amount_usd: toUsd(BigInt(record.amount), record.network) });

export interface PaymentDeps {
  readonly journal: Payments;
  readonly terms: PaymentTerms;
  readonly isSigned: SignatureCheck;
  readonly facilitator: Facilitator;
  /** Without it, outcomes that the facilitator leaves open stay open. */
  readonly chain: ChainReader | undefined;
  readonly refusedPayments: RefusalLimit;
  readonly signIn: ReturnType<typeof createSignIn>;
  readonly clock: () => Date;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  /** Tracks a write after the response. Failures are logged; closing the payment gate waits for it. */
  trackWrite(work: Promise<unknown>): unknown;
  /** How long a request waits for a concurrent one with the same payment. */
  readonly busyTimeoutMs: number;
  /** How long to wait for a submitted settlement on the chain. */
  readonly confirmationTimeoutMs: number;
}

/** A signature of a key is r, s and v. */
const RS_BYTES = 64;
const KEY_SIGNATURE_BYTES = RS_BYTES + 1;
/** Ethereum's v begins at 27; some wallets use 0. */
const V_FIRST = 27;

/** Type hash of EIP-3009's message, with which the struct hash begins (EIP-712). */
const TYPE_HASH = keccak256(
  stringToHex(
    'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
  ),
);
const WORD_BYTES = 32;
const uint = (digits: string): Hex => numberToHex(BigInt(digits), { size: WORD_BYTES });

/** Whether the payer's own key signed the authorization; `maybe` if only a contract wallet could verify the signature. */
type SignatureCheck = (payment: PresentedPayment) => Promise<boolean | 'maybe'>;

function createSignatureCheck({ network }: PaymentTerms): SignatureCheck {
  const { chainId, token } = NETWORKS[network];
  // The EIP-712 prefix and domain separator, equal for all payments.
  const begins = concat([
    '0x1901',
    domainSeparator({ domain: { ...token.domain, chainId, verifyingContract: token.address } }),
  ]);
  // libsecp256k1 as WebAssembly recovers a key ten times faster than JavaScript.
  const loading = instantiateSecp256k1();
  return async ({ authorization, signature }) => {
    const bytes = hexToBytes(signature);
    if (bytes.length !== KEY_SIGNATURE_BYTES) return 'maybe';
    const { from, to, value, validAfter, validBefore, nonce } = authorization;
    // ABI-encoded by hand; viem parses the type for every message, which dominates the cost.
    const words = [pad(from), pad(to), uint(value), uint(validAfter), uint(validBefore), nonce];
    const hash = keccak256(concat([begins, keccak256(concat([TYPE_HASH, ...words]))]));
    const v = bytes[RS_BYTES] as number;
    const recoveryId = v >= V_FIRST ? v - V_FIRST : v;
    if (recoveryId > 1) return false;
    const secp256k1 = await loading;
    const key = secp256k1.recoverPublicKeyUncompressed(
      bytes.subarray(0, RS_BYTES),
      recoveryId as RecoveryId,
      hexToBytes(hash),
    );
    // A string is the reason why no key can have signed this.
    return typeof key !== 'string' && publicKeyToAddress(bytesToHex(key)) === from;
  };
}
