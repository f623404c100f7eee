import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { RECORD_TYPES } from '../contract/entities/index.ts';
import { exportText } from '../store/export/export.ts';
import { FORMATS } from '../store/import/source.ts';
import type { Command } from './command.ts';
import { ConfigError } from './config.ts';
import { formatOfFlag, typeOf } from './import.ts';
import { openConfiguredStore } from './storage.ts';

export const command: Command = {
  usage: 'export --type T',
  wordsMax: 0,
  about: 'Write all records of a type as import takes them, to stdout or a file.',
  example: 'web3-bi export --type companies --format csv --output companies.csv',
  flags: {
    type: { type: 'string', value: 'T', description: `One of ${RECORD_TYPES.join(', ')}.` },
    format: { type: 'string', value: 'F', description: `One of ${FORMATS.join(', ')}; ndjson by default.` },
    output: { type: 'string', value: 'FILE', description: 'File to write instead of stdout; - is stdout.' },
  },
  settings: ['database', 'data', 'state-dir'],
  run: async ({ settings, flags }) => {
    const type = typeOf(flags['type']);
    const format = formatOfFlag(flags['format']) ?? 'ndjson';
    const { output = '-' } = flags;
    const store = await openConfiguredStore(settings);
    try {
      const text = Readable.from(exportText(store.records, type, format));
      if (output === '-') await pipeline(text, process.stdout, { end: false });
      else await pipeline(text, createWriteStream(String(output)));
      return 0;
    } catch (cause) {
      return ended(cause, String(output));
    } finally {
      await store.close();
    }
  },
};

/** A reader that has had enough, such as head, is no fault. */
function ended(cause: unknown, output: string): number {
  const { code, syscall } = cause as NodeJS.ErrnoException;
  if (code === 'EPIPE') return 0;
  if (syscall === undefined) throw cause;
  throw new ConfigError(`${output} cannot be written (${code}); choose another file with --output.`, { cause });
}
