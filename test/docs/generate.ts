import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { COMMON, commandsOf } from '../../src/commands/command.ts';
import { SETTING_FLAGS, settingsSchema, variableOf } from '../../src/commands/config.ts';
import { FILTER_SECTIONS } from '../../src/commands/filter-flags.ts';
import { describedFlagsOf } from '../../src/commands/flags.ts';
import { commands } from '../../src/commands/index.ts';
import { aggregateData } from '../../src/contract/aggregate.ts';
import { type Endpoint, endpoints, isKeyed, type Operation } from '../../src/contract/endpoints.ts';
import { entities, entityOf, type RecordType } from '../../src/contract/entities/index.ts';
import { ERRORS } from '../../src/contract/errors.ts';
import * as fields from '../../src/contract/fields.ts';
import { importTargets } from '../../src/contract/import-names.ts';
import { foldName } from '../../src/contract/names.ts';
import { searchData } from '../../src/contract/record-responses.ts';
import { tools } from '../../src/mcp/tools/index.ts';
import { dataTable } from './data-table.ts';
import { FILES, firstSentence } from './manifests.ts';
import { code, codes, table } from './markdown.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** The documents that have parts made from definitions, and those parts. */
export const DOCUMENTS: Readonly<Record<string, Readonly<Record<string, () => string | Promise<string>>>>> = {
  'README.md': { unpublished, 'tools-short': shortToolTable, data: dataTable },
  'docs/hosts.md': { unpublished },
  'docs/client.md': { unpublished },
  'docs/wallet-and-payments.md': { unpublished },
  'docs/tools.md': { tools: toolTable, fingerprints: fingerprintTable },
  'docs/commands.md': { unpublished, commands: commandTable },
  'docs/questions.md': { unpublished },
  'docs/operations.md': { unpublished },
  'docs/import-and-export.md': { unpublished, aliases: aliasTables },
  'docs/settings.md': { settings: settingTable },
  'docs/rest.md': { unpublished, counts: countTable, endpoints: endpointTable, parameters: parameterTable },
  'docs/records.md': { records: recordTables, vocabularies: vocabularyTable },
  'docs/errors.md': { errors: errorTable },
};

/** The text of a document with every part between its markers made anew. Throws for a part that nothing makes, or that is missing. */
export async function generated(document: string, text: string): Promise<string> {
  let made = text;
  for (const [name, make] of Object.entries(DOCUMENTS[document] ?? {})) {
    const part = new RegExp(`<!-- generated:${name} -->\\n[\\s\\S]*?<!-- /generated -->`);
    if (!part.test(made)) throw new Error(`${document} lacks the part ${name}`);
    const content = await make();
    made = made.replace(part, () => `<!-- generated:${name} -->\n\n${content}\n\n<!-- /generated -->`);
  }
  const marked = [...made.matchAll(/<!-- generated:([\w-]+) -->/g)].map(([, name = '']) => name);
  const unknown = marked.filter((name) => !Object.hasOwn(DOCUMENTS[document] ?? {}, name));
  if (unknown.length > 0) throw new Error(`Nothing makes ${unknown.join(', ')} of ${document}`);
  return made;
}

/** How to run what the documents show before the package is published; to be removed then. */
function unpublished(): string {
  return 'Not on npm yet: in a clone, `npm ci && npm link` makes `web3-bi` and `npx -y web3-bi-mcp` run as shown. Without the link, write `node /path/to/web3-bi-mcp/dist/main.js` for both.';
}

// Those that are sold at /mcp are the same with a price.
const shownTools = tools.filter(({ access = [] }) => !access.includes('payment'));

/** What each tool does, in its first sentence; tools of a wallet alone come last. */
function shortToolTable(): string {
  const unpaid = shownTools.filter(({ access = [] }) => !access.includes('wallet'));
  const own = shownTools.filter(({ name }) => !unpaid.some((tool) => tool.name === name));
  const rows = [...unpaid, ...own].map(({ name, description }) => [
    code(name),
    firstSentence(description) + (unpaid.some((tool) => tool.name === name) ? '' : ' Only with a wallet.'),
  ]);
  return table(['Tool', 'What it does'], rows);
}

