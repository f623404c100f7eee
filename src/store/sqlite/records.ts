import type { RecordType, SearchedType } from '../../contract/entities/index.ts';
import { SEARCHED_TYPES } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { slugify } from '../../contract/names.ts';
import { checkInput, composeDocument, type Document, fundingOf, identityKeys } from '../records/document.ts';
import type { Records, Row } from '../store.ts';
import type { Sqlite } from './database.ts';
import { createLinker } from './linker.ts';
import { createRelatedLists } from './related.ts';
import { createSearchIndex } from './search.ts';
import { createNameTable, createRecordTables } from './tables.ts';

const SLUG_TRIES_MAX = 10_000;
const isSearched = (type: string): type is SearchedType => (SEARCHED_TYPES as readonly string[]).includes(type);

/** Records in SQLite. Each method is synchronous inside, so that no other request can come into its transaction. */
export function createRecords(database: Sqlite, now: () => Date): Records {
  const tables = createRecordTables(database);
  const index = createSearchIndex(database);
  const related = createRelatedLists(database);
  const writer = createWriter(database, tables, index, now);
  const filled = database.prepare<[], number>("SELECT count(*) FROM settings WHERE name = 'filled_at'").pluck();
  const markFilled = database.prepare("INSERT INTO settings (name, value) VALUES ('filled_at', ?)");
  const putAll = database.transaction((rows: Iterable<Row>) => writer.putAll(rows));
  const fillOnce = database.transaction((rows: () => Iterable<Row>) => {
    if (filled.get() === 1) return false;
    writer.putAll(rows());
    markFilled.run(now().toISOString());
    return true;
  });
  return {
    get: async (type, idOrSlug) => {
      const isNumber = /^\d+$/.test(idOrSlug);
      const number = Number(idOrSlug);
      if (isNumber && !Number.isSafeInteger(number)) return undefined;
      const row = isNumber ? tables[type].byId(number) : tables[type].bySlug(idOrSlug);
      return row && { id: row.id, version: row.version, json: row.document };
    },
    search: async (request) => index.find(request),
    related: async (list, id, window) => related.find(list, id, window),
    putAll: async (rows) => putAll.immediate(rows),
    fillOnce: async (rows) => filled.get() !== 1 && fillOnce.immediate(rows),
  };
}

interface Writer {
  /** Keeps rows; the caller holds the transaction. */
  putAll(rows: Iterable<Row>): void;
}

function createWriter(
  database: Sqlite,
  tables: ReturnType<typeof createRecordTables>,
  index: ReturnType<typeof createSearchIndex>,
  now: () => Date,
): Writer {
  const names = createNameTable(database);
  const linker = createLinker(database, tables, names);
  const roundsOf = database
    .prepare<[number], string>(
      `SELECT document FROM links JOIN rounds ON rounds.id = links.from_id
       WHERE relation = 'rounds.company' AND to_type = 'companies' AND to_id = ? AND deleted_at IS NULL`,
    )
    .pluck();

  function freeSlug(type: RecordType, name: string): string {
    const base = slugify(name) || type.slice(0, -1);
    for (let suffix = 1; suffix <= SLUG_TRIES_MAX; suffix += 1) {
      const slug = suffix === 1 ? base : `${base}-${suffix}`;
      if (tables[type].bySlug(slug) === undefined) return slug;
    }
    throw new ServiceError('invalid_parameter', `slug: too many records are named like ${base}; give one`);
  }

  function put({ type, input: given }: Row, funded: Set<number>): void {
    const input = checkInput(type, given);
    const row = input.slug === undefined ? undefined : tables[type].bySlug(input.slug);
    const earlier = row && (JSON.parse(row.document) as Document);
    const slug = input.slug ?? freeSlug(type, input.name);
    const updated_at = now().toISOString();
    const created_at = String(earlier?.['created_at'] ?? updated_at);
    const compose = (id: number): Document =>
      composeDocument(type, { id, slug, created_at, updated_at }, input, earlier);
    const document = earlier === undefined ? tables[type].insert(slug, compose) : compose(earlier.id);
    save(document, funded);
    if (!isSearched(type)) return;
    const keys = identityKeys(document);
    names.set(type, document.id, keys);
    for (const waiting of linker.waiting(type, keys)) {
      const other = tables[waiting.type].byId(waiting.id);
      if (other !== undefined) save(JSON.parse(other.document) as Document, funded);
    }
  }

  /** Links a document, keeps it, and notes the company whose funding it may change. */
  function save(document: Document, funded: Set<number>): void {
    linker.link(document);
    tables[document.type as RecordType].update(document);
    if (isSearched(document.type)) index.put(document);
    const company = document['company'] as { id: number | null } | undefined;
    if (company?.id != null) funded.add(company.id);
  }

  function refreshFunding(id: number): void {
    const row = tables.companies.byId(id);
    if (row === undefined) return;
    const rounds = roundsOf.all(id).map((round) => JSON.parse(round) as Parameters<typeof fundingOf>[0][number]);
    const document = { ...(JSON.parse(row.document) as Document), ...fundingOf(rounds) };
    tables.companies.update(document);
    index.put(document);
  }

  return {
    putAll: (rows) => {
      const funded = new Set<number>();
      for (const row of rows) put(row, funded);
      for (const id of funded) refreshFunding(id);
    },
  };
}
