import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { RECORD_TYPES } from '../../contract/entities/index.ts';
import type { RecordInput } from '../../contract/input.ts';
import type { RowInput } from '../port/records.ts';

/** Rows of a folder with one NDJSON file per type, optionally compressed by Brotli. */
export function* rowsOfFolder(folder: string): Iterable<RowInput> {
  for (const type of RECORD_TYPES) {
    const file = join(folder, `${type}.ndjson`);
    const isPlain = existsSync(file);
    if (!isPlain && !existsSync(`${file}.br`)) continue;
    const text = isPlain
      ? readFileSync(file, 'utf8')
      : brotliDecompressSync(readFileSync(`${file}.br`)).toString('utf8');
    for (const line of text.split('\n')) {
      if (line !== '') yield { type, input: JSON.parse(line) as RecordInput };
    }
  }
}
