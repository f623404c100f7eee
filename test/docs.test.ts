import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../src/commands/index.ts';
import { parse } from '../src/commands/parse.ts';
import { searchQuery } from '../src/contract/queries.ts';
import { createReader } from '../src/contract/reader.ts';
import { DOCUMENTS, generated } from './docs/generate.ts';
import { FILES, typeList } from './docs/manifests.ts';

const ROOT = join(import.meta.dirname, '..');
const PAGES = readdirSync(join(ROOT, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const DECISIONS = readdirSync(join(ROOT, 'docs/adr')).map((name) => `docs/adr/${name}`);
const WRITTEN = [
  ...['README.md', 'CONTRIBUTING.md', 'AGENTS.md', 'test/README.md', 'data/README.md', 'examples/README.md'],
  ...PAGES,
  ...DECISIONS,
];
const README_BYTES_MAX = 8_192;
/** What the build makes; it need not be there when the documents are read. */
const BUILT = ['dist/main.js'];
/** Files of hosts, which are mentioned but not in the repository. */
const OF_HOSTS = [
  'claude_desktop_config.json',
  '.mcp.json',
  '.cursor/mcp.json',
  '.vscode/mcp.json',
  '~/.cursor/mcp.json',
  '~/.gemini/settings.json',
  '~/.codeium/windsurf/mcp_config.json',
  '~/.codex/config.toml',
  '~/.config/goose/config.yaml',
  'settings.json',
];

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const readme = textOf('README.md');
const packageJson = JSON.parse(textOf('package.json')) as {
  description: string;
  bin: Record<string, string>;
  scripts: Record<string, string>;
};

interface Host {
  readonly mcpServers: Record<string, { readonly command: string; readonly args: readonly string[] }>;
}

describe.each(Object.keys(DOCUMENTS))('%s', (document) => {
  test('shows what the definitions say', async () => {
    const text = textOf(document);
    expect(await generated(document, text), 'npm run docs writes it anew').toBe(text);
  });
});

test.each(Object.entries(FILES))('%s is what the definitions make of it', (file, make) => {
  expect(textOf(file), 'npm run docs writes it anew').toBe(make());
});

test('package.json names the types that there are', () => {
  expect(packageJson.description).toContain(`: ${typeList}`);
});

describe('the README', () => {
  test('is short, and its first commands run the demo and the tests in a clone', () => {
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(README_BYTES_MAX);
    const [first = ''] = blocks(readme, '');
    expect(first.trim().split('\n')).toEqual([
      expect.stringMatching(/^git clone https:\S+\.git && cd web3-bi-mcp$/),
      'npm ci && npm run demo',
      'npm test',
    ]);
  });

  test('has a host start the clone first, which works before the package is published', () => {
    const [, ways = ''] = readme.split('## Three ways in');
    expect(ways.match(/claude mcp add .*?(?=`)/)?.[0]).toBe('claude mcp add web3-bi -- node "$PWD/dist/main.js" mcp');
    expect(blocks(ways, 'json')[0]).toContain('"args": ["/path/to/web3-bi-mcp/dist/main.js", "mcp"]');
  });

  test('leads to every document', () => {
    const linked = [readme, ...PAGES.map(textOf)].flatMap(linksOf).map((link) => basename(link));
    expect(PAGES.map((page) => basename(page)).filter((page) => !linked.includes(page))).toEqual([]);
  });
});

describe('the documents', () => {
  const texts = ['README.md', 'CONTRIBUTING.md', ...PAGES].map(textOf);

  test('name npm scripts that are there', () => {
    const named = texts.flatMap((text) => [...text.matchAll(/npm (?:run ([\w:-]+)|(test|start)\b)/g)]);
    const scripts = named.map((match) => match[1] ?? match[2] ?? '');
    expect(scripts.filter((name) => !Object.hasOwn(packageJson.scripts, name))).toEqual([]);
  });

  test('hold JSON that parses, and start the package in a host by its name, or a clone by its file', () => {
    const parsed = texts.flatMap((text) => blocks(text, 'json')).map((block) => JSON.parse(block) as Partial<Host>);
    const servers = parsed.flatMap(({ mcpServers }) => Object.values(mcpServers ?? {}));
    const started = servers.filter(({ command }) => command !== undefined);
    expect(started.length).toBeGreaterThan(0);
    const inClone = ['/path/to/web3-bi-mcp/dist/main.js', 'mcp'];
    expect(started.map(({ args }) => args)).toEqual(
      started.map(({ command }) => (command === 'node' ? inClone : ['-y', 'web3-bi-mcp', 'mcp'])),
    );
  });
});

describe('what the documents show', () => {
  const shown = WRITTEN.map(textOf);

  test('a search of the API has the parameters that it needs', () => {
    const searches = shown.flatMap((text) => [...text.matchAll(/\/api\/v1\/search\?([\w&=,+%-]+)/g)]);
    expect(searches.length).toBeGreaterThan(1);
    const read = createReader(searchQuery, 'query');
    for (const [address, query] of searches)
      expect(() => read(Object.fromEntries(new URLSearchParams(query))), address).not.toThrow();
  });

  test('a command has flags and arguments that it takes', async () => {
    const lines = shown.flatMap((text) => blocks(text, '').flatMap((block) => block.split('\n')));
    const typed = lines.flatMap((line) => /(?:^|\$\(| )web3-bi ([a-z][^#)]*)/.exec(line)?.[1]?.trim() ?? []);
    expect(typed.length).toBeGreaterThan(10);
    for (const words of typed) {
      const [name = '', ...rest] = words.match(/"[^"]*"|\S+/g) ?? [];
      const { command } = (await commands[name]?.load()) ?? {};
      if (command === undefined) throw new Error(`There is no command ${name}: ${words}`);
      expect(
        () =>
          parse(
            name,
            command,
            rest.map((word) => word.replaceAll('"', '')),
          ),
        words,
      ).not.toThrow();
    }
  });
});

describe('the decisions', () => {
  const list = 'docs/adr/README.md';
  const records = DECISIONS.filter((file) => file !== list);

  test('are all in their list', () => {
    expect(linksOf(textOf(list)).toSorted()).toEqual([
      '../architecture.md',
      ...records.map((file) => basename(file)).toSorted(),
    ]);
  });

  test.each(records)('%s has a number, a status, a date and the four parts', (file) => {
    const lines = textOf(file)
      .split('\n')
      .filter((line) => /^(#|- Status|- Date)/.test(line));
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^# ${Number(basename(file).slice(0, 4))}\\. .`)),
      expect.stringMatching(/^- Status: (accepted|superseded by \d+)$/),
      expect.stringMatching(/^- Date: \d{4}-\d\d-\d\d$/),
      ...['## Context', '## Decision', '## Consequences', '## Alternatives considered'],
    ]);
  });
});

describe('mcp.json.example', () => {
  test('starts the program that the build makes, from any folder', () => {
    const { mcpServers } = JSON.parse(textOf('mcp.json.example')) as Host;
    const { command, args } = mcpServers['web3-bi'] ?? { command: '', args: [] };
    expect(command).toBe('node');
    expect(args).toEqual([join('/path/to/web3-bi-mcp', packageJson.bin['web3-bi'] ?? ''), 'mcp']);
  });
});

describe.each(WRITTEN)('%s', (file) => {
  test('names only files that are there', () => {
    const text = textOf(file);
    const folder = dirname(file);
    const links = linksOf(text).filter((link) => !existsSync(join(ROOT, folder, link)));
    // In running text a file is named from the repository, from the README's own folder, or from src.
    const paths = pathsOf(text).filter(
      (path) =>
        ![...BUILT, ...OF_HOSTS].includes(path) &&
        !['.', folder, 'src'].some((from) => existsSync(join(ROOT, from, path))),
    );
    expect({ links, paths }).toEqual({ links: [], paths: [] });
  });
});

/** The fenced blocks of one language. */
function blocks(text: string, language: string): string[] {
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter((match) => match[1] === language)
    .map((match) => match[2] ?? '');
}

/** Targets of links that do not lead to another site or place in the page. */
function linksOf(text: string): string[] {
  const targets = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map((match) => match[1] ?? '');
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

const PATH = /^[\w.@-]+(\/[\w.@-]+)*(\/|\.(ts|md|json|ndjson|js|example))$/;
/** A name that the reader chooses, such as NAME. */
const PLACEHOLDER = /(^|\/)[A-Z_]+\.ts$/;

/** Files and folders in code spans; of one whose name is a placeholder, its folder. */
function pathsOf(text: string): string[] {
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
  return spans.filter((span) => PATH.test(span)).map((span) => (PLACEHOLDER.test(span) ? dirname(span) : span));
}
