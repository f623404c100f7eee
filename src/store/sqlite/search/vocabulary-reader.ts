import type { Database } from 'better-sqlite3';
import {
  type EditBounds,
  isCorrected,
  nearestWords,
  SHARING_MAX,
  TWO_TYPOS_LENGTH_MIN,
  TYPOS_MAX,
} from '../../search/corrections.ts';
import type { Correction, Term, TermDictionary } from '../../search/plan.ts';
import { wordTerm } from '../../search/terms.ts';
import { deletionCodes, GRAMS_PER_TYPO, gramCodes, TYPO_LENGTH_MAX } from '../../search/typos.ts';
import { createContainedWords } from './contained-words.ts';
import { createKeySet } from './key-set.ts';
import { withRuns } from './overlaid-postings.ts';
import { decodeBlock, idOfKey, listOfKey } from './postings-codec.ts';
import { type BlockEntry, type BlockReader, createPostingsTable } from './postings-table.ts';
import { createRuns } from './runs.ts';
import { DELETIONS_TABLE, GRAMS_TABLE, TERMS_TABLE } from './search-tables.ts';
import { gramList, lengthOfGramList } from './typo-tables.ts';

/** Above the number of trigrams in a word. */
const COUNT_MAX = 255;
/** Bounds the words counted; beyond, the most frequent trigrams are skipped. */
const COUNTED_MAX = 16_384;

/** Words compared letter by letter after the trigram preselection. */
const COMPARED_MAX = 256;
/** Maximum words of the best group, which may exceed the usual bound. */
const ALONE_MAX = 1_024;

/** The vocabulary as used by query planning. */
export interface VocabularyReader extends TermDictionary {
  /** Starts a search at an index epoch. */
  begin(epoch: number | undefined): void;
}

export function createVocabularyReader(database: Database): VocabularyReader {
  const find = database.prepare<[string], number>(`SELECT id FROM ${TERMS_TABLE} WHERE term = ?`).pluck();
  // As one row, because many small rows cost more to fetch than to find.
  const range = database
    .prepare<[string, string, number], string>(
      `SELECT json_group_array(id) FROM (
        SELECT id FROM ${TERMS_TABLE} WHERE term > ? AND term < ? ORDER BY term LIMIT CAST(? AS INTEGER)
      )`,
    )
    .pluck();
  // SQLite re-plans a statement whose LIMIT is a bare parameter at each run, ten times slower.
  const ofStem = database.prepare<[string, number], Term>(
    `SELECT id, term FROM ${TERMS_TABLE} WHERE stem = ? ORDER BY term LIMIT CAST(? AS INTEGER)`,
  );
  const deletions = createKeySet(database, DELETIONS_TABLE);
  const termOf = database.prepare<[number], string>(`SELECT term FROM ${TERMS_TABLE} WHERE id = ?`).pluck();
  const gramRuns = createRuns(database, GRAMS_TABLE);
  const grams = withRuns(createPostingsTable(database, GRAMS_TABLE), gramRuns);
  const countShared = createGramCounter(grams);
  const containing = createContainedWords(grams, (id) => termOf.get(id));
  let known: number | undefined;

  const wordOf = (id: number): string => (termOf.get(id) ?? '').slice(1);
  /** Words that share a code of deletion. */
  const wordsSharing = (code: number): string[] => deletions.idsOf(code).map(wordOf).sort().slice(0, SHARING_MAX);
  const nearestOf = (typed: string, words: Iterable<string>, bounds: EditBounds): Correction[] =>
    nearestWords(typed, words, bounds).map((near) => ({ ...near, term: find.get(wordTerm(near.word)) ?? 0 }));

  return {
    begin(epoch) {
      if (known === epoch && epoch !== undefined) return;
      gramRuns.refresh();
      known = epoch;
    },
    find(term) {
      const id = find.get(term);
      return id === undefined ? undefined : { id, term };
    },
    ofStem(stem, limit) {
      // The stem of a word equal to its stem is not stored.
      const id = find.get(wordTerm(stem));
      const others = ofStem.all(stem, limit);
      return id === undefined ? others : [{ id, term: wordTerm(stem) }, ...others];
    },
    withPrefix: (prefix, limit) =>
      JSON.parse(range.get(wordTerm(prefix), `${wordTerm(prefix)}\u{10ffff}`, limit) ?? '[]') as number[],
    containing,
    oneTypo(word) {
      if (!isCorrected(word)) return [];
      const words = new Set(deletionCodes(word).flatMap(wordsSharing));
      return nearestOf(word, words, { typosMax: 1, isUnfinished: false });
    },
    someTypos(word, isUnfinished) {
      const hasTwo = word.length >= TWO_TYPOS_LENGTH_MIN;
      // Whole words with one typo were found by deletion codes.
      if (!isCorrected(word) || !(hasTwo || isUnfinished)) return [];
      const bounds = { typosMax: hasTwo ? TYPOS_MAX : 1, isUnfinished };
      const words = countShared(word, bounds).map(wordOf);
      return nearestOf(word, words, bounds);
    },
  };
}

