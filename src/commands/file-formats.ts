import { extname } from 'node:path';
import { FORMATS, type Format } from '../store/import/import-source.ts';
import type { Flag } from './command.ts';

export const FORMAT_FLAG = { type: 'string', value: 'FORMAT', choices: FORMATS } as const satisfies Partial<Flag>;

const EXTENSIONS: Readonly<Record<string, Format>> = { '.jsonl': 'ndjson', '.ldjson': 'ndjson' };

/** The format of a file name's extension. Undefined if it is unknown. */
export function formatOfName(file: string): Format | undefined {
  const extension = extname(file).toLowerCase();
  return EXTENSIONS[extension] ?? FORMATS.find((format) => extension === `.${format}`);
}
