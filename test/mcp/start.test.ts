import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROGRAM } from '../support/program.ts';

const STATIC_IMPORT = /(?:\bfrom|\bimport)\s*"(\.[^"]+)"/g;
/** Texts that only the libraries of the chain, the ledger's database or the service have. */
const CHAIN = 'EIP712Domain';
const LEDGER = 'CREATE TABLE payments';
/** A description of the response schema of a search. */
const RESPONSES = 'Records of this page, the best first.';
const MCP = 'Web3 business intelligence: companies';

/** A built file with everything that is loaded at once with it. */
function loadedWith(file: string, known = new Map<string, string>()): Map<string, string> {
  if (known.has(file)) return known;
  const text = readFileSync(file, 'utf8');
  known.set(file, text);
  for (const [, target = ''] of text.matchAll(STATIC_IMPORT)) loadedWith(join(dirname(file), target), known);
  return known;
}

describe('the start of web3-bi mcp', () => {
  test('loads neither response schemas nor node:crypto, which cost each start milliseconds', () => {
    const started = readFileSync(join(dirname(PROGRAM), 'mcp.cjs'), 'utf8');
    expect(started).toContain(MCP);
    expect([RESPONSES, 'require("node:crypto")'].filter((text) => started.includes(text))).toEqual([]);
  });

  test('loads nothing of the wallet, the chain or a database', () => {
    const chunks = join(dirname(PROGRAM), 'chunks');
    const command = readdirSync(chunks).find((name) => name.startsWith('mcp-'));
    const files = loadedWith(join(chunks, command ?? ''), loadedWith(PROGRAM));
    const loaded = [...files.values()].join('');
    expect(loaded).toContain(MCP);
    expect([CHAIN, LEDGER].filter((text) => loaded.includes(text))).toEqual([]);
    const everything = readdirSync(chunks).map((name) => readFileSync(join(chunks, name), 'utf8'));
    for (const text of [CHAIN, LEDGER]) expect(everything.some((chunk) => chunk.includes(text))).toBe(true);
  });
});
