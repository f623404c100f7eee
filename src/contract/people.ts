import * as z from 'zod';
import { KEY_LEVELS, type KeyLevel } from './keys.ts';

/** What a person may do with the account: an owner also invites and changes the others. */
export const ROLES = ['owner', 'member'] as const;
export type Role = (typeof ROLES)[number];

export const PASSWORD_LENGTH_MIN = 12;
const PASSWORD_LENGTH_MAX = 256;
const EMAIL_LENGTH_MAX = 254;
const ACCOUNT_NAME_LENGTH_MAX = 60;

/** Addresses are compared as they are written here. */
export const emailText = z
  .string()
  .trim()
  .toLowerCase()
  .max(EMAIL_LENGTH_MAX)
  .regex(/^[^\s@<>"]+@[^\s@<>"]+$/, 'an email address, such as ada@example.com');

export const accountName = z.string().trim().min(1).max(ACCOUNT_NAME_LENGTH_MAX);

/** Length is what makes a password hard to guess; rules about signs make people write `Password1!`. */
export const passwordText = z
  .string()
  .min(PASSWORD_LENGTH_MIN, `at least ${PASSWORD_LENGTH_MIN} characters`)
  .max(PASSWORD_LENGTH_MAX, `at most ${PASSWORD_LENGTH_MAX} characters`)
  .refine((text) => new Set(text).size > 4, 'more than a few different characters');

/** What a role brings at least: an owner may do everything with the records. */
export const levelOf = (role: Role, chosen: KeyLevel): KeyLevel => (role === 'owner' ? 'delete' : chosen);

/** A person's role, and what they may do with records and let a key do. */
export const standing = z.object({ role: z.enum(ROLES), level: z.enum(KEY_LEVELS) });
export type Standing = z.output<typeof standing>;
