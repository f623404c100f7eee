import * as z from 'zod';
import { KEY_LEVELS, type KeyLevel } from './keys.ts';

/** Role of a person in an account. Owners also invite and change members. */
export const ROLES = ['owner', 'member'] as const;
export type Role = (typeof ROLES)[number];

export const PASSWORD_LENGTH_MIN = 12;
const PASSWORD_LENGTH_MAX = 256;
const EMAIL_LENGTH_MAX = 254;
const ACCOUNT_NAME_LENGTH_MAX = 60;

/** Normalized form of an email address, in which addresses are compared. */
export const emailText = z
  .string()
  .trim()
  .toLowerCase()
  .max(EMAIL_LENGTH_MAX)
  .regex(/^[^\s@<>"]+@[^\s@<>"]+$/, 'an email address, such as ada@example.com');

export const accountName = z.string().trim().min(1).max(ACCOUNT_NAME_LENGTH_MAX);

/** Length makes a password hard to guess; composition rules lead to `Password1!`. */
export const passwordText = z
  .string()
  .min(PASSWORD_LENGTH_MIN, `at least ${PASSWORD_LENGTH_MIN} characters`)
  .max(PASSWORD_LENGTH_MAX, `at most ${PASSWORD_LENGTH_MAX} characters`)
  .refine((text) => new Set(text).size > 4, 'more than a few different characters');

/** The effective level of a person. Owners always have `delete`. */
export const levelOf = (role: Role, chosen: KeyLevel): KeyLevel => (role === 'owner' ? 'delete' : chosen);

/** Role of a person in an account, and the highest level for records and for keys that they create. */
export const standing = z.object({ role: z.enum(ROLES), level: z.enum(KEY_LEVELS) });
export type Standing = z.output<typeof standing>;
