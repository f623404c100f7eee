import type { Database } from 'better-sqlite3';
import {
  COMPARED_MAX,
  isCorrected,
  nearest,
  SHARING_MAX,
  TWO_TYPOS_LENGTH_MIN,
  TYPOS_MAX,
} from '../../search/corrections.ts';
import type { Term, Vocabulary } from '../../search/plan.ts';
import { wordTerm } from '../../search/terms.ts';
import { deletionCodes, GRAMS_PER_TYPO, gramCodes } from '../../search/typos.ts';
import { createLists, type Entry, firstOfKey, type ListReader } from './lists.ts';
import { overlaid } from './overlaid-lists.ts';
import { createRuns } from './runs.ts';
import { DELETIONS_TABLE, GRAMS_TABLE, TERMS_TABLE } from './schema.ts';
import { decodeSegment } from './segments.ts';

/** A word has fewer trigrams than that. */
const COUNT_MAX = 255;
/** Words counted in the lists of trigrams; beyond, the commonest trigrams of a word are left out. */
const COUNTED_MAX = 16_384;

/** The vocabulary in the words of the plan. */
export interface VocabularyReader extends Vocabulary {
  /** Begins a search in the state of the index that has this number. */
  begin(epoch: number | undefined): void;
}

export function createVocabularyReader(database: Database): VocabularyReader {
  const find = database.prepare<[string], number>(`SELECT id FROM ${TERMS_TABLE} WHERE term = ?`).pluck();
  // As one row: many small ones cost more to hand over than to find.
  const range = database
    .prepare<[string, string, number], string>(
      `SELECT json_group_array(id) FROM (
        SELECT id FROM ${TERMS_TABLE} WHERE term > ? AND term < ? ORDER BY term LIMIT CAST(? AS INTEGER)
      )`,
    )
    .pluck();
  // A bare parameter as the limit has the statement planned anew at each run, which takes ten times as long.
  const ofStem = database.prepare<[string, number], Term>(
    `SELECT id, term FROM ${TERMS_TABLE} WHERE stem = ? LIMIT CAST(? AS INTEGER)`,
  );
  const sharing = database
    .prepare<[number], [number, string]>(
      `SELECT id, ${TERMS_TABLE}.term FROM ${DELETIONS_TABLE} JOIN ${TERMS_TABLE} ON id = ${DELETIONS_TABLE}.term WHERE code = ? LIMIT ${SHARING_MAX}`,
    )
    .raw();
  const termOf = database.prepare<[number], string>(`SELECT term FROM ${TERMS_TABLE} WHERE id = ?`).pluck();
  const gramRuns = createRuns(database, GRAMS_TABLE);
  const deletionRuns = createRuns(database, DELETIONS_TABLE);
  const countShared = createGramCounter(overlaid(createLists(database, GRAMS_TABLE), gramRuns));
  let known: number | undefined;

  /** The words that share a code of deletion, the first known ones. */
  const sharingWords = (code: number): [number, string][] => {
    const words = sharing.all(code);
    const waiting = [...deletionRuns.between(code, code + 1)].flatMap(([, { added }]) => [...added]);
    if (waiting.length === 0) return words;
    const known = new Map(words);
    for (const id of waiting) if (!known.has(id)) known.set(id, termOf.get(id) ?? '');
    return [...known].sort(([one], [other]) => one - other).slice(0, SHARING_MAX);
  };

  return {
    begin(epoch) {
      if (known === epoch && epoch !== undefined) return;
      gramRuns.refresh();
      deletionRuns.refresh();
      known = epoch;
    },
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
    withPrefix: (prefix, limit) =>
      JSON.parse(range.get(wordTerm(prefix), `${wordTerm(prefix)}\u{10ffff}`, limit) ?? '[]') as number[],
    oneTypo(word) {
      if (!isCorrected(word)) return [];
      const words = new Map(deletionCodes(word).flatMap(sharingWords));
      return nearest(word, words, { typosMax: 1, isUnfinished: false });
    },
    someTypos(word, isUnfinished) {
      const hasTwo = word.length >= TWO_TYPOS_LENGTH_MIN;
      // Whole words one typo away are found by deletions already.
      if (!isCorrected(word) || !(hasTwo || isUnfinished)) return [];
      const words = new Map(countShared(word).map((id) => [id, termOf.get(id) ?? '']));
      return nearest(word, words, { typosMax: hasTwo ? TYPOS_MAX : 1, isUnfinished });
    },
  };
}

