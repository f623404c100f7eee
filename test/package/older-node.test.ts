import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { installLocked } from '../../scripts/older-node.ts';

const folder = mkdtempSync(join(tmpdir(), 'locked-'));

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test('a build within `npm pack --dry-run` installs the binding for Node 20 all the same', async () => {
  const own = { name: 'locked', version: '1.0.0', dependencies: { bound: 'file:bound' } };
  const bound = { name: 'bound', version: '1.0.0' };
  const packages = { '': own, bound, 'node_modules/bound': { resolved: 'bound', link: true } };
  mkdirSync(join(folder, 'bound'));
  writeFileSync(join(folder, 'bound', 'package.json'), JSON.stringify(bound));
  writeFileSync(join(folder, 'package.json'), JSON.stringify(own));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...own, lockfileVersion: 3, packages }));
  vi.stubEnv('npm_config_dry_run', 'true');
  await installLocked(folder);
  expect(existsSync(join(folder, 'node_modules', 'bound', 'package.json'))).toBe(true);
});
