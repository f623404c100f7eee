import type { RecordType } from '../../contract/entities/index.ts';
import { foldName } from '../../contract/names.ts';
import type { Relation } from '../../contract/relations.ts';
import type { RecordRef } from '../port/analytics.ts';
import type { SqlProgram } from '../sql.ts';
import type { Document } from './document.ts';
import type { LinkBuffer, LinkRow } from './link-buffer.ts';
import { fillTarget, type LinkTarget, linksOf, type ReferenceLink, relationsOf, writtenLinks } from './links.ts';
import type { NameBuffer } from './name-buffer.ts';
import type { RecordBuffer } from './record-buffer.ts';

export interface References {
  /** The record of the row; undefined for a new one. */
  readonly id: number | undefined;
  /** Its fields, possibly invalid. */
  readonly fields: Readonly<Record<string, unknown>>;
}

const relationsOfDocument = ({ type }: Document): readonly Relation[] => relationsOf(type as RecordType);

/** Sources for resolving targets, within one transaction. */
export interface Finder {
  readonly tables: Readonly<Record<RecordType, RecordBuffer>>;
  readonly names: NameBuffer;
  readonly links: LinkBuffer;
}

/** Maintains references in documents and in the links table, which serves reverse look-ups. */
export function createLinker(finder: Finder) {
  const { links } = finder;
  return {
    /** Prefetches what linking the records of a type needs. */
    prepare: (type: RecordType, references: readonly References[]): SqlProgram<void> =>
      prepare(finder, type, references),
    prepareStored: (type: RecordType, documents: readonly Document[]): SqlProgram<void> =>
      prepareStored(finder, type, documents),
    /** Resolves, fills in and stores the references of a new document. */
    *linkNew(document: Document): SqlProgram<void> {
      for (const relation of relationsOfDocument(document)) {
        const added: LinkRow[] = [];
        for (const link of linksOf(document, relation)) added.push(fill(document, link, yield* resolve(finder, link)));
        links.add(relation, document.id, added);
      }
    },
    /** The same for changed fields of a stored document. */
    *linkStated(document: Document, given: ReadonlySet<string>): SqlProgram<void> {
      for (const relation of relationsOfDocument(document)) {
        if (given.has(relation.field)) yield* linkAnew(finder, document, relation);
      }
    },
    /** Tries to resolve the unresolved references of a stored document. */
    *resolvePending(document: Document): SqlProgram<void> {
      for (const relation of relationsOfDocument(document)) yield* resolveRelation(finder, document, relation);
    },
    /** Updates the targets shown in a document: their slug may have changed, or they may be deleted. */
    *refresh(document: Document): SqlProgram<void> {
      for (const relation of relationsOfDocument(document)) yield* refreshTargets(finder, document, relation);
    },
    referrers: (type: RecordType, id: number): SqlProgram<RecordRef[]> => links.referrers(type, [id]),
    /** Deletes the own links of records. Returns the others that referenced them, whose links are now unresolved. */
    *unlink(type: RecordType, ids: readonly number[]): SqlProgram<RecordRef[]> {
      for (const relation of relationsOf(type)) for (const id of ids) links.set(relation, id, []);
      const referrers = yield* links.referrers(type, ids);
      yield* links.unresolve(type, ids);
      return referrers;
    },
    /** Records with unresolved references to these names. */
    *unresolvedReferrers(type: RecordType, keys: readonly string[]): SqlProgram<RecordRef[]> {
      const found = yield* links.pending(keys);
      return found.filter(({ to }) => to.includes(type));
    },
  };
}

function* prepare(finder: Finder, type: RecordType, references: readonly References[]): SqlProgram<void> {
  for (const relation of relationsOf(type)) {
    const stated = references.filter(({ fields }) => fields[relation.field] !== undefined);
    const statedIds = stated.flatMap(({ id }) => id ?? []);
    yield* finder.links.load(relation, statedIds);
    yield* loadTargets(finder, relation, statedIds);
    yield* lookUp(
      finder,
      stated.flatMap(({ fields }) => writtenLinks(fields[relation.field], relation)),
    );
  }
}

function* prepareStored(finder: Finder, type: RecordType, documents: readonly Document[]): SqlProgram<void> {
  const ids = documents.map(({ id }) => id);
  for (const relation of relationsOf(type)) {
    yield* finder.links.load(relation, ids);
    yield* loadTargets(finder, relation, ids);
    const open: ReferenceLink[] = [];
    for (const document of documents)
      open.push(...openLinks(yield* finder.links.of(relation, document.id), document, relation));
    yield* lookUp(finder, open);
  }
}

function* loadTargets({ tables, links }: Finder, relation: Relation, ids: readonly number[]): SqlProgram<void> {
  const targets = new Map<RecordType, Set<number>>(relation.to.map((type) => [type, new Set()]));
  for (const id of ids) {
    for (const { to_type, to_id } of yield* links.of(relation, id))
      if (to_type !== null && to_id !== null) targets.get(to_type)?.add(to_id);
  }
  for (const [type, some] of targets) yield* tables[type].loadNamed({ ids: [...some] });
}

