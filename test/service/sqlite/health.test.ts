import { copyFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aCompany } from '../../support/builders.ts';
import { temporaryFolder } from '../../support/program.ts';
import { startService } from '../../support/service.ts';

test('503 of health when the file was removed or replaced, and 200 again when it is back', async () => {
  const folder = temporaryFolder();
  const file = join(folder.path, 'health.db');
  const service = await startService([aCompany()], { database: `sqlite:${file}` });
  const check = async () => {
    const response = await fetch(`${service.url}/api/health`);
    return { status: response.status, body: await response.json() };
  };
  const aside = `${file}-aside`;
  renameSync(file, aside);
  expect(await check()).toMatchObject({ status: 503, body: { services: { database: 'error', api: 'operational' } } });
  copyFileSync(aside, file);
  expect((await check()).status).toBe(503);
  renameSync(aside, file);
  expect((await check()).status).toBe(200);
  await service.close();
  folder.remove();
});
