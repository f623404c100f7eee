import { RECORD_TYPES } from '../contract/entities/index.ts';
import { type AuditEntry, fieldsChangedBy } from '../store/port/audit.ts';
import { type Command, numberOption, option } from './command.ts';
import { withStore } from './configured-store.ts';
import { printJson, printTable, printToStderr, shownTime } from './output.ts';

const KINDS: readonly string[] = [...RECORD_TYPES, 'keys', 'accounts', 'data'];

export const command: Command = {
  usage: 'audit',
  about: 'Show changes of records, keys and accounts, newest first. With --json also the states before and after.',
  example: 'web3-bi audit --type companies --record 12 --json',
  flags: {
    type: option('TYPE', 'Only changes of one kind.', { choices: KINDS }),
    record: numberOption('Only changes of the object with this number.'),
    before: numberOption('Only entries before this one, to continue from a page.'),
    limit: numberOption('Entries to show.', { max: 1_000, default: 20 }),
  },
  run: ({ settings, flags }) => {
    const query = {
      type: flags['type'] as string | undefined,
      id: flags['record'] as number | undefined,
      before: flags['before'] as number | undefined,
      limit: Number(flags['limit']),
    };
    return withStore(settings, async ({ audit }) => {
      const entries = await audit.list(query);
      if (flags['json'] === true) printJson(entries);
      else if (entries.length === 0) printToStderr('No entries.');
      else printTable([HEADING, ...entries.map(cellsOf)], FIT);
    });
  },
};

const HEADING = ['ENTRY', 'AT', 'ACCOUNT', 'KEY', 'ACTION', 'TARGET', 'FIELDS', 'ADDRESS', 'REQUEST'];
const FIT = {
  whole: ['ENTRY', 'AT', 'ACTION', 'TARGET'],
  dropped: ['REQUEST', 'ADDRESS', 'KEY', 'FIELDS', 'ACCOUNT'],
};

type State = Readonly<Record<string, unknown>>;

function cellsOf(entry: AuditEntry): string[] {
  const before = (entry.before ?? {}) as State;
  const after = (entry.after ?? {}) as State;
  const target = [entry.target_type, entry.target_id, after['slug'] ?? before['slug']];
  const shown = [entry.id, shownTime(entry.at), entry.account, entry.key_id, entry.action, target.join(' ').trim()];
  return [...shown, fieldsChangedBy(entry).join(', ') || '-', entry.address, entry.request_id].map((cell) =>
    String(cell ?? '-'),
  );
}
