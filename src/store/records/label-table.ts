import type { RecordType } from '../../contract/entities/index.ts';
import { COMPANY_FIELD } from '../../contract/filters.ts';
import type { Dialect } from '../sql/dialect.ts';
import { all, allLists, column, insertRows, runEach, type Steps } from '../sql/steps.ts';
import type { Document } from './document.ts';
import { INHERITED, type Label, labelsOf, UNKNOWN } from './labels.ts';

/**
 * The table of labels, with the table of their values beside it, which has for each value how many records have it. Rounds have
 * the labels of their company too, so that a filter is one look-up for every type.
 */

/** A label with the record that has it. */
interface LabelRow extends Label {
  readonly id: number;
}

/** Keeps the labels of documents of a type, instead of those that were kept. */
export function* setLabels(dialect: Dialect, type: RecordType, documents: readonly Document[]): Steps<void> {
  const ids = documents.map(({ id }) => id);
  const rows = documents.flatMap((document) => labelsOf(document).map((label) => ({ ...label, id: document.id })));
  yield* replaceLabels(dialect, { type, ids, rows, isInherited: false });
  if (type === 'rounds') yield* inheritLabels(dialect, ids);
  if (type === 'companies') yield* inheritLabels(dialect, yield* roundsOf(dialect, ids));
}

/** Removes the labels of a record that is out of sight. */
export function* clearLabels(dialect: Dialect, type: RecordType, id: number): Steps<void> {
  for (const isInherited of [false, true]) yield* replaceLabels(dialect, { type, ids: [id], rows: [], isInherited });
  if (type === 'companies') yield* inheritLabels(dialect, yield* roundsOf(dialect, [id]));
}

interface Replacement {
  readonly type: RecordType;
  readonly ids: readonly number[];
  readonly rows: readonly LabelRow[];
  /** Whether it is about the labels of the company of rounds, or about those of the record itself. */
  readonly isInherited: boolean;
}

/** Only what differs is written: a change of a record seldom changes its labels, and each takes up two places of the table. */
function* replaceLabels(dialect: Dialect, { type, ids, rows, isInherited }: Replacement): Steps<void> {
  if (ids.length === 0) return;
  const inField = `${isInherited ? '' : 'NOT '}field IN (${dialect.textsOf})`;
  const sql = `SELECT field, labels.value AS value, id FROM ${given(dialect)} CROSS JOIN labels
    WHERE type = ? AND labels.id = given.value AND ${inField}`;
  const kept = new Map<string, LabelRow>();
  const found = yield* allLists<[string, string, number]>(sql, JSON.stringify(ids), type, JSON.stringify(INHERITED));
  for (const [field, value, id] of found) kept.set(keyOf({ field, value, id }), { field, value, id, shown: '' });
  const added = rows.filter((row) => !kept.delete(keyOf(row)));
  const removed = [...kept.values()];
  yield* runEach(
    'DELETE FROM labels WHERE type = ? AND field = ? AND value = ? AND id = ?',
    removed.map(({ field, value, id }) => [type, field, value, id]),
  );
  const cells = added.map(({ field, value, id }) => [type, field, value, id]);
  yield* insertRows('labels', ['type', 'field', 'value', 'id'], cells);
  yield* countValues(type, removed, added);
}

const keyOf = ({ field, value, id }: Omit<LabelRow, 'shown'>): string => `${field}\n${value}\n${id}`;

/** The numbers of a parameter as a table. SQLite keeps to the order of a CROSS JOIN, so that it begins with them. */
const given = ({ numbersOf }: Dialect): string => `(${numbersOf}) AS given`;

const COUNT = `INSERT INTO label_values (type, field, value, shown, records) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (type, field, value) DO UPDATE SET records = label_values.records + excluded.records`;

function* countValues(type: RecordType, removed: readonly LabelRow[], added: readonly LabelRow[]): Steps<void> {
  const changes = new Map<string, [field: string, value: string, shown: string, records: number]>();
  const count = ({ field, value, shown }: LabelRow, records: number): void => {
    const key = `${field}\n${value}`;
    const known = changes.get(key);
    changes.set(key, [field, value, known?.[2] || shown, (known?.[3] ?? 0) + records]);
  };
  for (const label of removed) count(label, -1);
  for (const label of added) count(label, 1);
  const changed = [...changes.values()].filter(([, , , records]) => records !== 0);
  yield* runEach(
    COUNT,
    changed.map((change) => [type, ...change]),
  );
}

const roundsOf = ({ numbersOf }: Dialect, companies: readonly number[]): Steps<number[]> =>
  column(
    `SELECT from_id FROM links WHERE to_type = 'companies' AND to_id IN (${numbersOf}) AND relation = 'rounds.company'
     AND EXISTS (SELECT 1 FROM rounds WHERE rounds.id = links.from_id AND deleted_at IS NULL)`,
    JSON.stringify(companies),
  );

/**
 * Gives rounds the labels of their company; of a round without one, nothing of it is known. The type of the other end is a
 * literal test, or SQLite would begin with every link to a company.
 */
function* inheritLabels(dialect: Dialect, rounds: readonly number[]): Steps<void> {
  if (rounds.length === 0) return;
  const found = yield* all<{ id: number; field: string; value: string }>(
    `SELECT from_id AS id, labels.field AS field, labels.value AS value FROM ${given(dialect)}
     CROSS JOIN links CROSS JOIN labels
     WHERE relation = 'rounds.company' AND from_id = given.value AND coalesce(to_type, '') = 'companies'
       AND labels.type = 'companies' AND labels.id = to_id`,
    JSON.stringify(rounds),
  );
  const known = found
    .map(({ id, field, value }) => ({ id, field: COMPANY_FIELD + field, value, shown: '' }))
    .filter(({ field }) => INHERITED.includes(field));
  const withCompany = new Set(known.map(({ id }) => id));
  const others = rounds.filter((id) => !withCompany.has(id));
  const unknown = others.flatMap((id) => INHERITED.map((field) => ({ id, field, value: UNKNOWN, shown: '' })));
  yield* replaceLabels(dialect, { type: 'rounds', ids: rounds, rows: [...known, ...unknown], isInherited: true });
}
