import { handleIn } from '../../contract/names.ts';
import { STOP_WORDS } from '../../contract/sentence-calls.ts';
import { cached } from '../cached.ts';
import { beginningOf, domainOf, joinedKey, stem, tokenize, unorderedKey } from './analyzer.ts';
import { WORD_LENGTH_MAX } from './matches.ts';

export interface QueryToken {
  text: string;
  stem: string;
  /** Whether it may be the prefix of a word that is being typed: the last token. */
  isUnfinished: boolean;
  /** Whether it is often added to a name (`labs`, `token`), so that the record may lack it. */
  isOptional: boolean;
  /** Begins with a digit: never corrected or dropped, because another number has another meaning. */
  isNumber: boolean;
  /** Index in `allTokens`. */
  position: number;
}

/** Adjacent tokens of a query (token n-gram). */
export interface Shingle {
  key: string;
  phrase: string;
  /** First and last index in `tokens`. */
  from: number;
  to: number;
  /** Whether every token outside is optional. */
  isRestOptional: boolean;
}

export interface Query {
  /** Every token, stop words included. */
  allTokens: readonly string[];
  /** Tokens that must match: no stop words, and each stem once. */
  tokens: QueryToken[];
  /** All tokens concatenated, as in name keys. */
  joined: string;
  unordered: string;
  /** Or the name of an account. */
  domain: string | undefined;
}

/** Longer text is truncated; the service rejects it earlier. */
export const TEXT_LENGTH_MAX = 200;

/** Tokens often added to a name, which the record may lack. */
const OPTIONAL_TOKENS = new Set(
  (
    'about address airdrop app blockchain business buy ceo chain coin company contact crypto discord docs event events explorer foundation founder founders fund ' +
    'funding github homepage inc info investments investor investors jobs labs linkedin llc login ltd market news official online platform portfolio price ' +
    'profile project protocol review reviews schedule site speakers startup stock team telegram tickets token tokens twitter url valuation vc wallet wiki website web3'
  ).split(' '),
);
const NUMBER = /^\p{Nd}/u;
const TOKENS_MAX = 12;
const SHINGLE_TOKENS_MAX = 5;

export function parseQuery(text: string): Query {
  // An account by its address or handle: `x.com/acme`, `@acme`.
  const domain = handleIn(text) ?? HANDLE.exec(text.trim())?.[1]?.toLowerCase() ?? domainOf(text);
  const allTokens = tokenize(domain ?? text).map((token) => beginningOf(token, WORD_LENGTH_MAX));
  return {
    ...queryOfTokens(allTokens.slice(0, TOKENS_MAX)),
    joined: joinedKey(domain ?? text),
    unordered: unorderedKey(allTokens),
    domain,
  };
}

const HANDLE = /^@([\w-]{2,39})$/;

export function queryOfTokens(allTokens: readonly string[]): Query {
  const positions = allTokens
    .map((_, position) => position)
    .filter((position) => !STOP_WORDS.has(allTokens[position]) || position === allTokens.length - 1);
  const isOnlyLast = positions.length === 1 && STOP_WORDS.has(allTokens[positions[0]]);
  const kept = isOnlyLast ? allTokens.map((_, position) => position) : positions;
  const tokens = uniqueTokens(allTokens, kept);
  return { allTokens, tokens, joined: allTokens.join(''), unordered: unorderedKey(allTokens), domain: undefined };
}

const SHINGLES = new WeakMap<Query, readonly Shingle[]>();

/** The shingles of a query of at most `SHINGLE_TOKENS_MAX` tokens, cached. */
export const shinglesOf = (query: Query): readonly Shingle[] => cached(SHINGLES, query, makeShingles);

function makeShingles({ allTokens, tokens }: Query): Shingle[] {
  const shingles: Shingle[] = [];
  const required = tokens.reduce((count, { isOptional }) => count + (isOptional ? 0 : 1), 0);
  for (let from = 0; from < tokens.length; from++) {
    let key = '';
    let phrase = '';
    let requiredHere = 0;
    let position = tokens[from].position;
    for (let to = from; to < Math.min(tokens.length, from + SHINGLE_TOKENS_MAX); to++) {
      for (; position <= tokens[to].position; position++) {
        key += allTokens[position];
        phrase += phrase === '' ? allTokens[position] : ` ${allTokens[position]}`;
      }
      requiredHere += tokens[to].isOptional ? 0 : 1;
      shingles.push({ key, phrase, from, to, isRestOptional: requiredHere === required });
    }
  }
  return shingles;
}

function uniqueTokens(allTokens: readonly string[], positions: readonly number[]): QueryToken[] {
  const tokens = positions.map((position) => ({
    text: allTokens[position],
    stem: stem(allTokens[position]),
    isUnfinished: position === allTokens.length - 1,
    isOptional: OPTIONAL_TOKENS.has(allTokens[position]),
    isNumber: NUMBER.test(allTokens[position]),
    position,
  }));
  return tokens.filter(
    (token, index) => token.isUnfinished || tokens.findIndex((other) => other.stem === token.stem) === index,
  );
}
