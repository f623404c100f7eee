import type { Client } from '../client/client.ts';
import { connectedRoles, edgeMark, statedDay } from '../contract/connection-roles.ts';
import { type ConnectionsData, connectionsQuery } from '../contract/connections.ts';
import { ServiceError } from '../contract/errors.ts';
import { createReader } from '../contract/reader.ts';
import { isSameRecord } from '../contract/rounds.ts';
import { joinTexts } from '../contract/value-text.ts';
import { type Command, READING_SETTINGS } from './command.ts';
import { UsageError } from './config.ts';
import { flagsOfSchema, parametersOf, readFlags } from './flags.ts';
import { ADDRESS_PREFIXES, recordTitle, requireRecord } from './get.ts';
import { isTerminal, print, printable, printJson, printToStderr, styled, terminalWidth } from './output.ts';
import { callService, hasWalletAccess } from './service-connection.ts';

const { from, to, ...parameters } = connectionsQuery.shape;
const read = createReader(connectionsQuery, 'arguments');

export const command: Command = {
  usage: 'connect FROM TO',
  about: 'Show how two records are connected. Each is TYPE/SLUG, TYPE/ID or an exact name.',
  example: 'web3-bi connect people/vitalik-buterin "Pantera Capital"',
  moreExamples: ['web3-bi connect companies/uniswap companies/aave --kinds round --limit 3'],
  completes: ADDRESS_PREFIXES,
  flags: { ...flagsOfSchema({ from: from.optional(), to: to.optional(), ...parameters }) },
  settings: READING_SETTINGS,
  run: async ({ settings, flags, positionals }) => {
    const queryParameters = parametersOf(connectionsQuery.shape, flags);
    const [first = queryParameters['from'], second = queryParameters['to']] = positionals;
    if (first === undefined || second === undefined)
      throw new UsageError(`connect needs two records, such as: ${command.example}`);
    const query = readFlags(read, { ...queryParameters, from: first, to: second });
    const find = (client: Client): Promise<ConnectionsData> =>
      client.connections(query).catch(async (error) => {
        const isRefused = error instanceof ServiceError && error.code === 'invalid_parameter';
        // With a wallet, a nearer name would cost a search.
        if (!isRefused || hasWalletAccess(settings)) throw error;
        for (const end of [query.from, query.to]) await requireRecord(client, end);
        throw error;
      });
    if (flags['json'] === true) return void (await callService(settings, find, printJson));
    await callService(settings, find, printPaths);
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

function printPaths({ paths, reason, advice, complete }: ConnectionsData): void {
  // The shortest come first: all that connects the two directly stands between them.
  const direct = paths.filter(({ edges }) => edges.length === 1);
  const [from, to] = direct[0]?.nodes ?? [];
  if (from !== undefined && to !== undefined) {
    print(recordTitle(from));
    for (const edge of direct.flatMap(({ edges }) => edges)) printEdge(edge, [from, to]);
    print(recordTitle(to));
  }
  const further = paths.slice(direct.length);
  further.forEach((path, index) => {
    const { nodes, edges } = path;
    if (index + direct.length > 0) print('');
    const begun = sharedSteps(path, further[index - 1]);
    const last = edges[begun - 1]?.record;
    if (last === undefined) print(recordTitle(nodes[0] as Node));
    else print(`${styled('dim', `As above to ${printable(last.name)}, then`)}\n${recordTitle(nodes[begun] as Node)}`);
    edges.slice(begun).forEach((edge, step) => {
      const ends = [nodes[begun + step], nodes[begun + step + 1]] as const;
      printEdge(edge, ends as [Node, Node]);
      print(recordTitle(ends[1] as Node));
    });
  });
  // Of a parameter, a person types the flag.
  if (reason !== null) printToStderr(printable(reason) + (advice === null ? '' : ` --${advice.replace('_', '-')}.`));
  else if (!complete) printToStderr('The search reached its limit; there may be more paths.');
}

/** Kind, date and record of a connection. A record that is one of the two, as the person of a role, is not named again. */
function printEdge(edge: Path['edges'][number], ends: readonly [Node, Node]): void {
  const { kind, label, record } = edge;
  const roles = connectedRoles({ label, record }, ends);
  const day = joinTexts(' ', kind, printable(statedDay(edge)));
  const what = `  ${joinTexts(', ', day, label !== kind && roles === undefined && printable(label), edgeMark(edge))}`;
  const isLong = isTerminal() && [what, record.name, record.type, record.slug].join('     ').length > terminalWidth();
  if (ends.some((end) => isSameRecord(end, record))) print(what);
  else print(isLong ? `${what}:\n    ${recordTitle(record)}` : `${what}: ${recordTitle(record)}`);
  if (roles !== undefined) print(`    ${printable(roles)}`);
}
