import { instantiateSecp256k1, type RecoveryId } from '@bitauth/libauth';
import {
  bytesToHex,
  concat,
  domainSeparator,
  type Hex,
  hexToBytes,
  keccak256,
  numberToHex,
  pad,
  stringToHex,
} from 'viem';
import { publicKeyToAddress } from 'viem/accounts';
import { NETWORKS } from '../../contract/networks.ts';
import type { PresentedPayment } from './payment-header.ts';
import type { PaymentTerms } from './terms.ts';

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
export type SignatureCheck = (payment: PresentedPayment) => Promise<boolean | 'maybe'>;

export function createSignatureCheck({ network }: PaymentTerms): SignatureCheck {
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
