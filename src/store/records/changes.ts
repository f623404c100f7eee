import { etagOf, RESTORE_DAYS, type RecordAction } from '../../contract/changes.ts';
import { isNamedType, type RecordType } from '../../contract/entities/index.ts';
import { invalidAt, SENT, ServiceError } from '../../contract/errors.ts';
import { newBodies } from '../../contract/input.ts';
import { DAY_MS } from '../../contract/periods.ts';
import { appendAuditEntry } from '../audit.ts';
import { changedFields, sourcedFields, sourcesAfter } from '../claims/claim-table.ts';
import type { RecordRef } from '../port/analytics.ts';
import type { Changed, DeletedRecord, FoundRecord, IdempotencyKey, RecordChange } from '../port/records.ts';
import { first, run, type SqlProgram } from '../sql.ts';
import { computedOf, noteLeaving } from './computed-fields.ts';
import { blankInput, composeDocument, type Document, isStated, withOwnComputed } from './document.ts';
import { isInvestingType, understated, withoutInvestments } from './investments.ts';
import type { DeletedRow, RecordLookup, StoredRow } from './tables.ts';
import {
  beginWork,
  finishWork,
  insertRecord,
  markEarlier,
  markGone,
  markStale,
  saveRecord,
  type UnitOfWork,
  type WriterParts,
} from './unit-of-work.ts';
import { checkBody, checkInput, checkNew, mergePatch } from './validate-input.ts';

/** How long a request with the same key gets the stored response. */
const RESPONSE_LIFE_MS = DAY_MS;
/** Expired responses deleted with each new one, to bound the table without sweeps. */
const SWEEP_MAX = 100;

const FIND = 'SELECT fingerprint, answer FROM idempotency WHERE scope = ? AND key = ? AND created_at > ?';
const KEEP = `INSERT INTO idempotency (scope, key, fingerprint, answer, created_at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (scope, key) DO UPDATE
  SET fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at`;
const SWEEP = `DELETE FROM idempotency WHERE (scope, key) IN
  (SELECT scope, key FROM idempotency WHERE created_at <= ? ORDER BY created_at LIMIT ${SWEEP_MAX})`;

const oldest = (now: Date): string => new Date(now.getTime() - RESPONSE_LIFE_MS).toISOString();

/** The stored response of a key, if there is one. Throws `idempotency_mismatch` if it was used for another request. */
function* findStoredResponse({ scope, key, fingerprint }: IdempotencyKey, now: Date): SqlProgram<Outcome | undefined> {
  const stored = yield* first<{ fingerprint: string; answer: string }>(FIND, scope, key, oldest(now));
  if (stored === undefined) return undefined;
  if (stored.fingerprint === fingerprint) return JSON.parse(stored.answer) as Outcome;
  throw new ServiceError('idempotency_mismatch', SENT.idempotency_mismatch);
}

function* storeResponse({ scope, key, fingerprint }: IdempotencyKey, answer: unknown, now: Date): SqlProgram<void> {
  yield* run(SWEEP, oldest(now));
  yield* run(KEEP, scope, key, fingerprint, JSON.stringify(answer), now.toISOString());
}

/** Expired deleted records purged with each deletion. */
const PURGE_MAX = 100;

type Outcome = Omit<Changed, 'isReplay'>;

export function* changeRecord(parts: WriterParts, change: RecordChange, now: () => Date): SqlProgram<Changed> {
  const { idempotencyKey, author, action, type } = change;
  const moment = now();
  const earlier = idempotencyKey && (yield* findStoredResponse(idempotencyKey, moment));
  if (earlier !== undefined) return { ...earlier, isReplay: true };
  const work = beginWork(parts, moment);
  const { id, before } = yield* ACTIONS[action](work, change);
  yield* finishWork(work);
  const position = yield* work.index.position(author);
  const outcome = { ...(yield* outcomeOf(work, change, id)), position };
  const after = action === 'delete' ? null : outcome.json;
  if (before !== after) yield* appendAuditEntry({ author, at: work.moment, action, type, id, before, after });
  if (idempotencyKey !== undefined) yield* storeResponse(idempotencyKey, outcome, moment);
  return { ...outcome, isReplay: false };
}

