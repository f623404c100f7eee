import * as z from 'zod';

/** A list of values longer than this is told by example; a wrong value is answered with the whole list. */
const ENUM_MAX = 8;
const EXAMPLES = 3;
/** How deep an answer is described. What lies deeper a model sees in the answer itself. */
const OUTPUT_DEPTH_MAX = 3;

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * A zod object as JSON Schema for tools/list, with only what helps a model to write a call or to read an answer. Every
 * host pays for each character in each conversation, and our own reader checks and explains what is left out here.
 */
export function publishedSchema(schema: z.ZodObject, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...published } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => slim(jsonSchema) });
  return (io === 'input' ? shallowItems(published) : brief(published, 0)) as Record<string, unknown>;
}

function slim(schema: JsonSchema): void {
  for (const bound of ['minLength', 'maxLength', 'minItems', 'maxItems', 'pattern'] as const) delete schema[bound];
  if (schema.minimum === Number.MIN_SAFE_INTEGER || schema.minimum === 0) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.default === '' || (Array.isArray(schema.default) && schema.default.length === 0)) delete schema.default;
  if (schema.enum !== undefined && schema.enum.length > ENUM_MAX) {
    const examples = schema.enum.slice(0, EXAMPLES).join(', ');
    schema.description = [schema.description, `Such as ${examples}.`].join(' ').trim();
    delete schema.enum;
  }
}

/** Objects inside a list take what their description says. */
function shallowItems(schema: JsonSchema): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const items = (property as JsonSchema).items as JsonSchema | undefined;
    return [name, items?.type === 'object' ? { ...(property as JsonSchema), items: { type: 'object' } } : property];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** An answer's schema without what a reader of the answer does not need. Fields may be added later without harm. */
function brief(schema: JsonSchema, depth: number): JsonSchema {
  const { additionalProperties: _, required, properties, items, anyOf, format: __, ...rest } = schema;
  if (anyOf !== undefined) return { ...described(rest), type: anyOf.map((part) => (part as JsonSchema).type) as never };
  if (depth >= OUTPUT_DEPTH_MAX) return { type: rest.type ?? 'string' };
  const parts = Object.entries(properties ?? {}).map(([name, part]) => [name, brief(part as JsonSchema, depth + 1)]);
  return {
    ...rest,
    ...(parts.length > 0 && { properties: Object.fromEntries(parts) }),
    ...(required !== undefined && depth === 0 && { required }),
    ...(items !== undefined && { items: brief(items as JsonSchema, depth + 1) }),
  };
}

const described = ({ description }: JsonSchema): JsonSchema => (description === undefined ? {} : { description });
