import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RECORD_TYPES, type RecordType } from '../contract/entities/index.ts';
import { countText } from '../contract/value-text.ts';
import { GRANT } from '../contract/vocabulary.ts';
import { rowsOfFolder } from '../store/import/ndjson.ts';
import type { RowInput, ShippedEdition, Upserted } from '../store/port/records.ts';
import type { Store } from '../store/store.ts';
import { UsageError } from './config.ts';
import { packageFolder, packageVersion } from './package.ts';
import { createStageProgress } from './progress.ts';
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

/** Updates the shipped records, but those changed, added or deleted since; undefined if they are up to date. */
export async function updateShippedData({ records }: Pick<Store, 'records'>): Promise<string | undefined> {
  const edition = shippedEdition();
  if (edition === undefined) return undefined;
  const { rows, isKept, end } = shippedUpdate();
  const done = await records.updateShipped(rows, edition, isKept).finally(end);
  if (done === undefined) return undefined;
  const { unchanged: _, ...changes } = countChanges(done.upserted, done.dropped);
  return `Updated the shipped records of this database to version ${edition.version}: ${changesText(changes)}.`;
}

/** The shipped rows with progress, and which records an update keeps: those of the rows, and of packs. */
export function shippedUpdate() {
  const progress = createStageProgress();
  const keys = new Set<string>();
  const rows = (): Iterable<RowInput> => {
    const shipped = [...shippedRows()];
    for (const { type, input } of [...shipped, ...packNames().flatMap((name) => [...packRows(name)])])
      keys.add(`${type} ${input.slug}`);
    return countedRows(shipped, progress);
  };
  const isKept = (type: RecordType, slug: string): boolean => keys.has(`${type} ${slug}`);
  return { rows, isKept, end: progress.end };
}

export function* countedRows(
  rows: readonly RowInput[],
  { show }: ReturnType<typeof createStageProgress>,
): Iterable<RowInput> {
  for (const [index, row] of rows.entries()) {
    const done = index + 1;
    show(`${countText(done)} of ${countText(rows.length)} records`, done, rows.length);
    yield row;
  }
}

export function countChanges(upserted: readonly Upserted[], dropped?: number) {
  const counts = { created: 0, updated: 0, unchanged: 0 };
  for (const { change } of upserted) counts[change] += 1;
  return { ...counts, ...(dropped !== undefined && { dropped }) };
}

export const changesText = (changes: Readonly<Record<string, number>>): string =>
  Object.entries(changes)
    .map(([what, count]) => `${countText(count)} ${what}`)
    .join(', ');
