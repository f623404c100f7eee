import * as z from 'zod';
import { RANGE_FORM, toRanges } from '../contract/ip-ranges.ts';
import { splitText } from '../contract/split-text.ts';
import { USD_PATTERN } from '../contract/usd.ts';

const TIMEOUT_MS_MAX = 600_000;

const hasCredentials = ({ username, password }: URL): boolean => username !== '' || password !== '';
/** Without credentials, which fetch refuses and messages would show. */
const isShowable = (text: string): boolean => isWebAddress(text) && !hasCredentials(new URL(text));

const WITHOUT = 'an http or https address without user and password';
/** An address that may contain a key in its query. No message shows it. */
export const secretWebAddress = z.string().refine(isShowable, `${WITHOUT}, such as https://node.example.com?key=KEY`);

const isBase = (text: string): boolean => isShowable(text) && !/[?#]/.test(text);
/** A base of addresses, kept without a trailing slash. */
export const webAddress = z
  .string()
  .refine(isBase, `${WITHOUT}, and without a query, such as http://127.0.0.1:4020`)
  .overwrite((text) => text.replace(/\/+$/, ''));

export const fileOrAddress = z
  .string()
  .min(1)
  .refine((text) => !/^https?:/i.test(text) || isBase(text), `a file, or ${WITHOUT}, and without a query`);

export function wholeNumber(min: number, max: number) {
  const expected = `a whole number from ${min} to ${max}`;
  return z.coerce.number(expected).int(expected).min(min, expected).max(max, expected);
}

export const milliseconds = wholeNumber(1, TIMEOUT_MS_MAX);

const isOrigin = (text: string): boolean => isWebAddress(text) && new URL(text).origin === text;

export const listMatching = (form: RegExp, wanted: string) => listWhere((part) => form.test(part), wanted);
const listWhere = (isRight: (part: string) => boolean, wanted: string) =>
  z.string().refine((text) => splitList(text).every(isRight), wanted);

export const PRIVATE_KEY = /^(0x)?[0-9a-fA-F]{64}$/;
export const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
export const usd = z.string().regex(USD_PATTERN, 'an amount of US dollars, such as 0.05');

export const origins = listWhere(isOrigin, 'origins with commas between, such as https://app.example.com');

const HOST_NAME = /^([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/i;
export const names = listMatching(HOST_NAME, 'host names without ports, with commas between, such as mcp.example.com');

export const splitList = (text: string): string[] => (text.trim() === 'none' ? [] : splitText(text, ','));

export function readRanges(text: string, context: z.RefinementCtx): readonly string[] {
  const ranges = text.trim() === 'none' ? [] : toRanges(text);
  if (ranges === undefined)
    context.addIssue({ code: 'custom', message: `a list with commas of ${RANGE_FORM}, or none` });
  return ranges ?? [];
}

const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
