import { type Amount, amountAt, THOUSAND } from './amounts.ts';
import { closedValue } from './knowledge.ts';
import { type Lexicon, type Meaning, NOUNS } from './lexicon.ts';
import { isCount } from './sentence-numbers.ts';
import { type Token, wordsOf } from './sentence-tokens.ts';

/** The amount at a token, if it is money or counted; that at the start of a range has the unit of its end: `$5-10m`. */
export function boundAmountAt(tokens: readonly Token[], index: number, lexicon: Lexicon): Amount | undefined {
  const amount = amountAt(tokens, index, lexicon);
  if (amount === undefined) return undefined;
  const end = amount.scale === 1 ? rangeEnd(tokens, index + amount.length, amount, lexicon) : undefined;
  const value = amount.value * (end?.scale ?? 1);
  if (end && value <= end.value) return { ...amount, value, isMoney: amount.isMoney || end.isMoney };
  return withUnit(tokens, index, amount, lexicon);
}

/** An amount that is money or counted; undefined for any other number. */
function withUnit(tokens: readonly Token[], index: number, amount: Amount, lexicon: Lexicon): Amount | undefined {
  const next = index + amount.length;
  if (amount.isMoney || isCounted(tokens, next, lexicon)) return amount;
  return amount.scale === THOUSAND && !isUnit(tokens[next], lexicon) ? { ...amount, isMoney: true } : undefined;
}

/** Whether the word after a number is its unit: `10k users`, but not `100k in 2024`. */
function isUnit(token: Token | undefined, lexicon: Lexicon): boolean {
  if (token === undefined || !/[\p{L}\p{N}]/u.test(token.text)) return false;
  const meanings = lexicon.phrase(token.text)?.meanings;
  const noun = NOUNS.find((each) => meanings?.has(each));
  return noun === undefined ? meanings === undefined && closedValue(token.text) === undefined : noun !== 'rounds';
}

/** The amount at the end of a range, which states the unit: `5 million` of `1 to 5 million`, `50` of `10-50 employees`. */
function rangeEnd(tokens: readonly Token[], index: number, start: Amount, lexicon: Lexicon): Amount | undefined {
  const joint = lexicon.phrase(tokens[index]?.text ?? '')?.meanings;
  const bound = boundLength(tokens, index + 1, lexicon);
  const isAlternative = bound > 0 && joint?.has('or');
  const isJoint = /^(?:[-–]|but)$/.test(tokens[index]?.text ?? '') || joint?.has('and') || joint?.has('to');
  if (!isJoint && !isAlternative) return undefined;
  const at = index + 1 + bound;
  const end = amountAt(tokens, at, lexicon);
  return end && withUnit(tokens, at, { ...end, isMoney: end.isMoney || start.isMoney }, lexicon);
}

/** Words for those who work at a company, unlike its founders and speakers. */
const STAFF = /^(?:people|persons|team members|personas|gente|pessoas|personnes|gens|personen|leute|menschen|人)$/;

/** Whether a number before some words counts those who work at a company. */
export const countsStaff = (words: readonly Token[]): boolean => STAFF.test(wordsOf(words));

/** Whether a number counts employees, investments or, with a bound, rounds, leads or people. */
function isCounted(tokens: readonly Token[], index: number, lexicon: Lexicon): boolean {
  const isOpen = [1, 2].find((length) => {
    const meanings = lexicon.phrase(wordsOf(tokens.slice(index, index + length)))?.meanings;
    return meanings?.has('orMore') || meanings?.has('orLess');
  });
  return [1, 2].some((length) => {
    const from = index + (isOpen ?? 0);
    const words = tokens.slice(from, from + length);
    const meanings = lexicon.phrase(wordsOf(words))?.meanings;
    const isOfPortfolio = meanings?.has('backed') && meanings.has('companies');
    const isBounded =
      (meanings?.has('rounds') || meanings?.has('led') || countsStaff(words)) &&
      (isOpen !== undefined || isAfterBound(tokens, index, lexicon) || isInRange(tokens, index, lexicon));
    return meanings?.has('employees') || meanings?.has('investments') || isOfPortfolio || isBounded;
  });
}

/** Whether the number before an index ends a range: `2-4 rounds`, `between 3 and 5 rounds`. */
function isInRange(tokens: readonly Token[], index: number, lexicon: Lexicon): boolean {
  const [between, start, joint] = tokens.slice(Math.max(0, index - 4), index - 1).map(({ text }) => text);
  const isJoined = /^(?:[-–]|to|bis|à|a)$/.test(joint ?? '') || /^(?:between|zwischen|entre)$/.test(between ?? '');
  return isJoined && isCount(start ?? '', lexicon);
}

/** Words of `at least` and `no more than`. */
const BOUND_WORDS = [1, 2, 3];

/** Whether the number before an index has a bound: `at least 10 rounds`, but not `the last 10 rounds`. */
const isAfterBound = (tokens: readonly Token[], index: number, lexicon: Lexicon): boolean =>
  BOUND_WORDS.some((length) => {
    const { meanings } = lexicon.phrase(wordsOf(tokens.slice(Math.max(0, index - 1 - length), index - 1))) ?? {};
    return (['over', 'min', 'under', 'max'] as const).some((bound) => meanings?.has(bound));
  });

const LIMITS: readonly Meaning[] = ['over', 'min', 'under', 'max', 'after', 'before'];

/** Number of words of a bound at an index; 0 if there is none. */
function boundLength(tokens: readonly Token[], index: number, lexicon: Lexicon): number {
  const length = BOUND_WORDS.toReversed().find((each) => {
    const phrase = lexicon.phrase(wordsOf(tokens.slice(index, index + each)));
    return index + each <= tokens.length && LIMITS.some((limit) => phrase?.meanings.has(limit));
  });
  return length ?? 0;
}

/** Words that numbers begin with. */
const BEGINS_NUMBER = /^(?:[\d$€£¥~]|(?:an?|half|us|usd)$)/;

/**
 * Whether words that may open what is before them join it with the bound of a number after them: `and less than $10M`, `or
 * above 5 rounds`, but not `$10M and above`.
 */
export function beginsBound(
  tokens: readonly Token[],
  { index, length }: { readonly index: number; readonly length: number },
  lexicon: Lexicon,
): boolean {
  const meanings = lexicon.phrase(wordsOf(tokens.slice(index, index + length)))?.meanings;
  if (length < 2 || !(meanings?.has('orMore') || meanings?.has('orLess'))) return false;
  const bound = boundLength(tokens, index + 1, lexicon);
  const { text = '' } = tokens[index + 1 + bound] ?? {};
  const isNumber =
    BEGINS_NUMBER.test(text) || isCount(text, lexicon) || lexicon.phrase(text)?.meanings.has('around') === true;
  return bound >= length - 1 && isNumber;
}
