import { spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findAnvil, startAnvil } from '../../src/sandbox/anvil.ts';
import { temporaryFolder } from '../support/program.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());
const binary = findAnvil('');

async function isServed(url: string): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
  const headers = { 'Content-Type': 'application/json' };
  return fetch(url, { method: 'POST', headers, body }).then(
    ({ ok }) => ok,
    () => false,
  );
}

describe('anvil', () => {
  test('is the binary of the package, not the command in front of it', () => {
    expect(binary).toMatch(/anvil-\w+-\w+[\\/]bin[\\/]anvil(\.exe)?$/);
  });

  test('is gone when it was closed', async () => {
    const anvil = await startAnvil(binary, 84_532);
    expect(await isServed(anvil.url)).toBe(true);
    await anvil.close();
    expect(await isServed(anvil.url)).toBe(false);
  });

  test('that cannot start is said with its own words', async () => {
    const broken = join(folder.path, 'broken');
    writeFileSync(broken, '#!/bin/sh\necho no such chain >&2\nexit 3\n');
    chmodSync(broken, 0o755);
    await expect(startAnvil(broken, 1)).rejects.toMatchObject({
      message: 'anvil could not start.',
      cause: { message: 'it ended with 3: no such chain' },
    });
  });

  test('ends when its parent is killed', async () => {
    const module = join(import.meta.dirname, '..', '..', 'src', 'sandbox', 'anvil.ts');
    const script = `const { startAnvil } = await import(${JSON.stringify(module)});
      console.log((await startAnvil(${JSON.stringify(binary)}, 1)).url);
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]);
    const url = await new Promise<string>((resolve) => parent.stdout.once('data', (text) => resolve(`${text}`.trim())));
    expect(await isServed(url)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isServed(url)).toBe(false);
  });
});
