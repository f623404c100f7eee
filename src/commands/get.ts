import type { Client } from '../client/client.ts';
import { PaymentError } from '../client/wallet/errors.ts';
import { parseRecordPath, RECORD_TYPES, type RecordData } from '../contract/entities/index.ts';
import { ServiceError, undefinedIfInvalid } from '../contract/errors.ts';
import { recordsNamed } from '../contract/named-records.ts';
import { statedValue } from '../contract/periods.ts';
import { type PersonRole, statedIn } from '../contract/person-roles.ts';
import type { Provenance } from '../contract/provenance.ts';
import { ownAliases } from '../contract/record-texts.ts';
import { shellWord } from '../contract/shell-word.ts';
import {
  DAGGER,
  DAGGER_NOTE,
  isOfEditors,
  isUnsourced,
  ledMark,
  UNSOURCED,
  unsourcedMark,
  yearOfAmount,
} from '../contract/unsourced.ts';
import { markedText } from '../contract/unsourced-texts.ts';
import { shortMoney } from '../contract/usd.ts';
import { counted, joinTexts, valueText } from '../contract/value-text.ts';
import { isVocabularyField, labelOf, vocabularyLabel } from '../contract/vocabulary.ts';
import { type Command, READING_SETTINGS } from './command.ts';
import { ConfigError, type Settings, UsageError } from './config.ts';
import { paragraph, print, printable, printFields, printJson, printToStderr, styled } from './output.ts';
import { FEW_MAX, LISTED_MAX, listsJson, type RecordList, readLists, showLists } from './record-lists.ts';
import { lineOf } from './record-table.ts';
import { connectService, emptyDatabaseText, withRemedy } from './service-connection.ts';
import { nearestTo } from './suggest.ts';

export const ADDRESS_PREFIXES: readonly string[] = RECORD_TYPES.map((type) => `${type}/`);

export const command: Command = {
  usage: 'get RECORD',
  completes: ADDRESS_PREFIXES,
  about: 'Show one record with its related lists. RECORD is TYPE/SLUG, TYPE/ID, an exact name or a web domain.',
  example: 'web3-bi get companies/aave',
  moreExamples: ['web3-bi get "Pantera Capital" --all', 'web3-bi get companies/aave --sources'],
  flags: {
    all: {
      type: 'boolean',
      description: `Show the overview too, and every entry of the lists, which are cut at ${LISTED_MAX} without it, grants and similar companies at ${FEW_MAX}.`,
    },
    sources: { type: 'boolean', description: 'Show where each field comes from, and as of when.' },
  },
  settings: READING_SETTINGS,
  run: async ({ settings, flags, positionals: [record] }) =>
    withRecord('get', { settings, record }, async (client, { type, slug }) => {
      if (flags['sources'] === true) {
        const provenance = await client.sources(type, slug);
        if (flags['json'] === true) printJson(provenance);
        else showSources(provenance, (await client.get(type, slug)) as RecordData);
        return;
      }
      const isAll = flags['all'] === true;
      const found = (await client.get(type, slug)) as RecordData;
      const lists = await readLists(client, found, { isAll });
      if (flags['json'] === true) printJson({ ...found, related: listsJson(lists, { isAll }) });
      else {
        const areMarked = showFields(found, lists);
        const overview = isAll ? markedText(found, 'overview', ` ${DAGGER}`) : '';
        if (overview !== '') showOverview(overview);
        const areListsMarked = showLists(found, lists, { isAll });
        if ((areListsMarked || overview.includes(DAGGER)) && !areMarked) printToStderr(DAGGER_NOTE);
        const more = isAll
          ? ''
          : `, --all ${found['overview'] == null ? '' : 'the overview and '}every entry of the lists`;
        printToStderr(`--sources shows which source each fact is from${more}.`);
      }
    }),
};

type RecordAddress = NonNullable<ReturnType<typeof parseRecordPath>>;

interface RecordArgument {
  readonly settings: Settings;
  /** As typed: `companies/aave`, or a name. */
  readonly record: string | undefined;
}

