import type { Command, CommandGroup } from './command.ts';

interface Entry {
  readonly about: string;
  readonly topic: 'Search' | 'Serve' | 'Records' | 'Database' | 'Access' | 'Payments';
  readonly load: () => Promise<{ command: Command | CommandGroup }>;
}

const entry = (topic: Entry['topic'], about: string, load: Entry['load']): Entry => ({ topic, about, load });

/** Every command. Modules are loaded on demand. */
export const commands: Readonly<Record<string, Entry>> = {
  mcp: entry('Search', 'serve MCP over stdio, for Claude and other hosts', () => import('./mcp.ts')),
  search: entry('Search', 'search from the command line', () => import('./search.ts')),
  get: entry('Search', 'show one record', () => import('./get.ts')),
  aggregate: entry('Search', 'count and sum up records by group', () => import('./aggregate.ts')),
  open: entry('Search', 'open the website of a record', () => import('./open.ts')),
  connect: entry('Search', 'how two records are connected', () => import('./connect.ts')),
  demo: entry('Search', 'show what an agent gets, in a minute', () => import('./demo.ts')),
  doctor: entry('Search', 'check settings, service, key and wallet', () => import('./doctor.ts')),
  completion: entry('Search', 'completion for bash, zsh and fish', () => import('./completion.ts')),
  serve: entry('Serve', 'serve the REST service', () => import('./serve.ts')),
  sandbox: entry('Serve', 'serve with a payment network of its own, to try payments', () => import('./sandbox.ts')),
  import: entry('Records', 'add records from a file', () => import('./import.ts')),
  export: entry('Records', 'write records to a file', () => import('./export.ts')),
  data: entry('Records', 'show, add or drop the shipped data set', () => import('./data.ts')),
  duplicates: entry(
    'Records',
    'records that may be one: merge them or keep them apart',
    () => import('./duplicates.ts'),
  ),
  sync: entry('Records', 'bring records up to date from open sources', () => import('./sync.ts')),
  audit: entry('Records', 'who changed what', () => import('./audit.ts')),
  backup: entry('Database', 'copy the database to a file', () => import('./backup.ts')),
  index: entry('Database', 'the search index of this machine, for PostgreSQL', () => import('./search-index.ts')),
  migrate: entry('Database', 'move everything to another database', () => import('./migrate.ts')),
  account: entry('Access', 'accounts and plans', () => import('./account.ts')),
  key: entry('Access', 'API keys', () => import('./key.ts')),
  wallet: entry('Payments', 'the wallet that pays, and its receipts', () => import('./wallet.ts')),
  payments: entry('Payments', 'payments for searches', () => import('./payments.ts')),
};
