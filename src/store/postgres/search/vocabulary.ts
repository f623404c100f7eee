import {
  COMPARED_MAX,
  isCorrected,
  nearest,
  SHARING_MAX,
  TWO_TYPOS_LENGTH_MIN,
  TYPOS_MAX,
} from '../../search/corrections.ts';
import { COMPLETIONS_MAX, type Correction, FAMILY_MAX, type Term, type Vocabulary } from '../../search/plan.ts';
import { partsOf, type Query } from '../../search/query.ts';
import { keywordTerm, PREFIX_LENGTH_MAX, prefixTerm, startTerm, wordTerm } from '../../search/terms.ts';
import { deletionCodes } from '../../search/typos.ts';
import { isWhole } from '../../search/words.ts';
import type { Answers, Asked } from './answers.ts';
import { arrayOf } from './lexemes.ts';

const FIND = 'SELECT id, term FROM search_terms WHERE term = ANY (CAST(? AS TEXT[]))';
const OF_STEMS = `SELECT asked.stem, kept.id, kept.term FROM unnest(CAST(? AS TEXT[])) AS asked (stem)
  CROSS JOIN LATERAL (
    SELECT id, term FROM search_terms WHERE search_terms.stem = asked.stem ORDER BY id LIMIT ${FAMILY_MAX}
  ) AS kept`;
const WITH_PREFIX = 'SELECT id, term FROM search_terms WHERE term > ? AND term < ? ORDER BY term LIMIT ?';
/** Of the shortest words, many share a code. */
const SHARING = `SELECT search_terms.id, search_terms.term
  FROM unnest(CAST(? AS BIGINT[])) AS asked (code)
  CROSS JOIN LATERAL (
    SELECT term FROM search_deletions WHERE search_deletions.code = asked.code ORDER BY term LIMIT ${SHARING_MAX}
  ) AS shared
  JOIN search_terms ON search_terms.id = shared.term`;
/** Words of names by their trigrams, as whole words or by their beginnings. */
const RESEMBLING = `SELECT id, term FROM search_terms
  WHERE spelling = 2 AND ? <% substr(term, 2)
  ORDER BY word_similarity(?, substr(term, 2)) DESC, id LIMIT ${COMPARED_MAX}`;

/** A word has no sign that LIKE knows. */
const CONTAINING =
  'SELECT id, term FROM search_terms WHERE spelling = 2 AND substr(term, 2) LIKE ? ORDER BY id LIMIT ?';

/** The terms that a search has met, by number. */
export interface KnownTerms extends Vocabulary {
  termOf(id: number): string;
}

/** The vocabulary for one search. What a query may ask for first is fetched together. */
export function createVocabulary(answers: Answers, query: Query): KnownTerms {
  const known = new Map<number, string>();
  const note = (terms: readonly Term[]): Term[] => {
    for (const { id, term } of terms) known.set(id, term);
    return [...terms];
  };
  const likely = likelyTerms(query);
  const halves = halvesOf(query);
  answers.expect(firstAsked(query, likely));
  const find = (term: string): Term | undefined => {
    const together = [likely, halves].find((terms) => terms.includes(term)) ?? [term];
    return note(answers.rows<Term>(FIND, arrayOf(together))).find((found) => found.term === term);
  };
  const corrections = (word: string, statement: (word: string) => Asked, isUnfinished?: boolean): Correction[] => {
    const { sql, parameters } = statement(word);
    const corrected = query.words.filter(({ text }) => isCorrected(text));
    answers.expect(corrected.map(({ text }) => statement(text)));
    answers.expect([{ sql: FIND, parameters: [arrayOf(halves)] }, ...query.words.map(({ text }) => beginning(text))]);
    const terms = new Map(note(answers.rows<Term>(sql, ...parameters)).map(({ id, term }) => [id, term]));
    if (isUnfinished === undefined) return nearest(word, terms, { typosMax: 1, isUnfinished: false });
    const typosMax = word.length >= TWO_TYPOS_LENGTH_MIN ? TYPOS_MAX : 1;
    return nearest(word, terms, { typosMax, isUnfinished });
  };
  return {
    find,
    ofStem: (stem, limit) => {
      const stems = query.words.map((word) => word.stem);
      const together = stems.includes(stem) ? stems : [stem];
      const rows = answers.rows<Term & { stem: string }>(OF_STEMS, arrayOf(together));
      const others = note(rows.filter((row) => row.stem === stem)).slice(0, limit);
      // A word that is its own stem has none written down.
      const own = find(wordTerm(stem));
      return own === undefined ? others : [own, ...others];
    },
    withPrefix: (prefix, limit) => {
      // One statement whatever the limit: it is asked for with the first ones.
      const { sql, parameters } = beginning(prefix);
      return note(answers.rows<Term>(sql, ...parameters))
        .map(({ id }) => id)
        .slice(0, limit);
    },
    oneTypo: (word) => (isCorrected(word) ? corrections(word, sharing) : []),
    someTypos: (word, isUnfinished) => {
      // Whole words one typo away are found by deletions already.
      const isAsked = isCorrected(word) && (word.length >= TWO_TYPOS_LENGTH_MIN || isUnfinished);
      return isAsked ? corrections(word, resembling, isUnfinished) : [];
    },
    containing: (text, limit) => note(answers.rows<Term>(CONTAINING, `%${text}%`, limit)).map(({ id }) => id),
    termOf: (id) => known.get(id) ?? '',
  };
}

/** What is asked of the vocabulary for nearly every query. */
function firstAsked({ words }: Query, likely: readonly string[]): Asked[] {
  const unfinished = words.filter(({ text, isUnfinished }) => isUnfinished && text.length > PREFIX_LENGTH_MAX);
  return [
    { sql: FIND, parameters: [arrayOf(likely)] },
    { sql: OF_STEMS, parameters: [arrayOf(words.map(({ stem }) => stem))] },
    ...unfinished.map(({ text }) => beginning(text)),
  ];
}

const beginning = (prefix: string): Asked => ({
  sql: WITH_PREFIX,
  parameters: [wordTerm(prefix), `${wordTerm(prefix)}\u{10ffff}`, COMPLETIONS_MAX],
});
const sharing = (word: string): Asked => ({ sql: SHARING, parameters: [`{${deletionCodes(word).join()}}`] });
const resembling = (word: string): Asked => ({ sql: RESEMBLING, parameters: [word, word] });

/** Terms that stages look for one by one. */
function likelyTerms(query: Query): string[] {
  const terms = new Set<string>([startTerm(query.joined)]);
  for (const { phrase } of partsOf(query)) terms.add(keywordTerm(phrase));
  for (const { text, stem } of query.words) {
    terms.add(wordTerm(text)).add(wordTerm(stem));
    if (text.length <= PREFIX_LENGTH_MAX) for (const near of swapped(text)) terms.add(prefixTerm(near));
  }
  return [...terms].filter(isWhole);
}

/** Words that a word may be two of. */
function halvesOf({ words }: Query): string[] {
  const cuts = words.flatMap(({ text }) => Array.from({ length: text.length }, (_, cut) => [text, cut] as const));
  const terms = cuts.flatMap(([text, cut]) => [wordTerm(text.slice(0, cut)), wordTerm(text.slice(cut))]);
  return [...new Set(terms)].filter(isWhole);
}

/** A beginning, and those with two neighbouring letters swapped. */
function swapped(text: string): string[] {
  const others = Array.from(
    { length: text.length - 1 },
    (_, index) => text.slice(0, index) + text[index + 1] + text[index] + text.slice(index + 2),
  );
  return [text, ...others];
}
