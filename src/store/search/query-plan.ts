import { withoutPlural } from './analyzer.ts';
import { INFIX_LENGTH } from './infixes.ts';
import {
  INFIX_BOOST,
  keywordTerm,
  namePrefixTerm,
  PREFIX_BOOST,
  PREFIX_LENGTH_MAX,
  prefixTerm,
  STEM_BOOST,
  TYPO_BOOST,
  wordTerm,
} from './matches.ts';
import { type Query, type QueryToken, shinglesOf } from './query.ts';

export interface Term {
  id: number;
  term: string;
}

export interface Correction {
  word: string;
  term: number;
  typos: number;
  /** Whether the typed text is only a prefix of `word`. */
  isPrefix: boolean;
}

/** The dictionary of an index: its terms, by text, stem, prefix, infix and edit distance. */
export interface TermDictionary {
  find(term: string): Term | undefined;
  /** Words of a stem, at most `limit`, alphabetically. */
  ofStem(stem: string, limit: number): Term[];
  /** Terms of words with a prefix, at most `limit`, in order. */
  withPrefix(prefix: string, limit: number): number[];
  /** Words with one typo, nearest first. */
  oneTypo(word: string): Correction[];
  /** Words of names with up to two typos, including unfinished ones; nearest first. */
  someTypos(word: string, isUnfinished: boolean): Correction[];
  /** Terms of name words that contain a text, at most `limit`. */
  containing(text: string, limit: number): number[];
}

/** A term that a token may match (query expansion). */
export interface Alternative {
  term: number;
  /** Factor of the weights of its fields. */
  boost: number;
  /** Whether the token is a prefix or infix of it, which counts only in names and keywords. */
  isPrefix: boolean;
}

/** The terms that one token may match; a document needs one of them. */
interface Clause {
  alternatives: Alternative[];
}

/** A keyword, and the first and last token that it covers. */
interface KeywordMatch {
  term: number;
  from: number;
  to: number;
}

/** A query with the terms that it may match; the same for all types. */
export interface QueryPlan {
  query: Query;
  /** By token of the query; a document needs all. */
  clauses: Clause[];
  /** Keywords that occur whole in the query. */
  keywords: KeywordMatch[];
  /** Prefix term of names that begin with the whole query, if it is short. */
  namePrefix: number | undefined;
}

const COMPLETIONS_MAX = 64;
/** Most terms that contain a token; each costs a posting list look-up. */
const INFIX_TERMS_MAX = 64;
const STEM_TERMS_MAX = 12;

export function planTyped(query: Query, dictionary: TermDictionary): QueryPlan {
  const clauses = query.tokens.map((token) => ({ alternatives: typedAlternatives(token, dictionary) }));
  return { query, clauses, keywords: keywordsOf(query, dictionary), namePrefix: namePrefixOf(query, dictionary) };
}

/** The plan of a single token extended by names that contain it; undefined if there are none. */
export function planInfix(typed: QueryPlan, dictionary: TermDictionary): QueryPlan | undefined {
  const [token, ...others] = typed.query.tokens;
  if (token === undefined || others.length > 0 || token.text.length < INFIX_LENGTH) return undefined;
  const terms = dictionary.containing(token.text, INFIX_TERMS_MAX);
  const known = new Set(typed.clauses[0].alternatives.map(({ term }) => term));
  const added = terms.filter((term) => !known.has(term)).map((term) => ({ term, boost: INFIX_BOOST, isPrefix: true }));
  if (added.length === 0) return undefined;
  return { ...typed, clauses: [{ alternatives: [...typed.clauses[0].alternatives, ...added] }] };
}

export function planCorrected(
  typed: QueryPlan,
  corrections: readonly (readonly Correction[])[],
  dictionary: TermDictionary,
): QueryPlan {
  const clauses = typed.clauses.map((clause, index) => ({
    alternatives: [
      ...clause.alternatives,
      ...correctedAlternatives(corrections[index]),
      ...transposedAlternatives(typed.query.tokens[index], dictionary),
    ],
  }));
  return { ...typed, clauses, keywords: [], namePrefix: undefined };
}

function typedAlternatives(token: QueryToken, dictionary: TermDictionary): Alternative[] {
  const alternatives: Alternative[] = [];
  const add = (term: number | undefined, boost: number, isPrefix: boolean) => {
    if (term !== undefined && !alternatives.some((known) => known.term === term))
      alternatives.push({ term, boost, isPrefix });
  };
  for (const { id, term } of dictionary.ofStem(token.stem, STEM_TERMS_MAX))
    add(id, term === wordTerm(token.text) ? 1 : STEM_BOOST, false);
  if (!token.isUnfinished) return alternatives;
  if (token.text.length <= PREFIX_LENGTH_MAX) add(dictionary.find(prefixTerm(token.text))?.id, PREFIX_BOOST, true);
  else for (const term of dictionary.withPrefix(token.text, COMPLETIONS_MAX)) add(term, PREFIX_BOOST, true);
  return alternatives;
}

function correctedAlternatives(corrections: readonly Correction[]): Alternative[] {
  return corrections.map(({ term, typos, isPrefix }) => {
    const boost = TYPO_BOOST[typos] * (isPrefix ? PREFIX_BOOST : 1);
    return { term, boost, isPrefix };
  });
}

/** For short prefixes, only transposed letters are corrected. */
function transposedAlternatives({ text, isUnfinished }: QueryToken, dictionary: TermDictionary): Alternative[] {
  if (!isUnfinished || text.length > PREFIX_LENGTH_MAX) return [];
  return Array.from({ length: text.length - 1 }, (_, index) => {
    const transposed = text.slice(0, index) + text[index + 1] + text[index] + text.slice(index + 2);
    const term =
      transposed === text || !transposed.isWellFormed() ? undefined : dictionary.find(prefixTerm(transposed));
    return term ? [{ term: term.id, boost: TYPO_BOOST[1] * PREFIX_BOOST, isPrefix: true }] : [];
  }).flat();
}

/** Keywords that a shingle is, or the plural of: `prediction markets`. */
function keywordsOf(query: Query, dictionary: TermDictionary): KeywordMatch[] {
  return shinglesOf(query).flatMap(({ phrase, from, to }) => {
    const singular = withoutPlural(phrase);
    const term =
      dictionary.find(keywordTerm(phrase)) ??
      (singular === phrase ? undefined : dictionary.find(keywordTerm(singular)));
    return term ? [{ term: term.id, from, to }] : [];
  });
}

function namePrefixOf(query: Query, dictionary: TermDictionary): number | undefined {
  if (query.joined.length > PREFIX_LENGTH_MAX) return undefined;
  return dictionary.find(namePrefixTerm(query.joined))?.id;
}
