import { counted } from '../contract/value-text.ts';
import type { Engine } from '../store/engine.ts';
import { openEngine } from '../store/open.ts';
import { type TransferProgress, type TransferReport, transfer } from '../store/transfer/transfer.ts';
import { type Command, option } from './command.ts';
import { ConfigError, UsageError } from './config.ts';
import { refuseMissingFile, shownUrl } from './database-url.ts';
import { print, printJson } from './output.ts';
import { createStageProgress } from './progress.ts';

const DATABASE = /^(sqlite:(?!:memory:)|postgres(ql)?:\/\/)./;

export const command: Command = {
  usage: 'migrate --from URL --to URL',
  about:
    'Move everything from one database to an empty one, such as from SQLite to PostgreSQL, and compare them by counts and ' +
    'checksums. Stop the service first. The same command resumes an interrupted run.',
  example: 'web3-bi migrate --from sqlite:./web3-bi.db --to postgres://user:password@localhost/web3bi',
  flags: {
    from: option('URL', 'Database to move.', { required: true }),
    to: option('URL', 'Empty database to move it to.', { required: true }),
  },
  settings: [],
  run: async ({ flags }) => {
    const from = databaseOf(flags['from'], 'from');
    const to = databaseOf(flags['to'], 'to');
    if (from === to) throw new UsageError('--from and --to name the same database.');
    refuseMissingFile(from, 'name another with --from');
    const source = await opened(from);
    const target = await opened(to);
    const steps = createStageProgress();
    const onProgress = ({ step, table, rows, total }: TransferProgress): void =>
      steps.show(`${STEPS[step]} ${rows} of ${total} ${table.replaceAll('_', ' ')}`, rows, total);
    try {
      const report = await transfer({ source, target, onProgress }).finally(steps.end);
      if (flags['json'] === true) printJson({ from: shownUrl(from), to: shownUrl(to), ...report });
      else print(summaryOf(report));
    } finally {
      await source.close();
      await target.close();
    }
  },
};

function databaseOf(given: unknown, flag: string): string {
  if (typeof given === 'string' && DATABASE.test(given)) return given;
  throw new UsageError(`--${flag} must be sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME.`);
}

async function opened(url: string): Promise<Engine> {
  try {
    return await openEngine(url);
  } catch (cause) {
    const { message, code } = cause as NodeJS.ErrnoException;
    throw new ConfigError(`The database ${shownUrl(url)} cannot be opened (${message || code}).`, { cause });
  }
}

const STEPS: Readonly<Record<TransferProgress['step'], string>> = {
  move: 'moved',
  index: 'indexed',
  check: 'compared',
};

function summaryOf({ tables, isResumed }: TransferReport): string {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  const resumed = isResumed ? ' An earlier run was resumed.' : '';
  return `${counted(rows, 'rows')} of ${Object.keys(tables).length} tables are the same in both databases.${resumed}`;
}
