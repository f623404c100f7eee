import type { Command, CommandGroup } from './command.ts';

interface Entry {
  readonly about: string;
  readonly topic: 'Search' | 'Serve' | 'Records' | 'Database' | 'Access' | 'Payments';
  readonly load: () => Promise<{ command: Command | CommandGroup }>;
}

/** Every command. Modules are loaded on demand. */
export const commands: Readonly<Record<string, Entry>> = {
  mcp: {
    topic: 'Search',
    about: 'serve MCP over stdio, for Claude and other hosts',
    load: () => import('./mcp.ts'),
  },
  search: { topic: 'Search', about: 'search from the command line', load: () => import('./search.ts') },
  get: { topic: 'Search', about: 'show one record', load: () => import('./get.ts') },
  aggregate: {
    topic: 'Search',
    about: 'count and sum up records by group',
    load: () => import('./aggregate.ts'),
  },
  open: { topic: 'Search', about: 'open the website of a record', load: () => import('./open.ts') },
  connect: {
    topic: 'Search',
    about: 'how two records are connected',
    load: () => import('./connect.ts'),
  },
  demo: { topic: 'Search', about: 'show what an agent gets, in a minute', load: () => import('./demo.ts') },
  doctor: { topic: 'Search', about: 'check settings, service, key and wallet', load: () => import('./doctor.ts') },
  completion: {
    topic: 'Search',
    about: 'completion for bash, zsh and fish',
    load: () => import('./completion.ts'),
  },
  serve: { topic: 'Serve', about: 'serve the REST service', load: () => import('./serve.ts') },
  sandbox: {
    topic: 'Serve',
    about: 'serve with a payment network of its own, to try payments',
    load: () => import('./sandbox.ts'),
  },
  import: { topic: 'Records', about: 'add records from a file', load: () => import('./import.ts') },
  export: { topic: 'Records', about: 'write records to a file', load: () => import('./export.ts') },
  data: { topic: 'Records', about: 'show, add or drop the shipped data set', load: () => import('./data.ts') },
  duplicates: {
    topic: 'Records',
    about: 'records that may be one: merge them or keep them apart',
    load: () => import('./duplicates.ts'),
  },
  sync: { topic: 'Records', about: 'bring records up to date from open sources', load: () => import('./sync.ts') },
  audit: { topic: 'Records', about: 'who changed what', load: () => import('./audit.ts') },
  backup: { topic: 'Database', about: 'copy the database to a file', load: () => import('./backup.ts') },
  index: {
    topic: 'Database',
    about: 'the search index of this machine, for PostgreSQL',
    load: () => import('./search-index.ts'),
  },
  migrate: { topic: 'Database', about: 'move everything to another database', load: () => import('./migrate.ts') },
  account: { topic: 'Access', about: 'accounts and plans', load: () => import('./account.ts') },
  key: { topic: 'Access', about: 'API keys', load: () => import('./key.ts') },
  wallet: { topic: 'Payments', about: 'the wallet that pays, and its receipts', load: () => import('./wallet.ts') },
  payments: { topic: 'Payments', about: 'payments for searches', load: () => import('./payments.ts') },
};
