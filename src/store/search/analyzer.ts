import { FIELD, FIELDS, type Field, KEY, type KeyKind } from './scoring.ts';
import type { SearchedDocument } from './search-index.ts';
import { keywordTerm, namePrefixTerm, PREFIX_LENGTH_MAX, prefixTerm, WORD_LENGTH_MAX, wordTerm } from './terms.ts';
import { beginningOf, domainOf, joinedKey, tokenize, tokenizeAsWritten, unorderedKey, wordParts } from './tokenizer.ts';
import { TYPO_LENGTH_MAX } from './typos.ts';

export interface NameKey {
  key: string;
  kind: KeyKind;
}

/** The keys and terms of a document, as they are indexed. */
export interface AnalyzedDocument {
  keys: NameKey[];
  terms: Map<string, Field>;
}

const KEY_LENGTH_MAX = 200;

/** Analyzes a document into the terms and keys of the index. */
export function analyze(document: SearchedDocument): AnalyzedDocument {
  const analyzed: AnalyzedDocument = { keys: keysOf(document), terms: new Map() };
  for (const name of document.names) {
    addName(analyzed, name);
    if (!document.hasComposedNames) addJoined(analyzed, name);
  }
  for (const keyword of document.keywords) addKeyword(analyzed, keyword);
  addText(analyzed, document.headline, FIELD.headline);
  addText(analyzed, document.overview, FIELD.overview);
  for (const related of document.related) addText(analyzed, related, FIELD.related);
  return analyzed;
}

export function domainKey(domain: string): string {
  return `@${domain}`;
}

function keysOf(document: SearchedDocument): NameKey[] {
  const keys = new Map<string, KeyKind>();
  const add = (key: string, kind: KeyKind) => {
    const short = beginningOf(key, KEY_LENGTH_MAX);
    if (short && (keys.get(short) ?? KEY.unordered + 1) > kind) keys.set(short, kind);
  };
  document.names.forEach((name, index) => {
    add(joinedKey(name), index === 0 ? KEY.name : KEY.alias);
    add(unorderedKey(tokenize(name)), KEY.unordered);
  });
  add(joinedKey(document.slug), KEY.slug);
  for (const ticker of document.tickers) add(joinedKey(ticker), KEY.ticker);
  const domain = document.domain && domainOf(document.domain);
  if (domain) add(domainKey(domain), KEY.domain);
  return [...keys].map(([key, kind]) => ({ key, kind }));
}

function addName({ terms }: AnalyzedDocument, name: string): void {
  for (const word of tokenizeAsWritten(name).flatMap(wordParts)) {
    const cut = beginningOf(word, WORD_LENGTH_MAX);
    terms.set(wordTerm(cut), FIELD.name);
    addPrefixes(terms, cut, prefixTerm);
  }
  addPrefixes(terms, joinedKey(name), namePrefixTerm);
}

/** Indexes a name as a word, so that a name typed as one misspelt word is found. */
function addJoined({ terms }: AnalyzedDocument, name: string): void {
  const joined = joinedKey(name);
  if (joined.length <= TYPO_LENGTH_MAX && !terms.has(wordTerm(joined))) terms.set(wordTerm(joined), FIELD.name);
}

function addPrefixes(terms: Map<string, Field>, word: string, term: (prefix: string) => string): void {
  const longest = Math.min(PREFIX_LENGTH_MAX, word.length);
  for (let length = 1; length <= longest; length++) {
    const prefix = beginningOf(word, length);
    if (prefix.length === length) terms.set(term(prefix), FIELD.name);
  }
}

function addKeyword(analyzed: AnalyzedDocument, keyword: string): void {
  const words = tokenize(keyword);
  analyzed.terms.set(keywordTerm(beginningOf(words.join(' '), WORD_LENGTH_MAX)), FIELD.keyword);
  addText(analyzed, keyword, FIELD.keyword);
}

function addText({ terms }: AnalyzedDocument, text: string, field: Field): void {
  for (const word of tokenizeAsWritten(text)) {
    for (const part of wordParts(word)) {
      const term = wordTerm(beginningOf(part, WORD_LENGTH_MAX));
      if ((terms.get(term) ?? FIELDS.length) > field) terms.set(term, field);
    }
  }
}
