import type { Database } from 'better-sqlite3';
import { addToGroup, groupBy } from '../../../contract/group-by.ts';
import { wordTerm } from '../../search/matches.ts';
import type { Term, TermDictionary } from '../../search/query-plan.ts';
import {
  deletionCodes,
  type EditBounds,
  GRAMS_PER_TYPO,
  gramCodes,
  isCorrected,
  nearestWords,
  SHARING_MAX,
  TWO_TYPOS_LENGTH_MIN,
  TYPO_LENGTH_MAX,
  TYPOS_MAX,
} from '../../search/typos.ts';
import { ensureCapacity } from '../ensure-capacity.ts';
import { createContainedWords } from './contained-words.ts';
import { createKeySet } from './key-set.ts';
import { decodeBlock, idOfKey, listOfKey } from './postings-codec.ts';
import {
  type BlockEntry,
  type BlockReader,
  createPostingsTable,
  DELETIONS_TABLE,
  GRAMS_TABLE,
  TERMS_TABLE,
} from './postings-table.ts';
import { createRuns, withRuns } from './sorted-run.ts';
import { lengthOfList, listOfLength } from './typo-tables.ts';

/** Above the number of trigrams in a word. */
const COUNT_MAX = 255;
/** Bounds the words counted; beyond, the most frequent trigrams are skipped. */
const COUNTED_MAX = 16_384;

/** Cached words by id: words similar to one typed word are often similar to others. About 4 MB. */
const WORDS_MAX = 65_536;
/** From this many on, words are read by one statement. */
const TOGETHER_MIN = 4;

/** Words compared letter by letter after the trigram preselection. */
const COMPARED_MAX = 256;
/** Maximum words of the best group, which may exceed the usual bound. */
const ALONE_MAX = 1_024;

/** The dictionary as used by query planning. */
export interface TermDictionaryReader extends TermDictionary {
  begin(epoch: number | undefined): void;
}

export function createTermDictionaryReader(database: Database): TermDictionaryReader {
  const find = database.prepare<[string], number>(`SELECT id FROM ${TERMS_TABLE} WHERE term = ?`).pluck();
  // As one row, because many small rows cost more to fetch than to find.
  const range = database
    .prepare<[string, string, number], string>(
      `SELECT json_group_array(id) FROM (
        SELECT id FROM ${TERMS_TABLE} WHERE term > ? AND term < ? ORDER BY term LIMIT CAST(? AS INTEGER)
      )`,
    )
    .pluck();
  const ofStem = database.prepare<[string], Term>(`SELECT id, term FROM ${TERMS_TABLE} WHERE stem = ?`);
  const deletions = createKeySet(database, DELETIONS_TABLE);
  const gramRuns = createRuns(database, GRAMS_TABLE);
  const grams = withRuns(createPostingsTable(database, GRAMS_TABLE), gramRuns);
  const countShared = createGramCounter(grams);
  const words = createWordReader(database);
  let known: number | undefined;

  /** Ids of words that share a code of deletion, at most `SHARING_MAX`, alphabetically. */
  const idsSharing = (code: number): number[] => {
    const ids = deletions.idsOf(code);
    if (ids.length <= SHARING_MAX) return ids;
    const sorted = [...words.of(ids)].sort(([, one], [, other]) => (one < other ? -1 : 1));
    return sorted.slice(0, SHARING_MAX).map(([id]) => id);
  };

  return {
    begin(epoch) {
      if (known === epoch && epoch !== undefined) return;
      gramRuns.refresh();
      words.clear();
      known = epoch;
    },
    find(term) {
      const id = find.get(term);
      return id === undefined ? undefined : { id, term };
    },
    ofStem(stem, limit) {
      // The stem of a word equal to its stem is not stored.
      const id = find.get(wordTerm(stem));
      // Few words share a stem; SQLite takes longer to begin a sort than to find them.
      const others = ofStem.all(stem);
      if (others.length > 1) others.sort((one, other) => (one.term < other.term ? -1 : 1));
      if (others.length > limit) others.length = limit;
      return id === undefined ? others : [{ id, term: wordTerm(stem) }, ...others];
    },
    withPrefix: (prefix, limit) =>
      JSON.parse(range.get(wordTerm(prefix), `${wordTerm(prefix)}\u{10ffff}`, limit) ?? '[]') as number[],
    containing: createContainedWords(database, words.of),
    oneTypo(word) {
      if (!isCorrected(word)) return [];
      const ids = new Set(deletionCodes(word).flatMap(idsSharing));
      return nearestWords(word, words.of(ids), { typosMax: 1, isUnfinished: false });
    },
    someTypos(word, isUnfinished) {
      const hasTwo = word.length >= TWO_TYPOS_LENGTH_MIN;
      // Whole words with one typo were found by deletion codes.
      if (!isCorrected(word) || !(hasTwo || isUnfinished)) return [];
      const bounds = { typosMax: hasTwo ? TYPOS_MAX : 1, isUnfinished };
      return nearestWords(word, words.of(countShared(word, bounds)), bounds);
    },
  };
}