interface Done {
  readonly id: number;
  readonly before: string | null;
}

const ACTIONS: Readonly<Record<RecordAction, (work: UnitOfWork, change: RecordChange) => SqlProgram<Done>>> = {
  create,
  replace: (work, change) =>
    update(work, change, ({ type, input }) => ({ ...blankInput(type), ...checkBody(type, input) })),
  merge: (work, change) =>
    update(work, change, ({ type, input }, earlier) => mergePatch(type, earlier, checkBody(type, input))),
  delete: remove,
  restore,
};

function* create(work: UnitOfWork, { type, input }: RecordChange): SqlProgram<Done> {
  const checkedInput = checkInput(type, checkBody(type, input, newBodies), 'new record');
  checkNew(type, checkedInput);
  if (checkedInput.slug !== undefined) yield* refuseTakenSlug(work.tables[type], checkedInput.slug);
  const document = yield* insertRecord(work, type, checkedInput, false);
  work.edited.push({ document, fields: sourcedFields(document) });
  return { id: document.id, before: null };
}

function* update(
  work: UnitOfWork,
  change: RecordChange,
  compose: (change: RecordChange, earlier: Document) => Record<string, unknown>,
): SqlProgram<Done> {
  const { type } = change;
  const table = work.tables[type];
  const stored = yield* findRow(table, change);
  const earlier = JSON.parse(stored.document) as Document;
  const { id } = earlier;
  const composed = compose(change, earlier);
  const input = checkInput(type, { name: earlier.name, ...composed });
  if (change.action === 'replace') checkNew(type, input);
  yield* refuseComputed(work, earlier, input);
  const slug = input.slug ?? earlier.slug;
  if (slug !== earlier.slug) yield* refuseTakenSlug(table, slug);
  const document = composeDocument(type, { slug }, input, earlier);
  Object.assign(document, yield* computedOf(work, document));
  // Linking may write to the database.
  yield* noteLeaving(work, earlier);
  yield* work.linker.linkStated(document, new Set(Object.keys(composed)));
  if (JSON.stringify(document) === stored.document) return { id, before: stored.document };
  table.markUnshipped(id);
  markEarlier(work, earlier);
  const fields = changedFields(earlier, document);
  document['sources'] = sourcesAfter(earlier, document, fields);
  saveRecord(work, withOwnComputed({ ...document, updated_at: work.moment }));
  work.edited.push({ document, fields });
  if (slug !== earlier.slug) {
    yield* table.rememberSlug(earlier.slug, id);
    markStale(work, yield* work.linker.referrers(type, id));
  }
  return { id, before: stored.document };
}

/** Throws for values of fields computed from rounds: of a company, unless they are equal; of others, if they are less. */
function* refuseComputed(
  { funding, investments }: UnitOfWork,
  document: Document,
  input: Readonly<Record<string, unknown>>,
): SqlProgram<void> {
  const { type, id } = document as Document & { readonly type: RecordType };
  const faults = isInvestingType(type)
    ? understated(type, input, yield* investments.of(type, id))
    : changedFunding(yield* funding.ofRecord(type, id), input);
  if (faults.length === 0) return;
  throw new ServiceError('invalid_parameter', faults.map(({ message }) => message).join('; '), { errors: faults });
}

function changedFunding(computed: object, input: Readonly<Record<string, unknown>>) {
  return Object.entries(computed)
    .filter(([field, value]) => isStated(input[field]) && JSON.stringify(input[field]) !== JSON.stringify(value))
    .map(([field]) => ({
      location: `body.${field}`,
      message: `${field} is computed from the company's known rounds; change those`,
    }));
}

/** Soft-deletes a record. Its links remain for a restore. */
function* remove(work: UnitOfWork, change: RecordChange): SqlProgram<Done> {
  const { type } = change;
  const row = yield* findRow(work.tables[type], change);
  yield* hide(work, type, row);
  yield* purge(work, type);
  return { id: row.id, before: row.document };
}

