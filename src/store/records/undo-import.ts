import type { RecordType } from '../../contract/entities/index.ts';
import type { Source } from '../../contract/fields.ts';
import { groupBy } from '../../contract/group-by.ts';
import { inputOf } from '../../contract/input.ts';
import { relations } from '../../contract/relations.ts';
import { EDIT } from '../claims/claim-table.ts';
import type { Engine } from '../engine.ts';
import type { RecordRef } from '../port/analytics.ts';
import type { ImportUndo, Records, UndoneRecord } from '../port/records.ts';
import { all, runEach, type SqlProgram } from '../sql.ts';
import { hide } from './changes.ts';
import { deferComputed, markInvested } from './computed-fields.ts';
import type { Document } from './document.ts';
import { rewrite } from './merge.ts';
import { finishWork, type UnitOfWork } from './unit-of-work.ts';

/** What an import did to a record, of which `at` and `after` are of its last entry in the audit log. */
interface Imported {
  readonly id: number;
  readonly at: string;
  readonly type: RecordType;
  readonly record: number;
  /** The state before the import; null if it created the record. */
  readonly before: string | null;
  readonly after: string | null;
  /** The number of entries before the import, and the state before the first one after it. */
  readonly earlier: number;
  readonly next: string | null;
}

/** Records per transaction, to bound the time that other writers wait. */
const PART = 200;
const SAME = 'target_type = entry.target_type AND target_id = entry.target_id';
const OWN = `${SAME} AND request_id = entry.request_id AND action = 'import'`;
const IMPORTED = `SELECT entry.id, entry.at, entry.target_type AS type, entry.target_id AS record, begin.before, entry.after,
    (SELECT count(*) FROM audit WHERE ${SAME} AND id < begin.id) AS earlier,
    (SELECT before FROM audit WHERE ${SAME} AND id > entry.id ORDER BY id LIMIT 1) AS next
  FROM audit AS entry JOIN audit AS begin ON begin.id = (SELECT min(id) FROM audit WHERE ${OWN})
  WHERE entry.request_id = ? AND entry.action = 'import' AND entry.id < ?
    AND entry.account = coalesce(CAST(? AS TEXT), entry.account)
    AND NOT EXISTS (SELECT 1 FROM audit WHERE ${OWN} AND id > entry.id)
  ORDER BY entry.id DESC LIMIT ${PART}`;

/** @param settle applies what writes have deferred */
export function createImportUndo(
  { runner, awaitFollowers }: Omit<Engine, 'close'>,
  begin: () => UnitOfWork,
  settle: () => Promise<void>,
): Records['undoImport'] {
  return async function* undoImport(undo) {
    try {
      for (let last = Number.MAX_SAFE_INTEGER; ; ) {
        const part = await runner.query(all<Imported>(IMPORTED, undo.requestId, last, undo.account ?? null));
        const end = part.at(-1);
        if (end === undefined) return;
        last = end.id;
        await awaitFollowers();
        const program = undoPart(begin(), part, undo);
        yield* await (undo.isDryRun ? runner.dryRun('records', program) : runner.transaction('records', program));
      }
    } finally {
      if (!undo.isDryRun) await settle();
    }
  };
}

function* undoPart(work: UnitOfWork, part: readonly Imported[], undo: ImportUndo): SqlProgram<UndoneRecord[]> {
  const undone: UndoneRecord[] = [];
  const unedited: string[][] = [];
  for (const type of new Set(part.map((imported) => imported.type)))
    yield* work.tables[type].load({ ids: part.flatMap(({ type: own, record }) => (own === type ? record : [])) });
  for (const imported of part) {
    const outcome = yield* undoRecord(work, imported, undo);
    undone.push(outcome);
    // Nobody had edited the fields before the import, so sources may change them again.
    if (imported.earlier === 0)
      unedited.push(...outcome.restored.map((field) => [EDIT, `${imported.type}/${imported.record}`, field]));
  }
  if (undo.isDryRun) return undone;
  yield* finishWork(work, 'later', deferComputed);
  yield* runEach('DELETE FROM claims WHERE source = ? AND key = ? AND field = ?', unedited);
  return undone;
}

