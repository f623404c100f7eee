import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';

/**
 * A schema for the SDK that publishes JSON Schema and accepts every value. Arguments are parsed by our own reader,
 * which is more lenient and names unknown arguments; results are typed.
 * @param give the JSON Schema, evaluated by each list request
 */
export function schemaForListing(give: () => Record<string, unknown>): StandardSchemaWithJSON<unknown, unknown> {
  return {
    '~standard': {
      version: 1,
      vendor: 'web3-bi',
      validate: (value) => ({ value }),
      jsonSchema: { input: give, output: give },
    },
  };
}