/** The fingerprint of each definition of a tool, and with which accesses it is offered so. */
function fingerprintTable(): string {
  const text = readFileSync(join(ROOT, 'test', 'mcp', 'tool-fingerprints.json'), 'utf8');
  const accesses = new Map<string, string[]>();
  for (const [access, found] of Object.entries(JSON.parse(text) as Record<string, Record<string, string>>)) {
    for (const [tool, fingerprint] of Object.entries(found)) {
      const row = `${code(tool)} ${code(fingerprint)}`;
      accesses.set(row, [...(accesses.get(row) ?? []), access]);
    }
  }
  const rows = [...accesses].map(([row, offered]) => [...row.split(' '), offered.join(', ')]);
  return table(['Tool', 'SHA-256', 'Access'], rows);
}

function toolTable(): string {
  const rows = shownTools.map(({ name, description, input, published = input, isPublic, access = [] }) => [
    code(name),
    description,
    argumentsText(published, input),
    isPublic ? 'nothing' : access.includes('wallet') ? 'wallet' : 'key or embedded',
  ]);
  return table(['Tool', 'What it does', 'Arguments', 'Needs'], rows);
}

/** The arguments that a tool publishes, and the others that an open schema takes. */
function argumentsText(published: z.ZodObject, input: z.ZodObject): string {
  const names = Object.keys(published.shape);
  const isOpen = jsonSchemaOf(published, 'input').additionalProperties !== false;
  const others = isOpen ? Object.keys(input.shape).filter((name) => !names.includes(name)) : [];
  return codes(names) + (others.length === 0 ? '' : `; also ${codes(others)}`);
}

async function commandTable(): Promise<string> {
  const loaded = await Promise.all(Object.values(commands).map((entry) => entry.load()));
  const all = loaded.flatMap(({ command }) => commandsOf(command));
  const rows = all.map((command) => {
    const flags = Object.entries(describedFlagsOf(command)).filter(([, { section }]) => section !== COMMON);
    const own = flags
      .filter(([, { section = '' }]) => !FILTER_SECTIONS.includes(section))
      .map(([name, { value }]) => flagText(name, value));
    return [code(command.usage), command.about, codes(own) + (own.length < flags.length ? ', and the filters' : '')];
  });
  return table(['Command', 'What it does', 'Flags'], rows);
}

const flagText = (name: string, value?: string): string => `--${name}${value === undefined ? '' : ` ${value}`}`;

function settingTable(): string {
  const defaults: Readonly<Record<string, unknown>> = settingsSchema.parse({});
  const rows = Object.entries(settingsSchema.shape).map(([name, schema]) => {
    const flag = Object.entries(SETTING_FLAGS).find(([, setting]) => setting === name)?.[0];
    const usual = defaults[name];
    const meaning = sentence(schema, choicesOf(schema));
    return [
      code(variableOf(name)),
      flag === undefined ? '' : code(flagText(flag)),
      usual === undefined ? (/by default (.+)\.$/.exec(meaning)?.[1] ?? 'none') : code(usual),
      meaning.replace(/\.?; by default .+\.$/, '.'),
    ];
  });
  return table(['Variable', 'Flag', 'Default', 'For'], rows);
}

function endpointTable(): string {
  const rows = endpoints.map((endpoint) => [
    code(`${endpoint.method} ${endpoint.path}`),
    isKeyed(endpoint) ? `key, ${endpoint.access}` : endpoint.access,
    endpoint.path.includes('/x402/') ? `With ${code('WEB3_BI_PAY_TO')}: ${endpoint.summary}` : endpoint.summary,
  ]);
  return table(['Request', 'Needs', 'Answer'], rows);
}

/** What the endpoints of one operation are called together, where that is not its own name. */
const OPERATIONS: Readonly<Partial<Record<Operation, string>>> = {
  openapi: 'description',
  paidSearch: 'paid search',
  paidAggregate: 'aggregate',
  paidConnections: 'connections',
  list: 'lists',
  detail: 'one record',
  related: 'related lists',
  merge: 'change',
};

/** Each parameter once, with the operations that take it in the same form. */
function parameterTable(): string {
  const takers = new Map<string, Set<string>>();
  for (const endpoint of endpoints) {
    for (const cells of Object.entries(endpoint.query.shape).map((entry) => parameterCells(entry, endpoint))) {
      const key = JSON.stringify(cells);
      takers.set(key, (takers.get(key) ?? new Set()).add(OPERATIONS[endpoint.operation] ?? endpoint.operation));
    }
  }
  const rows = [...takers].map(([key, operations]) => {
    const [name = '', ...rest] = JSON.parse(key) as string[];
    return [name, [...operations].join(', '), ...rest];
  });
  return table(['Parameter', 'Of', 'Value', 'Default', 'Meaning'], rows);
}

