import { etagOf, RESTORE_DAYS, type RecordAction } from '../../contract/changes.ts';
import type { RecordType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Change, Changed, DeletedRecord, FoundRecord } from '../port/records.ts';
import { checkBody, mergePatch } from '../records/body.ts';
import { blankInput, checkInput, checkNew, composeDocument, type Document } from '../records/document.ts';
import type { Answers } from './idempotency.ts';
import type { DeletedRow, RecordTables, StoredRow } from './tables.ts';
import {
  beginWork,
  finishWork,
  insertRecord,
  isSearched,
  noteFunded,
  noteNamed,
  noteStale,
  saveRecord,
  type Work,
  type WriterParts,
} from './work.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Records whose time to be restored is over that go with each deletion. */
const PURGE_MAX = 100;

/** A record after its change, without what an answer adds. */
type Outcome = Omit<Changed, 'isReplay'>;

/** Makes one change of one record; the caller holds the transaction. */
export function createChanges(
  parts: WriterParts,
  answers: Answers<Outcome>,
  now: () => Date,
): (change: Change) => Changed {
  return (change) => {
    const moment = now();
    const { once } = change;
    const earlier = once && answers.find(once, moment);
    if (earlier !== undefined) return { ...earlier, isReplay: true };
    const work = beginWork(parts, moment);
    const { id, before } = ACTIONS[change.action](work, change);
    finishWork(work);
    const outcome = outcomeOf(work, change, id);
    const after = change.action === 'delete' ? null : outcome.json;
    const { author, action, type } = change;
    if (before !== after) work.audit({ author, at: work.moment, action, type, id, before, after });
    if (once !== undefined) answers.keep(once, outcome, moment);
    return { ...outcome, isReplay: false };
  };
}

/** What an action did: to which record, and the state that it found. */
interface Done {
  readonly id: number;
  readonly before: string | null;
}

const ACTIONS: Readonly<Record<RecordAction, (work: Work, change: Change) => Done>> = {
  create,
  replace: (work, change) =>
    update(work, change, ({ type, input }) => ({ ...blankInput(type), ...checkBody(type, input) })),
  merge: (work, change) =>
    update(work, change, ({ type, input }, earlier) => mergePatch(type, earlier, checkBody(type, input))),
  delete: remove,
  restore,
};

function create(work: Work, { type, input }: Change): Done {
  const given = checkInput(type, checkBody(type, input));
  checkNew(type, given);
  if (given.slug !== undefined) refuseTakenSlug(work.tables[type], given.slug);
  return { id: insertRecord(work, type, given, false).id, before: null };
}

/** Writes a kept record anew with the fields that `compose` gives. */
function update(
  work: Work,
  change: Change,
  compose: (change: Change, earlier: Document) => Record<string, unknown>,
): Done {
  const { type } = change;
  const table = work.tables[type];
  const stored = findRow(table, change);
  const earlier = JSON.parse(stored.document) as Document;
  const { id } = earlier;
  const given = compose(change, earlier);
  const input = checkInput(type, { name: earlier.name, ...given });
  if (change.action === 'replace') checkNew(type, input);
  refuseComputed(work, earlier, input);
  const slug = input.slug ?? earlier.slug;
  if (slug !== earlier.slug) refuseTakenSlug(table, slug);
  const times = { created_at: String(earlier['created_at']), updated_at: String(earlier['updated_at']) };
  const document = composeDocument(type, { id, slug, ...times }, input, earlier);
  Object.assign(document, work.funding.of(type, id));
  work.linker.linkGiven(document, new Set(Object.keys(given)));
  if (JSON.stringify(document) === stored.document) return { id, before: stored.document };
  table.disown(id);
  noteFunded(work, earlier);
  // A name that it gave up may have been the other one's too: what named both leads to that one now.
  noteNamed(work, earlier);
  saveRecord(work, { ...document, updated_at: work.moment });
  if (slug !== earlier.slug) {
    table.rememberSlug(earlier.slug, id);
    noteStale(work, work.linker.naming(type, id));
  }
  return { id, before: stored.document };
}

/** What is computed from the rounds cannot be written; the value that stands there already may be sent back. */
function refuseComputed(work: Work, { type, id }: Document, input: Readonly<Record<string, unknown>>): void {
  const computed = Object.entries(work.funding.of(type as RecordType, id));
  const faults = computed
    .filter(([field, value]) => input[field] != null && input[field] !== value)
    .map(([field]) => ({
      location: `body.${field}`,
      message: `${field} is computed from the company's known rounds; change those`,
    }));
  if (faults.length === 0) return;
  throw new ServiceError('invalid_parameter', faults.map(({ message }) => message).join('; '), { errors: faults });
}

