import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RECORD_TYPES, type RecordType } from '../contract/entities/index.ts';
import { GRANT } from '../contract/vocabulary.ts';
import { rowsOfFolder } from '../store/import/ndjson.ts';
import type { RowInput, ShippedEdition } from '../store/port/records.ts';
import { UsageError } from './config.ts';
import { packageFolder, packageVersion } from './package.ts';
import { didYouMean } from './suggest.ts';

export const shippedRows = (): Iterable<RowInput> => rowsOfFolder(join(packageFolder(), 'dist', 'data'));

/** The edition that the build has noted. */
export function shippedEdition(): ShippedEdition | undefined {
  const file = join(packageFolder(), 'dist', 'data', 'digest');
  return existsSync(file) ? { digest: readFileSync(file, 'utf8'), version: packageVersion() } : undefined;
}

const packsFolder = (): string => join(packageFolder(), 'dist', 'data', 'packs');

/** Names of the packs: records under a separate licence, added only on request. */
export const packNames = (): readonly string[] => (existsSync(packsFolder()) ? readdirSync(packsFolder()) : []);

/** Rows of a pack. Throws if there is none of that name. */
export function packRows(name: string): Iterable<RowInput> {
  const names = packNames();
  if (!names.includes(name))
    throw new UsageError(`There is no pack ${name}.${didYouMean(name, names) || ` There is ${names.join(', ')}.`}`);
  return rowsOfFolder(join(packsFolder(), name));
}

/** What a data set holds: records by type, grants apart from funding rounds, and its newest date. */
export type Contents = ReturnType<typeof contentsOf>;

export function contentsOf(rows: Iterable<RowInput>) {
  const records = { ...Object.fromEntries(RECORD_TYPES.map((type) => [type, 0])), grants: 0 } as Record<
    RecordType | 'grants',
    number
  >;
  let newest = '';
  for (const { type, input } of rows) {
    records[type === 'rounds' && input['stage'] === GRANT ? 'grants' : type] += 1;
    for (const { as_of } of statementsOf(input)) if (as_of != null && as_of > newest) newest = as_of;
  }
  return { as_of: newest || null, records };
}

export interface ShippedPart {
  readonly records: number;
  readonly as_of: string | null;
}

/** Counts rows by origin; an origin is the prefix of a source. */
export function shippedBy(rows: Iterable<RowInput>, origins: readonly string[]): ReadonlyMap<string, ShippedPart> {
  const parts = new Map<string, ShippedPart>(origins.map((origin) => [origin, { records: 0, as_of: null }]));
  for (const { input } of rows) {
    const statements = statementsOf(input);
    for (const [origin, { records, as_of }] of parts) {
      const dates = statements.filter(({ source }) => source.startsWith(origin)).map((one) => one.as_of ?? '');
      if (dates.length === 0) continue;
      const newest = [...dates, as_of ?? ''].sort().at(-1);
      parts.set(origin, { records: records + 1, as_of: newest || null });
    }
  }
  return parts;
}

interface Statement {
  readonly source: string;
  readonly as_of?: string | null;
}

const statementsOf = (input: RowInput['input']): readonly Statement[] =>
  (input['sources'] ?? []) as readonly Statement[];
