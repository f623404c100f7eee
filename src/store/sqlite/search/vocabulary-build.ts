import type { Database } from 'better-sqlite3';
import { isCorrected } from '../../search/corrections.ts';
import { FIELD, type Field } from '../../search/scoring.ts';
import { isWordTerm } from '../../search/terms.ts';
import { deletionCodes } from '../../search/typos.ts';
import { createAppender } from '../appender.ts';
import { fillKeySet } from './key-set.ts';
import { createKeySorter } from './key-sorter.ts';
import { fillPostingsTable } from './postings-table.ts';
import { DELETIONS_TABLE, GRAMS_TABLE, TERMS_TABLE } from './search-tables.ts';
import type { ShadowTables } from './shadow-tables.ts';
import { mergeSorted } from './sorted-merge.ts';
import type { Spill } from './spill.ts';
import { ownStem, SPELLING } from './term-dictionary.ts';
import { createTextNumbers } from './text-numbers.ts';
import { gramLists } from './typo-tables.ts';

/** The vocabulary of a new index, in memory at about 30 bytes per term. */
export interface VocabularyBuild {
  idOf(term: string, field: Field): number;
  /** Deletes terms whose last document may have been removed from the live index. */
  release(terms: readonly number[]): void;
  write(): Iterable<void>;
}

/** Terms per sorted block. */
const BLOCK_TERMS = 8_192;

export function createVocabularyBuild(database: Database, shadow: ShadowTables, spill: Spill): VocabularyBuild {
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
    if (id === spellings.length) spellings = grown(spellings);
    if (id === (blocks.length + 1) * BLOCK_TERMS && terms.last() === id) sortBlock();
    return id;
  };

  return {
    idOf(term, field) {
      const id = numberOf(term);
      const spelling = !isWordTerm(term) ? SPELLING.none : field === FIELD.name ? SPELLING.name : SPELLING.text;
      if (spellings[id] < spelling) spellings[id] = spelling;
      return id;
    },
    // This vocabulary has no terms of removed documents.
    release: () => {},
    *write() {
      sortBlock();
      const deletions = createKeySorter(spill);
      const grams = createKeySorter(spill);
      const rows = createAppender(database, shadow.of(TERMS_TABLE), ['id', 'term', 'spelling', 'stem']);
      for (const id of mergeSorted<number>(blocks, terms.compare)) {
        const term = terms.text(id);
        const spelling = spellings[id];
        const word = term.slice(1);
        rows.add([id, term, spelling, spelling === SPELLING.none ? null : ownStem(word)]);
        if (spelling !== SPELLING.none && isCorrected(word)) {
          for (const code of deletionCodes(word)) deletions.add(code, id);
          if (spelling === SPELLING.name) for (const list of gramLists(word)) grams.add(list, id);
        }
        yield;
      }
      rows.flush();
      yield* fillKeySet(database, shadow.of(DELETIONS_TABLE), deletions);
      yield* fillPostingsTable(database, shadow.of(GRAMS_TABLE), grams.lists());
    },
  };
}

function grown(numbers: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}
