import { stem } from './stem.ts';
import { WORD_LENGTH_MAX } from './terms.ts';
import { beginningOf, domainOf, joinedKey, splitWords, unorderedKey } from './words.ts';

export interface QueryWord {
  text: string;
  stem: string;
  /** Only the last word may be unfinished. */
  isUnfinished: boolean;
  /** Whether it is a word typically added to a name, which the record may lack. */
  isAdded: boolean;
  /** Begins with a digit: never corrected or dropped, because another number has another meaning. */
  isNumber: boolean;
  /** Index among all words, including ignored ones. */
  place: number;
}

/** Adjacent tokens of a query (token n-gram). */
export interface Shingle {
  key: string;
  phrase: string;
  /** First and last index in `words`. */
  from: number;
  to: number;
  /** Whether the words outside are typical additions to a name. */
  isRestAdded: boolean;
}

export interface Query {
  /** Every word, including ignored ones. */
  all: readonly string[];
  /** Words that must match. */
  words: QueryWord[];
  /** All words concatenated, as in name keys. */
  joined: string;
  unordered: string;
  domain: string | undefined;
}

/** Longer text is truncated; the service rejects it earlier. */
export const TEXT_LENGTH_MAX = 200;

/** Words typically added to a name, which the record may lack. */
const ADDED = new Set(
  (
    'about address airdrop app blockchain business buy ceo chain coin company contact crypto discord docs event events explorer foundation founder founders fund ' +
    'funding github homepage inc info investments investor investors jobs labs linkedin llc login ltd market news official online platform portfolio price ' +
    'profile project protocol review reviews schedule site speakers startup stock team telegram tickets token tokens twitter url valuation vc wallet wiki website web3'
  ).split(' '),
);
const NUMBER = /^\p{Nd}/u;
/** Further words are ignored. */
const WORDS_MAX = 12;
const SHINGLE_TOKENS_MAX = 5;
export const PASSED_OVER: ReadonlySet<string> = new Set(
  'a an and are as at by for from in is of on or that the to with www http https'.split(' '),
);

export function parseQuery(text: string): Query {
  const domain = domainOf(text);
  const all = splitWords(domain ?? text).map((word) => beginningOf(word, WORD_LENGTH_MAX));
  return {
    ...queryOfWords(all.slice(0, WORDS_MAX)),
    joined: joinedKey(domain ?? text),
    unordered: unorderedKey(all),
    domain,
  };
}

/** The query with corrected words. */
export function queryOfWords(all: readonly string[]): Query {
  const places = all
    .map((_, place) => place)
    .filter((place) => !PASSED_OVER.has(all[place]) || place === all.length - 1);
  const isOnlyLast = places.length === 1 && PASSED_OVER.has(all[places[0]]);
  const kept = isOnlyLast ? all.map((_, place) => place) : places;
  const words = uniqueWords(all, kept);
  return { all, words, joined: all.join(''), unordered: unorderedKey(all), domain: undefined };
}

const SHINGLES = new WeakMap<Query, readonly Shingle[]>();

/** The shingles of a query of at most `SHINGLE_TOKENS_MAX` tokens, cached. */
export function shinglesOf(query: Query): readonly Shingle[] {
  const known = SHINGLES.get(query);
  if (known) return known;
  const shingles = makeShingles(query);
  SHINGLES.set(query, shingles);
  return shingles;
}

function makeShingles({ all, words }: Query): Shingle[] {
  const shingles: Shingle[] = [];
  const needed = words.reduce((count, { isAdded }) => count + (isAdded ? 0 : 1), 0);
  for (let from = 0; from < words.length; from++) {
    let key = '';
    let phrase = '';
    let neededHere = 0;
    let place = words[from].place;
    for (let to = from; to < Math.min(words.length, from + SHINGLE_TOKENS_MAX); to++) {
      for (; place <= words[to].place; place++) {
        key += all[place];
        phrase += phrase === '' ? all[place] : ` ${all[place]}`;
      }
      neededHere += words[to].isAdded ? 0 : 1;
      shingles.push({ key, phrase, from, to, isRestAdded: neededHere === needed });
    }
  }
  return shingles;
}

function uniqueWords(all: readonly string[], places: readonly number[]): QueryWord[] {
  const words = places.map((place) => ({
    text: all[place],
    stem: stem(all[place]),
    isUnfinished: place === all.length - 1,
    isAdded: ADDED.has(all[place]),
    isNumber: NUMBER.test(all[place]),
    place,
  }));
  return words.filter(
    (word, index) => word.isUnfinished || words.findIndex((other) => other.stem === word.stem) === index,
  );
}
