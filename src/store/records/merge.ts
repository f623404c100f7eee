import type { NamedType, RecordType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { inputOf } from '../../contract/input.ts';
import { foldName } from '../../contract/names.ts';
import { appendAuditEntry } from '../audit.ts';
import { DERIVED_FIELDS, EDIT, RECORD } from '../claims/claim-table.ts';
import type { Author } from '../port/audit.ts';
import { all, column, run, runEach, type SqlProgram, value } from '../sql.ts';
import { refuseTakenSlug } from './changes.ts';
import { computedFields, markInvested, noteLeaving, noteRecorded } from './computed-fields.ts';
import { blankInput, composeDocument, type Document, identityKeys, isStated } from './document.ts';
import { isInvestingType, type RecordedInvestments } from './investments.ts';
import type { StoredRow } from './tables.ts';
import {
  beginWork,
  finishWork,
  markEarlier,
  markGone,
  markStale,
  saveRecord,
  type UnitOfWork,
  type WriterParts,
} from './unit-of-work.ts';
import { checkInput } from './validate-input.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Identity of list items: the folded name; for sources the whole value. */
function itemKey(item: unknown): string {
  const { name, organization, title } = (typeof item === 'object' ? item : { name: item }) as Fields;
  const named = name ?? organization;
  return typeof named === 'string' ? `${foldName(named)} ${title ?? ''}` : JSON.stringify(item);
}

/** The items of a list, then those of another that it lacks by their names. */
export function united(kept: readonly unknown[], more: readonly unknown[]): unknown[] {
  const known = new Set(kept.map(itemKey));
  return [...kept, ...more.filter((item) => !known.has(itemKey(item)))];
}

const isKnown = (value: unknown): boolean => value !== null && value !== undefined;

/**
 * The fields that change when another record, or a row about it, is merged into a remaining one: fills unknown fields,
 * unites lists, and adds its name and slug as aliases.
 */
export function mergedFields(type: NamedType, survivor: Document, other: Fields): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  for (const field of Object.keys(blankInput(type))) {
    const [own, more] = [survivor[field], other[field]];
    if (field === 'month_only') continue;
    if (Array.isArray(own) && Array.isArray(more)) {
      const all = united(own, more);
      if (all.length > own.length) changed[field] = all;
    } else if (!isKnown(own) && isKnown(more)) changed[field] = more;
  }
  const aliases = (changed['aliases'] ?? survivor['aliases']) as readonly string[];
  const keys = new Set([...identityKeys(survivor), ...aliases.map(foldName)]);
  const more = [other['name'], other['slug']].filter((name): name is string => typeof name === 'string');
  for (const name of more) {
    if (keys.has(foldName(name))) continue;
    keys.add(foldName(name));
    changed['aliases'] = [...((changed['aliases'] ?? aliases) as readonly string[]), name];
  }
  return { ...changed, ...mergedDates(type, { survivor, other, changed }) };
}

const FIRST = ['first_investment_date'];
const LAST = ['last_investment_date', 'as_of'];

/** The earlier first and the later last of the dates. Each date is of a month alone if the record says so that it is from. */
function mergedDates(
  type: NamedType,
  { survivor, other, changed }: { readonly survivor: Document; readonly other: Fields; readonly changed: Fields },
): Fields {
  const isOther = (field: string): boolean => {
    const [own, more] = [survivor[field], other[field]];
    if (typeof own !== 'string' || typeof more !== 'string') return Object.hasOwn(changed, field);
    return (FIRST.includes(field) && more < own) || (LAST.includes(field) && more > own);
  };
  const dates = [...FIRST, ...LAST].filter(isOther).map((field) => [field, other[field]]);
  const months = [survivor, other].flatMap((record) =>
    ((record['month_only'] ?? []) as readonly string[]).filter((field) => isOther(field) === (record === other)),
  );
  const isNew = 'month_only' in blankInput(type) && JSON.stringify(months) !== JSON.stringify(survivor['month_only']);
  return { ...Object.fromEntries(dates), ...(isNew && { month_only: months }) };
}

/** The fields that a matched row writes: its values, and its name as an alias. */
export function joinedFields(type: NamedType, survivor: Document, given: Fields): Record<string, unknown> {
  const { name: _, slug: __, ...values } = given;
  const { aliases, sources } = mergedFields(type, survivor, given);
  const lists = Object.entries({ aliases, sources }).filter(([, list]) => list !== undefined);
  const { aliases: ___, sources: ____, ...own } = values;
  return { ...own, ...Object.fromEntries(lists) };
}

