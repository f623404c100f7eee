import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import * as z from 'zod';
import { tools } from '../../src/mcp/tools/index.ts';
import { runProgram, temporaryFolder } from '../support/program.ts';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = 'docs/questions.md';
const COMMAND = /```console\n(\$ (?:web3-bi|npx -y web3-bi-mcp|node dist\/main\.js) (.*)\n)[\s\S]*?```/g;
const TOOL_CALL = /```json\n([\s\S]*?)```/g;

const folder = temporaryFolder();
afterAll(() => folder.remove());

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

test.each([
  [GUIDE, 4],
  ['README.md', 1],
])('the commands of %s answer what it shows (vitest -u writes it anew)', async (file, countMin) => {
  const guide = textOf(file);
  let text = guide;
  const shown = [...guide.matchAll(COMMAND)];
  expect(shown.length).toBeGreaterThanOrEqual(countMin);
  for (const [block, line = '', typed = ''] of shown) {
    const words = (typed.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
    const { code, stdout, stderr } = await runProgram(words, { WEB3_BI_STATE_DIR: folder.path });
    expect(code, stderr).toBe(0);
    text = text.replace(block, () => `\`\`\`console\n${line}${stdout}${stderr}\`\`\``);
  }
  await expect(text).toMatchFileSnapshot(join(ROOT, file));
});

const calls = [...textOf(GUIDE).matchAll(TOOL_CALL)].map(
  ([, json = '']) => JSON.parse(json) as { name: string; arguments: object },
);

test.each(calls)('the tool $name takes the arguments that the guide gives it', ({ name, arguments: given }) => {
  const [tool] = tools.filter((each) => each.name === name && !(each.access ?? []).includes('wallet'));
  expect(z.safeParse(tool?.input as z.ZodType, given).error).toBeUndefined();
});
