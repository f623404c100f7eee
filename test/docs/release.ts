import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Part of `npm version`, in the root of the checkout: closes the section of unreleased changes under the version of package.json,
 * and opens a new one. Fails without a change to release.
 */

const FILE = 'CHANGELOG.md';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const text = readFileSync(FILE, 'utf8');
const [head = '', rest = ''] = text.split(/^## Unreleased\n\n/m);
const [section = ''] = rest.split(/^## /m);
if (!/^- /m.test(section)) throw new Error(`${FILE} has no change under "## Unreleased": say what ${version} changes`);

const day = new Date().toISOString().slice(0, 10);
writeFileSync(FILE, `${head}## Unreleased\n\n## ${version} (${day})\n\n${rest}`);