/** Runs work on the record that a person named. Throws with the nearest name if it matches none, and with their addresses if several. */
export async function withRecord<Result>(
  command: string,
  { settings, record = '' }: RecordArgument,
  work: (client: Client, address: RecordAddress) => Promise<Result>,
): Promise<Result> {
  if (record === '')
    throw new UsageError(
      `${command} needs a TYPE/SLUG or a name; types are ${RECORD_TYPES.join(', ')}. For example: web3-bi ${command} companies/aave`,
    );
  const connection = await connectService(settings);
  const { client, close } = connection;
  try {
    return await withSuggestion(client, record, async () => {
      return work(client, await addressOf(client, record));
    });
  } catch (error) {
    throw withRemedy(error, connection, settings);
  } finally {
    await close();
  }
}

/** The address of a record by its address or exact name. Only a name is looked up. */
export const addressOf = async (client: Client, record: string): Promise<RecordAddress> =>
  addressIn(record) ?? (await addressOfName(client, record));

/** The address that a text is: TYPE/SLUG, or the slug of a round alone, because only those end in a day. */
const addressIn = (record: string): RecordAddress | undefined =>
  parseRecordPath(record) ?? (SLUG_OF_ROUND.test(record) ? { type: 'rounds', slug: record } : undefined);

const SLUG_OF_ROUND = /-\d{4}-\d{2}-\d{2}$/;

/** Throws `not_found` with the nearest name, or the rounds of a name without a record, if it does not exist. */
export const requireRecord = (client: Client, record: string): Promise<unknown> =>
  withSuggestion(client, record, () => {
    const recordAddress = addressIn(record);
    return recordAddress === undefined
      ? addressOfName(client, record)
      : client.get(recordAddress.type, recordAddress.slug);
  });

/** Runs work. An error about a missing record suggests what was meant. */
async function withSuggestion<Result>(client: Client, record: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PaymentError && error.code === 'not_sold') throw notSold(record);
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
    throw new ServiceError('not_found', await missing(client, record));
  }
}

/** The remedy for a person with a wallet, to whom single records are not sold. */
function notSold(record: string): ConfigError {
  const { type, slug = record } = parseRecordPath(record) ?? {};
  const search = `web3-bi search ${shellWord(slug)}${type === undefined ? '' : ` --type ${type}`}`;
  return new ConfigError(`A wallet cannot get a record here: try ${search}, or set WEB3_BI_API_KEY to an API key.`);
}

