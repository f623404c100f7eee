import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Running, runProgram, startProgram, temporaryFolder } from '../support/program.ts';

const DOCS = join(import.meta.dirname, '../../docs');
/** A request of the API in a sentence, and the answer that follows it. */
const SHOWN = /`GET (\/api\/v1\/[^`]+)`[^`]*```json\n([\s\S]*?)\n```/g;

const folder = temporaryFolder();
const state = { WEB3_BI_STATE_DIR: folder.path };
let service: Running;
let key: string;
beforeAll(async () => {
  service = await startProgram(['serve', '--port', '0'], state);
  const words = ['key', 'create', '--account', 'acme', '--plan', 'api_access', '--name', 'test'];
  key = (await runProgram(words, state)).stdout.trim();
});
afterAll(async () => {
  await service.stop();
  folder.remove();
});

test.each(['rest.md', 'errors.md'])(
  'the answers of %s are those of the shipped data (vitest -u writes them anew)',
  async (name) => {
    const file = join(DOCS, name);
    const page = readFileSync(file, 'utf8');
    let text = page;
    const shown = [...page.matchAll(SHOWN)];
    expect(shown.length).toBeGreaterThan(0);
    for (const [block, path = '', json = ''] of shown) {
      const response = await fetch(`${service.url}${path}`, { headers: { Authorization: `Bearer ${key}` } });
      // Each request has its own id and time, and each service its own address.
      const { requestId, timestamp } = (JSON.parse(json) as { meta: Record<string, unknown> }).meta;
      const answer = (await response.json()) as { meta: Record<string, unknown> };
      const stable = { ...answer, meta: { ...answer.meta, requestId, timestamp } };
      const written = JSON.stringify(stable, null, 2).replaceAll(service.url, 'https://bi.example.com');
      text = text.replace(block, () => block.replace(json, () => written));
    }
    await expect(text).toMatchFileSnapshot(file);
  },
);

const EXAMPLES = join(import.meta.dirname, '../../src/service/routes/openapi-examples.json');
const ITEMS_SHOWN = 1;

test('the examples of the API reference are answers of the shipped data (vitest -u writes them anew)', async () => {
  const dataAt = async (path: string): Promise<Record<string, unknown>> => {
    const response = await fetch(`${service.url}/api/v1/${path}`, { headers: { Authorization: `Bearer ${key}` } });
    return ((await response.json()) as { data: Record<string, unknown> }).data;
  };
  const vocabulary = await dataAt('vocabulary');
  const examples = {
    records: {
      companies: await dataAt('companies/uniswap'),
      people: await dataAt('people/hayden-adams'),
      investors: await dataAt('investors/polychain-capital'),
      events: await dataAt('events/devcon-5'),
      rounds: await dataAt('rounds/uniswap-series-b-2022-10-13'),
    },
    covered: Object.fromEntries(
      Object.entries(vocabulary['coverage'] as Record<string, { covered: string }>).map(([type, { covered }]) => [
        type,
        covered,
      ]),
    ),
    aggregate: await dataAt('aggregate?of=rounds&group_by=year&measure=sum&from=2021&to=2022'),
    connections: await dataAt('connections?from=companies/uniswap&to=investors/polychain-capital&limit=1'),
    vocabulary,
  };
  // Lists of records and counts by filter are shown by their first ones, and times of this run are not shown.
  const shown = JSON.stringify(
    examples,
    (name, value: unknown) => {
      if (/^(?:created|updated)_at$/.test(name)) return undefined;
      if (name === 'known' && typeof value === 'object')
        return Object.fromEntries(Object.entries(value ?? {}).slice(0, 1));
      const isOfRecords = Array.isArray(value) && typeof value[0] === 'object' && !Array.isArray(value[0]);
      return isOfRecords ? value.slice(0, ITEMS_SHOWN) : value;
    },
    2,
  );
  await expect(`${shown}\n`).toMatchFileSnapshot(EXAMPLES);
});
