import { entityOf, isNamedType, type NamedType, RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { RecordInput } from '../../contract/input.ts';
import { slugify } from '../../contract/names.ts';
import { appendAuditEntries, type NewAuditEntry } from '../audit.ts';
import { cached } from '../cached.ts';
import { recordEdits } from '../claims/claim-table.ts';
import type { RecordRef } from '../port/analytics.ts';
import type { Dialect, SqlProgram } from '../sql.ts';
import { type Invested, markInvested, noteLeaving, refreshComputed } from './computed-fields.ts';
import { composeDocument, type Document, identityKeys } from './document.ts';
import { createFunding } from './funding.ts';
import { createInvestments } from './investments.ts';
import { createLinkBuffer } from './link-buffer.ts';
import { createLinker } from './linker.ts';
import { targetsOf } from './links.ts';
import { createNameBuffer } from './name-buffer.ts';
import { createRecordBuffer, type RecordBuffer } from './record-buffer.ts';
import type { RecordIndexing } from './record-index.ts';
import type { RecordTables } from './tables.ts';

const SLUG_TRIES_MAX = 10_000;

export interface WriterParts {
  readonly dialect: Dialect;
  readonly tables: RecordTables;
  readonly index: RecordIndexing;
}

export type UnitOfWork = ReturnType<typeof beginWork>;

/** State of one write transaction, with work that is done once per record at its end. */
export function beginWork({ dialect, index, tables: statements }: WriterParts, now: Date) {
  const buffers = RECORD_TYPES.map((type): [RecordType, RecordBuffer] => [type, createRecordBuffer(statements[type])]);
  const tables = Object.fromEntries(buffers) as Record<RecordType, RecordBuffer>;
  const finder = { tables, names: createNameBuffer(dialect), links: createLinkBuffer(dialect) };
  const flush = function* flush(): SqlProgram<void> {
    for (const [, buffer] of buffers) yield* buffer.flush();
    yield* finder.names.flush();
    yield* finder.links.flush();
  };
  return {
    ...finder,
    dialect,
    index,
    linker: createLinker(finder),
    funding: createFunding(dialect, flush),
    investments: createInvestments(dialect),
    flush,
    moment: now.toISOString(),
    changed: new Map<string, Document>(),
    /** Other records, of which only computed fields changed. */
    recomputed: [] as Document[],
    /** Names added or freed, by type; references to them are resolved at the end. */
    named: new Map<NamedType, Set<string>>(),
    /** Fields changed by a person or key, by record. */
    edited: [] as { readonly document: Document; readonly fields: readonly string[] }[],
    auditEntries: [] as NewAuditEntry[],
    /** Records to relink at the end, because a referenced name was added or freed. */
    unresolved: new Map<string, RecordRef>(),
    /** Records to refresh at the end, because a referenced record was renamed or hidden. */
    stale: new Map<string, RecordRef>(),
    /** Companies whose funding may have changed. */
    funded: new Set<number>(),
    /** Records that take part in changed rounds, with what their fields followed if rounds have left. */
    invested: new Map<string, Invested>(),
    /** Removed records, which must leave the index. */
    removed: new Map<string, RecordRef>(),
    /** Records whose number of references may have changed. */
    ranked: new Map<string, RecordRef>(),
    /** Records with changed links and unchanged documents. */
    relinked: [] as RecordRef[],
    lastIds: new Map<RecordType, number>(),
  };
}

/**
 * Completes a transaction: links of other records, computed fields and search index.
 * @param compute what becomes of computed fields; an import defers them
 */
export function* finishWork(
  work: UnitOfWork,
  when: Parameters<RecordIndexing['update']>[1] = 'now',
  compute: (work: UnitOfWork) => SqlProgram<void> = refreshComputed,
): SqlProgram<void> {
  for (const [type, keys] of work.named) markUnresolved(work, yield* work.linker.unresolvedReferrers(type, [...keys]));
  yield* rewriteAll(work, [...work.unresolved.values()], work.linker.resolvePending);
  yield* rewriteAll(work, [...work.stale.values()], work.linker.refresh);
  yield* compute(work);
  yield* work.flush();
  for (const [type, id] of work.lastIds) yield* work.tables[type].keepLastId(id);
  yield* recordEdits(work.edited, work.moment);
  yield* appendAuditEntries(work.auditEntries);
  const put = [...work.changed.values()];
  const { recomputed, relinked } = work;
  const [removed, named] = [[...work.removed.values()], [...work.ranked.values()]];
  yield* work.index.update({ put, recomputed, removed, named, relinked }, when);
}

/** Inserts a record and resolves its references, and those to it. */
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
  if (isNamedType(type)) {
    work.names.add(type, document.id, identityKeys(document));
    markNamed(work, document);
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

/** Saves a changed record and the effects of changed names. */
export function saveRecord(work: UnitOfWork, document: Document, json = JSON.stringify(document)): void {
  const { type, id } = document;
  work.tables[type as RecordType].update(document, json);
  noteChanged(work, document);
  markNamed(work, document);
  if (isNamedType(type)) work.names.set(type, id, identityKeys(document));
}

/** Schedules the resolution of references to a record's names. */
function markNamed({ named }: UnitOfWork, document: Document): void {
  const { type } = document;
  if (!isNamedType(type)) return;
  const keys = cached(named, type, () => new Set<string>());
  for (const key of identityKeys(document)) keys.add(key);
}

/** Notes what a record was. A name that it frees may have been ambiguous; references to it can now resolve to the other record. */
export function markEarlier(work: UnitOfWork, earlier: Document): void {
  markTargets(work, earlier);
  markNamed(work, earlier);
}

export function markGone(work: UnitOfWork, type: RecordType, earlier: Document): void {
  markEarlier(work, earlier);
  markRemoved(work, type, earlier.id);
  if (isNamedType(type)) work.names.set(type, earlier.id, []);
}

function noteChanged(work: UnitOfWork, document: Document): void {
  work.changed.set(`${document.type} ${document.id}`, document);
  markTargets(work, document);
}

/** Schedules the update of computed fields and ranks that depend on a document's references. */
function markTargets(work: UnitOfWork, document: Document): void {
  const company = document['company'] as { id: number | null } | undefined;
  if (company?.id != null) {
    work.funded.add(company.id);
    work.funding.forget(company.id);
  }
  for (const { type, id } of targetsOf(document)) {
    work.ranked.set(`${type} ${id}`, { type, id });
    if (document.type === 'rounds') markInvested(work, { type, id });
  }
}

export function markRemoved(work: UnitOfWork, type: RecordType, id: number): void {
  work.changed.delete(`${type} ${id}`);
  work.removed.set(`${type} ${id}`, { type, id });
}

export function markUnresolved(work: UnitOfWork, records: readonly RecordRef[]): void {
  for (const record of records) work.unresolved.set(`${record.type} ${record.id}`, record);
}

export function markStale(work: UnitOfWork, records: readonly RecordRef[]): void {
  for (const record of records) work.stale.set(`${record.type} ${record.id}`, record);
}

/** Updates links of stored documents, and saves those that changed. */
function* rewriteAll(
  work: UnitOfWork,
  records: readonly RecordRef[],
  relink: (document: Document) => SqlProgram<void>,
): SqlProgram<void> {
  for (const type of RECORD_TYPES) {
    const ids = records.flatMap((record) => (record.type === type ? record.id : []));
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
  const updated: { readonly json: string; readonly document: Document }[] = [];
  for (const id of ids) {
    const row = yield* table.byId(id);
    if (row !== undefined) updated.push({ json: row.document, document: JSON.parse(row.document) as Document });
  }
  yield* work.linker.prepareStored(
    type,
    updated.map(({ document }) => document),
  );
  for (const { json, document } of updated) {
    yield* relink(document);
    const linked = JSON.stringify(document);
    if (linked === json) continue;
    if (type === 'rounds') yield* noteLeaving(work, JSON.parse(json) as Document, document);
    table.update(document, linked);
    noteChanged(work, document);
  }
}
