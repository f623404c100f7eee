import type { Database } from 'better-sqlite3';
import type { Correction, Term, Vocabulary } from '../../search/plan.ts';
import { wordTerm } from '../../search/terms.ts';
import {
  deletionCodes,
  GRAMS_PER_TYPO,
  gramCodes,
  likeness,
  TYPO_LENGTH_MAX,
  TYPO_LENGTH_MIN,
} from '../../search/typos.ts';
import { createLists, firstOfKey } from './lists.ts';
import { DELETIONS_TABLE, GRAMS_TABLE, TERMS_TABLE } from './schema.ts';
import { decodeSegment } from './segments.ts';

const CORRECTIONS_MAX = 16;
/** Words that share a code of deletion; more only with the shortest words. */
const SHARING_MAX = 64;
/** Words compared letter by letter after trigrams have chosen them. */
const COMPARED_MAX = 128;
const TYPOS_MAX = 2;
/** Below this length two typos leave nothing to recognise. */
const TWO_TYPOS_LENGTH_MIN = 5;

export function createVocabularyReader(database: Database): Vocabulary {
  const find = database.prepare<[string], number>(`SELECT id FROM ${TERMS_TABLE} WHERE term = ?`).pluck();
  const range = database.prepare<[string, string, number], Term>(
    `SELECT id, term FROM ${TERMS_TABLE} WHERE term > ? AND term < ? ORDER BY term LIMIT ?`,
  );
  const ofStem = database.prepare<[string, number], Term>(`SELECT id, term FROM ${TERMS_TABLE} WHERE stem = ? LIMIT ?`);
  const sharing = database
    .prepare<[number], string>(
      `SELECT ${TERMS_TABLE}.term FROM ${DELETIONS_TABLE} JOIN ${TERMS_TABLE} ON id = ${DELETIONS_TABLE}.term WHERE code = ? LIMIT ${SHARING_MAX}`,
    )
    .pluck();
  const termOf = database.prepare<[number], string>(`SELECT term FROM ${TERMS_TABLE} WHERE id = ?`).pluck();
  const countShared = createGramCounter(database);

  return {
    find(term) {
      const id = find.get(term);
      return id === undefined ? undefined : { id, term };
    },
    ofStem(stem, limit) {
      // A word that is its own stem has none written down.
      const id = find.get(wordTerm(stem));
      const others = ofStem.all(stem, limit);
      return id === undefined ? others : [{ id, term: wordTerm(stem) }, ...others];
    },
    withPrefix: (prefix, limit) => range.all(wordTerm(prefix), `${wordTerm(prefix)}\u{10ffff}`, limit),
    oneTypo(word) {
      if (!isCorrected(word)) return [];
      const words = new Set(
        deletionCodes(word)
          .flatMap((code) => sharing.all(code))
          .map((term) => term.slice(1)),
      );
      return nearest(word, [...words], 1, false);
    },
    someTypos(word, isUnfinished) {
      if (!isCorrected(word)) return [];
      const words = countShared(word).map((id) => termOf.get(id)?.slice(1) ?? '');
      return nearest(word, words, word.length >= TWO_TYPOS_LENGTH_MIN ? TYPOS_MAX : 1, isUnfinished);
    },
  };
}

const isCorrected = (word: string): boolean => word.length >= TYPO_LENGTH_MIN && word.length <= TYPO_LENGTH_MAX;

function nearest(typed: string, words: readonly string[], typosMax: number, isUnfinished: boolean): Correction[] {
  const corrections: Correction[] = [];
  for (const word of words) {
    if (word === typed) continue;
    const { whole, beginning } = likeness(typed, word, typosMax);
    if (whole <= typosMax) corrections.push({ word, typos: whole, isBeginning: false });
    else if (isUnfinished && beginning <= typosMax) corrections.push({ word, typos: beginning, isBeginning: true });
  }
  return corrections.sort((one, other) => compare(typed, one, other)).slice(0, CORRECTIONS_MAX);
}

/** Fewer typos first, then whole words, then those with the same first letter: people seldom get it wrong. */
function compare(typed: string, one: Correction, other: Correction): number {
  const isFirst = (correction: Correction) => (correction.word[0] === typed[0] ? 0 : 1);
  return (
    one.typos - other.typos ||
    Number(one.isBeginning) - Number(other.isBeginning) ||
    isFirst(one) - isFirst(other) ||
    (one.word < other.word ? -1 : 1)
  );
}

/** Gives the ids of the words of names that share most trigrams with a word, most first. */
function createGramCounter(database: Database): (word: string) => number[] {
  const grams = createLists(database, GRAMS_TABLE);
  let counts = new Uint8Array(0);
  let ids = new Uint32Array(0);

  return (word) => {
    const codes = gramCodes(word);
    const least = Math.max(2, codes.length - GRAMS_PER_TYPO * TYPOS_MAX);
    const touched: number[] = [];
    for (const code of codes) {
      for (const entry of grams.directory(code, code + 1)) {
        if (ids.length < entry.count) ids = new Uint32Array(entry.count);
        const length = decodeSegment(firstOfKey(entry.key), entry.data ?? grams.read(entry.key), ids, 0);
        if (counts.length <= ids[length - 1]) counts = grown(counts, ids[length - 1]);
        for (let index = 0; index < length; index++) {
          counts[ids[index]] += 1;
          if (counts[ids[index]] === least) touched.push(ids[index]);
        }
      }
    }
    const best = touched.map((id) => ({ id, shared: counts[id] }));
    counts.fill(0);
    best.sort((one, other) => other.shared - one.shared || one.id - other.id);
    return best.slice(0, COMPARED_MAX).map(({ id }) => id);
  };
}

function grown(counts: Uint8Array<ArrayBuffer>, last: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array((last + 1) * 2);
  larger.set(counts);
  return larger;
}
