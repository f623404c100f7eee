import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PaymentGate } from '../src/service/payments/payment-gate.ts';
import { temporaryFolder } from './support/program.ts';
import { startService } from './support/service.ts';

const LINTER = join(import.meta.dirname, '..', 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
/** It would ask for newer versions of itself, and tell its makers that it was used. */
const QUIET = { REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', REDOCLY_TELEMETRY: 'off' };

/** Paths of JSON bodies in a document that have no example. */
const withoutExample = (node: unknown, path = ''): string[] =>
  Object.entries(node ?? {}).flatMap(([name, value]) => {
    if (typeof value !== 'object' || value === null) return [];
    const isBody = path.endsWith('/content') && name.endsWith('json');
    return isBody ? ('example' in value ? [] : [`${path}/${name}`]) : withoutExample(value, `${path}/${name}`);
  });

test('the OpenAPI document passes the recommended rules of redocly, without a warning, and every body has an example', async () => {
  // Nothing is bought here; what is sold is described.
  const service = await startService([], { publicUrl: 'https://bi.web3-bi.dev', paymentGate: {} as PaymentGate });
  const document = await (await service.get('/api/v1/openapi.json')).text();
  await service.close();
  expect(document).toContain('/api/v1/x402/search');
  // The linter compares examples with their schemas.
  expect(withoutExample(JSON.parse(document))).toEqual([]);
  const folder = temporaryFolder();
  const file = join(folder.path, 'openapi.json');
  writeFileSync(file, document);
  const words = [LINTER, 'lint', file, '--extends=recommended', '--format=json'];
  const options = { cwd: folder.path, env: { ...process.env, ...QUIET } };
  const stdout = await new Promise<string>((resolve) => {
    // Problems are reported on stdout and by the exit code.
    execFile(process.execPath, words, options, (_error, out) => resolve(out));
  });
  folder.remove();
  const { totals, problems } = JSON.parse(stdout.slice(stdout.indexOf('{')));
  expect(problems.map(({ ruleId, message }: Record<string, string>) => `${ruleId}: ${message}`)).toEqual([]);
  expect(totals).toMatchObject({ errors: 0, warnings: 0 });
});
