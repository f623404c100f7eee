import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Part of `npm version`, in the root of the checkout: closes the section of unreleased changes under the version of package.json,
 * and opens a new one. Fails without a change to release.
 */

const FILE = 'CHANGELOG.md';
const MARKER = /<!-- (generated:\w+|\/generated) -->\n\n?/g;

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const text = readFileSync(FILE, 'utf8');
const [head = '', rest = ''] = text.split(/^## Unreleased\n\n/m);
const end = /^## /m.exec(rest)?.index ?? rest.length;
const section = rest.slice(0, end);
if (!/^- /m.test(section)) throw new Error(`${FILE} has no change under "## Unreleased": say what ${version} changes`);

// What is generated stays open for the next release; in this one it is as it was.
const isChange = (block: string): boolean => /^(- |### )/.test(block);
const generated = section
  .split(/\n{2,}/)
  .filter((block) => !isChange(block))
  .join('\n\n');
const day = new Date().toISOString().slice(0, 10);
writeFileSync(
  FILE,
  `${head}## Unreleased\n\n${generated}## ${version} (${day})\n\n${section.replace(MARKER, '')}${rest.slice(end)}`,
);
