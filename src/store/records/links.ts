import * as z from 'zod';
import { entityOf, RECORD_TYPES, type RecordType, type SearchedType } from '../../contract/entities/index.ts';
import { foldName } from '../../contract/names.ts';
import { type Relation, relations } from '../../contract/relations.ts';
import type { Document } from './document.ts';

/** The record that a reference leads to. */
export interface Target {
  readonly type: SearchedType;
  readonly id: number;
  readonly slug: string;
  readonly name: string;
}

/** One reference of a document, as written; its place in the document is where a target is filled in. */
export interface Link {
  readonly relation: Relation;
  readonly position: number;
  readonly type: SearchedType | null;
  readonly id: number | null;
  readonly slug: string | null;
  /** Folded name, to be found by a record that arrives later. */
  readonly key: string;
}

const byType = new Map<RecordType, Relation[]>(
  RECORD_TYPES.map((type) => [type, relations.filter((relation) => relation.from === type)]),
);

/** Every reference of a document. */
export function linksOf(document: Document): Link[] {
  return (byType.get(document.type as RecordType) ?? []).flatMap((relation) =>
    itemsOf(document, relation).map((item, position) => toLink(relation, item, position)),
  );
}

function itemsOf(document: Document, relation: Relation): Record<string, unknown>[] {
  const value = document[relation.field];
  if (value === null || value === undefined) return [];
  return (Array.isArray(value) ? value : [value]) as Record<string, unknown>[];
}

function toLink(relation: Relation, item: Record<string, unknown>, position: number): Link {
  const { keys } = relation;
  const named = item[keys.name] as string | undefined;
  const slug = (item[keys.slug] ?? null) as string | null;
  const type = item[keys.type] as SearchedType | undefined;
  return {
    relation,
    position,
    type: type !== undefined && relation.to.includes(type) ? type : null,
    id: (item[keys.id] ?? null) as number | null,
    slug,
    key: foldName(slug ?? named ?? ''),
  };
}

/** Writes a link's target into the document, or that it has none; the name stays as the source wrote it. */
export function fillTarget(document: Document, link: Link, target: Target | undefined): void {
  const { keys } = link.relation;
  const item = itemsOf(document, link.relation)[link.position];
  if (item === undefined) return;
  item[keys.name] ??= target?.name ?? link.slug ?? String(link.id);
  item[keys.type] = target?.type ?? null;
  item[keys.id] = target?.id ?? null;
  item[keys.slug] = target?.slug ?? null;
  for (const field of itemFields.get(link.relation.name) ?? []) item[field] ??= null;
}

/** The fields of an item, such as those of a role; what is not given is null, so that all items have one shape. */
const itemFields = new Map(
  relations.map((relation) => {
    const shape: z.ZodRawShape = entityOf(relation.from).record.shape;
    const schema = shape[relation.field];
    const item = schema instanceof z.ZodArray ? schema.element : schema;
    return [relation.name, Object.keys((item as z.ZodObject).shape)];
  }),
);
