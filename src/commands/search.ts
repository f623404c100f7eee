import type { SearchData } from '../client/client.ts';
import { newBill } from '../client/wallet/bill.ts';
import { ERRORS, ServiceError } from '../contract/errors.ts';
import { filterShape } from '../contract/filters.ts';
import { hasNextPage, searchQuery } from '../contract/queries.ts';
import { createReader } from '../contract/reader.ts';
import type { Receipt } from '../contract/spending.ts';
import { accessRemedy } from './access-remedy.ts';
import { type Command, type FlagValues, JSON_FLAG } from './command.ts';
import { ConfigError, type Settings, UsageError } from './config.ts';
import { type Connection, connect } from './connect.ts';
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
    const connection = await connect(settings);
    const bill = newBill();
    try {
      const client = connection.paid?.under(bill) ?? connection.client;
      const found = await client.search(query).catch((error) => {
        throw explained(error, connection, settings);
      });
      if (flags['json'] === true) printJson(found);
      else show(found);
      for (const receipt of bill.receipts) tell(paidLine(receipt));
      checkPage(found);
      return 0;
    } finally {
      await connection.close();
    }
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

/** What a person can do about a service that asks for access: this program knows where it looked for it. */
function explained(error: unknown, { access }: Connection, settings: Settings): unknown {
  if (!(error instanceof ServiceError) || ERRORS[error.code].status !== 401 || access === 'wallet') return error;
  const message = access === 'none' ? `${settings.base_url} needs access, and none is set` : error.message;
  return new ServiceError(error.code, message, { cause: error.cause, remedy: accessRemedy(settings) });
}

function checkPage({ page, totalPages, totalResults }: SearchData): void {
  if (totalResults === 0 || page <= totalPages) return;
  throw new ConfigError(`Page ${page} does not exist; there ${totalPages === 1 ? 'is' : 'are'} ${totalPages}.`);
}

function paidLine({ cached, amountUsd, transaction }: Receipt): string {
  const proof = transaction === null ? 'the service gave no receipt' : `transaction ${transaction}`;
  return cached ? `Free: paid before, ${amountUsd} USD, ${proof}` : `Paid ${amountUsd} USD, ${proof}`;
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