/** Two records to merge, the first of which remains. */
interface Merge {
  readonly type: NamedType;
  readonly survivorId: number;
  readonly mergedId: number;
  readonly author: Author;
}

export interface MergeUndo {
  /** The remaining record before and after. */
  readonly before: Document;
  readonly after: Document;
  readonly links: readonly MovedLink[];
  readonly slugs: readonly string[];
  readonly claims: readonly ClaimKey[];
  /** Fields now claimed only by those sources, whose values the remaining record keeps. */
  readonly held: readonly string[];
  /** The rounds on record that the merged record's fields followed; absent from merges by older versions. */
  readonly followed?: RecordedInvestments;
}

type MovedLink = readonly [relation: string, fromId: number, key: string];

type ClaimKey = readonly [source: string, key: string];

const conflict = (message: string): ServiceError => new ServiceError('invalid_parameter', message);

/** Merges a record into another one; it is hidden and kept, and links, slugs and its id redirect to the other. */
export function* mergeRecords(parts: WriterParts, merge: Merge, now: Date): SqlProgram<MergeUndo> {
  const { type, survivorId, mergedId, author } = merge;
  const work = beginWork(parts, now);
  const table = work.tables[type];
  const [survivor, merged] = [documentOf(yield* table.byId(survivorId)), documentOf(yield* table.byId(mergedId))];
  const links = (yield* all<{ relation: string; from_id: number; key: string }>(
    'SELECT relation, from_id, key FROM links WHERE to_type = ? AND to_id = ? ORDER BY relation, from_id, position',
    type,
    mergedId,
  )).map(({ relation, from_id, key }): MovedLink => [relation, from_id, key]);
  const slugs = yield* column<string>(
    'SELECT slug FROM former_slugs WHERE type = ? AND id = ? ORDER BY slug',
    type,
    mergedId,
  );
  const followed = isInvestingType(type)
    ? (yield* work.investments.recorded(type, [mergedId])).get(mergedId)
    : undefined;
  table.markUnshipped(mergedId);
  yield* table.setDeleted(mergedId, work.moment);
  markGone(work, type, merged);
  yield* work.links.moveAll(type, mergedId, survivorId);
  yield* run('UPDATE former_slugs SET id = ? WHERE type = ? AND id = ?', survivorId, type, mergedId);
  // A slug contains a letter, so an id cannot collide with one.
  for (const address of [merged.slug, String(mergedId)]) yield* table.rememberSlug(address, survivorId);
  const moved = yield* moveClaims(type, survivor, mergedId);
  const fields = mergedFields(type, survivor, merged);
  markInvested(work, { type, id: survivorId });
  yield* rewrite(work, type, survivor, fields);
  work.edited.push({ document: survivor, fields: moved.held });
  markStale(work, yield* work.linker.referrers(type, survivorId));
  yield* finishWork(work);
  const after = documentOf(yield* parts.tables[type].byId(survivorId));
  yield* audit(work, merge, 'duplicates.merge', survivor, after);
  yield* appendAuditEntry({
    author,
    at: work.moment,
    action: 'duplicates.merge',
    type,
    id: mergedId,
    before: JSON.stringify(merged),
  });
  return { before: survivor, after, links, slugs, ...moved, ...(followed && { followed }) };
}

