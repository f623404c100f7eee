import type { Database } from 'better-sqlite3';
import { isCorrected } from '../../search/corrections.ts';
import { FIELD, type Field } from '../../search/layers.ts';
import { isWordTerm } from '../../search/terms.ts';
import { deletionCodes } from '../../search/typos.ts';
import { createAppender } from '../appender.ts';
import { createKeySorter, type KeySorter } from './key-sorter.ts';
import { fillLists } from './lists.ts';
import { DELETIONS_TABLE, GRAMS_TABLE, TERMS_TABLE } from './schema.ts';
import type { ShadowTables } from './shadow-tables.ts';
import { mergeSorted } from './sorted-merge.ts';
import type { Spill } from './spill.ts';
import { gramLists } from './typo-tables.ts';
import { ownStem, SPELLING } from './vocabulary.ts';

/** The vocabulary of a new index: all terms are in memory, some hundred bytes each. */
export interface VocabularyBuild {
  /** The number of a term that a document has in a field. */
  idOf(term: string, field: Field): number;
  /** Writes the terms and what typos are resolved by, in portions. */
  write(): Iterable<void>;
}

/** Terms sorted at once. */
const BLOCK_TERMS = 8_192;

export function createVocabularyBuild(database: Database, shadow: ShadowTables, spill: Spill): VocabularyBuild {
  const numbers = new Map<string, number>();
  /** By number, which begins with 1. */
  const texts: string[] = [''];
  const spellings: number[] = [SPELLING.none];
  /** Numbers in the order of their texts. */
  const blocks: Uint32Array[] = [];
  const byText = (one: number, other: number): number => (texts[one] < texts[other] ? -1 : 1);

  const numberOf = (term: string): number => {
    const known = numbers.get(term);
    if (known !== undefined) return known;
    const id = texts.length;
    numbers.set(term, id);
    texts.push(term);
    spellings.push(SPELLING.none);
    if (id % BLOCK_TERMS === 0) sortBlock(texts.length);
    return id;
  };

  const sortBlock = (end: number) => {
    const from = blocks.length * BLOCK_TERMS + 1;
    const block = Array.from({ length: end - from }, (_, index) => from + index);
    blocks.push(Uint32Array.from(block.sort(byText)));
  };

  function* writeTerms(): Generator<void> {
    const rows = createAppender(database, shadow.of(TERMS_TABLE), ['id', 'term', 'spelling', 'stem']);
    for (const id of mergeSorted<number>(blocks, byText)) {
      const spelling = spellings[id];
      rows.add([id, texts[id], spelling, spelling === SPELLING.none ? null : ownStem(texts[id].slice(1))]);
      yield;
    }
    rows.flush();
  }

  /** Sorts words by the lists that each stands in. */
  function* sortWords(
    isListed: (spelling: number) => boolean,
    listsOf: (word: string) => number[],
  ): Generator<void, KeySorter> {
    const sorter = createKeySorter(spill);
    for (let id = 1; id < texts.length; id++) {
      const word = texts[id].slice(1);
      if (isListed(spellings[id]) && isCorrected(word)) for (const list of listsOf(word)) sorter.add(list, id);
      yield;
    }
    return sorter;
  }

  function* writeDeletions(): Generator<void> {
    const rows = createAppender(database, shadow.of(DELETIONS_TABLE), ['code', 'word']);
    const sorter = yield* sortWords((spelling) => spelling !== SPELLING.none, deletionCodes);
    for (const [code, ids] of sorter.lists()) {
      const words = Array.from(ids, (id) => texts[id].slice(1));
      for (const word of words.length > 1 ? words.sort() : words) rows.add([code, word]);
      yield;
    }
    rows.flush();
  }

  function* writeGrams(): Generator<void> {
    const sorter = yield* sortWords((spelling) => spelling === SPELLING.name, gramLists);
    yield* fillLists(database, shadow.of(GRAMS_TABLE), sorter.lists());
  }

  return {
    idOf(term, field) {
      const id = numberOf(term);
      const spelling = !isWordTerm(term) ? SPELLING.none : field === FIELD.name ? SPELLING.name : SPELLING.text;
      if (spellings[id] < spelling) spellings[id] = spelling;
      return id;
    },
    *write() {
      sortBlock(texts.length);
      numbers.clear();
      yield* writeTerms();
      yield* writeDeletions();
      yield* writeGrams();
    },
  };
}