function* undoRecord(work: UnitOfWork, imported: Imported, { author }: ImportUndo): SqlProgram<UndoneRecord> {
  const { type, record: id, at, before, after, next } = imported;
  const row = yield* work.tables[type].byId(id);
  if (row === undefined) return { type, slug: String(id), name: String(id), restored: [], left: [], change: 'gone' };
  const current = JSON.parse(row.document) as Document;
  const found = { type, slug: row.slug, name: current.name, restored: [], left: [] };
  const entry = { author, at: work.moment, action: 'import.undo', type, id, before: row.document };
  if (before === null) {
    // The state that it was created in is only stored once it is changed.
    const made = after ?? next;
    const isAsMade =
      made === null ? current['updated_at'] === at : changedIn(current, JSON.parse(made) as Document).length === 0;
    if (!isAsMade) return { ...found, change: 'left' };
    const referrers = yield* hide(work, type, row);
    work.auditEntries.push(entry);
    return { ...found, change: 'deleted', namedBy: yield* namesOf(work, referrers) };
  }
  const earlier = JSON.parse(before) as Document;
  const written = JSON.parse(after ?? before) as Document;
  const changed = changedIn(current, earlier).filter(
    (field) => field !== 'sources' && JSON.stringify(earlier[field]) !== JSON.stringify(written[field]),
  );
  const since = changedIn(current, written);
  const left = changed.filter((field) => since.includes(field));
  const restored = changed.filter((field) => !since.includes(field));
  const sources = restoredSources(current, { earlier, written });
  const isCited = JSON.stringify(sources) === JSON.stringify(current['sources']);
  if (restored.length === 0 && isCited) return { ...found, change: left.length > 0 ? 'left' : 'unchanged', left };
  const fields = Object.fromEntries(restored.map((field) => [field, earlier[field]]));
  const document = yield* rewrite(work, type, current, { ...fields, sources });
  markInvested(work, { type, id });
  work.edited.push({ document, fields: restored });
  work.auditEntries.push({ ...entry, after: JSON.stringify(document) });
  return { ...found, change: 'restored', restored: [...restored, ...(isCited ? [] : ['sources'])], left };
}

/** The sources of a record without what an import changed of them; later changes of them are kept. */
function restoredSources(
  current: Document,
  { earlier, written }: { readonly earlier: Document; readonly written: Document },
): Source[] {
  const [now, before, made] = [datedSources(current), datedSources(earlier), datedSources(written)];
  return [...new Map([...before, ...now])].flatMap(([key, entry]) => {
    const present = now.get(key)?.fields;
    const [had, got] = [before.get(key)?.fields ?? [], made.get(key)?.fields ?? []];
    const isNew = (field: string): boolean => !had.includes(field) && !got.includes(field);
    const stayed = had.filter((field) => present?.includes(field) || !got.includes(field));
    const fields = [...stayed, ...(present ?? []).filter(isNew)];
    return fields.length === 0 && present?.length !== 0 ? [] : { ...entry, fields };
  });
}

/** The sources of a record by address and date. */
const datedSources = (record: Document): ReadonlyMap<string, Source> =>
  new Map((record['sources'] as Source[]).map((entry) => [`${entry.source} ${entry.as_of}`, entry]));

/** Records by type and slug, each once. */
function* namesOf(work: UnitOfWork, records: readonly RecordRef[]): SqlProgram<string[]> {
  const names = new Set<string>();
  for (const [type, some] of groupBy(records, (record) => record.type)) {
    yield* work.tables[type].loadNamed({ ids: some.map(({ id }) => id) });
    for (const { id } of some) {
      const named = yield* work.tables[type].namedById(id);
      if (named !== undefined) names.add(`${type}/${named.slug}`);
    }
  }
  return [...names];
}

/** The writable fields in which a record differs from a state, but for what links add when records arrive. */
function changedIn(record: Document, other: Document): string[] {
  return Object.keys(inputOf(record.type as RecordType).shape).filter(
    (field) => statedText(record[field]) !== statedText(other[field]),
  );
}

const LINK_KEYS: ReadonlySet<string> = new Set(relations.flatMap(({ keys }) => [keys.id, keys.slug, keys.type]));

const statedText = (value: unknown): string =>
  JSON.stringify(value, (key, part: unknown) => (LINK_KEYS.has(key) ? undefined : part));
