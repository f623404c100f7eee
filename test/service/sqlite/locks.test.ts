import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aCompany } from '../../support/builders.ts';
import { newSqlite, type SqliteDatabase } from '../../support/databases.ts';
import { startService, type TestService } from '../../support/service.ts';

let database: SqliteDatabase;
let service: TestService;
let writeKey: string;
beforeEach(async () => {
  database = await newSqlite();
  service = await startService([aCompany({ slug: 'acme' })], { database: database.url });
  writeKey = await service.newKey({ level: 'write' });
});
afterEach(() => service.close());

const read = () => service.get('/api/v1/companies/acme');
const write = (name: string) =>
  fetch(`${service.url}/api/v1/companies`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${writeKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name }),
  });

describe('while another process holds the write lock of the database', () => {
  test('reads and /livez are answered, and a write is 503 when it has waited for as long as it may', async () => {
    const release = await database.lockRecords();
    let isRefused = false;
    const refused = write('Refused').finally(() => {
      isRefused = true;
    });
    for (let round = 0; round < 50; round += 1) {
      expect([(await read()).status, (await fetch(`${service.url}/livez`)).status]).toEqual([200, 200]);
    }
    expect(isRefused).toBe(false);
    const { status, headers } = await refused;
    await release();
    expect([status, headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect((await write('Later')).status).toBe(201);
  });

  test('writes wait, and are done in their order when it lets go', async () => {
    const release = await database.lockRecords();
    const waiting = ['First', 'Second', 'Third'].map((name) =>
      service.store.records.putAll([aCompany({ name })]).then(([kept]) => kept?.id),
    );
    expect((await read()).status).toBe(200);
    await release();
    expect(await Promise.all(waiting)).toEqual([2, 3, 4]);
  });
});

describe('while another process holds the file of counts', () => {
  test.each([
    ['before the first request is counted', 0],
    ['after requests were counted', 2],
  ])('%s, reads are answered and their counts are written later', async (_when, before) => {
    for (let request = 0; request < before; request += 1) await read();
    const release = await database.lockCounts();
    const answers = [await read(), await read(), await read()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const left = answers.map(({ headers }) => 1_000 - Number(headers.get('x-ratelimit-daily-remaining')));
    expect(left).toEqual([before + 1, before + 2, before + 3]);
    await release();
    expect((await write('Afterwards')).status).toBe(201);
    // The key of the reads was made first.
    await expect.poll(async () => (await database.readCounts())[0]?.day_used).toBe(before + 3);
  });
});
