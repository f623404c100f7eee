import { afterAll, beforeAll, expect, test } from 'vitest';
import { aCompany } from '../../support/builders.ts';
import { type Console, startConsole, type Visitor } from '../../support/console.ts';
import { newSqlite } from '../../support/databases.ts';

const ROWS = 1_200;
/** Far fewer than are answered beside the import of these rows, and far more than between two of its batches. */
const ANSWERS_MIN = 25;
const OVERVIEW = 'A "quoted" <b>overview</b> & more of it. '.repeat(20);

let service: Console;
let owner: Visitor;
beforeAll(async () => {
  service = await startConsole([aCompany({ slug: 'acme' })], { database: (await newSqlite()).url });
  owner = await service.person();
});
afterAll(() => service.close());

/** What comes of some work, and how many other requests were answered meanwhile. */
async function beside<Result>(work: Promise<Result>): Promise<{ result: Result; answers: number }> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  let answers = 0;
  for (; !isDone; answers += 1) expect((await fetch(`${service.url}/livez`)).status).toBe(200);
  return { result: await done, answers };
}

test('a preview, an import and an undo of many rows hold nobody up, and bring what the preview said', async () => {
  const row = (index: number) => JSON.stringify({ name: `Company ${index}`, overview: OVERVIEW });
  const content = Array.from({ length: ROWS }, (_, index) => row(index)).join('\n');
  await owner.get('/account/import');
  const file = { name: 'a.ndjson', content };
  const preview = await beside(owner.upload('/account/import', { type: 'companies' }, file));
  expect(preview.result.text).toContain('Import 1,200 records');
  expect(preview.answers).toBeGreaterThan(ANSWERS_MIN);
  expect(await service.store.records.get('companies', 'company-1')).toBeUndefined();

  const html = /<textarea name="text"[^>]*>([\s\S]*?)<\/textarea>/.exec(preview.result.text)?.[1] ?? '';
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };
  const text = html.replace(/&(amp|lt|gt|quot);/g, (_, name) => entities[name] ?? '');
  expect(text).toBe(content);
  const fields = { type: 'companies', confirmed: 'yes' };
  const done = await beside(owner.upload('/account/import', fields, { name: 'a.ndjson', content: text }));
  expect(done.result.text).toContain('1,200 rows are written');
  expect(done.answers).toBeGreaterThan(ANSWERS_MIN);
  const found = await service.store.records.search({
    types: ['companies'],
    text: 'company',
    window: { offset: 0, limit: 1 },
  });
  expect(found.total).toBe(ROWS);
  const [entry] = await service.store.audit.list({ type: 'companies', account: 'acme', limit: 1 });
  expect(entry).toMatchObject({ action: 'import', person: 'person-1@example.com' });
  const path = `/account/import/${entry?.request_id}`;
  await owner.get(path);
  const undone = await beside(owner.post(path, {}));
  expect(undone.result.text).toContain('1,200 deleted, 0 set back');
  expect(undone.answers).toBeGreaterThan(ANSWERS_MIN);
});

test('a file that cannot be read is refused on the page', async () => {
  await owner.get('/account/import');
  const content = '\uFFFD not text';
  const { status, text } = await owner.upload('/account/import', { type: 'companies' }, { name: 'a.csv', content });
  expect([status, text]).toEqual([400, expect.stringContaining('not UTF-8 text')]);
});
