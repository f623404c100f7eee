import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RECORD_TYPES } from '../../contract/entities/index.ts';
import type { RecordInput } from '../../contract/input.ts';
import type { Row } from '../port/records.ts';

/** The rows of a folder that holds one NDJSON file a type. */
export function* rowsOfFolder(folder: string): Iterable<Row> {
  for (const type of RECORD_TYPES) {
    const file = join(folder, `${type}.ndjson`);
    if (!existsSync(file)) continue;
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      if (line !== '') yield { type, input: JSON.parse(line) as RecordInput };
    }
  }
}
