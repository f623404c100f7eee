import * as z from 'zod';
import { PAID_TYPES, paidSearchAnswer, paidSearchQuery } from '../../contract/x402.ts';

/** The extension "bazaar" of x402, by which facilitators list what is sold: how to ask, and the form of the answer. */
export function discovery(): Readonly<Record<string, unknown>> {
  const queryParams = { q: 'defi', type: 'all', limit: 10, page: 1 };
  const example = Object.fromEntries(PAID_TYPES.map((type) => [type, []]));
  const { $schema: _ofQuery, ...query } = z.toJSONSchema(paidSearchQuery, { io: 'input' });
  const { $schema: _ofAnswer, ...answer } = z.toJSONSchema(paidSearchAnswer, { unrepresentable: 'any' });
  return {
    bazaar: {
      info: {
        input: { type: 'http', method: 'GET', queryParams },
        output: { type: 'json', example: { data: example, meta: { query: 'defi', type: 'all' } } },
      },
      schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: {
          input: {
            type: 'object',
            properties: {
              type: { type: 'string', const: 'http' },
              method: { type: 'string', enum: ['GET'] },
              queryParams: query,
            },
            required: ['type', 'method'],
            additionalProperties: false,
          },
          output: {
            type: 'object',
            properties: { type: { type: 'string' }, example: { type: 'object', properties: answer.properties } },
            required: ['type'],
          },
        },
        required: ['input'],
      },
    },
  };
}
