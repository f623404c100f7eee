import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../../src/store/open.ts';
import { openSqlite } from '../../../src/store/sqlite/driver.ts';
import { isLong } from '../../support/length.ts';
import { temporaryFolder } from '../../support/program.ts';
import { buildWriter, startWriter } from '../../support/writer.ts';

const KILLS = isLong ? 50 : 6;
/** Acknowledged writes after which the process is killed: another number each time, so that it is hit everywhere. */
const writesBefore = (kill: number): number => 1 + ((kill * 7) % 11);

const folder = temporaryFolder();
let program: string;
beforeAll(() => {
  program = buildWriter();
});
afterAll(() => folder.remove());

const slugsIn = async (url: string): Promise<Set<string>> => {
  const store = await openStore(url);
  const slugs = new Set<string>();
  for await (const json of store.records.walk('companies')) slugs.add((JSON.parse(json) as { slug: string }).slug);
  await store.close();
  return slugs;
};

/** How many records the search index knows. */
const totalFound = async (url: string): Promise<number> => {
  const store = await openStore(url);
  const found = await store.records.search({ types: ['companies'], text: 'DeFi', window: { offset: 0, limit: 1 } });
  await store.close();
  return found.total;
};

const integrityOf = (file: string): unknown => {
  const database = openSqlite(file);
  try {
    return database.pragma('integrity_check', { simple: true });
  } finally {
    database.close();
  }
};

describe('a process that is killed while it writes', () => {
  test(`leaves a whole database with every acknowledged write, ${KILLS} times`, async () => {
    const file = join(folder.path, 'killed.db');
    const url = `sqlite:${file}`;
    const acknowledged: string[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const writer = startWriter(program, { url, name: `run-${kill}x` });
      await writer.more(writesBefore(kill));
      await writer.kill();
      acknowledged.push(...writer.lines);
      expect(integrityOf(file)).toBe('ok');
    }
    const kept = await slugsIn(url);
    expect(acknowledged.length).toBeGreaterThan(KILLS);
    expect(acknowledged.filter((slug) => !kept.has(slug))).toEqual([]);
    expect(await totalFound(url)).toBe(kept.size);
  });
});

const canLift = spawnSync('prlimit', ['--version']).status === 0;

describe('a process whose disk is full', () => {
  test.runIf(canLift)('refuses writes as unavailable, reads on, and writes again when there is space', async () => {
    const file = join(folder.path, 'full.db');
    const url = `sqlite:${file}`;
    const writer = startWriter(program, { url, name: 'full', blocksMax: 4_000 });
    while (!writer.lines.includes('unavailable')) await writer.more(1);
    // Each refusal comes after a read that was answered.
    await writer.more(3);
    const before = writer.lines.filter((line) => line !== 'unavailable');
    expect(writer.lines.slice(-3)).toEqual(['unavailable', 'unavailable', 'unavailable']);
    expect(spawnSync('prlimit', ['--pid', String(writer.pid), '--fsize=unlimited']).status).toBe(0);
    while (writer.lines.at(-1) === 'unavailable') await writer.more(1);
    await writer.kill();
    const kept = await slugsIn(url);
    const acknowledged = writer.lines.filter((line) => line !== 'unavailable');
    expect(acknowledged.length).toBeGreaterThan(before.length);
    expect(acknowledged.filter((slug) => !kept.has(slug))).toEqual([]);
    expect([integrityOf(file), await totalFound(url)]).toEqual(['ok', kept.size]);
  });
});
