import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FILTER_NAMES, isChoice } from '../../src/contract/filters.ts';
import { aCompany } from '../support/builders.ts';
import { importText } from '../support/importing.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService([aCompany({ name: 'Alpha Chain', tags: ['DeFi'] })]);
});
afterAll(() => service.close());

const statusOf = async (path: string, init?: RequestInit): Promise<number> => (await service.get(path, init)).status;

/** Every plain object has these; a table that is looked up by a word must not. */
describe.each(Object.getOwnPropertyNames(Object.prototype))('the word %s', (word) => {
  test.each(['', 'companies', 'rounds over 5', 'over', 'investors in', 'companies tagged'])(
    'is searched for after "%s"',
    async (before) => {
      for (const text of [`${before} ${word}`, `${word} ${before}`])
        expect(await statusOf(`/api/v1/search?type=all&query=${text}`), text).toBe(200);
    },
  );

  test.each(FILTER_NAMES.filter(isChoice))('is a value of %s or refused', async (name) => {
    expect(await statusOf(`/api/v1/search?type=all&${name}=${word}`)).toBeLessThan(500);
  });

  test('is a tag and a chain that are written, found and shown', async () => {
    const key = await service.newKey({ level: 'write' });
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ name: `Of ${word}`, tags: [word, 'Lending'], chains: [word] });
    expect(await statusOf('/api/v1/companies', { method: 'POST', headers, body })).toBe(201);
    // A key reads its own writes at once; others may read an index that is some milliseconds behind.
    expect(await statusOf(`/api/v1/search?type=companies&query=${word}&tag=${word}`, { headers })).toBe(200);
  });

  test('is a column, an amount and a part of a place that an import ignores', async () => {
    const rows = `name,${word},amount_usd,location_json.${word}\nRound of ${word},x,5 ${word},y\n`;
    const report = await importText(service.store, 'rounds', rows);
    expect(report).toMatchObject({ read: 1 });
    const place = { name: `Placed ${word}`, location_json: { [word]: 'x' } };
    expect(await importText(service.store, 'companies', JSON.stringify(place))).toMatchObject({ created: 1 });
  });
});
