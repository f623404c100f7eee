import * as z from 'zod';
import { health } from '../../contract/health.ts';
import { defineTool, READ_ONLY } from '../define-tool.ts';

const input = z.strictObject({
  detailed: z.boolean().default(false).meta({ description: 'Also try each API route; takes longer.' }),
});

export const healthTool = defineTool({
  name: 'health',
  title: 'Service health',
  description: 'Whether the service behind the tools works. Use it when one fails. Needs no access.',
  input,
  // Published without the structure of endpoints, which a result shows.
  output: health.extend({ endpoints: z.array(z.looseObject({})).optional(), tools: z.record(z.string(), z.string()) }),
  hints: READ_ONLY,
  isPublic: true,
  run: async ({ detailed }, { client, signal, fingerprints }) => ({
    ...(await client.health(detailed, { signal })),
    tools: (await fingerprints?.()) ?? {},
  }),
  text: (answer) => JSON.stringify(answer),
});
