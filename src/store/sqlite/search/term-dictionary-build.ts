import type { Database } from 'better-sqlite3';
import type { Field } from '../../search/matches.ts';
import { deletionCodes, isCorrected } from '../../search/typos.ts';
import { createAppender } from '../appender.ts';
import { ensureCapacity } from '../ensure-capacity.ts';
import { fillKeySet } from './key-set.ts';
import { createKeySorter, type Spill } from './key-sorter.ts';
import { DELETIONS_TABLE, fillPostingsTable, GRAMS_TABLE, INFIXES_TABLE, TERMS_TABLE } from './postings-table.ts';
import { mergeSorted } from './sorted-run.ts';
import type { ShadowTables } from './sqlite-search-index.ts';
import { ownStem, SPELLING, spellingOf } from './term-dictionary-writer.ts';
import { gramLists, infixLists } from './typo-tables.ts';

/** The dictionary of a new index, in memory at about 30 bytes per term. */
export interface TermDictionaryBuild {
  idOf(term: string, field: Field): number;
  /** Deletes terms whose last document may have been removed from the live index. */
  release(terms: readonly number[]): void;
  write(): Iterable<void>;
}

/** Terms per sorted block. */
const BLOCK_TERMS = 8_192;

export function createTermDictionaryBuild(database: Database, shadow: ShadowTables, spill: Spill): TermDictionaryBuild {
  const terms = createTextNumbers();
  /** By term id. */
  let spellings = new Uint8Array(BLOCK_TERMS);
  /** Term ids sorted by text. */
  const blocks: Uint32Array[] = [];

  const sortBlock = () => {
    const from = blocks.length * BLOCK_TERMS + 1;
    const block = Uint32Array.from({ length: terms.last() + 1 - from }, (_, index) => from + index);
    blocks.push(block.sort(terms.compare));
  };

  const numberOf = (term: string): number => {
    const id = terms.idOf(term);
    if (id === spellings.length) spellings = ensureCapacity(spellings, id + 1);
    if (id === (blocks.length + 1) * BLOCK_TERMS && terms.last() === id) sortBlock();
    return id;
  };

  return {
    idOf(term, field) {
      const id = numberOf(term);
      const spelling = spellingOf(term, field);
      if (spellings[id] < spelling) spellings[id] = spelling;
      return id;
    },
    // This dictionary has no terms of removed documents.
    release: () => {},
    *write() {
      sortBlock();
      const deletions = createKeySorter(spill);
      const grams = createKeySorter(spill);
      const infixes = createKeySorter(spill);
      const rows = createAppender(database, shadow.of(TERMS_TABLE), ['id', 'term', 'spelling', 'stem']);
      for (const id of mergeSorted<number>(blocks, terms.compare)) {
        const term = terms.text(id);
        const spelling = spellings[id];
        const word = term.slice(1);
        rows.add([id, term, spelling, ownStem(term, spelling)]);
        if (spelling !== SPELLING.none && isCorrected(word)) {
          for (const code of deletionCodes(word)) deletions.add(code, id);
          if (spelling === SPELLING.name) {
            for (const list of gramLists(word)) grams.add(list, id);
            for (const list of infixLists(word)) infixes.add(list, id);
          }
        }
        yield;
      }
      rows.flush();
      yield* fillKeySet(database, shadow.of(DELETIONS_TABLE), deletions);
      yield* fillKeySet(database, shadow.of(INFIXES_TABLE), infixes);
      yield* fillPostingsTable(database, shadow.of(GRAMS_TABLE), grams.lists());
    },
  };
}

const FIRST_TEXTS = 2 ** 12;
const FIRST_UNITS = 2 ** 16;
const UNIT_BYTES = Uint16Array.BYTES_PER_ELEMENT;
/** Maximum load factor of the hash table. */
const FULL = 0.6;

/** Interns texts as consecutive numbers from 1, about 30 bytes each, outside the garbage-collected heap. */
function createTextNumbers() {
  /** Concatenated UTF-16 units, with start offsets by number. */
  let units = new Uint16Array(FIRST_UNITS);
  let starts = new Uint32Array(FIRST_TEXTS);
  /** Open addressing: numbers, or 0. */
  let slots = new Uint32Array(2 * FIRST_TEXTS);
  let last = 0;

  const isAt = (id: number, text: string): boolean => {
    const start = starts[id];
    if (starts[id + 1] - start !== text.length) return false;
    for (let index = 0; index < text.length; index++) if (units[start + index] !== text.charCodeAt(index)) return false;
    return true;
  };

  const add = (text: string): number => {
    const start = starts[++last];
    const end = start + text.length;
    starts = ensureCapacity(starts, last + 2);
    units = ensureCapacity(units, end);
    for (let index = 0; index < text.length; index++) units[start + index] = text.charCodeAt(index);
    starts[last + 1] = end;
    if (last > slots.length * FULL) rehash();
    return last;
  };

  const rehash = () => {
    slots = new Uint32Array(slots.length * 2);
    const mask = slots.length - 1;
    for (let id = 1; id <= last; id++) {
      let code = SEED;
      for (let index = starts[id]; index < starts[id + 1]; index++) code = mixed(code, units[index]);
      let slot = spread(code) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id;
    }
  };

  return {
    idOf(text: string): number {
      let code = SEED;
      for (let index = 0; index < text.length; index++) code = mixed(code, text.charCodeAt(index));
      const mask = slots.length - 1;
      let slot = spread(code) & mask;
      for (; slots[slot] !== 0; slot = (slot + 1) & mask) if (isAt(slots[slot], text)) return slots[slot];
      slots[slot] = last + 1;
      return add(text);
    },
    last: (): number => last,
    text: (id: number): string =>
      Buffer.from(units.buffer, starts[id] * UNIT_BYTES, (starts[id + 1] - starts[id]) * UNIT_BYTES).toString(
        'utf16le',
      ),
    /** Compares numbers by their texts, like `<`. */
    compare(one: number, other: number): number {
      let left = starts[one];
      let right = starts[other];
      const leftEnd = starts[one + 1];
      const rightEnd = starts[other + 1];
      while (left < leftEnd && right < rightEnd) {
        const difference = units[left++] - units[right++];
        if (difference !== 0) return difference;
      }
      return leftEnd - left - (rightEnd - right);
    },
  };
}

const SEED = 0x9e3779b9;
const mixed = (code: number, unit: number): number => Math.imul(code ^ unit, 0x85ebca6b) ^ (code >>> 13);
const spread = (code: number): number => Math.imul(code ^ (code >>> 15), 0xc2b2ae35) >>> 5;
