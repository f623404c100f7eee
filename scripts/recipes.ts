import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { capitalize } from '../src/contract/capitalize.ts';

/** `npm run new -- KIND NAME` writes the files of a recipe of docs/architecture.md. */

/** A file that does not exist yet, or a piece of text behind the first match of a pattern in one that does. */
type Change =
  | { readonly file: string; readonly text: string }
  | { readonly file: string; readonly behind: RegExp; readonly text: string };

interface Recipe {
  readonly usage: string;
  changes(words: readonly string[], root: string): Change[];
}

export const recipes: Readonly<Record<string, Recipe>> = {
  type: { usage: 'type TYPE, such as products', changes: ([type = ''], root) => entityType(type, root) },
  filter: { usage: 'filter FIELD, such as company_stage', changes: ([field = '']) => filter(field) },
  list: { usage: 'list OF/TYPE FIELD, such as companies/products company', changes: relatedList },
  network: {
    usage:
      'network CAIP2 LABEL EXPLORER TOKEN_ADDRESS TOKEN_NAME, such as eip155:10 "OP Mainnet" https://... 0x... "USD Coin"',
    changes: network,
  },
  tool: { usage: 'tool NAME, such as newest', changes: ([name = '']) => tool(name) },
  endpoint: { usage: 'endpoint NAME, such as statistics', changes: ([name = '']) => endpoint(name) },
};

/**
 * Carries a recipe out in a checkout.
 * @returns the files that were written or changed
 * @throws Error where a file exists already, or a list is not where the recipe expects it
 */
export function carryOut(root: string, kind: string, words: readonly string[]): string[] {
  const recipe = recipes[kind];
  const usages = Object.values(recipes).map(({ usage }) => `  npm run new -- ${usage}`);
  if (recipe === undefined || words.length === 0) throw new Error(['Give a kind and a name:', ...usages].join('\n'));
  const changes = recipe.changes(words, root);
  for (const change of changes) {
    const file = join(root, change.file);
    if ('behind' in change) {
      const before = readFileSync(file, 'utf8');
      const place = change.behind.exec(before);
      if (place === null) throw new Error(`${change.file} has nothing like ${change.behind}`);
      const end = place.index + place[0].length;
      writeFileSync(file, before.slice(0, end) + change.text + before.slice(end));
    } else if (existsSync(file)) throw new Error(`${change.file} exists`);
    else writeFileSync(file, change.text);
  }
  return [...new Set(changes.map(({ file }) => file))];
}

/** `annual-reports` and `annual_reports` as `annualReports`. */
const camel = (text: string): string => text.replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());
const kebab = (text: string): string => text.replaceAll('_', '-');
const singular = (type: string): string => type.replace(/ies$/, 'y').replace(/s$/, '');
/** Behind the imports of a file. Where among them is for the formatter. */
const IMPORTS = /^(?:import [^;]*;\n)+/;

/** An entity type with text, a website, tags and a reference to a company. */
function entityType(type: string, root: string): Change[] {
  const noun = singular(type);
  const name = camel(noun);
  const entity = `import { defineEntity } from '../entity.ts';
import { labels, longText, reference, webUrl } from '../fields.ts';

export const ${name} = defineEntity({
  type: '${type}',
  noun: '${noun.replaceAll('_', ' ')}',
  fields: {
    overview: longText.nullable().meta({ description: 'What the ${noun} is.' }),
    website: webUrl.nullable().meta({ description: 'Address of the website.' }),
    tags: labels.meta({ description: 'What the ${noun} has to do with.' }),
    company: reference.nullable().meta({ description: 'Company of the ${noun}.' }),
  },
  searched: {
    names: ['name', 'aliases'],
    tickers: [],
    domain: 'website',
    keywords: ['tags'],
    headline: [],
    overview: ['overview'],
    related: ['company'],
  },
  concise: ['website', 'tags', 'company'],
});
`;
  const file = kebab(noun);
  return [
    { file: `src/contract/entities/${file}.ts`, text: entity },
    { file: 'src/contract/entities/index.ts', behind: IMPORTS, text: `import { ${name} } from './${file}.ts';\n` },
    { file: 'src/contract/entities/index.ts', behind: /const namedEntities = \[[^\]]*/, text: `, ${name}` },
    ...relation(type, 'company', 'companies'),
    ...migration(root, { engine: 'sqlite', type, sql: sqliteTables(type) }),
    ...migration(root, { engine: 'postgres', type, sql: postgresTables(type) }),
    {
      file: 'src/store/transfer/transfer.ts',
      behind: /name: 'rounds', key: \['id'\] \},\n/,
      text: `  { name: '${type}', key: ['id'] },\n`,
    },
  ];
}

