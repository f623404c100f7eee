import { createHmac, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { KEY_PATTERN, KEY_PREFIX } from '../../contract/keys.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

/** A new key: 256 random bits and a checksum, which rejects typos without a database query. */
export function newSecret(): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => BASE62.charAt(randomInt(BASE62.length))).join('');
  return `${KEY_PREFIX}${secret}${checksum(secret)}`;
}

/** Whether a text has the form and checksum of a key. */
export function isSecret(text: string): boolean {
  if (!KEY_PATTERN.test(text)) return false;
  const secret = text.slice(KEY_PREFIX.length, -CHECKSUM_LENGTH);
  return text.endsWith(checksum(secret));
}

function checksum(secret: string): string {
  let rest = crc32(secret);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}

/** The stored hash of a key. A slow hash adds nothing to 256 random bits, and would allow exhausting the server. */
export function hashSecret(secret: string, pepper: string): Buffer {
  return createHmac('sha256', pepper).update(secret).digest();
}

/** An abbreviated key: `mk_AbC1…wxYZ`. */
export function displaySecret(secret: string): string {
  return `${secret.slice(0, KEY_PREFIX.length + 4)}…${secret.slice(-4)}`;
}