/** Undoes a merge. Later changes and links of the remaining record are kept. */
export function* undoMerge(parts: WriterParts, merge: Merge, undo: MergeUndo, now: Date): SqlProgram<void> {
  const { type, survivorId, mergedId } = merge;
  const work = beginWork(parts, now);
  const table = work.tables[type];
  const survivor = documentOf(yield* table.byId(survivorId));
  const row = yield* value<string>(`SELECT document FROM ${type} WHERE id = ?`, mergedId);
  if (row === undefined) throw conflict('The merged record no longer exists.');
  const merged = JSON.parse(row) as Document;
  yield* refuseTakenSlug(table, merged.slug);
  yield* table.setDeleted(mergedId, null);
  yield* run('DELETE FROM former_slugs WHERE type = ? AND slug IN (?, ?)', type, merged.slug, String(mergedId));
  yield* runEach(
    'UPDATE former_slugs SET id = ? WHERE type = ? AND slug = ? AND id = ?',
    undo.slugs.map((slug) => [mergedId, type, slug, survivorId]),
  );
  yield* runEach(
    'UPDATE claims SET id = ? WHERE source = ? AND key = ? AND id = ?',
    undo.claims.map(([source, key]) => [mergedId, source, key, survivorId]),
  );
  yield* runEach(
    'DELETE FROM claims WHERE source = ? AND key = ? AND field = ?',
    undo.held.map((field) => [EDIT, `${type}/${survivorId}`, field]),
  );
  yield* noteRecorded(work, [{ type, id: survivorId }]);
  yield* work.links.moveBack(type, { from: survivorId, to: mergedId, links: undo.links });
  yield* rewrite(work, type, survivor, revertedFields(survivor, undo));
  yield* work.linker.resolvePending(merged);
  yield* work.linker.refresh(merged);
  markInvested(work, { type, id: mergedId, ...(undo.followed && { before: undo.followed }) });
  saveRecord(work, merged);
  markStale(work, [
    ...(yield* work.linker.referrers(type, mergedId)),
    ...(yield* work.linker.referrers(type, survivorId)),
  ]);
  yield* finishWork(work);
  const after = documentOf(yield* parts.tables[type].byId(survivorId));
  yield* audit(work, merge, 'duplicates.undo', survivor, after);
}

/** Moves claims to the remaining record. Its own existing values take precedence. */
function* moveClaims(
  type: NamedType,
  survivor: Document,
  mergedId: number,
): SqlProgram<Pick<MergeUndo, 'claims' | 'held'>> {
  const own = [EDIT, RECORD, DERIVED_FIELDS];
  const rows = yield* all<{ source: string; key: string; field: string; id: number }>(
    'SELECT source, key, field, id FROM claims WHERE type = ? AND id IN (?, ?) ORDER BY source, key, field',
    type,
    survivor.id,
    mergedId,
  );
  const moved = rows.filter(({ source, id }) => id === mergedId && !own.includes(source));
  const claims = [...new Map(moved.map(({ source, key }) => [`${source} ${key}`, [source, key] as const])).values()];
  yield* runEach(
    'UPDATE claims SET id = ? WHERE source = ? AND key = ?',
    claims.map(([source, key]) => [survivor.id, source, key]),
  );
  const claimed = new Set(rows.filter(({ id }) => id === survivor.id).map(({ field }) => field));
  const fields = [...new Set(moved.map(({ field }) => field))];
  return { claims, held: fields.filter((field) => !claimed.has(field) && isStated(survivor[field])) };
}

const audit = (
  work: UnitOfWork,
  { type, survivorId, author }: Merge,
  action: string,
  before: Document,
  after: Document,
) =>
  appendAuditEntry({
    author,
    at: work.moment,
    action,
    type,
    id: survivorId,
    before: JSON.stringify(before),
    after: JSON.stringify(after),
  });

function documentOf(row: StoredRow | undefined): Document {
  if (row === undefined) throw conflict('One of the two records was deleted or merged again; undo that first.');
  return JSON.parse(row.document) as Document;
}

/** Writes fields of a stored record as they are. */
export function* rewrite(
  work: UnitOfWork,
  type: RecordType,
  earlier: Document,
  changed: Record<string, unknown>,
): SqlProgram<Document> {
  const { id, slug, name } = earlier;
  const input = checkInput(type, { name, ...changed });
  const document = composeDocument(type, { slug, updated_at: work.moment }, input, earlier);
  yield* work.linker.linkStated(document, new Set(Object.keys(changed)));
  yield* noteLeaving(work, earlier, document);
  work.tables[type].markUnshipped(id);
  markEarlier(work, earlier);
  if (type === 'companies') work.funded.add(id);
  saveRecord(work, document);
  return document;
}

/** Restores fields changed by the merge and not since; computed ones follow the rounds, if there are any. */
function revertedFields(survivor: Document, { before, after }: MergeUndo): Record<string, unknown> {
  const isAsMerged = (field: string): boolean => JSON.stringify(survivor[field]) === JSON.stringify(after[field]);
  const wasChanged = (field: string): boolean => JSON.stringify(before[field]) !== JSON.stringify(after[field]);
  const type = survivor.type as NamedType;
  const [writable, computed] = [inputOf(type).shape, computedFields(type)];
  const fields = Object.keys(before).filter(
    (field) => Object.hasOwn(writable, field) && wasChanged(field) && (isAsMerged(field) || computed.includes(field)),
  );
  return Object.fromEntries(fields.map((field) => [field, before[field]]));
}
