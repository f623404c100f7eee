import type { RecordType } from '../../contract/entities/index.ts';
import { COMPANY_FIELD } from '../../contract/filters.ts';
import { remembered } from '../memory.ts';
import type { Dialect } from '../sql/dialect.ts';
import { all, allLists, column, runEach, type SqlProgram } from '../sql/program.ts';
import type { Document } from './document.ts';
import { type FacetValue, INHERITED, labelsOf, UNKNOWN } from './facets.ts';

/**
 * The table of labels, with the table of their values beside it, which has for each value how many records have it. Rounds have
 * the labels of their company too, so that a filter is one look-up for every type.
 */

/** The labels of records, by their numbers. */
type LabelsById = ReadonlyMap<number, readonly FacetValue[]>;

/** Keeps the labels of documents of a type, instead of those that were kept. */
export function* setLabels(dialect: Dialect, type: RecordType, documents: readonly Document[]): SqlProgram<void> {
  yield* setOwnLabels(dialect, type, documents);
  const ids = documents.map(({ id }) => id);
  if (type === 'rounds') yield* inheritLabels(dialect, ids);
  if (type === 'companies') yield* inheritLabels(dialect, yield* roundsOf(dialect, ids));
}

/** The same for documents in which nothing changed that rounds have of their company. */
export function* setOwnLabels(dialect: Dialect, type: RecordType, documents: readonly Document[]): SqlProgram<void> {
  const labels = new Map(documents.map((document) => [document.id, labelsOf(document)]));
  yield* replaceLabels(dialect, { type, labels, isInherited: false });
}

/** Removes the labels of a record that is out of sight. */
export function* clearLabels(dialect: Dialect, type: RecordType, id: number): SqlProgram<void> {
  const labels = new Map([[id, []]]);
  for (const isInherited of [false, true]) yield* replaceLabels(dialect, { type, labels, isInherited });
  if (type === 'companies') yield* inheritLabels(dialect, yield* roundsOf(dialect, [id]));
}

interface Replacement {
  readonly type: RecordType;
  readonly labels: LabelsById;
  /** Whether it is about the labels of the company of rounds, or about those of the record itself. */
  readonly isInherited: boolean;
}

/** Only what differs is written: a change of a record seldom changes its labels, and each takes up two places of the table. */
function* replaceLabels(dialect: Dialect, { type, labels, isInherited }: Replacement): SqlProgram<void> {
  if (labels.size === 0) return;
  const inField =
    type === 'rounds'
      ? `AND field ${isInherited ? '' : 'NOT '}IN (${INHERITED.map((name) => `'${name}'`).join()})`
      : '';
  // The index has them in this order; in another one they are only compared one by one.
  const sql = `SELECT value, (SELECT json_group_array(field || char(10) || labels.value) FROM labels
    WHERE type = ? AND labels.id = given.value ${inField}) FROM ${given(dialect)}`;
  const added = new Map<FacetValue, number[]>();
  const removed: (readonly [id: number, FacetValue])[] = [];
  for (const [id, keys] of yield* allLists<[number, string]>(sql, type, JSON.stringify([...labels.keys()]))) {
    const wanted = labels.get(id) ?? [];
    if (keys !== NOTHING && keys === JSON.stringify(wanted.map(keyOf).sort())) continue;
    const kept = new Set(JSON.parse(keys) as string[]);
    for (const label of wanted) {
      if (kept.delete(keyOf(label))) continue;
      const ids = added.get(label);
      if (ids === undefined) added.set(label, [id]);
      else ids.push(id);
    }
    for (const key of kept) removed.push([id, labelOfKey(key)]);
  }
  yield* runEach(
    'DELETE FROM labels WHERE type = ? AND field = ? AND value = ? AND id = ?',
    removed.map(([id, { field, value }]) => [type, field, value, id]),
  );
  // See `createAppender` for FAIL.
  yield* runEach(
    `INSERT OR FAIL INTO labels (type, field, value, id) SELECT ?, ?, ?, value FROM ${given(dialect)}`,
    [...added].map(([{ field, value }, ids]) => [type, field, value, JSON.stringify(ids)]),
  );
  yield* countValues(type, [
    ...removed.map(([, label]) => [label, -1] as const),
    ...[...added].map(([label, ids]) => [label, ids.length] as const),
  ]);
}

const NOTHING = '[]';
const keyOf = ({ field, value }: FacetValue): string => `${field}\n${value}`;

function labelOfKey(key: string): FacetValue {
  const end = key.indexOf('\n');
  return { field: key.slice(0, end), value: key.slice(end + 1), shown: '' };
}

/** The numbers of a parameter as a table. SQLite keeps to the order of a CROSS JOIN, so that it begins with them. */
const given = ({ numbersOf }: Dialect): string => `(${numbersOf}) AS given`;

const COUNT = `INSERT INTO label_values (type, field, value, shown, records) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (type, field, value) DO UPDATE SET records = label_values.records + excluded.records`;

function* countValues(type: RecordType, counts: readonly (readonly [FacetValue, records: number])[]): SqlProgram<void> {
  const changes = new Map<string, [field: string, value: string, shown: string, records: number]>();
  for (const [label, records] of counts) {
    const { field, value, shown } = label;
    const known = changes.get(keyOf(label));
    changes.set(keyOf(label), [field, value, known?.[2] || shown, (known?.[3] ?? 0) + records]);
  }
  const changed = [...changes.values()].filter(([, , , records]) => records !== 0);
  yield* runEach(
    COUNT,
    changed.map((change) => [type, ...change]),
  );
}

const roundsOf = ({ numbersOf }: Dialect, companies: readonly number[]): SqlProgram<number[]> =>
  column(
    `SELECT from_id FROM links WHERE to_type = 'companies' AND to_id IN (${numbersOf}) AND relation = 'rounds.company'
     AND EXISTS (SELECT 1 FROM rounds WHERE rounds.id = links.from_id AND deleted_at IS NULL)`,
    JSON.stringify(companies),
  );

/**
 * Gives rounds the labels of their company; of a round without one, nothing of it is known. The type of the other end is a
 * literal test, or SQLite would begin with every link to a company.
 */
function* inheritLabels(dialect: Dialect, rounds: readonly number[]): SqlProgram<void> {
  if (rounds.length === 0) return;
  const found = yield* all<{ id: number; field: string; value: string }>(
    `SELECT from_id AS id, labels.field AS field, labels.value AS value FROM ${given(dialect)}
     CROSS JOIN links CROSS JOIN labels
     WHERE relation = 'rounds.company' AND from_id = given.value AND coalesce(to_type, '') = 'companies'
       AND labels.type = 'companies' AND labels.id = to_id`,
    JSON.stringify(rounds),
  );
  const labels = new Map<number, FacetValue[]>(rounds.map((id) => [id, []]));
  const shared = new Map<string, FacetValue>();
  for (const { id, field, value } of found) {
    const label = { field: COMPANY_FIELD + field, value, shown: '' };
    if (INHERITED.includes(label.field)) labels.get(id)?.push(remembered(shared, keyOf(label), () => label));
  }
  for (const own of labels.values()) if (own.length === 0) own.push(...UNKNOWN_COMPANY);
  yield* replaceLabels(dialect, { type: 'rounds', labels, isInherited: true });
}

/** What a round without a company has. */
const UNKNOWN_COMPANY = INHERITED.map((field): FacetValue => ({ field, value: UNKNOWN, shown: '' }));
