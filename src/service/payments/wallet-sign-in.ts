import { randomBytes } from 'node:crypto';
import { type Hex, isAddressEqual, recoverMessageAddress } from 'viem';
import { ServiceError } from '../../contract/errors.ts';
import type { NetworkId } from '../../contract/networks.ts';
import { readSignIn, SIGN_IN, type SignInProof, signInText } from '../../contract/wallet-sign-in.ts';
import type { Attempts } from '../../store/port/members.ts';
import type { ChainReader } from './chain-reader.ts';

const VALID_MS = 5 * 60_000;
/** Maximum clock difference between instances. */
const SKEW_MS = 30_000;
const NONCE_BYTES = 16;
const FIELDS = ['domain', 'address', 'uri', 'version', 'chainId', 'type', 'nonce', 'issuedAt', 'signature'];

/** The signed-in payer in lower case, or the reason of a refusal. */
export type SignedIn = { readonly payer: string } | { readonly refusal: string };

/** The challenge that a wallet signs to retrieve a purchase. */
export function signInChallenge(resource: string, network: NetworkId): Readonly<Record<string, unknown>> {
  const { host } = new URL(resource);
  const now = new Date();
  const properties = Object.fromEntries(FIELDS.map((field) => [field, { type: 'string' }]));
  return {
    [SIGN_IN]: {
      info: {
        domain: host,
        uri: resource,
        version: '1',
        nonce: randomBytes(NONCE_BYTES).toString('hex'),
        issuedAt: now.toISOString(),
        expirationTime: new Date(now.getTime() + VALID_MS).toISOString(),
        statement: 'Sign in to retrieve what this wallet has paid for.',
        resources: [resource],
      },
      supportedChains: [{ chainId: network, type: 'eip191' }],
      schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties,
        required: FIELDS,
      },
    },
  };
}

interface SignInParts {
  readonly network: NetworkId;
  readonly attempts: Attempts;
  /** Verifies signatures of contracts; without it, only keys can sign in. */
  readonly chain: ChainReader | undefined;
  readonly clock: () => Date;
}

/** Verifies a sign-in for `resource` at the configured origin. Each message is accepted once across all instances. */
export function createSignIn({ network, attempts, chain, clock }: SignInParts) {
  return async (header: string, resource: string): Promise<SignedIn> => {
    const proof = readSignIn(header);
    if (proof === undefined) return { refusal: 'SIGN-IN-WITH-X cannot be read (invalid_sign_in)' };
    const fault = faultOf(proof, { resource: new URL(resource), network, now: clock().getTime() });
    if (fault !== undefined) return { refusal: fault };
    if (!(await isSigned(proof, network, chain)))
      return { refusal: 'The signature is not one of the address (invalid_signature)' };
    const subject = `${SIGN_IN} ${proof.nonce}`;
    // Remembered for longer than a message is valid.
    const used = await attempts.take([{ subject, max: 1, windowMs: 2 * VALID_MS }]);
    if (used !== undefined)
      return { refusal: 'The nonce was used before: request a new challenge (nonce_already_used)' };
    return { payer: proof.address.toLowerCase() };
  };
}

function faultOf(proof: SignInProof, wanted: { resource: URL; network: NetworkId; now: number }): string | undefined {
  const { resource, network, now } = wanted;
  const { domain, uri, chainId, issuedAt, expirationTime, notBefore } = proof;
  const origin = URL.canParse(uri) ? new URL(uri).origin : '';
  if (domain !== resource.host || origin !== resource.origin)
    return 'The signed message is for another service (invalid_origin)';
  if (chainId !== network) return 'The signed message is for another network (invalid_network)';
  const age = now - Date.parse(issuedAt);
  const isEnded = expirationTime !== undefined && !(Date.parse(expirationTime) > now);
  if (!(age >= -SKEW_MS && age < VALID_MS) || isEnded)
    return 'The signed message has expired or is dated in the future (expired)';
  if (notBefore !== undefined && !(Date.parse(notBefore) <= now))
    return 'The signed message is not valid yet (not_yet_valid)';
  return undefined;
}

async function isSigned(
  { signature, ...proof }: SignInProof,
  network: NetworkId,
  chain: ChainReader | undefined,
): Promise<boolean> {
  const { address } = proof;
  const message = signInText(proof);
  const signer = await recoverMessageAddress({ message, signature: signature as Hex }).catch(() => undefined);
  if (signer !== undefined && isAddressEqual(signer, address as Hex)) return true;
  if (chain === undefined) return false;
  const isOfContract = await chain.hasSigned({ network, address, message, signature });
  if (isOfContract !== undefined) return isOfContract;
  throw new ServiceError('unavailable', 'The chain could not verify the signature of this wallet; retry.');
}
