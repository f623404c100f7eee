import type { RecordType, SearchedType } from '../../contract/entities/index.ts';
import { foldName } from '../../contract/names.ts';
import { type Relation, relations } from '../../contract/relations.ts';
import type { Document } from '../records/document.ts';
import { fillTarget, type Link, linksOf, relationsOf, type Target } from '../records/links.ts';
import type { Sqlite } from './database.ts';
import type { NameTable, RecordTables } from './tables.ts';

/** A record by its type and number. */
export interface Place {
  readonly type: RecordType;
  readonly id: number;
}

/** Keeps who points at whom, in the documents and in the table that is asked backwards. */
export interface Linker {
  /** Resolves the references of a new document, writes them into it, and keeps them. */
  linkNew(document: Document): void;
  /** The same for the fields of a kept document that are given anew. */
  linkGiven(document: Document, given: ReadonlySet<string>): void;
  /** Looks up again what a kept document names and is not linked yet. */
  linkOpen(document: Document): void;
  /** Shows again what a kept document's links lead to: the record may have another slug, or be deleted for now. */
  refresh(document: Document): void;
  /** The documents that name a record. */
  naming(type: RecordType, id: number): Place[];
  /** Forgets a record's own references, and gives the records that name it, whose links are open again. */
  unlink(type: RecordType, id: number): Place[];
  /** Documents whose references wait for one of these names, to be linked again. */
  waiting(type: SearchedType, keys: readonly string[]): Place[];
}

/** A link as it is kept: where it leads, and the folded name or slug that it was looked up by. */
interface LinkRow {
  readonly to_type: SearchedType | null;
  readonly to_id: number | null;
  readonly key: string;
}

const relationByName = new Map(relations.map((relation) => [relation.name, relation]));
const relationsOfDocument = ({ type }: Document): readonly Relation[] => relationsOf(type as RecordType);

export function createLinker(database: Sqlite, tables: RecordTables, names: NameTable): Linker {
  const rows = createLinkRows(database);
  const resolve = createResolver(tables, names);
  const fill = (document: Document, link: Link, target: Target | undefined): LinkRow => {
    fillTarget(document, link, target);
    // What was named by its number alone is known by its name from now on.
    const key = link.key === '' && target !== undefined ? foldName(target.name) : link.key;
    return { to_type: target?.type ?? null, to_id: target?.id ?? null, key };
  };
  const linkNew = (document: Document, relation: Relation): void => {
    const links = linksOf(document, relation);
    rows.add(
      relation,
      document.id,
      links.map((link) => fill(document, link, resolve(link))),
    );
  };
  /** What led somewhere goes on leading there: another record of that name is no reason to take the link away. */
  const known = (link: Link, kept: ReadonlyMap<string, LinkRow>): Target | undefined => {
    const row = link.isByName ? kept.get(link.key) : undefined;
    if (row?.to_type == null || row.to_id === null || (link.type ?? row.to_type) !== row.to_type) return undefined;
    return toTarget(row.to_type, tables[row.to_type].namedById(row.to_id));
  };
  const linkAnew = (document: Document, relation: Relation): void => {
    const before = rows.of(relation, document.id);
    const kept = new Map(before.map((row) => [row.key, row]));
    const links = linksOf(document, relation);
    const after = links.map((link) => fill(document, link, known(link, kept) ?? resolve(link)));
    if (isSame(before, after)) return;
    rows.clear(relation, document.id);
    rows.add(relation, document.id, after);
  };
  /** The name that an open link waits for is kept beside it: it may be a slug that the document does not show. */
  const linkOpen = (document: Document, relation: Relation): void => {
    const before = rows.of(relation, document.id);
    if (before.every((row) => row.to_id !== null)) return;
    for (const link of linksOf(document, relation)) {
      const row = before[link.position];
      if (row === undefined || row.to_id !== null) continue;
      const found = fill(document, { ...link, key: row.key }, resolve({ ...link, key: row.key }));
      if (found.to_id !== null) rows.lead(relation, document.id, link.position, found);
    }
  };
  const refresh = (document: Document, relation: Relation): void => {
    const kept = rows.of(relation, document.id);
    for (const link of linksOf(document, relation)) {
      const row = kept[link.position];
      if (row?.to_type == null || row.to_id === null) continue;
      fillTarget(document, link, toTarget(row.to_type, tables[row.to_type].namedById(row.to_id)));
    }
  };
  return {
    linkNew: (document) => {
      for (const relation of relationsOfDocument(document)) linkNew(document, relation);
    },
    linkGiven: (document, given) => {
      for (const relation of relationsOfDocument(document)) if (given.has(relation.field)) linkAnew(document, relation);
    },
    linkOpen: (document) => {
      for (const relation of relationsOfDocument(document)) linkOpen(document, relation);
    },
    refresh: (document) => {
      for (const relation of relationsOfDocument(document)) refresh(document, relation);
    },
    naming: (type, id) => rows.naming(type, id),
    unlink: (type, id) => {
      for (const relation of relationsOf(type)) rows.clear(relation, id);
      const naming = rows.naming(type, id);
      rows.open(type, id);
      return naming;
    },
    waiting: (type, keys) => keys.flatMap((key) => rows.pending(key)).filter(({ to }) => to.includes(type)),
  };
}

