import type { RecordType, SearchedType } from '../../contract/entities/index.ts';
import { relations } from '../../contract/relations.ts';
import type { Document } from '../records/document.ts';
import { fillTarget, type Link, linksOf, type Target } from '../records/links.ts';
import type { Sqlite } from './database.ts';
import type { NameTable, RecordTables } from './tables.ts';

/** Keeps who points at whom, in the documents and in the table that is asked backwards. */
export interface Linker {
  /** Resolves a document's references, writes them into it, and keeps them. */
  link(document: Document): void;
  /** Forgets a record's own references, and gives the records that name it, whose links are open again. */
  unlink(type: RecordType, id: number): { type: RecordType; id: number }[];
  /** Documents whose references wait for one of these names, to be linked again. */
  waiting(type: SearchedType, keys: readonly string[]): { type: RecordType; id: number }[];
}

const relationByName = new Map(relations.map((relation) => [relation.name, relation]));

export function createLinker(database: Sqlite, tables: RecordTables, names: NameTable): Linker {
  const clear = database.prepare('DELETE FROM links WHERE relation = ? AND from_id = ?');
  const add = database.prepare(
    'INSERT INTO links (relation, from_id, position, to_type, to_id, key) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const pending = database.prepare<[string], { relation: string; from_id: number }>(
    'SELECT DISTINCT relation, from_id FROM links WHERE key = ? AND to_id IS NULL',
  );
  const naming = database.prepare<[string, number], { relation: string; from_id: number }>(
    'SELECT DISTINCT relation, from_id FROM links WHERE to_type = ? AND to_id = ?',
  );

  function resolve(link: Link): Target | undefined {
    const types = link.type === null ? link.relation.to : [link.type];
    return firstOf(types, (type) => bySlugOrId(type, link)) ?? firstOf(types, (type) => byName(type, link.key));
  }

  function bySlugOrId(type: SearchedType, link: Link): Target | undefined {
    if (link.slug !== null) return toTarget(type, tables[type].bySlug(link.slug)?.document);
    return link.id === null ? undefined : toTarget(type, tables[type].byId(link.id)?.document);
  }

  /** A name that two records bear leads to neither: a link is never a guess. */
  function byName(type: SearchedType, key: string): Target | undefined {
    const [id, ...others] = key === '' ? [] : names.find(type, key);
    return id === undefined || others.length > 0 ? undefined : toTarget(type, tables[type].byId(id)?.document);
  }

  const forget = (type: string, id: number): void => {
    for (const relation of relations) if (relation.from === type) clear.run(relation.name, id);
  };
  const known = ({ relation, from_id }: { relation: string; from_id: number }) => {
    const found = relationByName.get(relation);
    return found === undefined ? [] : [{ type: found.from, id: from_id, to: found.to }];
  };

  return {
    unlink: (type, id) => {
      forget(type, id);
      return naming.all(type, id).flatMap(known);
    },
    link: (document) => {
      forget(document.type, document.id);
      for (const link of linksOf(document)) {
        const target = resolve(link);
        fillTarget(document, link, target);
        add.run(link.relation.name, document.id, link.position, target?.type ?? null, target?.id ?? null, link.key);
      }
    },
    waiting: (type, keys) =>
      keys.flatMap((key) => pending.all(key).flatMap(known)).filter(({ to }) => to.includes(type)),
  };
}

function firstOf<Item, Result>(items: readonly Item[], find: (item: Item) => Result | undefined): Result | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function toTarget(type: SearchedType, document: string | undefined): Target | undefined {
  if (document === undefined) return undefined;
  const { id, slug, name } = JSON.parse(document) as Document;
  return { type, id, slug, name };
}
