import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SECRETS_FILE } from '../support/kept-run.ts';

/** Files that hold a private key on purpose, of mode 0600. */
const KEY_FILES = ['wallet-key', 'key-file', 'imported', 'open-key'];
/** Commands that show a new key once, and the sandbox, whose wallet and key are for trying. */
const SHOWING = /^written-(key-create|key-rotate|sandbox)-/;
const API_KEY = /mk_[0-9A-Za-z]{49}/g;
/** A placeholder key of a test; its bytes occur in every large file. */
const SAME_DIGITS = /^(.)\1+$/;
const HEX_KEY = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/gi;

/**
 * `npm run secrets [TEST FILES]`: runs the tests, keeps every state folder and all that programs write to stdout and stderr,
 * tool answers too, and searches it for private keys and API keys. Exit code 1 when there is one.
 */
function main(words: readonly string[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'web3-bi-secrets-'));
  const env = { ...process.env, KEPT_RUN: folder };
  const { status } = spawnSync('npx', ['vitest', 'run', ...words], { env, stdio: 'inherit' });
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ name, parentPath }) => ({ name, path: join(parentPath, name) }));
  const keys = privateKeys(files);
  const searched = files.filter(({ name }) => ![...KEY_FILES, SECRETS_FILE].includes(name) && !SHOWING.test(name));
  const leaks = searched.flatMap(({ path }) => leaksIn(path, keys));
  for (const leak of leaks) console.log(leak);
  const megabytes = searched.reduce((sum, { path }) => sum + statSync(path).size, 0) / 1e6;
  const found = `${leaks.length} leaks of ${keys.size} private keys and of any API key`;
  console.log(`${searched.length} files with ${megabytes.toFixed(0)} MB were searched: ${found}`);
  rmSync(folder, { recursive: true });
  process.exitCode = leaks.length > 0 || searched.length === 0 ? 1 : (status ?? 1);
}

/** Those that the tests gave to programs and wallets, and those that programs wrote into key files. */
function privateKeys(files: readonly { name: string; path: string }[]): Set<string> {
  const holding = files.filter(({ name }) => name === SECRETS_FILE || KEY_FILES.includes(name));
  const texts = holding.map(({ path }) => readFileSync(path, 'utf8'));
  const keys = texts.flatMap((text) => text.match(HEX_KEY) ?? []).map((key) => key.toLowerCase());
  return new Set(keys.filter((key) => !SAME_DIGITS.test(key)));
}

function leaksIn(path: string, keys: ReadonlySet<string>): string[] {
  const bytes = readFileSync(path);
  const text = bytes.toString('latin1');
  const hex = (text.match(HEX_KEY) ?? []).filter((found) => keys.has(found.toLowerCase()));
  const raw = [...keys].filter((key) => bytes.includes(Buffer.from(key, 'hex')));
  const api = text.match(API_KEY) ?? [];
  const kinds = [
    [hex, 'a private key'],
    [raw, 'the bytes of a private key'],
    [api, 'an API key'],
  ] as const;
  return kinds.flatMap(([found, kind]) => (found.length === 0 ? [] : [`${path}: ${kind}, ${found.length} times`]));
}

main(process.argv.slice(2));