/** Counted ids of words of one length. */
interface OfLength {
  readonly length: number;
  readonly start: number;
  readonly end: number;
}

/** Ids of name words that share most trigrams with a word, for all lengths within reach. */
function createGramCounter(grams: BlockReader): (word: string, bounds: EditBounds) => number[] {
  let counts = new Uint8Array(0);
  let ids = new Uint32Array(0);

  /** Decodes entries, grouped by word length. */
  const decode = (entries: readonly BlockEntry[]): OfLength[] => {
    const size = entries.reduce((sum, { count }) => sum + count, 0);
    if (ids.length < size) ids = new Uint32Array(size);
    const byLength = new Map<number, BlockEntry[]>();
    for (const entry of entries) {
      const length = lengthOfGramList(listOfKey(entry.key));
      byLength.set(length, [...(byLength.get(length) ?? []), entry]);
    }
    let end = 0;
    return [...byLength].map(([length, some]) => {
      const start = end;
      for (const entry of some) {
        end = decodeBlock(idOfKey(entry.key), entry.data ?? grams.read(entry.key), ids, end);
        if (counts.length <= ids[end - 1]) counts = grown(counts, ids[end - 1]);
      }
      return { length, start, end };
    });
  };

  return (word, { typosMax, isUnfinished }) => {
    const codes = gramCodes(word);
    const shortest = Math.max(1, word.length - typosMax);
    const longest = isUnfinished ? TYPO_LENGTH_MAX : Math.min(TYPO_LENGTH_MAX, word.length + typosMax);
    const chosen = rarest(codes.map((code) => grams.directory(gramList(code, shortest), gramList(code, longest) + 1)));
    // A sufficient share of all trigrams implies a sufficient share of the selected ones.
    const most = Math.max(2, codes.length - GRAMS_PER_TYPO * TYPOS_MAX);
    const least = Math.max(1, most - (codes.length - chosen.length));
    const parts = decode(chosen.flat());
    const reaching = countEach(ids, parts.at(-1)?.end ?? 0, counts);
    // Words with fewer shared trigrams than enough others have are not compared.
    let lowest = chosen.length;
    while (lowest > least && reaching[lowest] < COMPARED_MAX) lowest--;
    const groups: Group[] = parts.flatMap(({ length, start, end }) => {
      const byShared: number[][] = chosen.map(() => []);
      takeCounted({ ids: ids.subarray(start, end), counts }, lowest, byShared);
      return byShared.map((some, shared) => ({ ids: some, shared, difference: Math.abs(length - word.length) }));
    });
    return compared(groups);
  };
}

/** Words with equally many shared trigrams and equal length difference. */
interface Group {
  readonly ids: number[];
  readonly shared: number;
  readonly difference: number;
}

/** The first complete groups: which words are compared must not depend on ids. */
function compared(groups: readonly Group[]): number[] {
  const chosen: number[] = [];
  const inOrder = groups
    .filter(({ ids }) => ids.length > 0)
    .sort((one, other) => other.shared - one.shared || one.difference - other.difference);
  for (const { ids } of inOrder) {
    if (ids.length + chosen.length > (chosen.length === 0 ? ALONE_MAX : COMPARED_MAX)) break;
    for (const id of ids) chosen.push(id);
  }
  return chosen;
}

// Loops are separate functions with arguments, because closures run several times slower.

/** Counts occurrences of ids; returns how many occur at least n times, by n. */
function countEach(ids: Uint32Array, length: number, counts: Uint8Array): Uint32Array {
  const reaching = new Uint32Array(COUNT_MAX + 1);
  for (let index = 0; index < length; index++) reaching[++counts[ids[index]]]++;
  return reaching;
}

interface Counted {
  ids: Uint32Array;
  counts: Uint8Array;
}

/** Appends ids with at least `lowest` occurrences to the list of their count, and resets the counts. */
function takeCounted({ ids, counts }: Counted, lowest: number, byCount: readonly number[][]): void {
  for (let index = 0; index < ids.length; index++) {
    const id = ids[index];
    const count = counts[id];
    if (count === 0) continue;
    if (count >= lowest) byCount[count - 1].push(id);
    counts[id] = 0;
  }
}

/** The rarest lists up to a total, so that the cost is independent of the vocabulary size. */
function rarest(lists: readonly BlockEntry[][]): BlockEntry[][] {
  const sizes = new Map(lists.map((entries) => [entries, entries.reduce((sum, { count }) => sum + count, 0)]));
  const rareFirst = lists.toSorted((one, other) => (sizes.get(one) ?? 0) - (sizes.get(other) ?? 0));
  let counted = 0;
  return rareFirst.filter((entries, index) => {
    counted += sizes.get(entries) ?? 0;
    return counted <= COUNTED_MAX || index === 0;
  });
}

function grown(counts: Uint8Array<ArrayBuffer>, last: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array((last + 1) * 2);
  larger.set(counts);
  return larger;
}
