import { entityOf, type RecordType, SEARCHED_TYPES, type SearchedType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { GivenFields, RecordInput } from '../../contract/input.ts';
import { foldName, slugify } from '../../contract/names.ts';
import { checkInput, checkNew, composeDocument, type Document, identityKeys } from '../records/document.ts';
import type { Kept, Refused, Row } from '../store.ts';
import type { Sqlite } from './database.ts';
import { createFunding, type Funding } from './funding.ts';
import { createLinker, type Linker, type Place } from './linker.ts';
import type { RecordIndex } from './record-index.ts';
import { createNameTable, type NameTable, type RecordTables } from './tables.ts';

const SLUG_TRIES_MAX = 10_000;
const isSearched = (type: string): type is SearchedType => (SEARCHED_TYPES as readonly string[]).includes(type);

/** Writes to records and all that follows from them: links both ways, funding, the search index. */
export interface Writer {
  /** Keeps rows; the caller holds the transaction. */
  putAll(rows: Iterable<Row>, isShipped: boolean): Kept[];
  /** Keeps the rows that are right; the caller holds the transaction. */
  putEach(rows: readonly Row[]): (Kept | Refused)[];
  /** As putEach, without what comes last; the caller takes its transaction back. */
  tryEach(rows: readonly Row[]): (Kept | Refused)[];
  /** Removes records for good; the caller holds the transaction. Gives how many there were. */
  removeAll(ids: Readonly<Record<RecordType, readonly number[]>>): number;
}

/** What writing works with; made anew for each transaction, which leaves to its end what needs doing once a record. */
interface Work {
  readonly tables: RecordTables;
  readonly names: NameTable;
  readonly linker: Linker;
  readonly funding: Funding;
  readonly moment: string;
  /** Whether the rows are those of the shipped data set. */
  readonly isShipped: boolean;
  readonly changed: Map<string, Document>;
  /** Records that name one that came or went, to be linked again once at the end. */
  readonly waiting: Map<string, Place>;
  /** Companies whose rounds changed. */
  readonly funded: Set<number>;
  /** The last number given, by type. */
  readonly lastIds: Map<RecordType, number>;
}

export function createWriter(database: Sqlite, tables: RecordTables, index: RecordIndex, now: () => Date): Writer {
  const names = createNameTable(database);
  const parts = { tables, names, linker: createLinker(database, tables, names), funding: createFunding(database) };
  const begin = (isShipped: boolean): Work => {
    const moment = now().toISOString();
    return {
      ...parts,
      moment,
      isShipped,
      changed: new Map(),
      waiting: new Map(),
      funded: new Set(),
      lastIds: new Map(),
    };
  };
  const finish = (work: Work): void => {
    for (const place of work.waiting.values()) relink(work, place);
    for (const id of work.funded) refreshFunding(work, id);
    index.putAll([...work.changed.values()].filter((document) => isSearched(document.type)));
  };
  return {
    putAll: (rows, isShipped) => {
      const work = begin(isShipped);
      const kept = Array.from(rows, (row) => put(work, row));
      finish(work);
      return kept;
    },
    putEach: (rows) => {
      const work = begin(false);
      const outcomes = rows.map((row) => putOrRefuse(work, row));
      finish(work);
      return outcomes;
    },
    tryEach: (rows) => {
      const work = begin(false);
      return rows.map((row) => putOrRefuse(work, row));
    },
    removeAll: (ids) => {
      const work = begin(false);
      const each = Object.entries(ids) as [RecordType, readonly number[]][];
      for (const [type, some] of each) {
        for (const id of some) {
          remove(work, type, id);
          if (isSearched(type)) index.remove(type, id);
        }
      }
      finish(work);
      return each.reduce((sum, [, some]) => sum + some.length, 0);
    },
  };
}

/** A row is refused before anything of it is written, so that the transaction goes on without it. */
function putOrRefuse(work: Work, row: Row): Kept | Refused {
  try {
    return put(work, row);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { change: 'refused', faults: error.errors };
  }
}

function put(work: Work, row: Row): Kept {
  const { type, input: given, nameWhenNew } = row;
  const table = work.tables[type];
  const stored = find(table, row);
  if (stored === undefined) {
    const name = given.name ?? nameWhenNew;
    const input = checkInput(type, name === undefined ? given : { ...given, name });
    checkNew(type, input);
    return insert(work, type, input);
  }
  const earlier = JSON.parse(stored.document) as Document;
  const input = checkInput(type, given.name === undefined ? { ...given, name: earlier.name } : given);
  const { id, slug } = earlier;
  const times = { created_at: String(earlier['created_at']), updated_at: String(earlier['updated_at']) };
  const document = composeDocument(type, { id, slug, ...times }, input, earlier);
  if (saysFunding(given)) Object.assign(document, work.funding.of(type, id));
  work.linker.linkGiven(document, new Set(Object.keys(given)));
  if (JSON.stringify(document) === stored.document) return { id, slug, change: 'unchanged' };
  if (!work.isShipped) table.disown(id);
  noteFunded(work, earlier);
  save(work, { ...document, updated_at: work.moment });
  return { id, slug, change: 'updated' };
}

/**
 * The record that a row is about. A number alone is ours; beside a name it may be another system's, so it counts only
 * when our record of that number bears the name. Otherwise the slug decides.
 */
function find(table: RecordTables[RecordType], { input, id }: Row) {
  const numbered = id === undefined ? undefined : table.byId(id);
  if (numbered !== undefined && (input.name === undefined || isCalled(numbered.document, input.name))) return numbered;
  if (typeof input.slug === 'string') return table.bySlug(input.slug);
  if (id === undefined || input.name !== undefined) return undefined;
  const message = `id: there is no record ${id}; give a slug or a name instead`;
  throw new ServiceError('invalid_parameter', message, { errors: [{ location: 'body.id', message }] });
}

const isCalled = (json: string, name: string): boolean =>
  identityKeys(JSON.parse(json) as Document).includes(foldName(name));

const saysFunding = (given: GivenFields): boolean =>
  given['total_funding_usd'] !== undefined || given['funding_stage'] !== undefined;

function insert(work: Work, type: RecordType, input: RecordInput): Kept {
  const table = work.tables[type];
  const slug = input.slug ?? freeSlug(table, type, input.name);
  const identity = { id: nextId(work, type), slug };
  const times = { created_at: work.moment, updated_at: work.moment };
  const document = composeDocument(type, { ...identity, ...times }, input, undefined);
  work.linker.linkNew(document);
  table.insert(document, work.isShipped);
  noteChanged(work, document);
  if (isSearched(type)) {
    const keys = identityKeys(document);
    work.names.add(type, document.id, keys);
    noteWaiting(work, work.linker.waiting(type, keys));
  }
  return { ...identity, change: 'created' };
}

function nextId({ lastIds, tables }: Work, type: RecordType): number {
  const id = (lastIds.get(type) ?? tables[type].lastId()) + 1;
  lastIds.set(type, id);
  return id;
}

function freeSlug(table: RecordTables[RecordType], type: RecordType, name: string): string {
  const base = slugify(name) || slugify(entityOf(type).noun);
  for (let suffix = 1; suffix <= SLUG_TRIES_MAX; suffix += 1) {
    const slug = suffix === 1 ? base : `${base}-${suffix}`;
    if (!table.hasSlug(slug)) return slug;
  }
  throw new ServiceError('invalid_parameter', `slug: too many records are named like ${base}; give one`);
}

function save(work: Work, document: Document): void {
  const { type, id } = document;
  work.tables[type as RecordType].update(document);
  noteChanged(work, document);
  if (!isSearched(type)) return;
  const keys = identityKeys(document);
  work.names.set(type, id, keys);
  noteWaiting(work, work.linker.waiting(type, keys));
}

function noteChanged(work: Work, document: Document): void {
  work.changed.set(`${document.type} ${document.id}`, document);
  noteFunded(work, document);
}

function noteFunded(work: Work, document: Document): void {
  const company = document['company'] as { id: number | null } | undefined;
  if (company?.id != null) work.funded.add(company.id);
}

function noteWaiting(work: Work, places: readonly Place[]): void {
  for (const place of places) work.waiting.set(`${place.type} ${place.id}`, place);
}

/** Looks a record's references up again, because a record they name has come or gone. */
function relink(work: Work, { type, id }: Place): void {
  const row = work.tables[type].byId(id);
  if (row === undefined) return;
  const document = JSON.parse(row.document) as Document;
  work.linker.linkOpen(document);
  if (JSON.stringify(document) === row.document) return;
  work.tables[type].update(document);
  noteChanged(work, document);
}

function refreshFunding(work: Work, id: number): void {
  const row = work.tables.companies.byId(id);
  if (row === undefined) return;
  const document = { ...(JSON.parse(row.document) as Document), ...work.funding.ofRounds(id) };
  if (JSON.stringify(document) === row.document) return;
  work.tables.companies.update(document);
  work.changed.set(`companies ${id}`, document);
}

function remove(work: Work, type: RecordType, id: number): void {
  const row = work.tables[type].byId(id);
  work.tables[type].remove(id);
  work.changed.delete(`${type} ${id}`);
  if (row !== undefined) noteFunded(work, JSON.parse(row.document) as Document);
  const naming = work.linker.unlink(type, id);
  if (!isSearched(type)) return;
  work.names.set(type, id, []);
  noteWaiting(work, naming);
}