/** Gives the ids of the words of names that share most trigrams with a word, most first. */
function createGramCounter(grams: ListReader): (word: string) => number[] {
  let counts = new Uint8Array(0);
  let ids = new Uint32Array(0);

  /** Decodes what some entries hold one behind the other, and gives how much it is. */
  const decode = (entries: readonly Entry[]): number => {
    const size = entries.reduce((sum, { count }) => sum + count, 0);
    if (ids.length < size) ids = new Uint32Array(size);
    let length = 0;
    for (const entry of entries) {
      length = decodeSegment(firstOfKey(entry.key), entry.data ?? grams.read(entry.key), ids, length);
      if (counts.length <= ids[length - 1]) counts = grown(counts, ids[length - 1]);
    }
    return length;
  };

  return (word) => {
    const codes = gramCodes(word);
    const chosen = rarest(codes.map((code) => grams.directory(code, code + 1)));
    // What shares enough of all trigrams shares enough of the chosen ones, even when it has every other.
    const most = Math.max(2, codes.length - GRAMS_PER_TYPO * TYPOS_MAX);
    const least = Math.max(1, most - (codes.length - chosen.length));
    const length = decode(chosen.flat());
    const reaching = countEach(ids, length, counts);
    // Those that share fewer than enough others do are not compared at all.
    let lowest = chosen.length;
    while (lowest > least && reaching[lowest] < COMPARED_MAX) lowest--;
    const byShared: number[][] = chosen.map(() => []);
    takeCounted({ ids, length, counts }, lowest, byShared);
    return mostShared(byShared);
  };
}

// The loops stand alone and take what they work on: inside closures they run several times slower.

/** Counts how often each of some ids comes, and gives how many came so often or oftener, by number of times. */
function countEach(ids: Uint32Array, length: number, counts: Uint8Array): Uint32Array {
  const reaching = new Uint32Array(COUNT_MAX + 1);
  for (let index = 0; index < length; index++) reaching[++counts[ids[index]]]++;
  return reaching;
}

interface Counted {
  ids: Uint32Array;
  length: number;
  counts: Uint8Array;
}

/** Puts those that came `lowest` times or oftener under their count less one, and sets all counts back. */
function takeCounted({ ids, length, counts }: Counted, lowest: number, byCount: readonly number[][]): void {
  for (let index = 0; index < length; index++) {
    const id = ids[index];
    const count = counts[id];
    if (count === 0) continue;
    if (count >= lowest) byCount[count - 1].push(id);
    counts[id] = 0;
  }
}

/** The rarest lists, which together hold few words: the work must not grow with the vocabulary. */
function rarest(lists: readonly Entry[][]): Entry[][] {
  const sizes = new Map(lists.map((entries) => [entries, entries.reduce((sum, { count }) => sum + count, 0)]));
  const rareFirst = lists.toSorted((one, other) => (sizes.get(one) ?? 0) - (sizes.get(other) ?? 0));
  let counted = 0;
  return rareFirst.filter((entries, index) => {
    counted += sizes.get(entries) ?? 0;
    return counted <= COUNTED_MAX || index === 0;
  });
}

/** The first ones that are worth comparing, those that share most first. */
function mostShared(byShared: readonly number[][]): number[] {
  const chosen: number[] = [];
  for (const ids of byShared.toReversed()) {
    if (chosen.length >= COMPARED_MAX) break;
    chosen.push(...smallest(ids, COMPARED_MAX - chosen.length));
  }
  return chosen;
}

/** The first ones in order; of thousands mostly a few are asked for, so that to sort all would cost most. */
function smallest(ids: readonly number[], most: number): number[] {
  const chosen: number[] = [];
  for (const id of ids) {
    if (chosen.length === most) {
      if (id > chosen[most - 1]) continue;
      chosen.pop();
    }
    let place = chosen.length;
    while (place > 0 && chosen[place - 1] > id) place--;
    chosen.splice(place, 0, id);
  }
  return chosen;
}

function grown(counts: Uint8Array<ArrayBuffer>, last: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array((last + 1) * 2);
  larger.set(counts);
  return larger;
}