/** Hides a record, which can be restored. Returns the records that reference it. */
export function* hide(work: UnitOfWork, type: RecordType, row: StoredRow): SqlProgram<readonly RecordRef[]> {
  const { id, document } = row;
  const table = work.tables[type];
  table.markUnshipped(id);
  const removed = JSON.parse(document) as Document;
  yield* noteLeaving(work, removed);
  if (isInvestingType(type)) table.update(withoutInvestments(type, removed, yield* work.investments.of(type, id)));
  yield* table.setDeleted(id, work.moment);
  markGone(work, type, removed);
  if (!isNamedType(type)) return [];
  const referrers = yield* work.linker.referrers(type, id);
  markStale(work, referrers);
  return referrers;
}

function* purge(work: UnitOfWork, type: RecordType): SqlProgram<void> {
  const table = work.tables[type];
  const ids = yield* table.deletedBefore(restorableSince(work.moment), PURGE_MAX);
  if (ids.length === 0) return;
  work.relinked.push(...(yield* work.linker.unlink(type, ids)));
  yield* table.removeAll(ids);
}

function* restore(work: UnitOfWork, change: RecordChange): SqlProgram<Done> {
  const { type, target = '' } = change;
  const table = work.tables[type];
  const row = yield* findDeleted(table, target, work.moment);
  if (row === undefined) {
    yield* findRow(table, { ...change, expected: undefined });
    throw new ServiceError('not_deleted', SENT.not_deleted);
  }
  refuseOtherVersion(row, change);
  const document = JSON.parse(row.document) as Document;
  yield* refuseTakenSlug(table, document.slug);
  yield* table.setDeleted(row.id, null);
  yield* work.linker.resolvePending(document);
  yield* work.linker.refresh(document);
  Object.assign(document, yield* computedOf(work, document));
  saveRecord(work, document);
  markStale(work, yield* work.linker.referrers(type, row.id));
  return { id: row.id, before: null };
}

const isNumber = (target: string): boolean => /^\d{1,15}$/.test(target);

/** A record by id or slug, including former ones. */
export function* findLive(table: RecordLookup, target: string): SqlProgram<StoredRow | undefined> {
  // The id of a merged record resolves to the remaining one.
  if (/^\d+$/.test(target))
    return isNumber(target) ? ((yield* table.byId(Number(target))) ?? (yield* table.byFormerSlug(target))) : undefined;
  // Databases reject NUL in parameters, and no slug contains one.
  if (target.includes('\0')) return undefined;
  return (yield* table.bySlug(target)) ?? (yield* table.byFormerSlug(target));
}

export function findDeleted(table: RecordLookup, target: string, moment: string): SqlProgram<DeletedRow | undefined> {
  const idOrSlug = isNumber(target) ? Number(target) : target.replaceAll('\0', ' ');
  return table.deleted(idOrSlug, restorableSince(moment));
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

/** The record to change. Throws `not_found`, or `precondition_failed` for another version. */
function* findRow(table: RecordLookup, change: RecordChange): SqlProgram<StoredRow> {
  const row = yield* findLive(table, change.target ?? '');
  if (row === undefined) {
    throw new ServiceError('not_found', 'There is no record of this number or slug; search by its name.');
  }
  refuseOtherVersion(row, change);
  return row;
}

function refuseOtherVersion({ version }: StoredRow, { expected }: RecordChange): void {
  if (expected === undefined || expected.includes(version)) return;
  throw new ServiceError('precondition_failed', SENT.precondition_failed, {
    headers: { ETag: etagOf(version) },
  });
}

export function* refuseTakenSlug(table: RecordLookup, slug: string): SqlProgram<void> {
  const holder = yield* table.bySlug(slug);
  if (holder === undefined) return;
  throw invalidAt(
    'body.slug',
    `slug: record ${holder.id} has it; choose another or change that record`,
    'slug_conflict',
  );
}

function* outcomeOf(
  { tables, moment }: UnitOfWork,
  { action, type }: RecordChange,
  id: number,
): SqlProgram<Omit<Outcome, 'position'>> {
  if (action === 'delete') {
    return deletedRecord((yield* tables[type].deleted(id, restorableSince(moment))) as DeletedRow);
  }
  const found = foundRecord((yield* tables[type].byId(id)) as StoredRow);
  return { ...found, deletedAt: null, purgeAt: null };
}
