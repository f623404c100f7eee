import type { RecordType, SearchedType } from '../../contract/entities/index.ts';
import { foldName } from '../../contract/names.ts';
import type { Relation } from '../../contract/relations.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { Steps } from '../sql/steps.ts';
import type { Document } from './document.ts';
import { type LinkRow, linkRows, type Naming, type Place } from './link-rows.ts';
import { fillTarget, type Link, linksOf, relationsOf, type Target } from './links.ts';
import type { NameTable, RecordTables } from './tables.ts';

/** Keeps who points at whom, in the documents and in the table that is asked backwards. */
export interface Linker {
  /** Resolves the references of a new document, writes them into it, and keeps them. */
  linkNew(document: Document): Steps<void>;
  /** The same for the fields of a kept document that are given anew. */
  linkGiven(document: Document, given: ReadonlySet<string>): Steps<void>;
  /** Looks up again what a kept document names and is not linked yet. */
  linkOpen(document: Document): Steps<void>;
  /** Shows again what a kept document's links lead to: the record may have another slug, or be deleted for now. */
  refresh(document: Document): Steps<void>;
  /** The documents that name a record. */
  naming(type: RecordType, id: number): Steps<Place[]>;
  /** Forgets a record's own references, and gives the records that name it, whose links are open again. */
  unlink(type: RecordType, id: number): Steps<Place[]>;
  /** Documents whose references wait for one of these names, to be linked again. */
  waiting(type: SearchedType, keys: readonly string[]): Steps<Place[]>;
}

const relationsOfDocument = ({ type }: Document): readonly Relation[] => relationsOf(type as RecordType);

export function createLinker(dialect: Dialect, tables: RecordTables, names: NameTable): Linker {
  const finder: Finder = { tables, names };
  return {
    linkNew: function* linkNew(document) {
      for (const relation of relationsOfDocument(document)) {
        const added: LinkRow[] = [];
        for (const link of linksOf(document, relation)) added.push(fill(document, link, yield* resolve(finder, link)));
        yield* linkRows.add(relation, document.id, added);
      }
    },
    linkGiven: function* linkGiven(document, given) {
      for (const relation of relationsOfDocument(document)) {
        if (given.has(relation.field)) yield* linkAnew(finder, document, relation);
      }
    },
    linkOpen: function* linkOpen(document) {
      for (const relation of relationsOfDocument(document)) yield* linkOpenOnes(finder, document, relation);
    },
    refresh: function* refresh(document) {
      for (const relation of relationsOfDocument(document)) yield* showAgain(finder, document, relation);
    },
    naming: function* naming(type, id) {
      return yield* linkRows.naming(type, id);
    },
    unlink: function* unlink(type, id) {
      for (const relation of relationsOf(type)) yield* linkRows.clear(relation, id);
      const naming = yield* linkRows.naming(type, id);
      yield* linkRows.open(type, id);
      return naming;
    },
    waiting: function* waiting(type, keys) {
      const found: Naming[] = yield* linkRows.pending(dialect, keys);
      return found.filter(({ to }) => to.includes(type));
    },
  };
}

/** What targets are found in. */
interface Finder {
  readonly tables: RecordTables;
  readonly names: NameTable;
}

function fill(document: Document, link: Link, target: Target | undefined): LinkRow {
  fillTarget(document, link, target);
  // What was named by its number alone is known by its name from now on.
  const key = link.key === '' && target !== undefined ? foldName(target.name) : link.key;
  return { to_type: target?.type ?? null, to_id: target?.id ?? null, key };
}

function* linkAnew(finder: Finder, document: Document, relation: Relation): Steps<void> {
  const before = yield* linkRows.of(relation, document.id);
  const kept = new Map(before.map((row) => [row.key, row]));
  const after: LinkRow[] = [];
  for (const link of linksOf(document, relation)) {
    const target = (yield* known(finder, link, kept)) ?? (yield* resolve(finder, link));
    after.push(fill(document, link, target));
  }
  if (isSame(before, after)) return;
  yield* linkRows.clear(relation, document.id);
  yield* linkRows.add(relation, document.id, after);
}

/** What led somewhere goes on leading there: another record of that name is no reason to take the link away. */
function* known({ tables }: Finder, link: Link, kept: ReadonlyMap<string, LinkRow>): Steps<Target | undefined> {
  const row = link.isByName ? kept.get(link.key) : undefined;
  if (row?.to_type == null || row.to_id === null || (link.type ?? row.to_type) !== row.to_type) return undefined;
  return toTarget(row.to_type, yield* tables[row.to_type].namedById(row.to_id));
}

/** The name that an open link waits for is kept beside it: it may be a slug that the document does not show. */
function* linkOpenOnes(finder: Finder, document: Document, relation: Relation): Steps<void> {
  const before = yield* linkRows.of(relation, document.id);
  if (before.every((row) => row.to_id !== null)) return;
  for (const link of linksOf(document, relation)) {
    const row = before[link.position];
    if (row === undefined || row.to_id !== null) continue;
    const open = { ...link, key: row.key };
    const found = fill(document, open, yield* resolve(finder, open));
    if (found.to_id !== null) yield* linkRows.lead(relation, document.id, link.position, found);
  }
}

function* showAgain({ tables }: Finder, document: Document, relation: Relation): Steps<void> {
  const kept = yield* linkRows.of(relation, document.id);
  for (const link of linksOf(document, relation)) {
    const row = kept[link.position];
    if (row?.to_type == null || row.to_id === null) continue;
    fillTarget(document, link, toTarget(row.to_type, yield* tables[row.to_type].namedById(row.to_id)));
  }
}

function isSame(known: readonly LinkRow[], resolved: readonly LinkRow[]): boolean {
  if (known.length !== resolved.length) return false;
  return known.every((row, position) => {
    const other = resolved[position];
    return row.to_type === other?.to_type && row.to_id === other.to_id && row.key === other.key;
  });
}

/** The record that a link leads to: by slug or number in any of its types, else by name. */
function* resolve(finder: Finder, link: Link): Steps<Target | undefined> {
  const types = link.type === null ? link.relation.to : [link.type];
  for (const type of types) {
    const target = yield* bySlugOrId(finder, type, link);
    if (target !== undefined) return target;
  }
  for (const type of types) {
    const target = yield* byName(finder, type, link.key);
    if (target !== undefined) return target;
  }
  return undefined;
}

function* bySlugOrId({ tables }: Finder, type: SearchedType, { slug, id }: Link): Steps<Target | undefined> {
  if (slug !== null) return toTarget(type, yield* tables[type].namedBySlug(slug));
  return id === null ? undefined : toTarget(type, yield* tables[type].namedById(id));
}

/** A name that two records bear leads to neither: a link is never a guess. */
function* byName({ tables, names }: Finder, type: SearchedType, key: string): Steps<Target | undefined> {
  const [id, ...others] = key === '' ? [] : yield* names.find(type, key);
  return id === undefined || others.length > 0 ? undefined : toTarget(type, yield* tables[type].namedById(id));
}

function toTarget(type: SearchedType, named: Omit<Target, 'type'> | undefined): Target | undefined {
  return named && { type, ...named };
}
