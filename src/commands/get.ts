import type { Client } from '../client/client.ts';
import { RECORD_TYPES, type RecordType } from '../contract/entities/index.ts';
import { ServiceError } from '../contract/errors.ts';
import { labelOf } from '../contract/field-labels.ts';
import { foldName } from '../contract/names.ts';
import { statedValue } from '../contract/periods.ts';
import type { Provenance } from '../contract/provenance.ts';
import { relationOf } from '../contract/relations.ts';
import { shortMoney } from '../contract/usd.ts';
import { isVocabularyField, vocabularyLabel } from '../contract/vocabulary.ts';
import { type Command, JSON_FLAG, READING_SETTINGS } from './command.ts';
import { type Settings, UsageError } from './config.ts';
import { counted, print, printable, printFields, printJson, printToStderr } from './output.ts';
import { LISTED_MAX, listsJson, type RecordList, readLists, type Shown, showLists } from './record-lists.ts';
import { connectService, emptyDatabaseText } from './service-connection.ts';
import { didYouMean } from './suggest.ts';
import { isTerminal, styled } from './terminal.ts';

export const ADDRESS_PREFIXES: readonly string[] = RECORD_TYPES.map((type) => `${type}/`);

export const command: Command = {
  usage: 'get RECORD',
  completes: ADDRESS_PREFIXES,
  about: 'Show one record with its related lists. RECORD is TYPE/SLUG or an exact name.',
  example: 'web3-bi get companies/aave',
  flags: {
    all: { type: 'boolean', description: `Show every entry of the lists, which are cut at ${LISTED_MAX} without it.` },
    sources: { type: 'boolean', description: 'Show where each field comes from, and as of when.' },
    json: JSON_FLAG,
  },
  settings: READING_SETTINGS,
  run: async ({ settings, flags, positionals: [record] }) =>
    withRecord('get', { settings, record }, async (client, { type, slug }) => {
      if (flags['sources'] === true) {
        const provenance = await client.sources(type, slug);
        return flags['json'] === true ? printJson(provenance) : showSources(provenance);
      }
      const isAll = flags['all'] === true;
      const found = (await client.get(type, slug)) as Shown;
      const lists = await readLists(client, found, { isAll });
      if (flags['json'] === true) printJson({ ...found, related: listsJson(lists, { isAll }) });
      else {
        showFields(found, lists);
        showLists(lists, { isAll });
        printToStderr(
          `--sources shows which source each fact is from${isAll ? '.' : ', --all every entry of the lists.'}`,
        );
      }
    }),
};

interface RecordAddress {
  readonly type: RecordType;
  readonly slug: string;
}

interface RecordArgument {
  readonly settings: Settings;
  /** As typed: `companies/aave`, or a name. */
  readonly record: string | undefined;
}

/**
 * Runs work on the record that a person named.
 * @throws UsageError if it matches no record or several, with the nearest name or a search command
 */
export async function withRecord<Result>(
  command: string,
  { settings, record = '' }: RecordArgument,
  work: (client: Client, address: RecordAddress) => Promise<Result>,
): Promise<Result> {
  if (record === '')
    throw new UsageError(
      `${command} needs a TYPE/SLUG or a name, such as: web3-bi ${command} companies/aave. Types are ${RECORD_TYPES.join(', ')}.`,
    );
  const { client, close } = await connectService(settings);
  try {
    return await withSuggestion(client, record, async () => {
      const recordAddress = parseAddress(record) ?? (await addressOfName(client, record));
      return work(client, recordAddress);
    });
  } finally {
    await close();
  }
}

/** Throws a UsageError with the nearest name, or the rounds of a name without a record, if it does not exist. */
export const requireRecord = (client: Client, record: string): Promise<unknown> =>
  withSuggestion(client, record, () => {
    const recordAddress = parseAddress(record);
    return recordAddress === undefined
      ? addressOfName(client, record)
      : client.get(recordAddress.type, recordAddress.slug);
  });

/** Runs work. An error about a missing record suggests what was meant. */
async function withSuggestion<Result>(client: Client, record: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
    throw new UsageError(await missing(client, record));
  }
}

