import { entityOf, type RecordType, SEARCHED_TYPES, type SearchedType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { slugify } from '../../contract/names.ts';
import { checkInput, composeDocument, type Document, fundingOf, identityKeys } from '../records/document.ts';
import type { Kept, Row } from '../store.ts';
import type { Sqlite } from './database.ts';
import { createLinker, type Linker } from './linker.ts';
import type { SearchIndex } from './search.ts';
import { createNameTable, type NameTable, type RecordTables } from './tables.ts';

const SLUG_TRIES_MAX = 10_000;
const isSearched = (type: string): type is SearchedType => (SEARCHED_TYPES as readonly string[]).includes(type);

/** Writes to records and all that follows from them: links both ways, funding, the search index. */
export interface Writer {
  /** Keeps rows; the caller holds the transaction. */
  putAll(rows: Iterable<Row>, isShipped: boolean): Kept[];
  /** Removes records for good; the caller holds the transaction. Gives how many there were. */
  removeAll(ids: Readonly<Record<RecordType, readonly number[]>>): number;
}

/** What writing works with; made anew for each transaction, which leaves to its end what needs doing once a record. */
interface Work {
  readonly tables: RecordTables;
  readonly names: NameTable;
  readonly linker: Linker;
  readonly moment: string;
  /** Whether the rows are those of the shipped data set. */
  readonly isShipped: boolean;
  readonly changed: Map<string, Document>;
  /** Companies whose rounds changed. */
  readonly funded: Set<number>;
}

export function createWriter(database: Sqlite, tables: RecordTables, index: SearchIndex, now: () => Date): Writer {
  const names = createNameTable(database);
  const linker = createLinker(database, tables, names);
  const roundsOf = database
    .prepare<[number], string>(
      `SELECT document FROM links JOIN rounds ON rounds.id = links.from_id
       WHERE relation = 'rounds.company' AND to_type = 'companies' AND to_id = ? AND deleted_at IS NULL`,
    )
    .pluck();
  const begin = (isShipped: boolean): Work => {
    const moment = now().toISOString();
    return { tables, names, linker, moment, isShipped, changed: new Map(), funded: new Set() };
  };
  const finish = (work: Work): void => {
    for (const id of work.funded) refreshFunding(work, id, roundsOf.all(id));
    index.putAll([...work.changed.values()].filter((document) => isSearched(document.type)));
  };
  return {
    putAll: (rows, isShipped) => {
      const work = begin(isShipped);
      const kept = Array.from(rows, (row) => put(work, row));
      finish(work);
      return kept;
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

function put(work: Work, { type, input: given }: Row): Kept {
  const table = work.tables[type];
  const input = checkInput(type, given);
  const row = input.slug === undefined ? undefined : table.bySlug(input.slug);
  if (row === undefined) return insert(work, type, input);
  const earlier = JSON.parse(row.document) as Document;
  const { id, slug } = earlier;
  const times = { created_at: String(earlier['created_at']), updated_at: String(earlier['updated_at']) };
  const document = composeDocument(type, { id, slug, ...times }, input, earlier);
  work.linker.link(document);
  if (JSON.stringify(document) === row.document) return { id, slug, change: 'unchanged' };
  if (!work.isShipped) table.disown(id);
  save(work, { ...document, updated_at: work.moment });
  return { id, slug, change: 'updated' };
}

function insert(work: Work, type: RecordType, input: Row['input']): Kept {
  const table = work.tables[type];
  const identity = { id: table.nextId(), slug: input.slug ?? freeSlug(table, type, input.name) };
  const times = { created_at: work.moment, updated_at: work.moment };
  const document = composeDocument(type, { ...identity, ...times }, input, undefined);
  work.linker.link(document);
  table.insert(document, work.isShipped);
  follow(work, document);
  return { ...identity, change: 'created' };
}

function freeSlug(table: RecordTables[RecordType], type: RecordType, name: string): string {
  const base = slugify(name) || slugify(entityOf(type).noun);
  for (let suffix = 1; suffix <= SLUG_TRIES_MAX; suffix += 1) {
    const slug = suffix === 1 ? base : `${base}-${suffix}`;
    if (table.bySlug(slug) === undefined) return slug;
  }
  throw new ServiceError('invalid_parameter', `slug: too many records are named like ${base}; give one`);
}

function save(work: Work, document: Document): void {
  work.tables[document.type as RecordType].update(document);
  follow(work, document);
}

/** All that follows from a kept document whose links are kept. */
function follow(work: Work, document: Document): void {
  work.changed.set(`${document.type} ${document.id}`, document);
  noteFunded(work, document);
  if (!isSearched(document.type)) return;
  const keys = identityKeys(document);
  work.names.set(document.type, document.id, keys);
  for (const waiting of work.linker.waiting(document.type, keys)) relink(work, waiting);
}

function noteFunded(work: Work, document: Document): void {
  const company = document['company'] as { id: number | null } | undefined;
  if (company?.id != null) work.funded.add(company.id);
}

/** Looks a record's references up again, because a record they name has come or gone. */
function relink(work: Work, { type, id }: { type: RecordType; id: number }): void {
  const row = work.tables[type].byId(id);
  if (row === undefined) return;
  const document = JSON.parse(row.document) as Document;
  work.linker.link(document);
  if (JSON.stringify(document) !== row.document) save(work, document);
}

function refreshFunding(work: Work, id: number, rounds: readonly string[]): void {
  const row = work.tables.companies.byId(id);
  if (row === undefined) return;
  const raised = rounds.map((round) => JSON.parse(round) as Parameters<typeof fundingOf>[0][number]);
  const document = { ...(JSON.parse(row.document) as Document), ...fundingOf(raised) };
  if (JSON.stringify(document) !== row.document) work.tables.companies.update(document);
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
  for (const other of naming) relink(work, other);
}
