import { RECORD_TYPES } from '../contract/entities/index.ts';
import type { AuditEntry } from '../store/port/audit.ts';
import { type Command, JSON_FLAG } from './command.ts';
import { ConfigError } from './config.ts';
import { printJson, printTable, tell } from './output.ts';
import { openConfiguredStore } from './storage.ts';

const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 1_000;
const KINDS: readonly string[] = [...RECORD_TYPES, 'keys', 'accounts', 'data'];

export const command: Command = {
  usage: 'audit',
  wordsMax: 0,
  about:
    'Show who changed which record, key or account, the newest first. With --json also the states before and after.',
  example: 'web3-bi audit --type companies --record 12 --json',
  flags: {
    type: { type: 'string', value: 'T', description: `Only changes of one kind: ${KINDS.join(', ')}.` },
    record: { type: 'string', value: 'N', description: 'Only changes of what has this number.' },
    before: { type: 'string', value: 'N', description: 'Only entries before this one, to go on from a page.' },
    limit: { type: 'string', value: 'N', description: `Entries at most, ${LIMIT_DEFAULT} by default.` },
    json: JSON_FLAG,
  },
  settings: ['database', 'data', 'state-dir'],
  run: async ({ settings, flags }) => {
    const query = {
      type: kindOf(flags['type']),
      id: numberOf(flags, 'record'),
      before: numberOf(flags, 'before'),
      limit: Math.min(numberOf(flags, 'limit') ?? LIMIT_DEFAULT, LIMIT_MAX),
    };
    const store = await openConfiguredStore(settings);
    try {
      const entries = await store.audit.list(query);
      if (flags['json'] === true) printJson(entries);
      else if (entries.length === 0) tell('No entries.');
      else printTable([HEADING, ...entries.map(cellsOf)]);
      return 0;
    } finally {
      await store.close();
    }
  },
};

const HEADING = ['ENTRY', 'AT', 'ACCOUNT', 'KEY', 'ACTION', 'TARGET', 'ADDRESS', 'REQUEST'];

function cellsOf(entry: AuditEntry): string[] {
  const target = entry.target_id === null ? entry.target_type : `${entry.target_type} ${entry.target_id}`;
  const shown = [entry.id, entry.at, entry.account, entry.key_id, entry.action, target, entry.address];
  return [...shown, entry.request_id].map((cell) => String(cell ?? '-'));
}

function kindOf(given: unknown): string | undefined {
  if (given === undefined || KINDS.includes(String(given))) return given as string | undefined;
  throw new ConfigError(`--type must be one of ${KINDS.join(', ')}.`);
}

function numberOf(flags: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const given = flags[name];
  if (given === undefined) return undefined;
  if (/^[1-9]\d{0,14}$/.test(String(given))) return Number(given);
  throw new ConfigError(`--${name} must be a whole number from 1, such as --${name} 12.`);
}
