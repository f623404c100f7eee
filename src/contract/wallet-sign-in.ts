import * as z from 'zod';
import { attempt } from './attempt.ts';
import { parseJson } from './json.ts';

/** The sign-in-with-x extension of x402, for EOAs and contract wallets of EVM chains (CAIP-122, EIP-4361). */

export const SIGN_IN = 'sign-in-with-x';
export const SIGN_IN_HEADER = 'SIGN-IN-WITH-X';

const TEXT_MAX = 500;
const RESOURCES_MAX = 10;
/** Rejects line breaks, with which a value could forge another line of the message. */
const line = z
  .string()
  .max(TEXT_MAX)
  .regex(/^[^\r\n]*$/);

const message = z.object({
  domain: line,
  uri: line,
  version: z.literal('1'),
  nonce: z.string().regex(/^[A-Za-z0-9]{8,128}$/),
  issuedAt: line,
  statement: line.optional(),
  expirationTime: line.optional(),
  notBefore: line.optional(),
  requestId: line.optional(),
  resources: z.array(line).max(RESOURCES_MAX).optional(),
});

export const signInOffer = z.object({
  info: message,
  supportedChains: z.array(z.object({ chainId: z.string(), type: z.string() })),
});

const signInProof = message.extend({
  address: z.string().regex(/^0x[\da-fA-F]{40}$/),
  chainId: z.string().regex(/^eip155:\d{1,15}$/),
  type: z.literal('eip191'),
  signature: z.string().regex(/^0x([\da-fA-F]{2})+$/),
});
export type SignInProof = z.output<typeof signInProof>;

/** The EIP-4361 text of a message, which the wallet signs. */
export function signInText(proof: Omit<SignInProof, 'signature'>): string {
  const { domain, address, statement, uri, version, chainId, nonce, issuedAt, resources = [] } = proof;
  const optional = [
    ['Expiration Time', proof.expirationTime],
    ['Not Before', proof.notBefore],
    ['Request ID', proof.requestId],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return [
    `${domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    ...(statement === undefined ? [] : [statement]),
    '',
    `URI: ${uri}`,
    `Version: ${version}`,
    `Chain ID: ${chainId.replace('eip155:', '')}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt}`,
    ...optional,
    ...(resources.length === 0 ? [] : ['Resources:', ...resources.map((resource) => `- ${resource}`)]),
  ].join('\n');
}

/** Parses the SIGN-IN-WITH-X header. Undefined if it is malformed. */
export function readSignIn(header: string): SignInProof | undefined {
  return signInProof.safeParse(attempt(() => parseJson(Buffer.from(header, 'base64').toString('utf8')))).data;
}
