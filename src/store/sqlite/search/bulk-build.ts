import type { Database } from 'better-sqlite3';
import type { RecordType } from '../../../contract/entities/index.ts';
import { analyze, type NameKey } from '../../search/analyzer.ts';
import { docIdOf, POSITIONS_MAX, parseSizes, rankBucket } from '../../search/matches.ts';
import { storedKey } from '../../search/name-matcher.ts';
import type { IndexBuild, Ranked, SearchedDocument } from '../../search/search-index.ts';
import { type Appender, createAppender } from '../appender.ts';
import { appendedPlace, packKeys, packLists, unpackKeys, unpackLists } from './documents.ts';
import { termLists, termOfList } from './index-writer.ts';
import { createKeySorter, createSpill, type Spill } from './key-sorter.ts';
import { fillPostingsTable, MERGES_TABLE, RUNS_TABLE, SIZES_TABLE, searchTables } from './postings-table.ts';
import { createRuns, mergeSorted } from './sorted-run.ts';
import type { ShadowTables } from './sqlite-search-index.ts';
import { createTermDictionaryBuild, type TermDictionaryBuild } from './term-dictionary-build.ts';
import type { TermDictionaryWriter } from './term-dictionary-writer.ts';

/** Maximum duration of a write step, to yield to others. */
const PORTION_MS = 50;
/** Rows between checks of the clock. */
const ROWS_BETWEEN = 64;

/**
 * Builds an index in shadow tables: document rows as they arrive, everything else sorted externally and written once.
 * Terms are in memory, sort runs on disk.
 * @param present dictionary of the live index
 */
export function createIndexBuild(
  database: Database,
  { types, shadow }: { readonly types: readonly RecordType[]; readonly shadow: ShadowTables },
  present: TermDictionaryWriter,
): IndexBuild {
  let parts: Parts | undefined;
  const begun = (): Parts => {
    if (parts === undefined) throw new Error('No build of an index has begun');
    return parts;
  };
  return {
    begin(some) {
      shadow.create(some);
      if (some !== undefined) present.hold();
      parts = createParts(database, { types: some ?? types, shadow, present: some && present });
    },
    add(type, documents) {
      const { builders, isUpon } = begun();
      const builder = builders.get(type);
      if (isUpon) present.begin();
      for (const document of documents) builder?.add(document);
      builder?.flush();
      if (isUpon) present.flush('later');
    },
    write() {
      const { rest } = begun();
      const end = performance.now() + PORTION_MS;
      for (let rows = 0; rows % ROWS_BETWEEN !== 0 || performance.now() < end; rows++)
        if (rest.next().done) return false;
      return true;
    },
    finish() {
      const { builders, spill, isUpon } = begun();
      shadow.swap();
      if (!isUpon) database.exec(`DELETE FROM ${RUNS_TABLE}; DELETE FROM ${MERGES_TABLE}`);
      for (const builder of builders.values()) builder.takePlace();
      spill.clear();
      parts = undefined;
      present.replaced();
      if (!isUpon) return;
      present.begin();
      present.releaseHeld();
      present.flush('later');
    },
  };
}

interface Parts {
  readonly builders: ReadonlyMap<RecordType, ReturnType<typeof createTypeBuild>>;
  readonly rest: Iterator<void>;
  readonly spill: Spill;
  readonly isUpon: boolean;
}

function createParts(
  database: Database,
  {
    types,
    shadow,
    present,
  }: { types: readonly RecordType[]; shadow: ShadowTables; present: TermDictionaryWriter | undefined },
): Parts {
  const spill = createSpill(database);
  spill.clear();
  const dictionary = present === undefined ? createTermDictionaryBuild(database, shadow, spill) : growing(present);
  const isUpon = present !== undefined;
  const shared = { shadow, spill, dictionary, isUpon };
  const builders = new Map(types.map((type) => [type, createTypeBuild(database, type, shared)]));
  function* writeAll(): Generator<void> {
    for (const builder of builders.values()) yield* builder.write();
    yield* dictionary.write();
  }
  return { builders, rest: writeAll(), spill, isUpon };
}