function parameterCells([name, field]: [string, unknown], { aliases = {} }: Endpoint): string[] {
  // A zod object's shape holds schemas; its general type does not say so.
  const schema = field as z.ZodType;
  const published = jsonSchemaOf(schema, 'input');
  const value =
    published.type === 'array'
      ? `names, with ${separatorOf(schema)} between`
      : (choicesOf(schema) ?? typeWords(published));
  const { success, data } = schema.safeParse(undefined);
  const usual = data === undefined || data === '' ? 'none' : String(data);
  const spellings = [name, ...Object.keys(aliases).filter((alias) => aliases[alias] === name)];
  return [spellings.map(code).join(' or '), value, success ? usual : 'required', descriptionOf(schema)];
}

function separatorOf(schema: z.ZodType): string {
  const { style } = (schema.meta()?.['param'] ?? {}) as { readonly style?: string };
  return style === 'pipeDelimited' ? code('|') : 'commas';
}

/** The other names under which a file to import may have each field, folded. */
function aliasTables(): string {
  return entities.map(({ type }) => fold(code(type), table(['Field', 'Also'], aliasRows(type)))).join('\n\n');
}

function aliasRows(type: RecordType): string[][] {
  const others = new Map<string, string[]>();
  for (const [name, { to }] of importTargets(type)) {
    const field = to.replace('location_json.', '');
    if (name !== foldName(field) && name !== foldName(to)) others.set(field, [...(others.get(field) ?? []), name]);
  }
  return [...others].map(([field, names]) => [code(field), codes(names)]);
}

function recordTables(): string {
  const records = entities.map(({ type, record }) => fold(code(type), fieldTable(record.shape)));
  return [...records, fold('Parts of records', partTable())].join('\n\n');
}

const fold = (title: string, body: string): string =>
  `<details><summary>${title.replace(/`(.*)`/, '<code>$1</code>')}</summary>\n\n${body}\n\n</details>`;

function fieldTable(shape: z.ZodRawShape): string {
  const rows = Object.entries(shape).map(([name, schema]) => [
    code(name),
    kindOf(schema as z.ZodType),
    descriptionOf(schema as z.ZodType),
  ]);
  return table(['Field', 'Value', 'Meaning'], rows);
}

/** The objects inside records, each under the name that the field tables give it. */
function partTable(): string {
  const parts = Object.entries({ ...PARTS, ...companyParts(), role: roleSchema() });
  const rows = parts.flatMap(([part, schema]) =>
    Object.entries((schema as z.ZodObject).shape).map(([name, field]) => [
      part,
      code(name),
      kindOf(field as z.ZodType),
      descriptionOf(field as z.ZodType),
    ]),
  );
  return table(['Part', 'Field', 'Value', 'Meaning'], rows);
}

function roleSchema() {
  return entityOf('people').record.shape.roles.element;
}

/** What lists of companies hold. */
function companyParts() {
  const { token_contracts, former_names } = entityOf('companies').record.shape;
  return { 'token contract': token_contracts.element, 'former name': former_names.element };
}

const PARTS = { place: fields.location, reference: fields.reference, source: fields.source };

/** The kinds of value of the contract, by the words that a reader knows them by. */
const KINDS: readonly (readonly [string, z.ZodType])[] = [
  ['web address', fields.webUrl],
  ['US dollars as text', fields.money],
  ['slug', fields.slugText],
  ['date', fields.isoDate],
  ['date and time', fields.isoDateTime],
  ['year', fields.year],
  ['place', fields.location],
  ['reference', fields.reference],
  ['source', fields.source],
  ['role', roleSchema()],
  ...Object.entries(companyParts()),
];

const kindByShape = new Map(KINDS.map(([kind, schema]) => [JSON.stringify(bareSchemaOf(schema)), kind]));

/** What a field holds, in words: its kind, whether it is a list, and whether it may be unknown. */
function kindOf(schema: z.ZodType): string {
  const published = bareSchemaOf(schema);
  const value = published.anyOf?.find((part) => part.type !== 'null');
  return value === undefined ? wordsFor(published) : `${wordsFor(value)} or null`;
}

