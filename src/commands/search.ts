import type { SearchData } from '../client/client.ts';
import { filterShape } from '../contract/filters.ts';
import { hasNextPage, searchQuery } from '../contract/queries.ts';
import { createReader } from '../contract/reader.ts';
import { ask } from './ask.ts';
import { type Command, type FlagValues, JSON_FLAG } from './command.ts';
import { ConfigError, UsageError } from './config.ts';
import { flagsOfSchema, parametersOf, readFlags } from './flags.ts';
import { cut, print, printable, printJson, tell } from './output.ts';
import { isTerminal, styled, terminalWidth } from './terminal.ts';

const parameters = searchQuery.omit({ query: true }).extend({ type: searchQuery.shape.type.default('all') });
const read = createReader(searchQuery, 'arguments');

export const command: Command = {
  usage: 'search QUERY',
  positionalsMax: Number.POSITIVE_INFINITY,
  about: 'Search companies, people, investors and events. Without a QUERY, list what the other flags leave.',
  example: 'web3-bi search "open sea" --type companies',
  flags: { ...flagsOfSchema(parameters.shape), ...flagsOfSchema(filterShape, 'Filters'), json: JSON_FLAG },
  settings: ['base-url', 'database', 'data', 'state-dir'],
  needsDatabase: true,
  run: async ({ settings, flags, positionals }) => {
    const query = queryOf(flags, positionals.join(' '));
    checkPage(await ask(settings, (client) => client.search(query), flags['json'] === true ? printJson : show));
    return 0;
  },
};

/** A search for nothing lists everything, which is hardly meant when nothing else narrows it. */
function queryOf(flags: FlagValues, text: string) {
  const given = parametersOf(parameters.shape, flags);
  const isNarrowed = flags['sort'] !== undefined || Object.values(parametersOf(filterShape, flags)).some(isGiven);
  if (text === '' && !isNarrowed && flags['type'] === 'all')
    throw new UsageError('search needs a QUERY, such as: web3-bi search coinbase');
  return readFlags(read, { ...given, query: text });
}

const isGiven = (value: unknown): boolean => value !== undefined;

function checkPage({ page, totalPages, totalResults }: SearchData): void {
  if (totalResults === 0 || page <= totalPages) return;
  throw new ConfigError(`Page ${page} does not exist; there ${totalPages === 1 ? 'is' : 'are'} ${totalPages}.`);
}

function show(found: SearchData): void {
  for (const record of found.results) {
    const line = 'tagline' in record ? record.tagline : 'headline' in record ? record.headline : null;
    print(`${styled('bold', printable(record.name))}  ${styled('dim', `[${record.type}/${record.slug}]`)}`);
    if (line != null) print(`    ${fitted(printable(line))}`);
  }
  if (found.totalResults === 0) tell('Nothing matches; try other words or fewer of them, or fewer filters.');
  else if (found.page <= found.totalPages) {
    const more = hasNextPage(found) ? `; --page ${found.page + 1} shows more` : '';
    tell(`${found.totalResults} found, page ${found.page} of ${found.totalPages}${more}`);
  }
}

const INDENT = 4;
const fitted = (line: string): string => (isTerminal() ? cut(line, terminalWidth() - INDENT) : line);
