import * as z from 'zod';
import { health } from '../../contract/health.ts';
import { defineTool, READ_ONLY } from '../tool.ts';

const input = z.strictObject({
  detailed: z.boolean().default(false).meta({ description: 'Also try each API route; takes longer.' }),
});

export const healthTool = defineTool({
  name: 'health',
  title: 'Service health',
  description: 'Whether the service behind these tools works. Use it when another tool fails. Needs no access.',
  input,
  output: health,
  hints: READ_ONLY,
  isPublic: true,
  run: ({ detailed }, { client, signal }) => client.health(detailed, { signal }),
  text: (answer) => JSON.stringify(answer),
});