function wordsFor(published: Published): string {
  if (published.items !== undefined) return `list of ${wordsFor(published.items)}`;
  if (published.const !== undefined) return code(published.const);
  if (published.enum !== undefined) return code(vocabularyName(published.enum));
  return kindByShape.get(JSON.stringify(published)) ?? typeWords(published);
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  integer: 'whole number',
  boolean: 'true or false',
  string: 'text',
  null: 'null',
};

function typeWords({ type = '' }: Published): string {
  return [type]
    .flat()
    .map((name) => TYPE_WORDS[name] ?? name)
    .join(' or ');
}

/** Each closed list of values, under the first field that takes its values, with the type where fields of that name differ. */
const vocabularies = vocabularyNames();

function vocabularyNames(): Map<string, string> {
  const shapes = [
    ...entities.map(({ type, record }) => [type, record.shape] as const),
    ['roles', roleSchema().shape] as const,
  ];
  const found = new Map<string, { readonly name: string; readonly type: string }>();
  for (const [type, shape] of shapes) {
    for (const [name, schema] of Object.entries(shape)) {
      const values = enumOf(bareSchemaOf(schema as z.ZodType))?.join();
      if (values !== undefined && !found.has(values)) found.set(values, { name, type });
    }
  }
  const names = [...found.values()].map(({ name }) => name);
  const isShared = (name: string): boolean => names.indexOf(name) !== names.lastIndexOf(name);
  return new Map([...found].map(([values, { name, type }]) => [values, isShared(name) ? `${name} of ${type}` : name]));
}

function vocabularyName(values: readonly unknown[]): string {
  return vocabularies.get(values.join()) ?? values.join(', ');
}

function vocabularyTable(): string {
  const rows = [...vocabularies].map(([values, name]) => [code(name), codes(values.split(','))]);
  return table(['List', 'Values'], rows);
}

/** What the answers of searches and aggregates say of the records that they count. */
function countTable(): string {
  const { totals, unknown, covered, coverage, grants, on_record, without_dates, without_filters } = searchData.shape;
  const counts = { totals, unknown, covered, coverage, grants, on_record, without_dates, without_filters };
  const ofAggregate = Object.entries(aggregateData.shape.covered.shape);
  return table(
    ['Field', 'Of', 'Meaning'],
    [
      ...Object.entries(counts).map(([name, schema]) => [code(name), 'search', descriptionOf(schema)]),
      ...ofAggregate.map(([name, schema]) => [code(`covered.${name}`), 'aggregate', descriptionOf(schema)]),
    ],
  );
}

function errorTable(): string {
  const rows = Object.entries(ERRORS).map(([name, { status, about }]) => [code(name), String(status), about]);
  return table(['Code', 'Status', 'When'], rows);
}

/** The part of a JSON Schema that is read here. */
interface Published {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Published;
  readonly anyOf?: readonly Published[];
  readonly additionalProperties?: unknown;
}

function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output' = 'output'): Published {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Published;
}

/** A JSON Schema without annotations, so that schemas of one kind are equal. */
function bareSchemaOf(schema: z.ZodType): Published {
  const published = JSON.stringify(jsonSchemaOf(schema), (name, value: unknown) =>
    ['$schema', 'description', 'readOnly'].includes(name) && typeof value !== 'object' ? undefined : value,
  );
  return JSON.parse(published) as Published;
}

function enumOf(published: Published): readonly unknown[] | undefined {
  return published.enum ?? published.items?.enum ?? published.anyOf?.find((part) => part.enum !== undefined)?.enum;
}

function choicesOf(schema: z.ZodType): string | undefined {
  const values = enumOf(jsonSchemaOf(schema, 'input'));
  return values === undefined ? undefined : codes(values);
}

const descriptionOf = (schema: z.ZodType): string => schema.meta()?.description ?? '';

function sentence(schema: z.ZodType, choices: string | undefined): string {
  const description = descriptionOf(schema);
  const isNamed = choices?.split(', ').every((choice) => description.includes(choice.replaceAll('`', '')));
  return choices === undefined || isNamed ? description : `${description} One of ${choices}.`;
}

// Run as a script, it rewrites the documents. Last, because it uses the constants above.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file, make] of Object.entries(FILES)) writeFileSync(join(ROOT, file), make());
  for (const document of Object.keys(DOCUMENTS)) {
    const file = join(ROOT, document);
    writeFileSync(file, await generated(document, readFileSync(file, 'utf8')));
  }
}