/** Takes a record out of sight. Its links stay, so that it can come back as it was. */
function remove(work: Work, change: Change): Done {
  const { type } = change;
  const table = work.tables[type];
  const { id, document } = findRow(table, change);
  table.disown(id);
  table.setDeleted(id, work.moment);
  const removed = JSON.parse(document) as Document;
  noteFunded(work, removed);
  if (isSearched(type)) {
    work.names.set(type, id, []);
    work.index.remove(type, id);
    noteStale(work, work.linker.naming(type, id));
    // A name that two records bore led to neither; now it may lead to the other one.
    noteNamed(work, removed);
  }
  purge(work, type);
  return { id, before: document };
}

function purge(work: Work, type: RecordType): void {
  const table = work.tables[type];
  for (const id of table.deletedBefore(restorableSince(work.moment), PURGE_MAX)) {
    work.linker.unlink(type, id);
    table.remove(id);
  }
}

function restore(work: Work, change: Change): Done {
  const { type, target = '' } = change;
  const table = work.tables[type];
  const row = findDeleted(table, target, work.moment);
  if (row === undefined) {
    findRow(table, { ...change, expected: undefined });
    throw new ServiceError('not_deleted', 'The record is not deleted; there is nothing to restore');
  }
  refuseOtherVersion(row, change);
  const document = JSON.parse(row.document) as Document;
  refuseTakenSlug(table, document.slug);
  table.setDeleted(row.id, null);
  work.linker.linkOpen(document);
  work.linker.refresh(document);
  saveRecord(work, document);
  noteStale(work, work.linker.naming(type, row.id));
  return { id: row.id, before: null };
}

const isNumber = (target: string): boolean => /^\d{1,15}$/.test(target);

/** A record by number or slug, also one that it had before. */
export function findLive(table: RecordTables[RecordType], target: string): StoredRow | undefined {
  if (/^\d+$/.test(target)) return isNumber(target) ? table.byId(Number(target)) : undefined;
  return table.bySlug(target) ?? table.byFormerSlug(target);
}

export function findDeleted(table: RecordTables[RecordType], target: string, moment: string): DeletedRow | undefined {
  return table.deleted(isNumber(target) ? Number(target) : target, restorableSince(moment));
}

export const foundRecord = ({ id, slug, version, document }: StoredRow): FoundRecord => ({
  id,
  slug,
  version,
  json: document,
});

export function deletedRecord(row: DeletedRow): DeletedRecord {
  return { ...foundRecord(row), deletedAt: row.deleted_at, purgeAt: laterBy(row.deleted_at, RESTORE_DAYS) };
}

const laterBy = (moment: string, days: number): string => new Date(Date.parse(moment) + days * DAY_MS).toISOString();
const restorableSince = (moment: string): string => laterBy(moment, -RESTORE_DAYS);

/** The record a change is about, in a version that the caller expects. */
function findRow(table: RecordTables[RecordType], change: Change): StoredRow {
  const row = findLive(table, change.target ?? '');
  if (row === undefined) {
    throw new ServiceError('not_found', 'There is no record of this number or slug; search finds it by name.');
  }
  refuseOtherVersion(row, change);
  return row;
}

function refuseOtherVersion({ version }: StoredRow, { expected }: Change): void {
  if (expected === undefined || expected.includes(version)) return;
  throw new ServiceError('precondition_failed', 'The record has changed since you read it; read it again first', {
    headers: { ETag: etagOf(version) },
  });
}

function refuseTakenSlug(table: RecordTables[RecordType], slug: string): void {
  const holder = table.bySlug(slug);
  if (holder === undefined) return;
  const message = `slug: record ${holder.id} has it; choose another or change that record`;
  throw new ServiceError('slug_conflict', message, { errors: [{ location: 'body.slug', message }] });
}

function outcomeOf({ tables, moment }: Work, { action, type }: Change, id: number): Outcome {
  if (action === 'delete') return deletedRecord(tables[type].deleted(id, restorableSince(moment)) as DeletedRow);
  const found = foundRecord(tables[type].byId(id) as StoredRow);
  return { ...found, deletedAt: null, purgeAt: null };
}
