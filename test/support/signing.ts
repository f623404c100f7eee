import { randomBytes } from 'node:crypto';
import type { Address, Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { NETWORKS } from '../../src/contract/networks.ts';
import type { FundedWallet } from '../../src/sandbox/chain.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';

const VALID_SECONDS = 300;
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

/** Deviations of a payment from a valid one. */
interface Differences {
  readonly value?: string;
  readonly to?: Address;
  readonly validAfter?: number;
  readonly validBefore?: number;
  readonly domain?: { readonly name?: string; readonly chainId?: number };
}

export interface SignedPayment {
  readonly x402Version: unknown;
  readonly accepted?: Record<string, unknown>;
  readonly payload: {
    readonly signature: Hex;
    readonly authorization: { readonly from: Address; readonly to: Address; readonly nonce: Hex } & Record<
      string,
      string
    >;
  };
  readonly extensions?: Record<string, unknown>;
}

export const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

/** A payment signed without the SDK, so that any part can be invalid. It echoes the payment requirements. */
export async function signed(
  sandbox: Sandbox,
  wallet: FundedWallet,
  differences: Differences = {},
): Promise<SignedPayment> {
  const { chainId, token } = NETWORKS[sandbox.network];
  const { value = '10000', to = sandbox.payTo, validAfter = 0 } = differences;
  const validBefore = differences.validBefore ?? nowSeconds() + VALID_SECONDS;
  const nonce: Hex = `0x${randomBytes(32).toString('hex')}`;
  const message = { from: wallet.address, to, value: BigInt(value), validAfter: BigInt(validAfter), nonce };
  const signature = await privateKeyToAccount(wallet.privateKey).signTypedData({
    domain: { ...token.domain, chainId, verifyingContract: token.address, ...differences.domain },
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message: { ...message, validBefore: BigInt(validBefore) },
  });
  const times = { validAfter: String(validAfter), validBefore: String(validBefore) };
  return {
    x402Version: 2,
    accepted: {
      scheme: 'exact',
      network: sandbox.network,
      amount: '10000',
      maxAmountRequired: '10000',
      payTo: sandbox.payTo,
      asset: token.address,
      maxTimeoutSeconds: VALID_SECONDS,
      description: 'One search',
      extra: { ...token.domain },
    },
    payload: { signature, authorization: { from: wallet.address, to, value, ...times, nonce } },
  };
}

/** A payment encoded for the header PAYMENT-SIGNATURE. */
export const encoded = (payment: unknown): string => Buffer.from(JSON.stringify(payment)).toString('base64');

const PAID_PATH = '/api/v1/x402/search?q=acme';

/** One request for a paid search. */
export function ask(url: string, header?: string, path = PAID_PATH, init: RequestInit = {}): Promise<Response> {
  return fetch(url + path, { ...init, headers: header === undefined ? {} : { 'PAYMENT-SIGNATURE': header } });
}

/** The code at the end of a refusal's message; undefined if there is none. */
export const codeOf = (error = ''): string | undefined => /^[A-Z](?:_meta\[|[^_()])+ \((\w+)\)$/.exec(error)?.[1];