function createWordReader(database: Database) {
  const termOf = database.prepare<[number], string>(`SELECT term FROM ${TERMS_TABLE} WHERE id = ?`).pluck();
  // As one row, because many small rows cost more to fetch than to find.
  const termsOf = database
    .prepare<[string], string>(
      `SELECT json_group_array(term) FROM json_each(?) AS given LEFT JOIN ${TERMS_TABLE} ON ${TERMS_TABLE}.id = given.value`,
    )
    .pluck();
  const words = new Map<number, string>();
  const readWords = (ids: readonly number[]): (string | null | undefined)[] =>
    ids.length < TOGETHER_MIN
      ? ids.map((id) => termOf.get(id))
      : (JSON.parse(termsOf.get(JSON.stringify(ids)) ?? '[]') as (string | null)[]);
  /** The words of some terms; empty for a term that is gone. */
  const of = (ids: Iterable<number>): Map<number, string> => {
    const found = new Map<number, string>();
    const unknown: number[] = [];
    for (const id of ids) {
      const word = words.get(id);
      if (word === undefined) unknown.push(id);
      else found.set(id, word);
    }
    if (words.size + unknown.length > WORDS_MAX) words.clear();
    for (const [index, term] of readWords(unknown).entries()) {
      const word = term?.slice(1) ?? '';
      words.set(unknown[index], word);
      found.set(unknown[index], word);
    }
    return found;
  };
  return { of, clear: () => words.clear() };
}

/** Ids of name words that share most trigrams with a word, for all lengths within reach. */
function createGramCounter(grams: BlockReader): (word: string, bounds: EditBounds) => number[] {
  let counts = new Uint8Array(0);
  let ids = new Uint32Array(0);

  const decode = (
    entries: readonly BlockEntry[],
  ): { readonly length: number; readonly start: number; readonly end: number }[] => {
    const size = postingCount(entries);
    if (ids.length < size) ids = new Uint32Array(size);
    let end = 0;
    return [...byLength(entries)].map(([length, some]) => {
      const start = end;
      for (const entry of some) {
        end = decodeBlock(idOfKey(entry.key), entry.data ?? grams.read(entry.key), ids, end);
        counts = ensureCapacity(counts, ids[end - 1] + 1);
      }
      return { length, start, end };
    });
  };

  return (word, { typosMax, isUnfinished }) => {
    const codes = gramCodes(word);
    const shortest = Math.max(1, word.length - typosMax);
    const longest = isUnfinished ? TYPO_LENGTH_MAX : Math.min(TYPO_LENGTH_MAX, word.length + typosMax);
    const from = codes.map((code) => listOfLength(code, shortest));
    const chosen = rarest(grams.directories(from, longest + 1 - shortest));
    // A sufficient share of all trigrams implies a sufficient share of the selected ones.
    const most = Math.max(2, codes.length - GRAMS_PER_TYPO * TYPOS_MAX);
    const least = Math.max(1, most - (codes.length - chosen.length));
    const parts = decode(chosen.flat());
    const reaching = countEach(ids, parts.at(-1)?.end ?? 0, counts);
    // Words with fewer shared trigrams than enough others have are not compared.
    let lowest = chosen.length;
    while (lowest > least && reaching[lowest] < COMPARED_MAX) lowest--;
    const groups: Group[] = parts.flatMap(({ length, start, end }) => {
      const difference = Math.abs(length - word.length);
      const byShared = takeCounted({ ids: ids.subarray(start, end), counts }, lowest);
      return [...byShared].map(([shared, some]) => ({ ids: some, shared, difference }));
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
  const inOrder = groups.toSorted((one, other) => other.shared - one.shared || one.difference - other.difference);
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

/** The ids with at least `lowest` occurrences, by their count; resets the counts. */
function takeCounted({ ids, counts }: { ids: Uint32Array; counts: Uint8Array }, lowest: number): Map<number, number[]> {
  const byCount = new Map<number, number[]>();
  for (let index = 0; index < ids.length; index++) {
    const id = ids[index];
    const count = counts[id];
    if (count === 0) continue;
    counts[id] = 0;
    if (count >= lowest) addToGroup(byCount, count, id);
  }
  return byCount;
}

/** The rarest lists up to a total, so that the cost is independent of the dictionary size. */
function rarest(lists: readonly BlockEntry[][]): BlockEntry[][] {
  const sizes = new Map(lists.map((entries) => [entries, postingCount(entries)]));
  const rareFirst = lists.toSorted((one, other) => (sizes.get(one) ?? 0) - (sizes.get(other) ?? 0));
  let counted = 0;
  return rareFirst.filter((entries, index) => {
    counted += sizes.get(entries) ?? 0;
    return counted <= COUNTED_MAX || index === 0;
  });
}

/** Entries by word length; of one trigram, shortest first. */
const byLength = (entries: readonly BlockEntry[]): Map<number, BlockEntry[]> =>
  groupBy(entries, ({ key }) => lengthOfList(listOfKey(key)));

const postingCount = (entries: readonly BlockEntry[]): number => entries.reduce((sum, { count }) => sum + count, 0);
