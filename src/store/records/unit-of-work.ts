import { entityOf, NAMED_TYPES, type NamedType, RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { RecordInput } from '../../contract/input.ts';
import { slugify } from '../../contract/names.ts';
import { appendAuditEntries, type NewAuditEntry } from '../audit.ts';
import { noteEdits } from '../claims/table.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { SqlProgram } from '../sql/program.ts';
import { composeDocument, type Document, identityKeys } from './document.ts';
import { createFunding, type FundingReader } from './funding.ts';
import { createLinkBuffer } from './link-buffer.ts';
import type { LinkTable, Place } from './link-rows.ts';
import { createLinker, type Finder, type Linker } from './linker.ts';
import { targetsOf } from './links.ts';
import { createNameBuffer } from './name-buffer.ts';
import { createRecordBuffer, type RecordBuffer } from './record-buffer.ts';
import type { RecordIndexing, SearchedPlace } from './record-index.ts';
import type { NameTable, RecordTables } from './tables.ts';

const SLUG_TRIES_MAX = 10_000;

/** What writing works with, for as long as the database is open. */
export interface WriterParts {
  readonly dialect: Dialect;
  readonly tables: RecordTables;
  readonly names: NameTable;
  readonly links: LinkTable;
  readonly index: RecordIndexing;
}

/** The writing of one transaction, which leaves to its end what needs doing once a record. */
export interface UnitOfWork extends Finder {
  readonly index: RecordIndexing;
  readonly linker: Linker;
  readonly funding: FundingReader;
  /** Writes what is pending of records, names and links. */
  readonly flush: () => SqlProgram<void>;
  readonly moment: string;
  readonly changed: Map<string, Document>;
  /** Companies that changed only in what they raised. */
  readonly retold: Document[];
  /** Names that came, or went from one of several, by type: what waits for them is looked up once at the end. */
  readonly named: Map<NamedType, Set<string>>;
  /** Fields that a person or a key has changed, by record. */
  readonly edited: { readonly document: Document; readonly fields: readonly string[] }[];
  /** What was done, for the audit log. */
  readonly deeds: NewAuditEntry[];
  /** Records that name one that came or went, to be linked again once at the end. */
  readonly waiting: Map<string, Place>;
  /** Records that name one that is called otherwise now, or is out of sight, to be shown again at the end. */
  readonly stale: Map<string, Place>;
  /** Companies whose rounds changed. */
  readonly funded: Set<number>;
  /** Records that are gone, which no search may find any more. */
  readonly removed: Map<string, SearchedPlace>;
  /** Records that another number of records may name now. */
  readonly ranked: Map<string, SearchedPlace>;
  /** Records whose links lead elsewhere, though their documents say the same. */
  readonly relinked: SearchedPlace[];
  /** The last number given, by type. */
  readonly lastIds: Map<RecordType, number>;
}

export function beginWork({ dialect, index, ...statements }: WriterParts, now: Date): UnitOfWork {
  const buffers = RECORD_TYPES.map((type) => [type, createRecordBuffer(statements.tables[type])] as const);
  const tables = Object.fromEntries(buffers) as Record<RecordType, RecordBuffer>;
  const finder = { tables, names: createNameBuffer(statements.names), links: createLinkBuffer(statements.links) };
  const flush = function* flush(): SqlProgram<void> {
    for (const [, buffer] of buffers) yield* buffer.flush();
    yield* finder.names.flush();
    yield* finder.links.flush();
  };
  return {
    ...finder,
    index,
    linker: createLinker(finder),
    funding: createFunding(dialect, flush),
    flush,
    moment: now.toISOString(),
    changed: new Map(),
    retold: [],
    named: new Map(),
    edited: [],
    deeds: [],
    waiting: new Map(),
    stale: new Map(),
    funded: new Set(),
    removed: new Map(),
    ranked: new Map(),
    relinked: [],
    lastIds: new Map(),
  };
}

/** Does what follows from the changes: links of other records, funding, the search index. */
export function* finishWork(work: UnitOfWork, when: Parameters<RecordIndexing['update']>[1] = 'now'): SqlProgram<void> {
  for (const [type, keys] of work.named) markUnresolved(work, yield* work.linker.waiting(type, [...keys]));
  yield* rewriteAll(work, [...work.waiting.values()], work.linker.resolvePending);
  yield* rewriteAll(work, [...work.stale.values()], work.linker.refresh);
  yield* refreshFunding(work, [...work.funded]);
  yield* work.flush();
  for (const [type, id] of work.lastIds) yield* work.tables[type].keepLastId(id);
  yield* noteEdits(work.edited, work.moment);
  yield* appendAuditEntries(work.deeds);
  const put = [...work.changed.values()];
  const { retold, relinked } = work;
  const [removed, named] = [[...work.removed.values()], [...work.ranked.values()]];
  yield* work.index.update({ put, retold, removed, named, relinked }, when);
}

/** Whether records of a type go by a name that others name them by. */
export const isNamed = (type: string): type is NamedType => (NAMED_TYPES as readonly string[]).includes(type);

/** Keeps a new record; what it names and what waits for it is linked. */
export function* insertRecord(
  work: UnitOfWork,
  type: RecordType,
  input: RecordInput,
  isShipped: boolean,
): SqlProgram<Document> {
  const table = work.tables[type];
  const slug = input.slug ?? (yield* freeSlug(table, type, input.name));
  const times = { created_at: work.moment, updated_at: work.moment };
  const document = composeDocument(type, { id: yield* nextId(work, type), slug, ...times }, input, undefined);
  yield* work.linker.linkNew(document);
  table.insert(document, isShipped);
  noteChanged(work, document);
  if (isNamed(type)) {
    work.names.add(type, document.id, identityKeys(document));
    noteNamed(work, document);
  }
  return document;
}

function* nextId({ lastIds, tables }: UnitOfWork, type: RecordType): SqlProgram<number> {
  const id = (lastIds.get(type) ?? (yield* tables[type].lastId())) + 1;
  lastIds.set(type, id);
  return id;
}

function* freeSlug(table: RecordBuffer, type: RecordType, name: string): SqlProgram<string> {
  const base = slugify(name) || slugify(entityOf(type).noun);
  for (let suffix = 1; suffix <= SLUG_TRIES_MAX; suffix += 1) {
    const slug = suffix === 1 ? base : `${base}-${suffix}`;
    if (!(yield* table.hasSlug(slug))) return slug;
  }
  throw new ServiceError('invalid_parameter', `slug: too many records are named like ${base}; give one`);
}

/** Keeps a changed record, and what follows from its names. */
export function saveRecord(work: UnitOfWork, document: Document, json = JSON.stringify(document)): void {
  const { type, id } = document;
  work.tables[type as RecordType].update(document, json);
  noteChanged(work, document);
  noteNamed(work, document);
  if (isNamed(type)) work.names.set(type, id, identityKeys(document));
}

/** Has the records linked that wait for one of a record's names. */
export function noteNamed({ named }: UnitOfWork, document: Document): void {
  const { type } = document;
  if (!isNamed(type)) return;
  const keys = named.get(type) ?? new Set();
  named.set(type, keys);
  for (const key of identityKeys(document)) keys.add(key);
}

function noteChanged(work: UnitOfWork, document: Document): void {
  work.changed.set(`${document.type} ${document.id}`, document);
  noteTargets(work, document);
}

/** Notes what depends on the records that a document names, as it was or as it is: a company's funding, and ranks. */
export function noteTargets(work: UnitOfWork, document: Document): void {
  const company = document['company'] as { id: number | null } | undefined;
  if (company?.id != null) {
    work.funded.add(company.id);
    work.funding.forget(company.id);
  }
  for (const { type, id } of targetsOf(document)) work.ranked.set(`${type} ${id}`, { type, id });
}

/** Takes a record out of what searches find. */
export function noteRemoved(work: UnitOfWork, type: RecordType, id: number): void {
  work.changed.delete(`${type} ${id}`);
  work.removed.set(`${type} ${id}`, { type, id });
}

export function markUnresolved(work: UnitOfWork, places: readonly Place[]): void {
  for (const place of places) work.waiting.set(`${place.type} ${place.id}`, place);
}

export function markStale(work: UnitOfWork, places: readonly Place[]): void {
  for (const place of places) work.stale.set(`${place.type} ${place.id}`, place);
}

/** Changes kept documents in their links, and keeps those again in which that made a difference. */
function* rewriteAll(
  work: UnitOfWork,
  places: readonly Place[],
  relink: (document: Document) => SqlProgram<void>,
): SqlProgram<void> {
  for (const type of RECORD_TYPES) {
    const ids = places.flatMap((place) => (place.type === type ? place.id : []));
    if (ids.length > 0) yield* rewriteSome(work, type, ids, relink);
  }
}

function* rewriteSome(
  work: UnitOfWork,
  type: RecordType,
  ids: readonly number[],
  relink: (document: Document) => SqlProgram<void>,
): SqlProgram<void> {
  const table = work.tables[type];
  yield* table.load({ ids });
  const kept: { readonly json: string; readonly document: Document }[] = [];
  for (const id of ids) {
    const row = yield* table.byId(id);
    if (row !== undefined) kept.push({ json: row.document, document: JSON.parse(row.document) as Document });
  }
  yield* work.linker.prepareKept(
    type,
    kept.map(({ document }) => document),
  );
  for (const { json, document } of kept) {
    yield* relink(document);
    const linked = JSON.stringify(document);
    if (linked === json) continue;
    table.update(document, linked);
    noteChanged(work, document);
  }
}

function* refreshFunding({ tables, funding, changed, retold }: UnitOfWork, ids: readonly number[]): SqlProgram<void> {
  yield* tables.companies.load({ ids });
  yield* funding.load(ids);
  for (const id of ids) {
    const row = yield* tables.companies.byId(id);
    if (row === undefined) continue;
    const document = { ...(JSON.parse(row.document) as Document), ...(yield* funding.ofCompany(id)) };
    const json = JSON.stringify(document);
    if (json === row.document) continue;
    tables.companies.update(document, json);
    if (changed.has(`companies ${id}`)) changed.set(`companies ${id}`, document);
    else retold.push(document);
  }
}
