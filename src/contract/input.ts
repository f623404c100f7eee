import * as z from 'zod';
import { entities, entityOf, type RecordType } from './entities/index.ts';
import { bareSchema, nameText, recordId, slugText } from './fields.ts';
import { type Relation, relations } from './relations.ts';

/** What a record may be written with: its own fields but the server's, all optional besides the name. */
export type RecordInput = Readonly<Record<string, unknown>> & { readonly name: string; readonly slug?: string };

/** Fields to write, not yet checked; the name may be left out when the record is there already. */
export type GivenFields = Readonly<Record<string, unknown>> & { readonly name?: string; readonly slug?: string };

const relationOf = new Map(relations.map((relation) => [relation.name, relation]));

/** The writable form of each type, made from its record: names of other records may be plain text. */
const inputs = new Map<RecordType, z.ZodObject>(
  entities.map((entity) => {
    const fields = Object.entries(entity.record.shape).filter(([, schema]) => schema.meta()?.['readOnly'] !== true);
    const shape = fields.map(([name, schema]) => [name, writable(relationOf.get(`${entity.type}.${name}`), schema)]);
    return [entity.type, z.strictObject({ ...Object.fromEntries(shape), name: nameText })];
  }),
);

export function inputOf(type: RecordType): z.ZodObject {
  // Every type has one; the map is made of the same list as the type.
  return inputs.get(type) as z.ZodObject;
}

/** Other names for fields in a body: those of the paid view, so that both shapes of the specification can be written. */
export function otherNames(type: RecordType): Readonly<Record<string, string>> {
  return entityOf(type).paid?.renamed ?? {};
}

const needed = new Map<RecordType, readonly string[]>(
  entities.map(({ type, record }) => [
    type,
    Object.entries(record.shape).flatMap(([name, schema]) => (schema instanceof z.ZodObject ? [name] : [])),
  ]),
);

/** What a record cannot be without beside its name, such as a round its company: an object that may not be null. */
export const neededOf = (type: RecordType): readonly string[] => needed.get(type) ?? [];

/** The body of a new or replaced record, by type. */
export const newBodies: ReadonlyMap<RecordType, z.ZodObject> = new Map(
  entities.map(({ type, record }) => {
    const { shape } = inputOf(type);
    const others = Object.entries(otherNames(type)).map(([other, name]) => [other, shape[name] as z.ZodType]);
    const given = neededOf(type).map((name) => [name, (shape[name] as z.ZodOptional<z.ZodType>).unwrap()]);
    const body = inputOf(type).extend(Object.fromEntries([...others, ...given]));
    return [type, body.meta({ id: `${record.meta()?.['id']}Input` })];
  }),
);

/** The body of a change, by type: any field, null for one that is cleared. */
export const changeBodies: ReadonlyMap<RecordType, z.ZodObject> = new Map(
  entities.map(({ type, record }) => {
    const fields = Object.entries(newBodies.get(type)?.shape ?? {}).map(([name, schema]) => {
      const isKept = name === 'name' || name === 'slug' || neededOf(type).includes(name);
      return [name, isKept ? (schema as z.ZodType).optional() : (schema as z.ZodType).nullable().optional()];
    });
    return [type, z.strictObject(Object.fromEntries(fields)).meta({ id: `${record.meta()?.['id']}Changes` })];
  }),
);

function writable(relation: Relation | undefined, schema: z.ZodType): z.ZodType {
  if (relation === undefined) return strict(schema).optional();
  const bare = bareSchema(schema);
  const isList = bare instanceof z.ZodArray;
  const item = looseReference(relation, (isList ? bare.element : bare) as z.ZodObject);
  const loose = isList ? z.array(item) : item;
  return (schema instanceof z.ZodNullable ? loose.nullable() : loose).optional();
}

/** A schema that refuses names it does not know at every depth; the record's own schema leaves them out. */
function strict(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) return copyOf(schema, { catchall: z.never() });
  if (schema instanceof z.ZodArray) return copyOf(schema, { element: strict(schema.element as z.ZodType) });
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return copyOf(schema, { innerType: strict(schema.unwrap() as z.ZodType) });
  return schema;
}

/** A schema with a part replaced, and with its checks and description. */
function copyOf(schema: z.ZodType, part: object): z.ZodType {
  return schema.clone({ ...schema._zod.def, ...part } as typeof schema._zod.def, { parent: true });
}

/** A reference as people write it: a bare name, or an object with a name, slug or number and what else is known. */
function looseReference(relation: Relation, item: z.ZodObject): z.ZodType {
  const { keys } = relation;
  const optional = Object.fromEntries(
    Object.entries(item.shape).map(([name, schema]) => [name, (schema as z.ZodType).optional()]),
  );
  const named = z.strictObject({
    ...optional,
    [keys.name]: nameText.optional(),
    [keys.slug]: slugText.nullable().optional(),
    [keys.id]: recordId.nullable().optional(),
  });
  const isNamed = (value: Record<string, unknown>): boolean =>
    [keys.name, keys.slug, keys.id].some((key) => value[key] !== undefined && value[key] !== null);
  return z.preprocess(
    (value) => (typeof value === 'string' ? { [keys.name]: value } : value),
    named.refine(isNamed, `an object with ${keys.name}, ${keys.slug} or ${keys.id}`),
  );
}
