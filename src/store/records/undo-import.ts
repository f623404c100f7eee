import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { inputOf } from '../../contract/input.ts';
import { relations } from '../../contract/relations.ts';
import { EDIT } from '../claims/claim-table.ts';
import type { Engine } from '../engine.ts';
import type { ImportUndo, Records, UndoneRecord } from '../port/records.ts';
import { all, runEach, type SqlProgram, value } from '../sql.ts';
import { hide } from './changes.ts';
import { deferComputed, markInvested } from './computed-fields.ts';
import type { Document } from './document.ts';
import { rewrite } from './merge.ts';
import type { StoredRow } from './tables.ts';
import { finishWork, type UnitOfWork } from './unit-of-work.ts';

/** Entries per transaction, to bound the time that other writers wait. */
const PART = 200;
const ENTRIES = `SELECT id, at, target_type AS type, target_id AS record, before, after FROM audit
  WHERE request_id = ? AND action = 'import' AND id < ? ORDER BY id DESC LIMIT ${PART}`;

/** An entry of an import in the audit log; one without a state before is of a new record. */
interface Entry {
  readonly id: number;
  readonly at: string;
  readonly type: RecordType;
  readonly record: number;
  readonly before: string | null;
  readonly after: string | null;
}

/** @param settle applies what writes have deferred */
export function createImportUndo(
  { runner, awaitFollowers }: Omit<Engine, 'close'>,
  begin: () => UnitOfWork,
  settle: () => Promise<void>,
): Records['undoImport'] {
  return async function* undoImport(undo) {
    try {
      for (let last = Number.MAX_SAFE_INTEGER; ; ) {
        const entries = await runner.query(all<Entry>(ENTRIES, undo.requestId, last));
        const end = entries.at(-1);
        if (end === undefined) return;
        last = end.id;
        await awaitFollowers();
        const program = undoPart(begin(), entries, undo);
        yield* await (undo.isDryRun ? runner.dryRun('records', program) : runner.transaction('records', program));
      }
    } finally {
      if (!undo.isDryRun) await settle();
    }
  };
}

function* undoPart(work: UnitOfWork, entries: readonly Entry[], undo: ImportUndo): SqlProgram<UndoneRecord[]> {
  const undone: UndoneRecord[] = [];
  const unedited: string[][] = [];
  for (const type of RECORD_TYPES) {
    const ids = [...new Set(entries.flatMap((entry) => (entry.type === type ? entry.record : [])))];
    if (ids.length === 0) continue;
    const histories = yield* historiesOf(work, type, ids, undo.requestId);
    yield* work.tables[type].load({ ids });
    for (const entry of entries) {
      const history = histories.get(entry.record);
      // Of several entries about a record, the last one stands for all.
      if (entry.type !== type || history?.last !== entry.id) continue;
      const outcome = yield* undoRecord(work, { entry, history, undo });
      undone.push(outcome);
      // Nobody had edited the fields before, so sources may change them again.
      if (history.eldest === history.first)
        unedited.push(...outcome.restored.map((field) => [EDIT, `${type}/${entry.record}`, field]));
    }
  }
  if (undo.isDryRun) return undone;
  yield* finishWork(work, 'later', deferComputed);
  yield* runEach('DELETE FROM claims WHERE source = ? AND key = ? AND field = ?', unedited);
  return undone;
}

interface History {
  readonly record: number;
  /** The first and last entry of all, and those of the import. */
  readonly eldest: number;
  readonly newest: number;
  readonly first: number;
  readonly last: number;
  /** State before the import; null if it created the record. */
  readonly before: string | null;
}

function* historiesOf(
  { dialect }: UnitOfWork,
  type: RecordType,
  ids: readonly number[],
  requestId: string,
): SqlProgram<ReadonlyMap<number, History>> {
  const own = "CASE WHEN request_id = ? AND action = 'import' THEN id END";
  const sql = `SELECT history.*, audit.before FROM (SELECT target_id AS record, min(id) AS eldest, max(id) AS newest,
      min(${own}) AS first, max(${own}) AS last FROM audit WHERE target_type = ? AND target_id IN (${dialect.numbersOf}) GROUP BY target_id)
    AS history JOIN audit ON audit.id = history.first`;
  const rows = yield* all<History>(sql, requestId, requestId, type, JSON.stringify(ids));
  return new Map(rows.map((row) => [row.record, row]));
}

interface Undoing {
  readonly entry: Entry;
  readonly history: History;
  readonly undo: ImportUndo;
}

function* undoRecord(work: UnitOfWork, { entry, history, undo }: Undoing): SqlProgram<UndoneRecord> {
  const { type, record: id, at, after } = entry;
  const row = yield* work.tables[type].byId(id);
  const found = { type, slug: row?.slug ?? String(id), restored: [], left: [] };
  if (row === undefined) return { ...found, change: 'gone' };
  const { author } = undo;
  const entryOf = (state: object | null): void =>
    void work.auditEntries.push({
      ...{ author, at: work.moment, action: 'import.undo', type, id, before: row.document },
      after: state && JSON.stringify(state),
    });
  if (history.before !== null && after !== null) {
    const changed = { before: JSON.parse(history.before), after: JSON.parse(after) };
    return { ...found, ...(yield* setBack(work, row, changed, entryOf)) };
  }
  // A new record's state is in its entry only if it was changed again, and otherwise in that of its next change.
  const made = after ?? (history.newest > history.last ? yield* value<string>(NEXT, type, id, history.last) : null);
  const current = JSON.parse(row.document) as Document;
  const isAsMade = made == null ? current['updated_at'] === at : changedIn(current, JSON.parse(made)).length === 0;
  if (!isAsMade) return { ...found, change: 'left' };
  yield* hide(work, type, row);
  entryOf(null);
  return { ...found, change: 'deleted' };
}

const NEXT = 'SELECT before FROM audit WHERE target_type = ? AND target_id = ? AND id > ? ORDER BY id LIMIT 1';

/** Sets back the fields that the import changed and nobody else has since. */
function* setBack(
  work: UnitOfWork,
  row: StoredRow,
  { before, after }: { readonly before: Document; readonly after: Document },
  note: (state: object) => void,
): SqlProgram<Pick<UndoneRecord, 'change' | 'restored' | 'left'>> {
  const current = JSON.parse(row.document) as Document;
  const type = current.type as RecordType;
  const changed = changedIn(current, before).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  const left = changedIn(current, after).filter((field) => changed.includes(field));
  const restored = changed.filter((field) => !left.includes(field));
  if (restored.length === 0) return { change: left.length > 0 ? 'left' : 'unchanged', restored, left };
  const fields = Object.fromEntries(restored.map((field) => [field, before[field]]));
  const document = yield* rewrite(work, type, current, fields);
  markInvested(work, { type, id: current.id });
  work.edited.push({ document, fields: restored });
  note(document);
  return { change: 'restored', restored, left };
}

/** The writable fields in which two states differ. */
const changedIn = (one: Document, other: Document): string[] =>
  Object.keys(inputOf(one.type as RecordType).shape).filter(
    (field) => statedText(one[field]) !== statedText(other[field]),
  );

/** What links add to references when their records arrive. */
const LINK_KEYS: ReadonlySet<string> = new Set(relations.flatMap(({ keys }) => [keys.id, keys.slug, keys.type]));

/** A value without what links add to it. */
const statedText = (value: unknown): string =>
  JSON.stringify(value, (key, part: unknown) => (LINK_KEYS.has(key) ? undefined : part));
