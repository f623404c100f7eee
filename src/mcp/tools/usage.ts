import * as z from 'zod';
import { LOCAL_KEY_ID } from '../../contract/keys.ts';
import { usage } from '../../contract/usage.ts';
import { defineTool, READ_ONLY } from '../define-tool.ts';

export const usageTool = defineTool({
  name: 'usage',
  title: 'Quota of the API key',
  description: 'How many requests the API key has used and has left today and this month. This call is not counted.',
  input: z.strictObject({}),
  output: usage,
  hints: { ...READ_ONLY, openWorldHint: false },
  access: ['key', 'embedded', 'none'],
  run: (_args, { client, signal }) => client.usage({ signal }),
  text: ({ plan, key, day, month }) =>
    [
      key.id === LOCAL_KEY_ID ? 'The data is local and has no limit.' : `Plan ${plan}; key ${key.name} (${key.level}).`,
      `Today: ${windowText(day)}`,
      `This month: ${windowText(month)}`,
    ].join('\n'),
});

const windowText = ({ limit, used, remaining, resets_at }: z.output<typeof usage>['day']): string =>
  limit === null
    ? `${used} used, no limit; resets at ${resets_at}.`
    : `${used} of ${limit} used, ${remaining} left until ${resets_at}.`;
