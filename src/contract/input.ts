import * as z from 'zod';
import { englishCountry } from './countries.ts';
import { entities, entityOf, type RecordType } from './entities/index.ts';
import { bareSchema, location, nameText, recordId, slugText, webUrl } from './fields.ts';
import { type Relation, relationOf } from './relations.ts';

/** A record to write: all fields but those the server sets, optional except the name. */
export type RecordInput = Readonly<Record<string, unknown>> & { readonly name: string; readonly slug?: string };

/** Fields of a change, not yet validated. The name may be missing when the record exists. */
export type InputFields = Readonly<Record<string, unknown>> & { readonly name?: string; readonly slug?: string };

/** An address that shows where it leads: no user before the host, no spaces, invisible characters or changed reading order. */
const plainUrl = webUrl.refine((text) => {
  const { username, password } = new URL(text);
  return username === '' && password === '' && !/[\s\p{Cc}\p{Cf}]/u.test(text);
}, 'an address without user, spaces and invisible characters');

const { country } = location.shape;
/** A location whose country is written under one name, so that groups and filters agree. */
const placeShape = {
  ...location.shape,
  country: nameText
    .overwrite(englishCountry)
    .nullable()
    .default(null)
    .meta({ ...country.meta() }),
};

/** The writable schema of each type, derived from its record. References may be plain names. */
const inputs = new Map<RecordType, z.ZodObject>(
  entities.map((entity) => {
    const fields = Object.entries(entity.record.shape).filter(([, schema]) => schema.meta()?.['readOnly'] !== true);
    const shape = fields.map(([name, schema]) => [name, writable(relationOf(entity.type, name), schema)]);
    return [entity.type, z.strictObject({ ...Object.fromEntries(shape), name: nameText })];
  }),
);

export function inputOf(type: RecordType): z.ZodObject {
  // The map is built from the list that defines the key type.
  return inputs.get(type) as z.ZodObject;
}

/** Other names of fields in a request body: those of the paid view, so that records can be written in both shapes. */
export function otherNames(type: RecordType): Readonly<Record<string, string>> {
  return entityOf(type).paid?.renamed ?? {};
}

const needed = new Map<RecordType, readonly string[]>(
  entities.map(({ type, record }) => [
    type,
    Object.entries(record.shape).flatMap(([name, schema]) => (schema instanceof z.ZodObject ? [name] : [])),
  ]),
);

/** Required fields of a type besides the name, such as the company of a round. */
export const neededOf = (type: RecordType): readonly string[] => needed.get(type) ?? [];

export const newBodies: ReadonlyMap<RecordType, z.ZodObject> = new Map(
  entities.map(({ type, record }) => {
    const { shape } = inputOf(type);
    const others = Object.entries(otherNames(type)).map(([other, name]) => [other, shape[name] as z.ZodType]);
    const required = neededOf(type).map((name) => [name, (shape[name] as z.ZodOptional<z.ZodType>).unwrap()]);
    const body = inputOf(type).extend(Object.fromEntries([...others, ...required]));
    return [type, body.meta({ id: `${record.meta()?.['id']}Input` })];
  }),
);

/** Schema of the body that changes a record, by type: any field, null to clear it. */
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
  const loose = isList ? copyOf(bare, { element: item }) : item;
  return (schema instanceof z.ZodNullable ? loose.nullable() : loose).optional();
}

/** A copy of a schema for input: it rejects unknown keys at every depth, which the record's own schema strips. */
function strict(schema: z.ZodType): z.ZodType {
  if (schema === webUrl) return plainUrl;
  if (schema._zod.def === location._zod.def) return copyOf(schema, { shape: placeShape, catchall: z.never() });
  if (schema instanceof z.ZodObject) return copyOf(schema, { catchall: z.never() });
  if (schema instanceof z.ZodArray) return copyOf(schema, { element: strict(schema.element as z.ZodType) });
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return copyOf(schema, { innerType: strict(schema.unwrap() as z.ZodType) });
  return schema;
}

/** A schema with a part replaced, keeping its checks and description. */
function copyOf(schema: z.ZodType, part: object): z.ZodType {
  return schema.clone({ ...schema._zod.def, ...part } as typeof schema._zod.def, { parent: true });
}

/** A reference in a request: a name, or an object with a name, slug or id. */
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
