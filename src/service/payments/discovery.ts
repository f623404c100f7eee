import * as z from 'zod';
import { PAID_TYPES, paidSearchQuery } from '../../contract/x402.ts';

/**
 * The extension "bazaar" of x402, by which facilitators list what is sold: how to ask, and the form of the answer. The
 * schema of the records is left out, because all of this has to fit into a header.
 */
export function discovery(): Readonly<Record<string, unknown>> {
  const queryParams = { q: 'defi', type: 'all', limit: 10, page: 1 };
  const data = Object.fromEntries(PAID_TYPES.map((type) => [type, []]));
  const { q: query, ...asked } = queryParams;
  const { $schema: _outer, ...parameters } = z.toJSONSchema(paidSearchQuery, { io: 'input' });
  return {
    bazaar: {
      info: {
        input: { type: 'http', method: 'GET', queryParams },
        output: { type: 'json', example: { data, meta: { query, ...asked, total: 0 } } },
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
              queryParams: parameters,
            },
            required: ['type', 'method'],
            additionalProperties: false,
          },
          output: {
            type: 'object',
            properties: { type: { type: 'string' }, example: { type: 'object' } },
            required: ['type'],
          },
        },
        required: ['input'],
      },
    },
  };
}
