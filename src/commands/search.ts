import type { SearchData } from '../client/client.ts';
import { newBill } from '../client/wallet/bill.ts';
import { hasNextPage, SEARCH_TYPES, searchQuery } from '../contract/queries.ts';
import { createReader } from '../contract/reader.ts';
import type { Receipt } from '../contract/spending.ts';
import { type Command, JSON_FLAG } from './command.ts';
import { ConfigError } from './config.ts';
import { connect } from './connect.ts';
import { print, printJson, tell } from './output.ts';

const read = createReader(searchQuery, 'arguments');

export const command: Command = {
  usage: 'search QUERY',
  wordsMax: Number.POSITIVE_INFINITY,
  about: 'Search companies, people, investors and events.',
  example: 'web3-bi search "open sea" --type companies',
  flags: {
    type: { type: 'string', value: 'T', description: `One of ${SEARCH_TYPES.join(', ')}; all by default.` },
    limit: { type: 'string', value: 'N', description: 'Records a page.' },
    page: { type: 'string', value: 'N', description: 'Page, from 1.' },
    json: JSON_FLAG,
  },
  settings: ['base-url', 'database', 'data', 'state-dir'],
  run: async ({ settings, flags, words }) => {
    if (words.length === 0) throw new ConfigError('search needs a QUERY, such as: web3-bi search coinbase');
    const { type = 'all', limit, page } = flags;
    const query = read({ query: words.join(' '), type, limit, page });
    const connection = await connect(settings);
    const bill = newBill();
    try {
      const client = connection.paid?.under(bill) ?? connection.client;
      const found = await client.search(query);
      if (flags['json'] === true) printJson(found);
      else show(found);
      for (const receipt of bill.receipts) tell(paidLine(receipt));
      return 0;
    } finally {
      await connection.close();
    }
  },
};

function paidLine({ cached, amountUsd, transaction }: Receipt): string {
  const proof = transaction === null ? 'the service gave no receipt' : `transaction ${transaction}`;
  return cached ? `Free: paid before, ${amountUsd} USD, ${proof}` : `Paid ${amountUsd} USD, ${proof}`;
}

function show(found: SearchData): void {
  for (const record of found.results) {
    const line = 'tagline' in record ? record.tagline : 'headline' in record ? record.headline : null;
    print(`${record.name}  [${record.type}/${record.slug}]`);
    if (line !== null) print(`    ${line}`);
  }
  const more = hasNextPage(found) ? `; --page ${found.page + 1} shows more` : '';
  tell(
    found.totalResults === 0
      ? 'Nothing matches; try fewer or other words.'
      : `${found.totalResults} found, page ${found.page} of ${found.totalPages}${more}`,
  );
}