/** An existing dictionary, which new words extend immediately. */
const growing = (dictionary: TermDictionaryWriter): TermDictionaryBuild => ({
  idOf: dictionary.idOf,
  release: dictionary.release,
  write: () => [],
});

type KeyRow = readonly [key: string, kind: number, docId: number];

const KEYS_SORTED = 16_384;
const compareKeys = (one: KeyRow, other: KeyRow): number =>
  one[0] === other[0] ? one[1] - other[1] || one[2] - other[2] : one[0] < other[0] ? -1 : 1;

interface Packed {
  readonly lists: Uint8Array;
  readonly keys: string;
}

interface Placed {
  readonly lists: ArrayLike<number> & Iterable<number>;
  readonly keys: readonly NameKey[];
  readonly packed: Packed;
}

interface Shared {
  readonly shadow: ShadowTables;
  readonly spill: Spill;
  readonly dictionary: TermDictionaryBuild;
  /** Whether the live dictionary is kept. */
  readonly isUpon: boolean;
}

function createTypeBuild(database: Database, type: string, { shadow, spill, dictionary, isUpon }: Shared) {
  const tables = searchTables(type);
  const rows = createAppender(database, shadow.of(tables.documents), ['id', 'ordinal', 'lists', 'keys']);
  const find = database.prepare<[number], Packed>(`SELECT lists, keys FROM ${tables.documents} WHERE id = ?`);
  const postings = createKeySorter(spill);
  const runs = createRuns(database, tables.lists);
  const sortedKeys: Iterable<KeyRow>[] = [];
  const sizes = parseSizes(undefined);
  let keys: KeyRow[] = [];

  const place = (step: number): number => {
    const free = appendedPlace(sizes.steps[step]);
    if (free >= POSITIONS_MAX) throw new Error(`Search holds at most ${POSITIONS_MAX} records of one importance`);
    sizes.steps[step] = free + 1;
    return docIdOf(step, free);
  };
  const spillKeys = () => {
    sortedKeys.push(spill.keepRows(keys.sort(compareKeys)));
    keys = [];
  };

  const addRow = ({ id, rank }: Ranked, { lists, keys: own, packed }: Placed) => {
    const docId = place(rankBucket(rank));
    for (const list of lists) postings.add(list, docId);
    for (const { key, kind } of own) keys.push([storedKey(kind, key), kind, docId]);
    rows.add([id, docId, packed.lists, packed.keys]);
    sizes.documents += 1;
    if (keys.length >= KEYS_SORTED) spillKeys();
  };

  return {
    add(document: SearchedDocument | Ranked): void {
      const packed = isUpon ? find.get(document.id) : undefined;
      if ('names' in document) {
        // Its former terms may be unused now.
        if (packed) dictionary.release(Array.from(unpackLists(packed.lists), termOfList));
        const { keys: own, terms } = analyze(document);
        const lists = termLists(terms, dictionary);
        addRow(document, { lists, keys: own, packed: { lists: packLists(lists), keys: packKeys(own) } });
        return;
      }
      if (packed) addRow(document, { lists: unpackLists(packed.lists), keys: unpackKeys(packed.keys), packed });
    },
    flush: rows.flush,
    *write(): Iterable<void> {
      spillKeys();
      const keyRows: Appender = createAppender(database, shadow.of(tables.keys), ['key', 'kind', 'ordinal']);
      for (const row of mergeSorted(sortedKeys, compareKeys)) {
        keyRows.add(row);
        yield;
      }
      keyRows.flush();
      yield* fillPostingsTable(database, shadow.of(tables.lists), postings.lists());
    },
    /** Returns the number of documents, and discards pending changes of the replaced lists. */
    takePlace(): void {
      const { documents, steps } = sizes;
      runs.refresh();
      dictionary.release(runs.emptied().map(termOfList));
      for (const table of [RUNS_TABLE, MERGES_TABLE])
        database.prepare(`DELETE FROM ${table} WHERE target = ?`).run(tables.lists);
      database
        .prepare(`INSERT OR REPLACE INTO ${SIZES_TABLE} (type, documents, steps) VALUES (?, ?, ?)`)
        .run(type, documents, steps.join(' '));
    },
  };
}
