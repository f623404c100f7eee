import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** A secret of 256 random bits, for a URL or cookie. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** The stored hash of a secret. A slow hash adds nothing to 256 random bits. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
