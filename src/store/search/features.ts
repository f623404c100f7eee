import { FIELD, type Field, KEY, type KeyKind } from './layers.ts';
import type { SearchedDocument } from './search-index.ts';
import {
  isWordTerm,
  keywordTerm,
  PREFIX_LENGTH_MAX,
  prefixTerm,
  startTerm,
  WORD_LENGTH_MAX,
  wordTerm,
} from './terms.ts';
import { TYPO_LENGTH_MAX } from './typos.ts';
import { beginningOf, domainOf, joinedKey, partsOfToken, splitTokens, splitWords, unorderedKey } from './words.ts';

export interface IdentityKey {
  key: string;
  kind: KeyKind;
}

/** What a document is found by. */
export interface Features {
  keys: IdentityKey[];
  /** By term the best field that has it. */
  terms: Map<string, Field>;
  /** Words as they are written, true when in a name: what typos and beginnings are compared with. */
  spellings: Map<string, boolean>;
}

/** A term of the document that was read last, with the best field that has it. */
export interface FeatureTerm {
  readonly term: string;
  readonly field: Field;
  /** For whoever numbers terms: kept as long as the reader remembers the term, 0 at first. */
  number: number;
}

interface ReadFeatures {
  readonly keys: IdentityKey[];
  /** Each term once; the objects are used again for the next document. */
  readonly terms: readonly FeatureTerm[];
}

/** Reads the features of documents, and remembers the words it has met: most of a text are words that come again and again. */
export type FeatureReader = (document: SearchedDocument) => ReadFeatures;

const KEY_LENGTH_MAX = 200;

export function featuresOf(document: SearchedDocument): Features {
  const { keys, terms } = createFeatureReader(Infinity)(document);
  const words = terms.filter(({ term }) => isWordTerm(term));
  return {
    keys,
    terms: new Map(terms.map(({ term, field }) => [term, field])),
    spellings: new Map(words.map(({ term, field }) => [term.slice(1), field === FIELD.name])),
  };
}

/** @param rememberedMax how many terms and words may be remembered, some hundred bytes each */
export function createFeatureReader(rememberedMax: number): FeatureReader {
  const remembered = createRememberedTerms();
  return (document) => {
    if (remembered.size() > rememberedMax) remembered.clear();
    const found: FeatureTerm[] = [];
    remembered.begin(found);
    for (const name of document.names) addName(remembered, name);
    for (const keyword of document.keywords) {
      const words = splitWords(keyword);
      remembered.add(remembered.of(keywordTerm(beginningOf(words.join(' '), WORD_LENGTH_MAX))), FIELD.keyword);
      addText(remembered, keyword, FIELD.keyword);
    }
    addText(remembered, document.headline, FIELD.headline);
    addText(remembered, document.overview, FIELD.overview);
    for (const related of document.related) addText(remembered, related, FIELD.related);
    return { keys: keysOf(document), terms: found };
  };
}

interface RememberedTerm extends FeatureTerm {
  field: Field;
  /** The document that it was found in last. */
  document: number;
}

/** A word of a text, as long as an index keeps it. */
interface Word {
  readonly text: string;
  readonly term: RememberedTerm;
}

interface RememberedTerms {
  /** Begins a document, whose terms come into a list. */
  begin(found: FeatureTerm[]): void;
  of(term: string): RememberedTerm;
  wordsOf(token: string): readonly Word[];
  add(term: RememberedTerm, field: Field): void;
  size(): number;
  clear(): void;
}

function createRememberedTerms(): RememberedTerms {
  const terms = new Map<string, RememberedTerm>();
  const words = new Map<string, readonly Word[]>();
  let found: FeatureTerm[] = [];
  let document = 0;
  const termOf = (text: string): RememberedTerm => {
    let term = terms.get(text);
    if (term === undefined) {
      term = { term: text, field: FIELD.name, number: 0, document: 0 };
      terms.set(text, term);
    }
    return term;
  };
  return {
    begin(list) {
      found = list;
      document += 1;
    },
    of: termOf,
    wordsOf(token) {
      let known = words.get(token);
      if (known === undefined) {
        known = partsOfToken(token).map((part) => {
          const text = beginningOf(part, WORD_LENGTH_MAX);
          return { text, term: termOf(wordTerm(text)) };
        });
        words.set(token, known);
      }
      return known;
    },
    add(term, field) {
      if (term.document !== document) {
        term.document = document;
        term.field = field;
        found.push(term);
      } else if (field < term.field) term.field = field;
    },
    size: () => terms.size + words.size,
    clear() {
      terms.clear();
      words.clear();
    },
  };
}

export function domainKey(domain: string): string {
  return `@${domain}`;
}

function keysOf(document: SearchedDocument): IdentityKey[] {
  const keys = new Map<string, KeyKind>();
  const add = (key: string, kind: KeyKind) => {
    const short = beginningOf(key, KEY_LENGTH_MAX);
    if (short && (keys.get(short) ?? KEY.unordered + 1) > kind) keys.set(short, kind);
  };
  document.names.forEach((name, index) => {
    add(joinedKey(name), index === 0 ? KEY.name : KEY.alias);
    add(unorderedKey(splitWords(name)), KEY.unordered);
  });
  add(joinedKey(document.slug), KEY.slug);
  for (const ticker of document.tickers) add(joinedKey(ticker), KEY.ticker);
  const domain = document.domain && domainOf(document.domain);
  if (domain) add(domainKey(domain), KEY.domain);
  return [...keys].map(([key, kind]) => ({ key, kind }));
}

function addName(terms: RememberedTerms, name: string): void {
  for (const { text, term } of splitTokens(name).flatMap(terms.wordsOf)) {
    terms.add(term, FIELD.name);
    addPrefixes(terms, text, prefixTerm);
  }
  const joined = joinedKey(name);
  addPrefixes(terms, joined, startTerm);
  // A name of several words written as one, and misspelt, is found as a word of its own.
  if (joined.length <= TYPO_LENGTH_MAX) terms.add(terms.of(wordTerm(joined)), FIELD.name);
}

function addPrefixes(terms: RememberedTerms, word: string, termOf: (prefix: string) => string): void {
  const longest = Math.min(PREFIX_LENGTH_MAX, word.length);
  for (let length = 1; length <= longest; length++) {
    const prefix = beginningOf(word, length);
    if (prefix.length === length) terms.add(terms.of(termOf(prefix)), FIELD.name);
  }
}

function addText(terms: RememberedTerms, text: string, field: Field): void {
  for (const token of splitTokens(text)) for (const { term } of terms.wordsOf(token)) terms.add(term, field);
}
