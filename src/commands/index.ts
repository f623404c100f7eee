import type { Command } from './command.ts';

interface Entry {
  readonly about: string;
  readonly load: () => Promise<{ command: Command }>;
}

/** Every command; its module is loaded only when it is typed. */
export const commands: Readonly<Record<string, Entry>> = {
  mcp: { about: 'serve MCP over stdio', load: () => import('./mcp.ts') },
  serve: { about: 'serve the REST service', load: () => import('./serve.ts') },
  sandbox: { about: 'serve with a payment network of its own, to try payments', load: () => import('./sandbox.ts') },
  search: { about: 'search from the command line', load: () => import('./search.ts') },
  import: { about: 'add records from a file', load: () => import('./import.ts') },
  export: { about: 'write records to a file', load: () => import('./export.ts') },
  data: { about: 'add or drop the shipped data set', load: () => import('./data.ts') },
  backup: { about: 'copy the database to a file', load: () => import('./backup.ts') },
  migrate: { about: 'move everything to another database', load: () => import('./migrate.ts') },
  key: { about: 'API keys', load: () => import('./key.ts') },
  wallet: { about: 'the wallet that pays, and its receipts', load: () => import('./wallet.ts') },
  account: { about: 'accounts and plans', load: () => import('./account.ts') },
  payments: { about: 'payments for searches', load: () => import('./payments.ts') },
  audit: { about: 'who changed what', load: () => import('./audit.ts') },
  doctor: { about: 'check settings, service, key and wallet', load: () => import('./doctor.ts') },
};
