import type { SqlProgram } from '../sql.ts';
import type { Document } from './document.ts';
import type { ChangedRow, NamedRow, NewRow, RecordTable, StoredRow } from './tables.ts';

interface PrefetchRequest {
  readonly ids?: readonly number[];
  readonly slugs?: readonly string[];
}

/**
 * Identity map and write-behind buffer of a type's records within one transaction: each is read once; writes are
 * visible at once and reach the table with `flush`.
 */
export type RecordBuffer = Omit<ReturnType<typeof createRecordBuffer>, 'insertAll' | 'updateAll'>;

export function createRecordBuffer(table: RecordTable) {
  const state = createState();
  return {
    ...table,
    ...readsOf(state, table),
    ...writesOf(state, table),
    flush: () => flush(state, table),
  };
}

interface LoadedRecord {
  readonly id: number;
  readonly slug: string;
  /** Undefined while only the document is loaded. */
  readonly name?: string | undefined;
  /** Undefined for a record loaded for links only. */
  readonly row?: StoredRow | undefined;
}

type State = ReturnType<typeof createState>;

const createState = () => ({
  /** By id; null for a missing record. */
  known: new Map<number, LoadedRecord | null>(),
  bySlug: new Map<string, number | null>(),
  added: new Map<number, NewRow>(),
  changed: new Map<number, ChangedRow>(),
  unshipped: new Set<number>(),
});

function readsOf(state: State, table: RecordTable) {
  const { known, bySlug } = state;
  const isUnread = (id: number): boolean => known.get(id) !== null && known.get(id)?.row === undefined;
  const absent = (ids: readonly number[], slugs: readonly string[]): void => {
    for (const id of ids) if (!known.has(id)) known.set(id, null);
    for (const slug of slugs) if (!bySlug.has(slug)) bySlug.set(slug, null);
  };
  const load = function* load({ ids = [], slugs = [] }: PrefetchRequest): SqlProgram<void> {
    // A record may have been written without having been read.
    yield* flush(state, table);
    const [newIds, newSlugs] = [ids.filter(isUnread), slugs.filter((slug) => !bySlug.has(slug))];
    const rows = newSlugs.length === 0 ? [] : yield* table.bySlugs(newSlugs);
    if (newIds.length > 0) rows.push(...(yield* table.byIds(newIds)));
    for (const row of rows) remember(state, { id: row.id, slug: row.slug, row });
    absent(newIds, newSlugs);
  };
  /** Prefetches only what links to them need. */
  const loadNamed = function* loadNamed({ ids = [], slugs = [] }: PrefetchRequest): SqlProgram<void> {
    yield* flush(state, table);
    const [newIds, newSlugs] = [ids.filter((id) => !known.has(id)), slugs.filter((slug) => !bySlug.has(slug))];
    const rows = newSlugs.length === 0 ? [] : yield* table.namedBySlugs(newSlugs);
    if (newIds.length > 0) rows.push(...(yield* table.namedByIds(newIds)));
    for (const row of rows) if (!known.has(row.id)) remember(state, row);
    absent(newIds, newSlugs);
  };
  const byId = function* byId(id: number): SqlProgram<StoredRow | undefined> {
    if (isUnread(id)) yield* load({ ids: [id] });
    return known.get(id)?.row;
  };
  const namedById = function* namedById(id: number): SqlProgram<NamedRow | undefined> {
    if (!known.has(id)) yield* loadNamed({ ids: [id] });
    return namedOf(known.get(id));
  };
  return {
    load,
    loadNamed,
    byId,
    *bySlug(slug: string): SqlProgram<StoredRow | undefined> {
      if (!bySlug.has(slug)) yield* load({ slugs: [slug] });
      const id = bySlug.get(slug);
      return id == null ? undefined : yield* byId(id);
    },
    namedById,
    *namedBySlug(slug: string): SqlProgram<NamedRow | undefined> {
      if (!bySlug.has(slug)) yield* loadNamed({ slugs: [slug] });
      const id = bySlug.get(slug);
      return id == null ? undefined : yield* namedById(id);
    },
    *hasSlug(slug: string): SqlProgram<boolean> {
      const id = bySlug.get(slug);
      return id === undefined ? yield* table.hasSlug(slug) : id !== null;
    },
  };
}

function writesOf(state: State, table: RecordTable) {
  /** Reloads what other statements insert or delete. */
  const write = function* write(program: SqlProgram<void>): SqlProgram<void> {
    yield* flush(state, table);
    yield* program;
    state.known.clear();
    state.bySlug.clear();
  };
  return {
    insert: (document: Document, isShipped: boolean): void => {
      const { id, slug, name } = document;
      const json = JSON.stringify(document);
      state.added.set(id, { id, slug, document: json, isShipped });
      remember(state, { id, slug, name, row: { id, slug, version: 1, document: json } });
    },
    /** @param json serialized document, if available */
    update: (document: Document, json = JSON.stringify(document)): void => update(state, document, json),
    markUnshipped: (id: number): void => void state.unshipped.add(id),
    setDeleted: (id: number, moment: string | null) => write(table.setDeleted(id, moment)),
    removeAll: (ids: readonly number[]) => write(table.removeAll(ids)),
  };
}

function update(state: State, document: Document, json: string): void {
  const { id, slug, name } = document;
  const written = { id, slug, document: json };
  const before = state.known.get(id);
  const added = state.added.get(id);
  const changed = state.changed.get(id);
  const isPending = (added ?? changed) !== undefined;
  const isRenamed = before?.slug !== slug || changed?.isRenamed === true;
  if (added === undefined) state.changed.set(id, { ...written, isRenamed });
  else state.added.set(id, { ...added, ...written });
  if (before != null && before.slug !== slug) state.bySlug.set(before.slug, null);
  const version = before?.row && before.row.version + (isPending ? 0 : 1);
  remember(state, { id, slug, name, row: version === undefined ? undefined : { ...written, version } });
}

function* flush({ added, changed, unshipped }: State, table: RecordTable): SqlProgram<void> {
  if (changed.size > 0) yield* table.updateAll([...changed.values()]);
  if (added.size > 0) yield* table.insertAll([...added.values()]);
  if (unshipped.size > 0) yield* table.markUnshipped([...unshipped]);
  for (const pending of [changed, added, unshipped]) pending.clear();
}

function remember({ known, bySlug }: State, record: LoadedRecord): void {
  known.set(record.id, record);
  bySlug.set(record.slug, record.id);
}

function namedOf(record: LoadedRecord | null | undefined): NamedRow | undefined {
  if (record == null) return undefined;
  const { id, slug, row, name = (JSON.parse(row?.document ?? '{}') as Document).name } = record;
  return { id, slug, name };
}
