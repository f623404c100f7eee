import { statSync } from 'node:fs';
import { extname } from 'node:path';
import { RECORD_TYPES, type RecordType } from '../contract/entities/index.ts';
import { type ImportRequest, importRows } from '../store/import/import.ts';
import type { ImportReport } from '../store/import/report.ts';
import { FORMATS, type Format, openFile, readSource, spool } from '../store/import/source.ts';
import type { Store } from '../store/store.ts';
import { type Command, JSON_FLAG } from './command.ts';
import { ConfigError } from './config.ts';
import { summarize } from './import-summary.ts';
import { createProgress } from './progress.ts';
import { openLastingStore } from './storage.ts';

const STDIN = '-';
/** As a shell tells of a process that SIGINT ended. */
const INTERRUPTED = 130;
const EXTENSIONS: Readonly<Record<string, Format>> = { '.jsonl': 'ndjson', '.ldjson': 'ndjson' };

export const command: Command = {
  usage: 'import FILE --type T',
  wordsMax: 1,
  about:
    'Add or change records from a CSV, JSON or NDJSON file; - reads stdin. Bad rows are reported, the others kept.',
  example: 'web3-bi import companies.csv --type companies',
  flags: {
    type: { type: 'string', value: 'T', description: `One of ${RECORD_TYPES.join(', ')}.` },
    format: {
      type: 'string',
      value: 'F',
      description: `One of ${FORMATS.join(', ')}; by default as the file is named.`,
    },
    strict: { type: 'boolean', description: 'Write nothing if a row is bad or a field is unknown.' },
    'dry-run': { type: 'boolean', description: 'Write nothing; say what would be done.' },
    json: JSON_FLAG,
  },
  settings: ['database', 'data', 'state-dir'],
  run: async ({ settings, flags, words }) => {
    const file = words[0];
    if (file === undefined) throw new ConfigError(`import needs a FILE, such as: ${command.example}`);
    const type = typeOf(flags['type']);
    const format = formatOfFlag(flags['format']) ?? formatOfName(file);
    if (file !== STDIN) checkFile(file);
    const isStrict = flags['strict'] === true;
    const ways = { isStrict, isDryRun: flags['dry-run'] === true, isJson: flags['json'] === true };
    const spooled = file === STDIN && isStrict ? await spool(process.stdin) : undefined;
    const store = await openLastingStore(settings);
    try {
      return await importFile(store, { type, format, path: spooled?.path ?? file, ...ways });
    } finally {
      await store.close();
      spooled?.remove();
    }
  },
};

/** The type of a flag that names one. */
export function typeOf(flag: string | boolean | undefined): RecordType {
  if ((RECORD_TYPES as readonly unknown[]).includes(flag)) return flag as RecordType;
  throw new ConfigError(`--type must be one of ${RECORD_TYPES.join(', ')}.`);
}

/** The format of a flag, or undefined when it is not given. */
export function formatOfFlag(flag: string | boolean | undefined): Format | undefined {
  if (flag === undefined) return undefined;
  if ((FORMATS as readonly unknown[]).includes(flag)) return flag as Format;
  throw new ConfigError(`--format must be one of ${FORMATS.join(', ')}.`);
}

/** The format that a file's name says; stdin has none, and tells by how it begins. */
function formatOfName(file: string): Format | undefined {
  if (file === STDIN) return undefined;
  const extension = extname(file).toLowerCase();
  const format = EXTENSIONS[extension] ?? FORMATS.find((candidate) => extension === `.${candidate}`);
  if (format !== undefined) return format;
  throw new ConfigError(`The name of ${file} does not say its format; add --format with one of ${FORMATS.join(', ')}.`);
}

function checkFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new ConfigError(`There is no file ${file}.`);
  if (found.isDirectory()) throw new ConfigError(`${file} is a folder; import takes a file.`);
}

interface Job {
  readonly type: RecordType;
  readonly format: Format | undefined;
  readonly path: string;
  readonly isStrict: boolean;
  readonly isDryRun: boolean;
  readonly isJson: boolean;
}

/** A strict import is tried first: what would be refused is then not begun. */
async function importFile(store: Store, job: Job): Promise<number> {
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  process.once('SIGINT', interrupt);
  try {
    const isTried = job.isDryRun || job.isStrict;
    const trial = isTried ? await pass(store, job, { isDryRun: true, signal: interruption.signal }) : undefined;
    const isRefused = job.isStrict && trial !== undefined && (trial.failed > 0 || trial.ignoredFields.size > 0);
    const isDryRun = trial !== undefined && (job.isDryRun || isRefused || trial.isStopped);
    const report = isDryRun ? trial : await pass(store, job, { isDryRun: false, signal: interruption.signal });
    summarize(report, { isDryRun, isRefused, isJson: job.isJson });
    if (report.isStopped) return INTERRUPTED;
    return report.failed > 0 || isRefused ? 1 : 0;
  } finally {
    process.removeListener('SIGINT', interrupt);
  }
}

type Way = Pick<ImportRequest, 'isDryRun' | 'signal'>;

async function pass({ records }: Store, { type, format, path }: Job, way: Way): Promise<ImportReport> {
  const isStdin = path === STDIN;
  const stream = isStdin ? process.stdin : openFile(path);
  const progress = createProgress(isStdin ? undefined : statSync(path).size, stream);
  try {
    const source = await readSource(stream, { type, format }, way.signal);
    return await importRows({ records, type, source, ...way, onBatch: ({ read }) => progress.show(read) });
  } catch (cause) {
    const { code, syscall } = cause as NodeJS.ErrnoException;
    if (syscall === undefined) throw cause;
    throw new ConfigError(`${path} cannot be read (${code}).`, { cause });
  } finally {
    progress.end();
    stream.destroy();
  }
}
