import type { RecordType } from '../../contract/entities/index.ts';
import type { Source } from '../../contract/fields.ts';
import { groupBy } from '../../contract/group-by.ts';
import type { Document } from '../records/document.ts';
import { all, type Dialect, insertRows, run, runEach, type SqlProgram } from '../sql.ts';

/** Built-in sources: edits by people and keys, and values from before the first sync. */
export const EDIT = 'edit';
export const RECORD = 'record';
export const DERIVED_FIELDS = 'derived';

/** A field claimed by a source; the value is JSON text. */
export interface ClaimRow {
  readonly source: string;
  readonly key: string;
  readonly field: string;
  readonly type: RecordType;
  readonly id: number | null;
  readonly value: string;
  readonly as_of: string | null;
  readonly seen_at: string;
  readonly url: string;
}

const COLUMNS = ['source', 'key', 'field', 'type', 'id', 'value', 'as_of', 'seen_at', 'url'] as const;

export const insertClaims = (rows: readonly ClaimRow[]): SqlProgram<void> =>
  insertRows(
    'claims',
    COLUMNS,
    rows.map((row) => COLUMNS.map((column) => row[column])),
  );

export const claimsOfKeys = ({ textsOf }: Dialect, source: string, keys: readonly string[]): SqlProgram<ClaimRow[]> =>
  all(`SELECT * FROM claims WHERE source = ? AND key IN (${textsOf})`, source, JSON.stringify(keys));

export const claimsOfRecords = (
  { numbersOf }: Dialect,
  type: RecordType,
  ids: readonly number[],
): SqlProgram<ClaimRow[]> =>
  all(`SELECT * FROM claims WHERE type = ? AND id IN (${numbersOf})`, type, JSON.stringify(ids));

export function* claimedFields(
  { numbersOf }: Dialect,
  type: RecordType,
  ids: readonly number[],
): SqlProgram<ReadonlyMap<number, readonly string[]>> {
  const sql = `SELECT DISTINCT id, field FROM claims WHERE type = ? AND id IN (${numbersOf})`;
  const rows = yield* all<{ id: number; field: string }>(sql, type, JSON.stringify(ids));
  return new Map([...groupBy(rows, ({ id }) => id)].map(([id, fields]) => [id, fields.map(({ field }) => field)]));
}

export const deleteKeys = ({ textsOf }: Dialect, source: string, keys: readonly string[]): SqlProgram<void> =>
  run(`DELETE FROM claims WHERE source = ? AND key IN (${textsOf})`, source, JSON.stringify(keys));

/** Fields that identify a record or state its sources. */
const NO_FACTS: ReadonlySet<string> = new Set([
  ...['type', 'id', 'slug', 'is_verified', 'as_of', 'unlisted_since', 'sources', 'created_at', 'updated_at'],
  ...['unsourced', 'unsourced_fields'],
]);

export const changedFields = (before: Readonly<Record<string, unknown>>, after: Document): string[] =>
  Object.keys(after).filter(
    (field) => !NO_FACTS.has(field) && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );

/**
 * The sources of a record after an edit of some fields. Those that it had before no longer state these, except lists that the
 * edit only made longer; a source that the edit gives anew, as with another date, states what it says.
 */
export function sourcesAfter(earlier: Document, edited: Document, fields: readonly string[]): readonly Source[] {
  const restated = new Set(fields.filter((field) => !isLonger(earlier[field], edited[field])));
  const known = new Set(((earlier['sources'] ?? []) as Source[]).map((entry) => JSON.stringify(entry)));
  return ((edited['sources'] ?? []) as Source[]).flatMap((entry) => {
    const left = entry.fields.filter((field) => !restated.has(field));
    if (left.length === entry.fields.length || !known.has(JSON.stringify(entry))) return entry;
    return left.length === 0 ? [] : { ...entry, fields: left };
  });
}

/** Whether the second of two values is a list that has each item of the first. */
export function isLonger(list: unknown, longer: unknown): boolean {
  if (!Array.isArray(list) || !Array.isArray(longer)) return false;
  const items = new Set(longer.map((item) => JSON.stringify(item)));
  return list.every((item) => items.has(JSON.stringify(item)));
}

/** Fields covered by a record's sources. Values of other fields count as edits. */
export const sourcedFields = (document: Document): string[] => [
  ...new Set(((document['sources'] ?? []) as { fields: string[] }[]).flatMap(({ fields }) => fields)),
];

/** Records that fields were edited by a person or key, so that no source changes them. */
export function* recordEdits(
  edited: readonly { readonly document: Document; readonly fields: readonly string[] }[],
  moment: string,
): SqlProgram<void> {
  const noted = edited.flatMap(({ document, fields }) =>
    fields.map((field) => ownClaim(document, field, { source: EDIT, seen_at: moment })),
  );
  // A batch may change a field of a record several times; the last change counts.
  const rows = [...new Map(noted.map((row) => [`${row.key} ${row.field}`, row])).values()];
  yield* runEach(
    'DELETE FROM claims WHERE source = ? AND key = ? AND field = ?',
    rows.map(({ source, key, field }) => [source, key, field]),
  );
  yield* insertClaims(rows);
}

export function ownClaim(
  document: Document,
  field: string,
  given: Pick<ClaimRow, 'source' | 'seen_at'> & { readonly as_of?: string | null },
): ClaimRow {
  const { type, id } = document;
  const { as_of = given.seen_at.slice(0, 10) } = given;
  const value = JSON.stringify(document[field] ?? null);
  return { ...given, as_of, key: `${type}/${id}`, field, type: type as RecordType, id, value, url: '' };
}