async function missing(client: Client, record: string): Promise<string> {
  if (/^\d+$/.test(record))
    return `${record} is a number, of one record of each type: give TYPE/ID, such as companies/${record}.`;
  const slug = record.replace(/^\w+\//, '');
  const words = slug.replaceAll('-', ' ');
  const { results } = await client.search({ type: 'all', query: words, page: 1, limit: NAMED_MAX });
  if (results.some((each) => `${each.type}/${each.slug}` === record))
    return `The service at this address has no single records: try web3-bi search ${shellWord(words)}.`;
  const same = results.find((each) => each.slug === slug) ?? recordsNamed(results, words, [['name', 'alias']])[0];
  const none = `There is no ${parseRecordPath(record) === undefined ? 'record called ' : ''}${record}`;
  if (same !== undefined) return `${none}. Did you mean ${same.type}/${same.slug}?`;
  for (const field of ['investor', 'company'] as const) {
    const rounds = await countNamed(client, field, words);
    if (rounds > 0)
      return `${words} has no record; it is a name in ${counted(rounds, 'rounds')}: web3-bi search --type rounds --${field} "${words}".`;
  }
  const emptyText = results.length > 0 ? undefined : await emptyDatabaseText(client);
  if (emptyText !== undefined) return `${none}. ${emptyText}`;
  const type = parseRecordPath(record)?.type;
  const near = results.filter((each) => type === undefined || each.type === type);
  const nearest = nearestTo(
    words.toLowerCase().replaceAll(' ', '-'),
    near.map((each) => each.slug),
  );
  const meant = near.find((each) => each.slug === nearest);
  return meant === undefined
    ? `${none}; try web3-bi search ${shellWord(words)}.`
    : `${none}. Did you mean ${meant.type}/${meant.slug}?`;
}

/** The number of rounds that name a party; 0 for a name that the filter refuses. */
async function countNamed(client: Client, field: 'investor' | 'company', name: string): Promise<number> {
  const rounds = { type: 'rounds', [field]: name, page: 1, limit: 1 } as const;
  return (await client.search(rounds).catch(undefinedIfInvalid))?.totalResults ?? 0;
}

const NAMED_MAX = 10;

async function addressOfName(client: Client, name: string): Promise<RecordAddress> {
  const found = await client.search({ type: 'all', query: name, page: 1, limit: NAMED_MAX });
  // A slash is no part of other names, but of a mistyped address.
  const results = found.results.filter((each) => !name.includes('/') || each.name.includes('/'));
  const named = recordsNamed(results, name, [['slug', 'name'], ['alias']]);
  const same = named.length > 0 ? named : recordsNamed(found.results, name, [['domain']]);
  const [first, other] = same;
  if (first === undefined) throw new ServiceError('not_found', `There is no record named ${name}.`);
  if (other === undefined) return first;
  throw new UsageError(
    `Several records are named ${name}: ${same.map(({ type, slug }) => `${type}/${slug}`).join(', ')}.`,
  );
}

/** Fields that are of no use to a person, or are shown as one line with others, as a paragraph, or as a list. */
const HIDDEN = [
  ...['type', 'id', 'month_only', 'name', 'slug', 'logo', 'sources', 'created_at', 'updated_at', 'is_verified'],
  ...['tagline', 'headline', 'overview', 'known_rounds', 'disclosed_rounds', 'last_round_date', 'funding_stages'],
  ...['funding_stage_date', 'investors_count', 'lead_count', 'portfolio_count', 'first_investment_date'],
  ...['last_investment_date', 'unsourced', 'unsourced_funding_usd'],
  ...['unsourced_lead_count', 'unsourced_fields'],
];

/** Rounds without a stage may be newer than the stage. */
const shownLabel = (field: string): string =>
  field === 'funding_stage' ? 'Last stated stage' : labelOf(field).replace(' (USD)', '');

/** Prints the fields of a record, and returns whether any has the explained mark of what only the editors state. */
function showFields(record: RecordData, lists: readonly RecordList[]): boolean {
  print(recordTitle(record));
  const line = lineOf(record);
  if (line !== null) paragraph(printable(line));
  const hidden = [...HIDDEN, ...lists.filter(({ totalResults }) => totalResults > 0).map(({ name }) => name)];
  const fields = Object.keys(record)
    .filter((field) => !hidden.includes(field))
    .map((field): [string, string] => [`${shownLabel(field)}${markOf(record, field)}`, datedText(record, field)])
    .filter(([, text]) => text !== '');
  const source: [string, string][] = isUnsourced(record)
    ? [['Source', `the editors of the data set (${UNSOURCED})`]]
    : [];
  printFields([...fields, ...source]);
  const areMarked = [line ?? '', ...fields.flat()].some((text) => text.includes(DAGGER));
  if (areMarked) printToStderr(DAGGER_NOTE);
  return areMarked;
}

/** A value; an amount with the year of its source, but for that of a round, which has a date. */
function datedText(record: RecordData, field: string): string {
  const text = shownText(record, field);
  const year = record.type === 'rounds' || text === '' ? undefined : yearOfAmount(record, field);
  return year === undefined ? text : `${text} (as of ${year})`;
}

/** Fields that say themselves where they are from, or of which parts do. */
const MARKED_APART = ['status', 'status_as_of', 'status_source', 'total_funding_usd', 'roles'];

/** The mark of a field that only the editors of the data set state, unless they state all of the record. */
const markOf = (record: RecordData, field: string): string =>
  !isUnsourced(record) && !MARKED_APART.includes(field) && isOfEditors(record, field) ? ` ${DAGGER}` : '';

/** Not shown unless requested, because that of a shipped record is composed of its fields and lists. */
function showOverview(overview: string): void {
  print('');
  paragraph(printable(overview));
}

/** The name of a record with its address. */
export const recordTitle = ({ type, slug, name }: Readonly<Record<'type' | 'slug' | 'name', string>>): string =>
  `${styled('bold', printable(name))}  ${styled('dim', `[${type}/${slug}]`)}`;

/** Fields that are computed from the rounds of a record, unless a source states them. */
const OF_ROUNDS = ['funding_stage', 'total_funding_usd', 'investors_count', 'investments_count'];

function showSources({ type, slug, name, fields }: Provenance, record: RecordData): void {
  print(recordTitle({ type, slug, name }));
  if (fields.length === 0) printToStderr('No source is on record for its fields.');
  for (const { field, value, as_of, stale, conflict, sources } of fields) {
    const marks = [as_of ?? 'undated', ...(stale ? ['stale'] : []), ...(conflict ? ['conflict'] : [])].join(', ');
    showSourced(field, shownText({ ...record, [field]: value }, field), marks);
    for (const stated of sources) {
      const statement = stated.value === undefined ? '' : `: ${shownText({ [field]: stated.value }, field)}`;
      print(`  ${printable(`${stated.source} (${stated.as_of ?? 'undated'})${statement}`)}`);
    }
  }
  if (Number(record['known_rounds'] ?? record['investments_count'] ?? 0) === 0) return;
  for (const field of OF_ROUNDS.filter((each) => !fields.some((stated) => stated.field === each))) {
    const text = shownText(record, field);
    if (text !== '') showSourced(field, text, 'from its rounds');
  }
}

const showSourced = (field: string, text: string, marks: string): void =>
  paragraph(`${shownLabel(field)}: ${printable(text)}  ${styled('dim', `[${marks}]`)}`);

type RecordFields = Readonly<Record<string, unknown>>;

/** A value of a record formatted for people; programs read --json. */
function shownText(record: RecordFields, field: string): string {
  const value = field === 'aliases' ? ownAliases(record as RecordData) : statedValue(record, field);
  if (field === 'total_funding_usd') return fundingText(record);
  if (value == null) return '';
  if (field === 'investments_count') return investmentsText(record);
  if (field === 'roles') return rolesText(record, value as readonly PersonRole[]);
  if (field.endsWith('_usd')) return shortMoney(Number(value));
  const text = valueText(value, isVocabularyField(field) ? { write: (word) => vocabularyLabel(String(word)) } : {});
  return field === 'funding_stage' ? joinTexts(', ', text, statedValue(record, 'funding_stage_date')) : text;
}

function fundingText(company: RecordFields): string {
  const { total_funding_usd: sum, known_rounds, disclosed_rounds } = company;
  const [known, disclosed] = [Number(known_rounds ?? 0), Number(disclosed_rounds ?? 0)];
  const amount = sum == null ? '' : shortMoney(Number(sum));
  if (known === 0) return amount;
  const rounds = counted(known, 'announced rounds');
  const of = disclosed === known ? `in ${rounds}` : `in ${disclosed} of ${rounds}, the others undisclosed`;
  const last = statedValue(company, 'last_round_date');
  return joinTexts(
    ', ',
    amount === '' ? `undisclosed, ${rounds}` : `${amount} ${of}`,
    unsourcedMark(company),
    last == null ? '' : `last ${last}`,
  );
}

function investmentsText(investor: RecordFields): string {
  const { investments_count: rounds, lead_count: led } = investor;
  const [first, last] = ['first_investment_date', 'last_investment_date'].map((field) => statedValue(investor, field));
  const days = first == null || first === last ? last : `${first} to ${last}`;
  return joinTexts(
    ', ',
    counted(Number(rounds), 'rounds'),
    Number(led ?? 0) > 0 ? `${led} led${ledMark(investor)}` : '',
    days,
  );
}

const rolesText = (person: RecordFields, roles: readonly PersonRole[]): string =>
  roles
    .map((role) => {
      const mark = isOfEditors(person, 'roles', role.as_of) ? ` ${DAGGER}` : '';
      return `${joinTexts(', ', role.title, role.organization)}${statedIn(role)}${mark}`;
    })
    .join('; ');
