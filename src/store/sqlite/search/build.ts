import type { Database } from 'better-sqlite3';
import { featuresOf } from '../../search/features.ts';
import { keptKey } from '../../search/identities.ts';
import { importanceStep } from '../../search/layers.ts';
import { ordinalOf, PLACES_MAX, parseSizes } from '../../search/places.ts';
import type { IndexBuild, SearchedDocument } from '../../search/search-index.ts';
import { type Appender, createAppender } from '../appender.ts';
import { packKeys, packLists } from './documents.ts';
import { createKeySorter } from './key-sorter.ts';
import { fillLists } from './lists.ts';
import { appendedPlace } from './order.ts';
import { MERGES_TABLE, RUNS_TABLE, SIZES_TABLE, searchTables } from './schema.ts';
import type { ShadowTables } from './shadow-tables.ts';
import { mergeSorted } from './sorted-merge.ts';
import { createSpill, type Spill } from './spill.ts';
import { createVocabularyBuild, type VocabularyBuild } from './vocabulary-build.ts';
import { listOf } from './writer.ts';

/** What one portion of writing takes at most: others have their turn between two. */
const PORTION_MS = 15;
/** Rows between two looks at the clock. */
const ROWS_BETWEEN = 64;

/**
 * Builds an index in tables beside the one that is there: rows of documents as they come, all else sorted and written once. What waits
 * to be sorted is on disk; in memory are the terms.
 * @param onSwap called when the new index has taken the place of the old one, within the transaction
 */
export function createIndexBuild<Type extends string>(
  database: Database,
  { types, shadow }: { readonly types: readonly Type[]; readonly shadow: ShadowTables },
  onSwap: () => void,
): IndexBuild<Type> {
  let parts: Parts<Type> | undefined;
  const begun = (): Parts<Type> => {
    if (parts === undefined) throw new Error('No build of an index has begun');
    return parts;
  };
  return {
    begin() {
      shadow.create();
      parts = createParts(database, types, shadow);
    },
    add(type, documents) {
      const builder = begun().builders.get(type);
      for (const document of documents) builder?.add(document);
      builder?.flush();
    },
    write() {
      const { rest } = begun();
      const end = performance.now() + PORTION_MS;
      for (let rows = 0; rows % ROWS_BETWEEN !== 0 || performance.now() < end; rows++)
        if (rest.next().done) return false;
      return true;
    },
    finish() {
      const { builders, spill } = begun();
      shadow.swap();
      database.exec(`DELETE FROM ${RUNS_TABLE}; DELETE FROM ${MERGES_TABLE}`);
      for (const builder of builders.values()) builder.writeSizes();
      spill.clear();
      parts = undefined;
      onSwap();
    },
  };
}

interface Parts<Type extends string> {
  readonly builders: ReadonlyMap<Type, TypeBuild>;
  /** What is left to write. */
  readonly rest: Iterator<void>;
  readonly spill: Spill;
}

function createParts<Type extends string>(
  database: Database,
  types: readonly Type[],
  shadow: ShadowTables,
): Parts<Type> {
  const spill = createSpill(database);
  spill.clear();
  const vocabulary = createVocabularyBuild(database, shadow, spill);
  const shared = { shadow, spill, vocabulary };
  const builders = new Map(types.map((type) => [type, createTypeBuild(database, type, shared)]));
  function* writeAll(): Generator<void> {
    for (const builder of builders.values()) yield* builder.write();
    yield* vocabulary.write();
  }
  return { builders, rest: writeAll(), spill };
}

/** The tables of one type in a new index. */
interface TypeBuild {
  add(document: SearchedDocument): void;
  /** Writes the rows of the documents that were added. */
  flush(): void;
  /** Writes all that had to be sorted, in portions. */
  write(): Iterable<void>;
  writeSizes(): void;
}

type KeyRow = readonly [key: string, kind: number, ordinal: number];

const KEYS_SORTED = 16_384;
const compareKeys = (one: KeyRow, other: KeyRow): number =>
  one[0] === other[0] ? one[1] - other[1] || one[2] - other[2] : one[0] < other[0] ? -1 : 1;

interface Shared {
  readonly shadow: ShadowTables;
  readonly spill: Spill;
  readonly vocabulary: VocabularyBuild;
}

function createTypeBuild(database: Database, type: string, { shadow, spill, vocabulary }: Shared): TypeBuild {
  const tables = searchTables(type);
  const rows = createAppender(database, shadow.of(tables.documents), ['id', 'ordinal', 'lists', 'keys']);
  const postings = createKeySorter(spill);
  const sortedKeys: Iterable<KeyRow>[] = [];
  const sizes = parseSizes(undefined);
  let keys: KeyRow[] = [];

  const place = (step: number): number => {
    const free = appendedPlace(sizes.steps[step]);
    if (free >= PLACES_MAX) throw new Error(`Search holds at most ${PLACES_MAX} records of one importance`);
    sizes.steps[step] = free + 1;
    return ordinalOf(step, free);
  };
  const spillKeys = () => {
    sortedKeys.push(spill.keepRows(keys.sort(compareKeys)));
    keys = [];
  };

  return {
    add(document) {
      const { keys: own, terms } = featuresOf(document);
      const ordinal = place(importanceStep(document.rank));
      const lists = new Float64Array(terms.size);
      let length = 0;
      for (const [term, field] of terms) lists[length++] = listOf(vocabulary.idOf(term, field), field);
      lists.sort();
      for (const list of lists) postings.add(list, ordinal);
      for (const { key, kind } of own) keys.push([keptKey(kind, key), kind, ordinal]);
      rows.add([document.id, ordinal, packLists(lists), packKeys(own)]);
      sizes.documents += 1;
      if (keys.length >= KEYS_SORTED) spillKeys();
    },
    flush: rows.flush,
    *write() {
      spillKeys();
      const keyRows: Appender = createAppender(database, shadow.of(tables.keys), ['key', 'kind', 'ordinal']);
      for (const row of mergeSorted(sortedKeys, compareKeys)) {
        keyRows.add(row);
        yield;
      }
      keyRows.flush();
      yield* fillLists(database, shadow.of(tables.lists), postings.lists());
    },
    writeSizes() {
      const { documents, steps } = sizes;
      database
        .prepare(`INSERT OR REPLACE INTO ${SIZES_TABLE} (type, documents, steps) VALUES (?, ?, ?)`)
        .run(type, documents, steps.join(' '));
    },
  };
}