/** Prefetches targets in the order in which `resolve` tries them. */
function* lookUp(finder: Finder, links: readonly ReferenceLink[]): SqlProgram<void> {
  const { tables, names } = finder;
  const different = [
    ...new Map(links.map((link) => [`${link.type} ${link.slug} ${link.id} ${link.key}`, link])).values(),
  ];
  let open = different;
  for (const type of links[0]?.relation.to ?? []) {
    const some = open.filter(mayLeadTo(type));
    const slugs = some.flatMap(({ slug }) => slug ?? []);
    yield* tables[type].loadNamed({ slugs, ids: some.flatMap(({ slug, id }) => (slug === null ? (id ?? []) : [])) });
    open = yield* without(open, some, (link) => bySlugOrId(finder, type, link));
  }
  for (const type of links[0]?.relation.to ?? []) {
    const some = open.filter(mayLeadTo(type));
    const keys = some.flatMap(({ key }) => (key === '' ? [] : key));
    yield* names.load(type, keys);
    const ids: number[] = [];
    for (const key of keys) ids.push(...(yield* names.find(type, key)));
    yield* tables[type].loadNamed({ ids });
    open = yield* without(open, some, (link) => byName(finder, type, link.key));
  }
}

const mayLeadTo =
  (type: RecordType) =>
  (link: ReferenceLink): boolean =>
    link.type === null || link.type === type;

/** The links that remain unresolved after a look-up. */
function* without(
  links: readonly ReferenceLink[],
  some: readonly ReferenceLink[],
  find: (link: ReferenceLink) => SqlProgram<LinkTarget | undefined>,
): SqlProgram<ReferenceLink[]> {
  const found = new Set<ReferenceLink>();
  for (const link of some) if ((yield* find(link)) !== undefined) found.add(link);
  return links.filter((link) => !found.has(link));
}

function fill(document: Document, link: ReferenceLink, target: LinkTarget | undefined): LinkRow {
  fillTarget(document, link, target);
  // A reference by id alone is stored with the target's name.
  const key = link.key === '' && target !== undefined ? foldName(target.name) : link.key;
  return { to_type: target?.type ?? null, to_id: target?.id ?? null, key };
}

function* linkAnew(finder: Finder, document: Document, relation: Relation): SqlProgram<void> {
  const before = yield* finder.links.of(relation, document.id);
  const existing = new Map(before.map((row) => [row.key, row]));
  const after: LinkRow[] = [];
  for (const link of linksOf(document, relation)) {
    const target = (yield* known(finder, link, existing)) ?? (yield* resolve(finder, link));
    after.push(fill(document, link, target));
  }
  if (!isSame(before, after)) finder.links.set(relation, document.id, after);
}

/** Resolved references stay resolved, even if their name becomes ambiguous. */
function* known(
  { tables }: Finder,
  link: ReferenceLink,
  existing: ReadonlyMap<string, LinkRow>,
): SqlProgram<LinkTarget | undefined> {
  const row = link.isByName ? existing.get(link.key) : undefined;
  if (row?.to_type == null || row.to_id === null || (link.type ?? row.to_type) !== row.to_type) return undefined;
  return toTarget(row.to_type, yield* tables[row.to_type].namedById(row.to_id));
}

/** Keeps the key of an unresolved link: it may be a slug that the document does not show. */
function openLinks(existing: readonly LinkRow[], document: Document, relation: Relation): ReferenceLink[] {
  if (existing.every((row) => row.to_id !== null)) return [];
  return linksOf(document, relation).flatMap((link) => {
    const row = existing[link.position];
    return row === undefined || row.to_id !== null ? [] : { ...link, key: row.key };
  });
}

function* resolveRelation(finder: Finder, document: Document, relation: Relation): SqlProgram<void> {
  const { id } = document;
  for (const open of openLinks(yield* finder.links.of(relation, id), document, relation)) {
    const link = fill(document, open, yield* resolve(finder, open));
    if (link.to_id !== null) yield* finder.links.resolve({ relation, id, position: open.position, link });
  }
}

function* refreshTargets({ tables, links }: Finder, document: Document, relation: Relation): SqlProgram<void> {
  const existing = yield* links.of(relation, document.id);
  for (const link of linksOf(document, relation)) {
    const row = existing[link.position];
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

/** Resolves a link: by slug or id in its types, else by name. */
function* resolve(finder: Finder, link: ReferenceLink): SqlProgram<LinkTarget | undefined> {
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

function* bySlugOrId({ tables }: Finder, type: RecordType, link: ReferenceLink): SqlProgram<LinkTarget | undefined> {
  const { slug, id } = link;
  if (slug !== null) return toTarget(type, yield* tables[type].namedBySlug(slug));
  return id === null ? undefined : toTarget(type, yield* tables[type].namedById(id));
}

/** An ambiguous name stays unresolved; links are never guessed. */
function* byName({ tables, names }: Finder, type: RecordType, key: string): SqlProgram<LinkTarget | undefined> {
  const [id, ...others] = key === '' ? [] : yield* names.find(type, key);
  return id === undefined || others.length > 0 ? undefined : toTarget(type, yield* tables[type].namedById(id));
}

const toTarget = (type: RecordType, named: Omit<LinkTarget, 'type'> | undefined): LinkTarget | undefined =>
  named && { type, ...named };
