import type { Client } from '../client/client.ts';
import { RECORD_TYPES, type RecordType } from '../contract/entities/index.ts';
import { ServiceError } from '../contract/errors.ts';
import type { Provenance } from '../contract/provenance.ts';
import { listsOf, relationOf } from '../contract/relations.ts';
import { shortMoney } from '../contract/usd.ts';
import { type Command, JSON_FLAG } from './command.ts';
import { type Settings, UsageError } from './config.ts';
import { connectService } from './connect.ts';
import { print, printable, printFields, printJson } from './output.ts';
import { styled } from './terminal.ts';

const RELATED_MAX = 20;
/** How the address of a record begins. */
export const PLACES: readonly string[] = RECORD_TYPES.map((type) => `${type}/`);

export const command: Command = {
  usage: 'get TYPE/SLUG',
  positionalsMax: 1,
  completes: PLACES,
  about: 'Show one record with its related lists.',
  example: 'web3-bi get companies/aave',
  flags: {
    sources: { type: 'boolean', description: 'Show where each field comes from, and as of when.' },
    json: JSON_FLAG,
  },
  settings: ['base-url', 'database', 'data', 'state-dir'],
  needsDatabase: true,
  run: async ({ settings, flags, positionals: [place = ''] }) => {
    const { type, slug } = readTypeAndKey('get', place);
    return withClient(settings, { type, slug }, async (client) => {
      if (flags['sources'] === true) {
        const provenance = await client.sources(type, slug);
        if (flags['json'] === true) printJson(provenance);
        else showSources(provenance);
        return 0;
      }
      const record = (await client.get(type, slug)) as Shown;
      const lists: [string, Related][] = [];
      for (const list of listsOf(type)) {
        const found = await client.related(list.of, String(record.id), list.name, { limit: RELATED_MAX });
        lists.push([list.name, { ...found, results: found.results as unknown as Shown[] }]);
      }
      if (flags['json'] === true) printJson({ ...record, related: relatedJson(lists) });
      else show(record, lists);
      return 0;
    });
  },
};

interface Place {
  readonly type: RecordType;
  readonly slug: string;
}

/** Works on the record of a place; says how to look for one that is not there. */
export async function withClient<Result>(
  settings: Settings,
  { type, slug }: Place,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const { client, close } = await connectService(settings);
  try {
    return await work(client);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found')
      throw new UsageError(`There is no ${type}/${slug}; web3-bi search ${slug.replaceAll('-', ' ')} looks for it.`);
    throw error;
  } finally {
    await close();
  }
}

type Shown = Readonly<Record<string, unknown>> & {
  readonly type: RecordType;
  readonly id: number;
  readonly name: string;
};

interface Related {
  readonly results: readonly Shown[];
  readonly totalResults: number;
  /** Whether any source says what is in the list. */
  readonly known: boolean;
}

/** A list that no source covers is null: it is not known to be empty. */
const relatedJson = (lists: readonly [string, Related][]): object =>
  Object.fromEntries(
    lists.map(([name, { known, totalResults, results }]) => [name, known ? { totalResults, results } : null]),
  );

/**
 * Reads `companies/aave`.
 * @throws UsageError that names the command, for anything else
 */
export function readTypeAndKey(name: string, place: string): Place {
  const [type, slug, ...more] = place.split('/');
  const known = RECORD_TYPES.find((each) => each === type);
  if (known === undefined || slug === undefined || slug === '' || more.length > 0)
    throw new UsageError(
      `${name} needs a TYPE/SLUG, such as: web3-bi ${name} companies/aave. Types are ${RECORD_TYPES.join(', ')}.`,
    );
  return { type: known, slug };
}

/** What a person does not read of a record. */
const HIDDEN = ['type', 'id', 'name', 'sources', 'created_at', 'updated_at', 'is_verified'];

function show(record: Shown, lists: readonly [string, Related][]): void {
  print(styled('bold', printable(record.name)));
  const fields = Object.entries(record).flatMap(([field, value]): [string, string][] => {
    const text = HIDDEN.includes(field) ? '' : textOf(record.type, field, value);
    return text === '' ? [] : [[field, text]];
  });
  printFields(fields);
  for (const [name, { known, totalResults, results }] of lists) {
    if (!known) continue;
    print('');
    print(styled('bold', `${name} (${totalResults})`));
    for (const item of results) {
      const address = styled('dim', `[${item.type}/${item['slug']}]`);
      print(['', printable(item.name), ...detailOf(item), address].join('  '));
    }
  }
}

function showSources({ type, name, fields }: Provenance): void {
  print(styled('bold', printable(name)));
  for (const { field, value, as_of, stale, conflict, sources } of fields) {
    const marks = [as_of ?? 'undated', ...(stale ? ['stale'] : []), ...(conflict ? ['conflict'] : [])].join(', ');
    print(`${field}: ${printable(textOf(type, field, value))}  ${styled('dim', `[${marks}]`)}`);
    for (const stated of sources) {
      const said = stated.value === undefined ? '' : `: ${textOf(type, field, stated.value)}`;
      print(`  ${printable(`${stated.source} (${stated.as_of ?? 'undated'})${said}`)}`);
    }
  }
}

/** When it was, and how much money it was about. */
function detailOf({ announced_date, start_date, amount_usd }: Shown): string[] {
  const money = amount_usd == null ? null : shortMoney(Number(amount_usd));
  return [announced_date ?? start_date, money].flatMap((part) => (part == null ? [] : [String(part)]));
}

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

const partText = (item: Readonly<Record<string, unknown>>, nameKey: string): string =>
  [item[nameKey] ?? [item['city'], item['country']].filter((part) => part != null).join(', ')].map(String).join('');
