import * as z from 'zod';
import { foldName } from '../contract/names.ts';

/** A list of values longer than this is told by example; a wrong value is answered with the whole list. */
const ENUM_MAX = 9;
const EXAMPLES = 2;

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * A zod object as JSON Schema for tools/list, with only what helps a model to write a call or to read an answer. Every
 * host pays for each character in each conversation, and our own reader checks and explains what is left out here.
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

/** What is in a list takes what the description of the list says; a description that repeats the name says nothing. */
function inputOf(schema: JsonSchema): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const { items, description = '', ...rest } = property as JsonSchema & { items?: JsonSchema };
    const said = ['', foldName(name)].includes(foldName(description)) ? {} : { description };
    if (items === undefined) return [name, { ...said, ...rest }];
    const { examples: _, ...item } = items as Readonly<Record<string, unknown>>;
    return [name, { ...said, ...rest, items: item.type === 'object' ? { type: 'object' } : item }];
  });
  const { additionalProperties: more, ...told } = schema;
  return {
    ...told,
    ...(more === false && { additionalProperties: false }),
    properties: Object.fromEntries(properties),
  };
}

/**
 * The names and types of an answer's fields, and of those of its lists. A model sees the rest in the answer itself, and
 * fields may be added later without harm.
 */
function outputOf({ properties = {} }: JsonSchema): JsonSchema {
  return { type: 'object', properties: fieldsOf(properties) };
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
