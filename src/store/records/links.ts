import * as z from 'zod';
import { entityOf, type NamedType, RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { bareSchema, SLUG_PATTERN } from '../../contract/fields.ts';
import { foldName } from '../../contract/names.ts';
import { type Relation, relations } from '../../contract/relations.ts';
import type { UnlinkedNames } from '../port/records.ts';
import type { Document } from './document.ts';
import type { NamedRow } from './tables.ts';

export interface LinkTarget extends NamedRow {
  readonly type: RecordType;
}

/** A reference in a document; its location is where the target is filled in. */
export type ReferenceLink = ReturnType<typeof toLink>;

const byType = new Map<RecordType, Relation[]>(
  RECORD_TYPES.map((type) => [type, relations.filter((relation) => relation.from === type)]),
);

export const relationsOf = (type: RecordType): readonly Relation[] => byType.get(type) ?? [];

export const linksOf = (document: Document, relation: Relation): ReferenceLink[] =>
  itemsOf(document, relation).map((item, position) => toLink(relation, item, position));

export function targetsOf(document: Document): Pick<LinkTarget, 'type' | 'id'>[] {
  return relationsOf(document.type as RecordType).flatMap((relation) =>
    itemsOf(document, relation).flatMap((item) => {
      const { type, id } = relation.keys;
      return item[id] == null || item[type] == null
        ? []
        : [{ type: item[type], id: item[id] } as Pick<LinkTarget, 'type' | 'id'>];
    }),
  );
}

export function itemsOf(document: Document, relation: Relation): Record<string, unknown>[] {
  const value = document[relation.field];
  if (value === null || value === undefined) return [];
  return (Array.isArray(value) ? value : [value]) as Record<string, unknown>[];
}

/** The names of the parties of a round that have no record; undefined for other types. */
export function unlinkedIn(document: Document): UnlinkedNames | undefined {
  if (document.type !== 'rounds') return undefined;
  const names = { companies: new Set<string>(), investors: new Set<string>() };
  for (const relation of relationsOf('rounds')) {
    const { id, name } = relation.keys;
    const found = relation.field === 'company' ? names.companies : names.investors;
    for (const item of itemsOf(document, relation)) if (item[id] == null) found.add(String(item[name]));
  }
  return { companies: [...names.companies], investors: [...names.investors] };
}

/** Drops what was added to the lists of a round under other names of records in them. Returns those lists, to link them again. */
export function dropRepeated(document: Document, earlier: Document): ReadonlySet<string> {
  const fields = new Set<string>();
  for (const relation of relationsOf('rounds')) {
    const { type, id } = relation.keys;
    const known = itemsOf(earlier, relation).length;
    const items = itemsOf(document, relation);
    const refs = items.map((item) => (item[id] == null ? null : `${item[type]} ${item[id]}`));
    const isFirst = (_: unknown, index: number): boolean =>
      index < known || refs[index] === null || refs.indexOf(refs[index] as string) === index;
    const kept = items.filter(isFirst);
    if (kept.length === items.length) continue;
    document[relation.field] = kept;
    fields.add(relation.field);
  }
  return fields;
}

/** Potential references in an unvalidated field value, for prefetching; malformed ones are skipped. */
export function writtenLinks(value: unknown, relation: Relation): ReferenceLink[] {
  const { keys } = relation;
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.flatMap((item, position) => {
    const given = (typeof item === 'string' ? { [keys.name]: item } : (item ?? {})) as Record<string, unknown>;
    const { [keys.name]: name, [keys.slug]: slug, [keys.id]: id } = given;
    const isNamed = typeof name === 'string' || typeof slug === 'string' || typeof id === 'number';
    if (!isNamed) return [];
    const parts = {
      [keys.name]: typeof name === 'string' ? name : undefined,
      [keys.slug]: typeof slug === 'string' && SLUG_PATTERN.test(slug) ? slug : null,
      [keys.id]: Number.isSafeInteger(id) ? id : null,
      [keys.type]: given[keys.type],
    };
    return toLink(relation, parts, position);
  });
}

function toLink(relation: Relation, item: Record<string, unknown>, position: number) {
  const { keys } = relation;
  const named = item[keys.name] as string | undefined;
  // A name in slug form may be a slug.
  const slug = (item[keys.slug] ?? (named !== undefined && SLUG_PATTERN.test(named) ? named : null)) as string | null;
  const type = item[keys.type] as NamedType | undefined;
  return {
    relation,
    position,
    type: type !== undefined && relation.to.includes(type) ? type : null,
    id: (item[keys.id] ?? null) as number | null,
    slug,
    /** Whether it is resolved by name only. */
    isByName: item[keys.slug] == null && item[keys.id] == null,
    /** Folded name, by which a later record resolves it. */
    key: foldName(slug ?? named ?? ''),
  };
}

/** Writes the target, or its absence, into the document. Keeps the name of the source, unless it is the target's slug. */
export function fillTarget(document: Document, link: ReferenceLink, target: LinkTarget | undefined): void {
  const { keys, field, name } = link.relation;
  const list = document[field];
  const item = (Array.isArray(list) ? list[link.position] : list) as Record<string, unknown> | null | undefined;
  if (item === undefined || item === null) return;
  const linked: Record<string, unknown> = {
    [keys.name]: nameOf(item[keys.name], target) ?? link.slug ?? String(link.id),
    [keys.type]: target?.type,
    [keys.id]: target?.id,
    [keys.slug]: target?.slug,
  };
  const complete: Record<string, unknown> = {};
  for (const part of itemFields.get(name) ?? []) complete[part] = (part in linked ? linked : item)[part] ?? null;
  if (Array.isArray(list)) list[link.position] = complete;
  else document[field] = complete;
}

const nameOf = (written: unknown, target: LinkTarget | undefined): unknown =>
  target !== undefined && written === target.slug ? target.name : (written ?? target?.name);

/** Fields of a reference item, such as a role's; absent ones are null, so that all items have the same shape. */
const itemFields = new Map(
  relations.map((relation) => {
    const shape: z.ZodRawShape = entityOf(relation.from).record.shape;
    const schema = bareSchema(shape[relation.field]);
    const item = schema instanceof z.ZodArray ? schema.element : schema;
    return [relation.name, Object.keys((item as z.ZodObject).shape)];
  }),
);
