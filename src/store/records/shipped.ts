import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { appendAuditEntry } from '../audit.ts';
import type { Engine } from '../engine.ts';
import { type Author, OPERATOR } from '../port/audit.ts';
import type { Records, RowInput, ShippedEdition, Upserted } from '../port/records.ts';
import { column, exists, run, type SqlProgram, value } from '../sql.ts';
import type { RecordTables } from './tables.ts';
import type { Writer } from './writer.ts';

export type ShippedWrites = Pick<Records, 'fillOnce' | 'addShipped' | 'updateShipped' | 'dropShipped'>;

interface ShippedParts {
  readonly writer: Writer;
  readonly tables: RecordTables;
  readonly now: () => Date;
  readonly settle: () => Promise<void>;
}

/** Records removed per transaction, to bound the time that other writers wait. */
const DROPPED_AT_ONCE = 200;
/** Referencing types first, so that records are not rewritten before they are dropped. */
const DROP_ORDER: readonly RecordType[] = [...RECORD_TYPES].reverse();

export function createShippedWrites(engine: Omit<Engine, 'close'>, parts: ShippedParts): ShippedWrites {
  const { runner } = engine;
  const dropShipped: Records['dropShipped'] = async (author = OPERATOR, isKept = () => false) => {
    let dropped = 0;
    for (const type of DROP_ORDER) {
      const shipped = await runner.query(parts.tables[type].shipped());
      const ids = shipped.filter(({ slug }) => !isKept(type, slug)).map(({ id }) => id);
      for (let start = 0; start < ids.length; start += DROPPED_AT_ONCE) {
        const part = { type, ids: ids.slice(start, start + DROPPED_AT_ONCE), author };
        await engine.awaitFollowers();
        dropped += await runner.transaction('records', dropPart(parts, part));
      }
    }
    await parts.settle();
    return dropped;
  };
  return {
    dropShipped,
    fillOnce: async (rows, edition) =>
      !(await runner.query(isFilled())) && (await runner.longTransaction('records', fillOnce(parts, rows, edition))),
    addShipped: (rows, { author = OPERATOR, edition } = {}) =>
      runner.longTransaction('records', addShipped(parts, rows, { author, edition })),
    updateShipped: async (rows, edition, isKept) => {
      if (!(await runner.query(isOutdated(edition)))) return undefined;
      const upserted = await runner.longTransaction('records', updateShipped(parts, rows, edition));
      return upserted && { upserted, dropped: await dropShipped(OPERATOR, isKept) };
    },
  };
}

const isFilled = (): SqlProgram<boolean> => exists("SELECT 1 FROM settings WHERE name = 'filled_at'");

function* fillOnce(parts: ShippedParts, rows: () => Iterable<RowInput>, edition?: ShippedEdition): SqlProgram<boolean> {
  const { writer, now } = parts;
  if (yield* isFilled()) return false;
  yield* writer.putAll(rows(), true);
  yield* run("INSERT INTO settings (name, value) VALUES ('filled_at', ?)", now().toISOString());
  yield* noteEdition(edition);
  return true;
}

/** Whether the database has another edition, and not that of a newer version. */
function* isOutdated({ digest, version }: ShippedEdition): SqlProgram<boolean> {
  const noted = yield* value<string>("SELECT value FROM settings WHERE name = 'shipped_edition'");
  const [storedDigest, storedVersion = ''] = (noted ?? '').split(' ');
  return storedDigest !== digest && storedVersion.localeCompare(version, 'en', { numeric: true }) <= 0;
}

function* noteEdition(edition: ShippedEdition | undefined): SqlProgram<void> {
  if (edition === undefined) return;
  yield* run("DELETE FROM settings WHERE name = 'shipped_edition'");
  const noted = `${edition.digest} ${edition.version}`;
  yield* run("INSERT INTO settings (name, value) VALUES ('shipped_edition', ?)", noted);
}

function* addShipped(
  { writer, now }: ShippedParts,
  rows: () => Iterable<RowInput>,
  { author, edition }: { readonly author: Author; readonly edition?: ShippedEdition | undefined },
): SqlProgram<readonly Upserted[]> {
  const upserted = yield* writer.putAll(rows(), true);
  yield* noteShipped({ author, now, action: 'data.add', records: upserted.length });
  yield* noteEdition(edition);
  return upserted;
}

/** Undefined if another process was first, or if the database has no shipped records to update. */
function* updateShipped(
  parts: ShippedParts,
  rows: () => Iterable<RowInput>,
  edition: ShippedEdition,
): SqlProgram<readonly Upserted[] | undefined> {
  if (!(yield* isOutdated(edition))) return undefined;
  let isShipped = false;
  const deleted = new Set<string>();
  for (const type of RECORD_TYPES) {
    isShipped ||= yield* exists(`SELECT 1 FROM ${type} WHERE is_shipped = 1 LIMIT 1`);
    for (const slug of yield* column<string>(`SELECT slug FROM ${type} WHERE deleted_at IS NOT NULL`))
      deleted.add(`${type} ${slug}`);
  }
  if (!isShipped) {
    yield* noteEdition(edition);
    return undefined;
  }
  const isLeft = ({ type, input }: RowInput): boolean => !deleted.has(`${type} ${input.slug}`);
  return yield* addShipped(parts, () => rowsThat(isLeft, rows()), { author: OPERATOR, edition });
}

function* rowsThat(isLeft: (row: RowInput) => boolean, rows: Iterable<RowInput>): Iterable<RowInput> {
  for (const row of rows) if (isLeft(row)) yield row;
}

/** Removes the records that are still unchanged. */
function* dropPart(
  { writer, tables, now }: ShippedParts,
  { type, ids, author }: { readonly type: RecordType; readonly ids: readonly number[]; readonly author: Author },
): SqlProgram<number> {
  const shipped = yield* tables[type].shippedOf(ids);
  if (shipped.length === 0) return 0;
  yield* writer.removeAll(type, shipped, 'deferred');
  yield* noteShipped({ author, now, action: 'data.drop', records: shipped.length });
  return shipped.length;
}

interface ShippedChange {
  readonly author: Author;
  readonly now: () => Date;
  readonly action: string;
  readonly records: number;
}

function noteShipped({ author, now, action, records }: ShippedChange): SqlProgram<void> {
  const after = JSON.stringify({ records });
  return appendAuditEntry({ author, at: now().toISOString(), action, type: 'data', id: null, after });
}