/** Statements over the table of links. */
function createLinkRows(database: Sqlite) {
  const of = database.prepare<[string, number], LinkRow>(
    'SELECT to_type, to_id, key FROM links WHERE relation = ? AND from_id = ? ORDER BY position',
  );
  const clear = database.prepare('DELETE FROM links WHERE relation = ? AND from_id = ?');
  const add = database.prepare(
    'INSERT INTO links (relation, from_id, position, to_type, to_id, key) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const lead = database.prepare(
    'UPDATE links SET to_type = ?, to_id = ? WHERE relation = ? AND from_id = ? AND position = ?',
  );
  const open = database.prepare('UPDATE links SET to_type = NULL, to_id = NULL WHERE to_type = ? AND to_id = ?');
  const pending = database.prepare<[string], { relation: string; from_id: number }>(
    'SELECT DISTINCT relation, from_id FROM links WHERE key = ? AND to_id IS NULL',
  );
  const naming = database.prepare<[string, number], { relation: string; from_id: number }>(
    'SELECT DISTINCT relation, from_id FROM links WHERE to_type = ? AND to_id = ?',
  );
  const known = ({ relation, from_id }: { relation: string; from_id: number }) => {
    const found = relationByName.get(relation);
    return found === undefined ? [] : [{ type: found.from, id: from_id, to: found.to }];
  };
  return {
    of: (relation: Relation, id: number) => of.all(relation.name, id),
    clear: (relation: Relation, id: number) => void clear.run(relation.name, id),
    add: (relation: Relation, id: number, links: readonly LinkRow[]): void => {
      links.forEach((link, position) => {
        add.run(relation.name, id, position, link.to_type, link.to_id, link.key);
      });
    },
    lead: (relation: Relation, id: number, position: number, { to_type, to_id }: LinkRow) =>
      void lead.run(to_type, to_id, relation.name, id, position),
    open: (type: RecordType, id: number) => void open.run(type, id),
    pending: (key: string) => pending.all(key).flatMap(known),
    naming: (type: RecordType, id: number) => naming.all(type, id).flatMap(known),
  };
}

function isSame(known: readonly LinkRow[], resolved: readonly LinkRow[]): boolean {
  if (known.length !== resolved.length) return false;
  return known.every((row, position) => {
    const other = resolved[position];
    return row.to_type === other?.to_type && row.to_id === other.to_id && row.key === other.key;
  });
}

/** Finds the record that a link leads to. */
function createResolver(tables: RecordTables, names: NameTable): (link: Link) => Target | undefined {
  const bySlugOrId = (type: SearchedType, { slug, id }: Link): Target | undefined => {
    if (slug !== null) return toTarget(type, tables[type].namedBySlug(slug));
    return id === null ? undefined : toTarget(type, tables[type].namedById(id));
  };
  /** A name that two records bear leads to neither: a link is never a guess. */
  const byName = (type: SearchedType, key: string): Target | undefined => {
    const [id, ...others] = key === '' ? [] : names.find(type, key);
    return id === undefined || others.length > 0 ? undefined : toTarget(type, tables[type].namedById(id));
  };
  return (link) => {
    const types = link.type === null ? link.relation.to : [link.type];
    return firstOf(types, (type) => bySlugOrId(type, link)) ?? firstOf(types, (type) => byName(type, link.key));
  };
}

function firstOf<Item, Result>(items: readonly Item[], find: (item: Item) => Result | undefined): Result | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function toTarget(type: SearchedType, named: Omit<Target, 'type'> | undefined): Target | undefined {
  return named && { type, ...named };
}