/** What both engines keep of a type. The columns are those of the other types. */
const sqliteTables = (type: string): string => `CREATE TABLE ${type} (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  slug TEXT NOT NULL,
  version INTEGER NOT NULL,
  document TEXT NOT NULL,
  is_shipped INTEGER NOT NULL DEFAULT 0,
  deleted_at TEXT
) STRICT;
CREATE UNIQUE INDEX ${type}_slug ON ${type} (slug) WHERE deleted_at IS NULL;
CREATE INDEX ${type}_deleted ON ${type} (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX ${type}_name ON ${type} (lower(document ->> '$.name'), id);
CREATE INDEX ${type}_updated_at ON ${type} ((document ->> '$.updated_at'), id);
CREATE INDEX ${type}_as_of ON ${type} ((document ->> '$.as_of'), id);
CREATE TABLE ${type}_search_documents (
  id INTEGER PRIMARY KEY,
  ordinal INTEGER NOT NULL,
  lists BLOB NOT NULL,
  keys TEXT NOT NULL
) STRICT;
CREATE INDEX ${type}_search_ordinals ON ${type}_search_documents (ordinal);
CREATE TABLE ${type}_search_keys (
  key TEXT NOT NULL,
  kind INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  PRIMARY KEY (key, kind, ordinal)
) STRICT, WITHOUT ROWID;
CREATE TABLE ${type}_search_lists (key INTEGER PRIMARY KEY, count INTEGER NOT NULL, data BLOB NOT NULL) STRICT;`;

const postgresTables = (type: string): string => `CREATE TABLE ${type} (
  id BIGINT PRIMARY KEY,
  slug TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  document JSON NOT NULL,
  is_shipped INTEGER NOT NULL DEFAULT 0,
  deleted_at TEXT COLLATE "C"
);
CREATE UNIQUE INDEX ${type}_slug ON ${type} (slug) WHERE deleted_at IS NULL;
CREATE INDEX ${type}_live ON ${type} (id) WHERE deleted_at IS NULL;
CREATE INDEX ${type}_deleted ON ${type} (deleted_at) WHERE deleted_at IS NOT NULL;`;

function migration(root: string, { engine, type, sql }: Readonly<Record<'engine' | 'type' | 'sql', string>>): Change[] {
  const folder = `src/store/${engine}/migrations`;
  const steps = readdirSync(join(root, folder)).filter((file) => /^\d/.test(file));
  const file = `${String(steps.length + 1).padStart(4, '0')}-${kebab(type)}`;
  const name = camel(type);
  return [
    { file: `${folder}/${file}.ts`, text: `/** The tables of ${type}. */\nexport const ${name} = \`\n${sql}\n\`;\n` },
    { file: `${folder}/index.ts`, behind: IMPORTS, text: `import { ${name} } from './${file}.ts';\n` },
    { file: `${folder}/index.ts`, behind: /migrations: readonly string\[\] = \[[^\]]*/, text: `  ${name},\n` },
  ];
}

