import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';

/**
 * A schema for the SDK that is published as JSON Schema and lets every value pass: arguments are read by our own reader,
 * which takes a number given as text and names what it does not know, and answers are made by our own types.
 * @param give the JSON Schema, asked for by each list
 */
export function publishedOnly(give: () => Record<string, unknown>): StandardSchemaWithJSON<unknown, unknown> {
  return {
    '~standard': {
      version: 1,
      vendor: 'web3-bi',
      validate: (value) => ({ value }),
      jsonSchema: { input: give, output: give },
    },
  };
}
