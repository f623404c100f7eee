import type { Client } from '../client/client.ts';
import { type ConnectionsData, connectionsQuery, HOPS_MAX } from '../contract/connections.ts';
import { ServiceError } from '../contract/errors.ts';
import { createReader } from '../contract/reader.ts';
import { type Command, JSON_FLAG, READING_SETTINGS } from './command.ts';
import { UsageError } from './config.ts';
import { flagsOfSchema, parametersOf, readFlags } from './flags.ts';
import { ADDRESS_PREFIXES, addressOf, requireRecord } from './get.ts';
import { counted, print, printable, printJson, printToStderr } from './output.ts';
import { readLists, type Shown } from './record-lists.ts';
import { callService } from './service-connection.ts';
import { isTerminal, styled, terminalWidth } from './terminal.ts';

const { from, to, ...parameters } = connectionsQuery.shape;
const read = createReader(connectionsQuery, 'arguments');

export const command: Command = {
  usage: 'connect FROM TO',
  about: 'Show how two records are connected. Each is TYPE/SLUG, TYPE/ID or an exact name.',
  example: 'web3-bi connect people/vitalik-buterin "Pantera Capital"',
  moreExamples: ['web3-bi connect companies/uniswap companies/aave --kinds round --limit 3'],
  completes: ADDRESS_PREFIXES,
  flags: { ...flagsOfSchema({ from: from.optional(), to: to.optional(), ...parameters }), json: JSON_FLAG },
  settings: READING_SETTINGS,
  run: async ({ settings, flags, positionals }) => {
    const queryParameters = parametersOf(connectionsQuery.shape, flags);
    const [first = queryParameters['from'], second = queryParameters['to']] = positionals;
    if (first === undefined || second === undefined)
      throw new UsageError(`connect needs two records, such as: ${command.example}`);
    const query = readFlags(read, { ...queryParameters, from: first, to: second });
    const find = (client: Client): Promise<ConnectionsData> =>
      client.connections(query).catch(async (error) => {
        if (!(error instanceof ServiceError) || error.code !== 'invalid_parameter') throw error;
        for (const end of [query.from, query.to]) await requireRecord(client, end);
        throw error;
      });
    if (flags['json'] === true) return void (await callService(settings, find, printJson));
    await callService(
      settings,
      async (client) => {
        const data = await find(client);
        // Each further request to a remote service is counted or charged.
        const isFree = settings.base_url === undefined && data.paths.length === 0;
        return { data, alone: isFree ? await aloneAmong(client, [query.from, query.to]) : [] };
      },
      ({ data, alone }) => printPaths(data, { hopsMax: query.hops_max, alone }),
    );
  },
};

type Path = ConnectionsData['paths'][number];
type Node = Path['nodes'][number];

/** Number of first steps shared with the path before, which are not repeated. */
function sharedSteps({ nodes, edges }: Path, before: Path | undefined): number {
  const same = edges.map(({ record }, step) => {
    const other = before?.edges[step]?.record;
    return other?.type === record.type && other.slug === record.slug && before?.nodes[step]?.slug === nodes[step]?.slug;
  });
  return same.includes(false) ? same.indexOf(false) : edges.length - 1;
}

/** The names of those records that have no related list, and so no path. */
async function aloneAmong(client: Client, records: readonly string[]): Promise<string[]> {
  const alone: string[] = [];
  for (const record of records) {
    const { type, slug } = await addressOf(client, record);
    const found = (await client.get(type, slug)) as Shown;
    const lists = await readLists(client, found, { isAll: false });
    if (lists.every(({ name, totalResults }) => name === 'similar' || totalResults === 0)) alone.push(found.name);
  }
  return alone;
}

interface Tried {
  readonly hopsMax: number;
  /** Names of the ends without relations. */
  readonly alone: readonly string[];
}

function printPaths({ paths, complete }: ConnectionsData, { hopsMax, alone }: Tried): void {
  paths.forEach((path, index) => {
    const { nodes, edges } = path;
    if (index > 0) print('');
    const begun = sharedSteps(path, paths[index - 1]);
    const last = edges[begun - 1]?.record;
    if (last === undefined) print(named(nodes[0] as Node));
    else print(`${styled('dim', `As above to ${printable(last.name)}, then`)}\n${named(nodes[begun] as Node)}`);
    edges.slice(begun).forEach(({ kind, label, date, record }, step) => {
      const roles = rolesOf(label, [nodes[begun + step], nodes[begun + step + 1]]);
      const heading = `  ${kind}${date === null ? '' : ` ${date}`}${label === kind || roles !== undefined ? '' : `, ${printable(label)}`}:`;
      const isLong =
        isTerminal() && [heading, record.name, record.type, record.slug].join('    ').length > terminalWidth();
      print(isLong ? `${heading}\n    ${named(record)}` : `${heading} ${named(record)}`);
      if (roles !== undefined) print(`    ${printable(roles)}`);
      print(named(nodes[begun + step + 1] as Node));
    });
  });
  const longer = hopsMax < HOPS_MAX ? `; --hops-max ${HOPS_MAX} looks further` : '';
  for (const name of alone) printToStderr(`${printable(name)} has no known rounds, roles or events.`);
  if (alone.length > 0) return;
  if (paths.length === 0)
    printToStderr(
      complete
        ? `No path of up to ${counted(hopsMax, 'hops')}${longer}.`
        : `No path found among those of up to ${counted(hopsMax, 'hops')} that were tried; --kinds tries fewer.`,
    );
  else if (!complete) printToStderr('The search reached its limit; there may be more paths.');
}

/** Who of two had which role: `Ada as investor, Acme as lead investor`. Undefined unless the label has one of each. */
function rolesOf(label: string, ends: readonly (Node | undefined)[]): string | undefined {
  const roles = label.split(', ');
  if (roles.length !== ends.length) return undefined;
  return ends.map((end, index) => `${end?.name} as ${roles[index]}`).join(', ');
}

const named = ({ type, slug, name }: Node): string =>
  `${styled('bold', printable(name))}  ${styled('dim', `[${type}/${slug}]`)}`;
