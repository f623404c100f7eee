import { createHash } from 'node:crypto';
import { decodePaymentSignatureHeader } from '@x402/core/http';
import { type Address, getAddress, type Hex, maxUint256 } from 'viem';
import * as z from 'zod';
import { attempt } from '../../contract/attempt.ts';
import { isTooDeep } from '../../contract/json.ts';
import { X402_VERSION } from '../../contract/x402.ts';
import type { PaymentKey } from '../../store/port/payments.ts';
import { FACILITATOR_REASONS } from '../refusal-reasons.ts';
import type { PaymentTerms } from './terms.ts';

/** An EIP-3009 authorization, with numbers as decimal text like on the wire. */
interface Authorization {
  readonly from: Address;
  readonly to: Address;
  readonly value: string;
  readonly validAfter: string;
  readonly validBefore: string;
  readonly nonce: Hex;
}

export interface PresentedPayment {
  readonly key: PaymentKey;
  readonly authorization: Authorization;
  readonly signature: Hex;
  /** Identifies the header without storing the signature. */
  readonly signatureHash: string;
  /** The client's payment identifier (extension payment-identifier). */
  readonly identifier: string | null;
  /** The reason of a refusal if it is not for the terms, such as those before a change of the payee. */
  readonly mismatch: string | undefined;
}

const UINT = /^\d{1,78}$/;
/** Signatures of contract wallets are longer than those of keys. */
const SIGNATURE_BYTES_MAX = 4_096;

const address = z.string().regex(/^0x[\da-f]{40}$/i);
const uint = z.string().refine((text) => UINT.test(text) && BigInt(text) <= maxUint256);
const text = z.string().optional();

/** The fields that are used; others are ignored. */
const header = z.object({
  x402Version: z.union([z.literal(X402_VERSION), z.literal(String(X402_VERSION))]),
  accepted: z
    .object({ scheme: text, network: text, asset: text, payTo: text, amount: text, maxAmountRequired: text })
    .optional(),
  payload: z.object({
    signature: z.string().regex(new RegExp(`^0x([\\da-f]{2}){1,${SIGNATURE_BYTES_MAX}}$`, 'i')),
    authorization: z.object({
      from: address,
      to: address,
      value: uint,
      validAfter: uint,
      validBefore: uint,
      nonce: z.string().regex(/^0x[\da-f]{64}$/i),
    }),
  }),
  extensions: z
    .object({
      'payment-identifier': z
        .object({ info: z.object({ id: z.string().regex(/^[\w-]{16,128}$/) }) })
        .optional()
        // A client may echo the extension without an identifier.
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
});

/** Parses PAYMENT-SIGNATURE. Returns the reason if it is not a payment. */
export function readPayment(encoded: string, terms: PaymentTerms): PresentedPayment | { readonly reason: string } {
  const decoded = attempt(() => decodePaymentSignatureHeader(encoded));
  const parsed = header.safeParse(isTooDeep(decoded) ? undefined : decoded);
  if (!parsed.success) return { reason: FACILITATOR_REASONS.payload };
  const { accepted, payload, extensions } = parsed.data;
  const { from, to, nonce, ...amounts } = payload.authorization;
  const { network, asset } = terms.requirements;
  const signature = payload.signature.toLowerCase() as Hex;
  return {
    key: {
      network: terms.network,
      token: asset.toLowerCase(),
      payer: from.toLowerCase(),
      nonce: nonce.toLowerCase(),
    },
    authorization: { from: checksummed(from), to: checksummed(to), nonce: nonce.toLowerCase() as Hex, ...amounts },
    signature,
    signatureHash: createHash('sha256').update(`${network} ${signature}`).digest('hex'),
    identifier: extensions?.['payment-identifier']?.info.id ?? null,
    mismatch: refusalOf(accepted, terms),
  };
}

const checksummed = (text: string): Address => getAddress(text.toLowerCase());

/** The first contradiction of the accepted requirements, which the signature does not cover, to the terms. */
function refusalOf(accepted: z.output<typeof header>['accepted'], { requirements }: PaymentTerms): string | undefined {
  if (accepted === undefined) return undefined;
  const isSame = (given: string | undefined, wanted: string): boolean =>
    given === undefined || given.toLowerCase() === wanted.toLowerCase();
  if (!isSame(accepted.network, requirements.network)) return FACILITATOR_REASONS.network;
  if (!isSame(accepted.scheme, requirements.scheme)) return FACILITATOR_REASONS.scheme;
  const { amount, asset, payTo } = requirements;
  const isAccepted =
    isSame(accepted.asset, asset) &&
    isSame(accepted.payTo, payTo) &&
    isSame(accepted.amount, amount) &&
    isSame(accepted.maxAmountRequired, amount);
  return isAccepted ? undefined : FACILITATOR_REASONS.requirements;
}

/** A time of an authorization as a number, capped at the largest safe integer. */
export const secondsOf = (time: string): number => Math.min(Number(time), Number.MAX_SAFE_INTEGER);
