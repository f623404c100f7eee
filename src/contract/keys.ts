import * as z from 'zod';
import { isoDateTime } from './fields.ts';
import { RANGE_FORM, toRange } from './ip-ranges.ts';
import { createReader } from './reader.ts';

/** Access levels of a key; each includes the previous ones. */
export const KEY_LEVELS = ['read', 'write', 'delete'] as const;
export type KeyLevel = (typeof KEY_LEVELS)[number];

export const KEY_PREFIX = 'mk_';
export const KEY_NAME_LENGTH_MAX = 50;
/** Number of the key of a local operator, which has no row. */
export const LOCAL_KEY_ID = 0;
const KEY_RANGES_MAX = 50;

/** Active keys per account. Each key has its own quota, so this bounds the quota of the account. */
export const ACTIVE_KEYS_MAX = 10;

/** How long a rotated key remains valid beside its replacement, by the names of the choices. */
export const OVERLAP_SECONDS = { '0': 0, '1h': 3_600, '24h': 86_400, '7d': 604_800 } as const;
export type Overlap = keyof typeof OVERLAP_SECONDS;
export const OVERLAPS = Object.keys(OVERLAP_SECONDS) as [Overlap, ...Overlap[]];

/** `mk_`, 43 base62 characters of secret (256 bits) and 6 of checksum. */
export const KEY_PATTERN = /^mk_[0-9A-Za-z]{49}$/;

/** Whether a text has a key in it, such as one that somebody pasted. */
export const hasKeyIn = (text: string): boolean => /mk_[0-9A-Za-z]{49}(?![0-9A-Za-z])/.test(text);

/** Whether a key of level `level` may perform what requires `needed`. */
export const allows = (level: KeyLevel, needed: KeyLevel): boolean =>
  KEY_LEVELS.indexOf(level) >= KEY_LEVELS.indexOf(needed);

export const lowerLevel = (one: KeyLevel, other: KeyLevel): KeyLevel => (allows(one, other) ? other : one);

const range = z.string().transform((text, context) => {
  const canonical = toRange(text);
  if (canonical === undefined) context.addIssue({ code: 'custom', message: RANGE_FORM });
  return canonical ?? text;
});

/** Normalized to UTC, because times are compared as text. */
const moment = isoDateTime.transform((text) => new Date(text).toISOString());

const keyFields = z.object({
  name: z.string().trim().min(1).max(KEY_NAME_LENGTH_MAX),
  level: z.enum(KEY_LEVELS),
  expires_at: moment.nullable(),
  allowed_cidrs: z.array(range).max(KEY_RANGES_MAX).default([]),
});

export type KeyFields = z.output<typeof keyFields>;

/** Parses the fields of a new key. Throws a ServiceError that lists every invalid field. */
export const readKeyFields: (given: Readonly<Record<string, unknown>>) => KeyFields = createReader(
  keyFields,
  'arguments',
);

export interface KeyTimes {
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  /** Set when the key was rotated: the time until which both keys work. */
  readonly overlap_ends_at: string | null;
}

/** State of a key. `active` and `replaced` keys authenticate. */
export type KeyStatus = 'active' | 'replaced' | 'expired' | 'revoked';

export function keyStatus({ expires_at, revoked_at, overlap_ends_at }: KeyTimes, now: Date): KeyStatus {
  const moment = now.toISOString();
  if (revoked_at !== null || (overlap_ends_at !== null && overlap_ends_at <= moment)) return 'revoked';
  if (expires_at !== null && expires_at <= moment) return 'expired';
  return overlap_ends_at === null ? 'active' : 'replaced';
}
