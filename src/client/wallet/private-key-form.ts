const FORM = /^0x[0-9a-fA-F]{64}$/;
/** Order of secp256k1; a private key is in 1..n-1. */
const ORDER = BigInt('0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141');

/** Whether a text is a private key: 0x and 64 hexadecimal digits, in the range of the curve. */
export function isPrivateKey(text: string): boolean {
  if (!FORM.test(text)) return false;
  const number = BigInt(text);
  return number > 0n && number < ORDER;
}
