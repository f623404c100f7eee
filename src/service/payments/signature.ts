import { instantiateSecp256k1, type RecoveryId } from '@bitauth/libauth';
import { bytesToHex, concat, domainSeparator, hashStruct, hexToBytes, keccak256 } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';
import { NETWORKS } from '../../contract/networks.ts';
import type { Payment } from './payment.ts';
import type { Terms } from './terms.ts';

/** Signature of a key: r and s together, and then v. */
const RS_BYTES = 64;
const KEY_SIGNATURE_BYTES = RS_BYTES + 1;
/** Ethereum counts v from here; some wallets from 0. */
const V_FIRST = 27;

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

/**
 * Whether the payer's own key signed the authorization. `maybe` is for a signature that only a contract can judge, when the
 * payer is one.
 */
export type SignatureCheck = (payment: Payment) => Promise<boolean | 'maybe'>;

export function createSignatureCheck({ network }: Terms): SignatureCheck {
  const { chainId, token } = NETWORKS[network];
  // EIP-712: what is signed begins with the domain, which is the same for every payment.
  const begins = concat([
    '0x1901',
    domainSeparator({ domain: { ...token.domain, chainId, verifyingContract: token.address } }),
  ]);
  // libsecp256k1 itself, as WebAssembly: a tenth of the time that recovering takes in JavaScript.
  const loading = instantiateSecp256k1();
  return async ({ authorization, signature }) => {
    const bytes = hexToBytes(signature);
    if (bytes.length !== KEY_SIGNATURE_BYTES) return 'maybe';
    const { from, to, value, validAfter, validBefore, nonce } = authorization;
    const times = { validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) };
    const message = { from, to, value: BigInt(value), ...times, nonce };
    const struct = hashStruct({ data: message, types: TYPES, primaryType: 'TransferWithAuthorization' });
    const hash = keccak256(concat([begins, struct]));
    const v = bytes[RS_BYTES] as number;
    const recoveryId = v >= V_FIRST ? v - V_FIRST : v;
    if (recoveryId > 1) return false;
    const secp256k1 = await loading;
    const key = secp256k1.recoverPublicKeyUncompressed(
      bytes.subarray(0, RS_BYTES),
      recoveryId as RecoveryId,
      hexToBytes(hash),
    );
    // Text says why no key could have signed this.
    return typeof key !== 'string' && publicKeyToAddress(bytesToHex(key)) === from;
  };
}
