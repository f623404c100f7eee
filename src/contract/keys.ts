/** Permission levels of a key, each including those before it (specification 5.3). */
export const KEY_LEVELS = ['read', 'write', 'delete'] as const;
export type KeyLevel = (typeof KEY_LEVELS)[number];

export const KEY_PREFIX = 'mk_';
export const KEY_NAME_LENGTH_MAX = 50;

/** `mk_`, 43 base62 characters of secret (256 bits) and 6 of checksum. */
export const KEY_PATTERN = /^mk_[0-9A-Za-z]{49}$/;

/** Whether a key of one level may do what needs another. */
export function allows(level: KeyLevel, needed: KeyLevel): boolean {
  return KEY_LEVELS.indexOf(level) >= KEY_LEVELS.indexOf(needed);
}
