import * as z from 'zod';
import { foldName } from '../contract/names.ts';

/** Longer enumerations are published by example; an invalid value is answered with all allowed ones. */
const ENUM_MAX = 9;
const EXAMPLES = 2;

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * The JSON Schema of tools/list: only what helps a model to make a call or read a result. Every character costs tokens
 * in every conversation, and our own reader validates what is omitted here.
 */
export function publishedSchema(schema: z.ZodObject, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...published } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => slim(jsonSchema) });
  return (io === 'input' ? inputOf(published) : outputOf(published)) as Record<string, unknown>;
}

const BOUNDS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum', 'exclusiveMinimum', 'pattern'];

function slim(schema: JsonSchema): void {
  for (const bound of BOUNDS) delete schema[bound];
  if (schema.default === '' || (Array.isArray(schema.default) && schema.default.length === 0)) delete schema.default;
  if (schema.enum === undefined || schema.enum.length <= ENUM_MAX) return;
  schema.examples = schema.enum.slice(0, EXAMPLES) as never;
  delete schema.enum;
}

/** Items inherit the description of their array; descriptions that repeat the name are dropped. */
function inputOf(schema: JsonSchema): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const { items, description = '', ...rest } = property as JsonSchema & { items?: JsonSchema };
    const described = ['', foldName(name)].includes(foldName(description)) ? {} : { description };
    if (items === undefined) return [name, { ...described, ...rest }];
    const { examples: _, ...item } = items as Readonly<Record<string, unknown>>;
    return [name, { ...described, ...rest, items: item.type === 'object' ? { type: 'object' } : item }];
  });
  const { additionalProperties: more, ...told } = schema;
  return {
    ...told,
    ...(more === false && { additionalProperties: false }),
    properties: Object.fromEntries(properties),
  };
}

/**
 * Names and types of the fields that every result has, and of its lists. The rest is evident from a result, and omitted
 * fields may be added compatibly.
 */
function outputOf({ properties = {}, required = [] }: JsonSchema): JsonSchema {
  const present = Object.entries(properties).filter(([name]) => required.includes(name));
  return { type: 'object', properties: fieldsOf(Object.fromEntries(present)) };
}

function fieldsOf(properties: Readonly<Record<string, unknown>>): Record<string, JsonSchema> {
  const fields = Object.entries(properties).map(([name, given]) => {
    const inner = (given as { items?: JsonSchema }).items?.properties;
    const items =
      Object.keys(inner ?? {}).length === 0 ? {} : { items: { type: 'object', properties: typesOf(inner ?? {}) } };
    return [name, { ...typeOf(given as JsonSchema), ...items }];
  });
  return Object.fromEntries(fields) as Record<string, JsonSchema>;
}

const typesOf = (properties: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(properties).map(([name, given]) => [name, typeOf(given as JsonSchema)]));

const typeOf = ({ type, anyOf }: JsonSchema) => ({ type: anyOf?.map((part) => (part as JsonSchema).type) ?? type });