/** A filter by the values of a field, for each type that has the field. */
const filter = (field: string): Change[] => [
  {
    file: 'src/contract/filters.ts',
    behind: /export const filters = \{\n/,
    text: `  ${field}: facet('tag', ['${field}'], '${capitalize(field.replaceAll('_', ' '))}.'),\n`,
  },
];

const RELATIONS = 'src/contract/relations.ts';

function relation(from: string, field: string, to: string): Change[] {
  const name = camel(`${from}_${field}`);
  const text = `  ${name}: defineRelation('${from}', '${field}', ['${to}']),\n`;
  return [{ file: RELATIONS, behind: /const references = \{\n/, text }];
}

/** The records of a type that name a record in a field, as a list of that record. */
function relatedList([list = '', field = '']: readonly string[], root: string): Change[] {
  const [of = '', type = ''] = list.split('/');
  const entry = `  list('${of}', '${type}', {
    types: ['${type}'],
    summary: '${capitalize(type.replaceAll('_', ' '))} of the ${singular(of)}.',
    paths: [[back('${camel(`${type}_${field}`)}')]],
  }),
`;
  const isKnown = readFileSync(join(root, RELATIONS), 'utf8').includes(
    `  ${camel(`${type}_${field}`)}: defineRelation(`,
  );
  return [
    ...(isKnown ? [] : relation(type, field, of)),
    { file: RELATIONS, behind: /export const relatedLists: readonly RelatedList\[\] = \[\n/, text: entry },
  ];
}

function network([id = '', label = '', explorer = '', address = '', name = '']: readonly string[]): Change[] {
  const entry = `  '${id}': {
    label: '${label}',
    chainId: ${id.replace('eip155:', '')},
    isTest: ${/test|sepolia/i.test(label)},
    explorer: '${explorer}',
    token: { symbol: 'USDC', address: '${address}', decimals: 6, domain: { name: '${name}', version: '2' } },
  },
`;
  return [{ file: 'src/contract/networks.ts', behind: /export const NETWORKS = \{\n/, text: entry }];
}

/** A tool that reads how many records of a type there are. */
function tool(name: string): Change[] {
  const constant = `${camel(name)}Tool`;
  const text = `import * as z from 'zod';
import { RECORD_TYPES } from '../../contract/entities/index.ts';
import { count } from '../../contract/fields.ts';
import { defineTool, READ_ONLY } from '../define-tool.ts';

export const ${constant} = defineTool({
  name: '${name}',
  title: '${capitalize(name.replaceAll('_', ' '))}',
  description: 'How many records of a type there are.',
  input: z.strictObject({ type: z.enum(RECORD_TYPES).meta({ description: 'Kind of record.' }) }),
  output: z.object({ records: count.meta({ description: 'Records of the type.' }) }),
  hints: READ_ONLY,
  access: ['key', 'embedded'],
  run: async ({ type }, { client, signal }) => ({ records: (await client.list(type, { limit: 1 }, { signal })).totalResults }),
  text: ({ records }) => \`\${records} records.\`,
});
`;
  const file = kebab(name);
  return [
    { file: `src/mcp/tools/${file}.ts`, text },
    { file: 'src/mcp/tools/index.ts', behind: IMPORTS, text: `import { ${constant} } from './${file}.ts';\n` },
    { file: 'src/mcp/tools/index.ts', behind: /export const tools = \[[^\]]*/, text: `  ${constant},\n` },
  ];
}

/** GET /api/v1/NAME, with a key of the level read. */
function endpoint(name: string): Change[] {
  const operation = camel(name);
  const entry = `  read({
    operation: '${operation}',
    name: 'get${capitalize(operation)}',
    path: '/api/v1/${name}',
    summary: 'How many records of each type there are.',
    response: enveloped(z.object({ records: z.record(z.string(), z.int()) })),
  }),
`;
  const handler = `import { RECORD_TYPES } from '../../contract/entities/index.ts';
import type { Store } from '../../store/store.ts';
import { type Handler, withRequestMeta } from '../call.ts';

/** GET /api/v1/${name} */
export function ${operation}(store: Store): Handler {
  return async ({ atLeast }) => {
    const { coverage } = await store.records.vocabulary(atLeast);
    const records = Object.fromEntries(RECORD_TYPES.map((type) => [type, coverage[type].records]));
    return withRequestMeta(JSON.stringify({ records }), 'Records counted');
  };
}
`;
  const file = kebab(name);
  const routes = 'src/service/routes/index.ts';
  return [
    { file: 'src/contract/endpoints.ts', behind: /export type Operation =\n/, text: `  | '${operation}'\n` },
    {
      file: 'src/contract/endpoints.ts',
      behind: /generalEndpoints: readonly Endpoint\[\] = \[\n/,
      text: entry,
    },
    { file: `src/service/routes/${file}.ts`, text: handler },
    {
      file: 'src/service/routes/openapi-examples.ts',
      behind: /const ANSWERS: [^=]*=> Data>> = \{\n/,
      text: `  ${operation}: () => enveloped({ records: { companies: 4340 } }, 'Records counted'),\n`,
    },
    { file: routes, behind: IMPORTS, text: `import { ${operation} } from './${file}.ts';\n` },
    {
      file: routes,
      behind: /const \{ store \} = deps;\n {2}return \{\n/,
      text: `    ${operation}: ${operation}(store),\n`,
    },
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [kind = '', ...words] = process.argv.slice(2);
  try {
    const files = carryOut('.', kind, words);
    execFileSync(process.execPath, ['node_modules/@biomejs/biome/bin/biome', 'check', '--write', ...files], {
      stdio: 'ignore',
    });
    console.log(
      ['Written:', ...files.map((file) => `  ${file}`), 'Next: its test, npm run docs, npm run check'].join('\n'),
    );
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
