import * as z from 'zod';

/** A list of values longer than this is told by example; a wrong value is answered with the whole list. */
const ENUM_MAX = 8;
const EXAMPLES = 3;

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * A zod object as JSON Schema for tools/list, with only what helps a model to write a call. Every host pays for each
 * character in each conversation, and our own reader checks and explains what is left out here.
 */
export function publishedSchema(schema: z.ZodObject, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...published } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => slim(jsonSchema) });
  return published;
}

function slim(schema: JsonSchema): void {
  for (const bound of ['minLength', 'maxLength', 'minItems', 'maxItems', 'pattern'] as const) delete schema[bound];
  if (schema.minimum === Number.MIN_SAFE_INTEGER || schema.minimum === 0) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.enum !== undefined && schema.enum.length > ENUM_MAX) {
    const examples = schema.enum.slice(0, EXAMPLES).join(', ');
    schema.description = [schema.description, `Such as ${examples}.`].join(' ').trim();
    delete schema.enum;
  }
}
