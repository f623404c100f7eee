import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import * as z from 'zod';
import { tools } from '../../src/mcp/tools/index.ts';
import { runProgram, temporaryFolder } from '../support/program.ts';

const GUIDE = join(import.meta.dirname, '../../docs/questions.md');
const COMMAND = /```console\n\$ web3-bi (.*)\n[\s\S]*?```/g;
const TOOL_CALL = /```json\n([\s\S]*?)```/g;

const folder = temporaryFolder();
afterAll(() => folder.remove());

const guide = readFileSync(GUIDE, 'utf8');

test('the commands of the guide to questions answer what it shows (vitest -u writes it anew)', async () => {
  let text = guide;
  const shown = [...guide.matchAll(COMMAND)];
  expect(shown.length).toBeGreaterThan(3);
  for (const [block, typed = ''] of shown) {
    const words = (typed.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
    const { code, stdout, stderr } = await runProgram(words, { WEB3_BI_STATE_DIR: folder.path });
    expect(code, stderr).toBe(0);
    text = text.replace(block, () => `\`\`\`console\n$ web3-bi ${typed}\n${stdout}${stderr}\`\`\``);
  }
  await expect(text).toMatchFileSnapshot(GUIDE);
});

const calls = [...guide.matchAll(TOOL_CALL)].map(
  ([, json = '']) => JSON.parse(json) as { name: string; arguments: object },
);

test.each(calls)('the tool $name takes the arguments that the guide gives it', ({ name, arguments: given }) => {
  const [tool] = tools.filter((each) => each.name === name && !(each.access ?? []).includes('wallet'));
  expect(z.safeParse(tool?.input as z.ZodType, given).error).toBeUndefined();
});