async function missing(client: Client, record: string): Promise<string> {
  const slug = record.replace(/^\w+\//, '');
  const words = slug.replaceAll('-', ' ');
  const { results } = await client.search({ type: 'all', query: words, page: 1, limit: NAMED_MAX });
  const same = results.find((each) => each.slug === slug && `${each.type}/${slug}` !== record);
  const none = `There is no ${parseAddress(record) === undefined ? 'record called ' : ''}${record}`;
  if (same !== undefined) return `${none}. Did you mean ${same.type}/${slug}?`;
  for (const field of ['investor', 'company'] as const) {
    const rounds = await countNamed(client, field, words);
    if (rounds > 0)
      return `${words} has no record; it is a name in ${counted(rounds, 'rounds')}: web3-bi search --type rounds --${field} "${words}".`;
  }
  const emptyText = results.length > 0 ? undefined : await emptyDatabaseText(client);
  if (emptyText !== undefined) return `${none}. ${emptyText}`;
  const slugs = results.map((each) => each.slug);
  const suggestion = didYouMean(words.toLowerCase().replaceAll(' ', '-'), slugs);
  return `${none}${suggestion === '' ? `; try web3-bi search ${words}.` : `.${suggestion}`}`;
}

/** The number of rounds that name a party. The filter refuses a name that none has. */
async function countNamed(client: Client, field: 'investor' | 'company', name: string): Promise<number> {
  try {
    return (await client.search({ type: 'rounds', [field]: name, page: 1, limit: 1 })).totalResults;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_parameter') return 0;
    throw error;
  }
}

/** Parses `companies/aave`. */
function parseAddress(text: string): RecordAddress | undefined {
  const [type, slug, ...more] = text.split('/');
  const known = RECORD_TYPES.find((each) => each === type);
  return known === undefined || slug === undefined || slug === '' || more.length > 0
    ? undefined
    : { type: known, slug };
}

/** Search results compared with the name. */
const NAMED_MAX = 10;

async function addressOfName(client: Client, name: string): Promise<RecordAddress> {
  const { results } = await client.search({ type: 'all', query: name, page: 1, limit: NAMED_MAX });
  const same = results.filter((each) => each.slug === name || foldName(each.name) === foldName(name));
  const [first, other] = same;
  if (first === undefined) throw new ServiceError('not_found', `There is no record of the name ${name}.`);
  if (other === undefined) return first;
  throw new UsageError(
    `More than one is called ${name}: ${same.map(({ type, slug }) => `${type}/${slug}`).join(', ')}.`,
  );
}

/** Fields omitted for people. */
const HIDDEN = [
  'type',
  'id',
  'month_only',
  'name',
  'slug',
  'logo',
  'sources',
  'created_at',
  'updated_at',
  'is_verified',
];

function showFields(record: Shown, lists: readonly RecordList[]): void {
  print(titleOf(record));
  const listed = lists.filter(({ totalResults }) => totalResults > 0).map(({ name }) => name);
  const fields = Object.keys(record).flatMap((field): [string, string][] => {
    const text = [...HIDDEN, ...listed].includes(field)
      ? ''
      : shownText(record.type, field, statedValue(record, field));
    return text === '' ? [] : [[isTerminal() ? labelOf(field).replace(' (USD)', '') : field, text]];
  });
  printFields(fields);
}

const titleOf = ({ type, slug, name }: Pick<Shown, 'type' | 'slug' | 'name'>): string =>
  `${styled('bold', printable(name))}  ${styled('dim', `[${type}/${slug}]`)}`;

function showSources({ type, slug, name, fields }: Provenance): void {
  print(titleOf({ type, slug, name }));
  for (const { field, value, as_of, stale, conflict, sources } of fields) {
    const marks = [as_of ?? 'undated', ...(stale ? ['stale'] : []), ...(conflict ? ['conflict'] : [])].join(', ');
    print(`${field}: ${printable(textOf(type, field, value))}  ${styled('dim', `[${marks}]`)}`);
    for (const stated of sources) {
      const statement = stated.value === undefined ? '' : `: ${textOf(type, field, stated.value)}`;
      print(`  ${printable(`${stated.source} (${stated.as_of ?? 'undated'})${statement}`)}`);
    }
  }
}

/** A value formatted for people in a terminal; unformatted in a pipe. */
function shownText(type: RecordType, field: string, value: unknown): string {
  if (value == null || !isTerminal()) return textOf(type, field, value);
  if (field.endsWith('_usd')) return shortMoney(Number(value));
  if (field === 'roles') return rolesText(value as readonly Role[]);
  return textOf(
    type,
    field,
    isVocabularyField(field) ? [value].flat().map((word) => vocabularyLabel(String(word))) : value,
  );
}

interface Role {
  readonly organization: string;
  readonly title: string | null;
}

const rolesText = (roles: readonly Role[]): string =>
  roles.map(({ title, organization }) => (title === null ? organization : `${title}, ${organization}`)).join('; ');

function textOf(type: RecordType, field: string, value: unknown): string {
  const nameKey = relationOf(type, field)?.keys.name ?? 'name';
  return [value]
    .flat()
    .map((item) =>
      typeof item === 'object' && item !== null ? partText(item as Record<string, unknown>, nameKey) : item,
    )
    .filter((text) => text !== null && text !== undefined && text !== '')
    .join(', ');
}

function partText(item: Readonly<Record<string, unknown>>, nameKey: string): string {
  const { symbol, chain, address, city, country } = item;
  const parts = address === undefined ? [city, country] : [symbol, chain, address];
  return String(item[nameKey] ?? parts.filter((part) => part != null).join(address === undefined ? ', ' : ' '));
}
