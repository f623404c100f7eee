import { createWriteStream, statSync } from 'node:fs';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { RECORD_TYPES, type RecordType } from '../contract/entities/index.ts';
import { counted } from '../contract/value-text.ts';
import { exportText, sharedRecords } from '../store/export/export.ts';
import { FORMATS, type Format } from '../store/import/import-source.ts';
import { type Command, type FlagValues, FORCE_FLAG, option } from './command.ts';
import { ConfigError, splitList, UsageError } from './config.ts';
import { openConfiguredStore } from './configured-store.ts';
import { FORMAT_FLAG, formatOfName } from './file-formats.ts';
import { checkTarget, writeAtomically } from './new-file.ts';
import { printToStderr, visible } from './output.ts';

const STDOUT = '-';
const MODE = 0o666;

export const command: Command = {
  usage: 'export --type TYPE',
  about:
    'Write all records of a type as import takes them, to stdout or a file. Facts that may not be redistributed are omitted.',
  example: 'web3-bi export --type companies --output companies.csv',
  isPlain: true,
  flags: {
    type: option('TYPE', 'Kind of record.', { choices: RECORD_TYPES, required: true }),
    format: { ...FORMAT_FLAG, description: 'Format of the file; by default that of its name, and ndjson on stdout.' },
    output: option('FILE', 'File to write; - is stdout.', { default: STDOUT }),
    force: FORCE_FLAG,
  },
  run: async ({ settings, flags }) => {
    const type = flags['type'] as RecordType;
    const output = String(flags['output']);
    const format = formatFor(flags, output);
    const isForced = flags['force'] === true;
    const isFile = output !== STDOUT && !isDevice(output);
    if (isFile) checkTarget(output, isForced);
    const store = await openConfiguredStore(settings);
    let count = 0;
    const text = Readable.from(
      exportText(sharedRecords(store, splitList(settings.sync_redistribute ?? 'none')), { type, format }, () => {
        count += 1;
      }),
    );
    try {
      if (output === STDOUT) await pipeline(text, visibleParts, process.stdout, { end: false });
      else if (!isFile) await pipeline(text, createWriteStream(output));
      else
        await writeAtomically({ file: output, isForced, mode: MODE }, (partial) =>
          pipeline(text, createWriteStream(partial)),
        );
      if (isFile) printToStderr(`${counted(count, type)} written to ${output}`);
    } catch (cause) {
      return ended(cause, output);
    } finally {
      await store.close();
    }
  },
};

/** Format from the flag or the file name. They must not contradict each other. */
function formatFor({ format }: FlagValues, output: string): Format {
  if (format !== undefined) return format as Format;
  const named = output === STDOUT ? undefined : formatOfName(output);
  if (named !== undefined || extname(output) === '') return named ?? 'ndjson';
  throw new UsageError(`The file name ${output} has no known format; add --format with one of ${FORMATS.join(', ')}.`);
}

/** Devices such as /dev/null are written to directly, never replaced. */
function isDevice(output: string): boolean {
  const found = statSync(output, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

async function* visibleParts(parts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const part of parts) yield visible(part);
}

/** A closed pipe, as by head, is not an error. */
function ended(cause: unknown, output: string): void {
  const { code, syscall } = cause as NodeJS.ErrnoException;
  if (code === 'EPIPE') return;
  if (syscall === undefined) throw cause;
  throw new ConfigError(`${output} cannot be written (${code}); choose another file with --output.`, { cause });
}
