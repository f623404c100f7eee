import type { RecordType } from '../../contract/entities/index.ts';
import type { Choice } from '../../contract/filters.ts';
import type { Condition } from '../search/search-index.ts';
import type { FacetKeys } from './conditions.ts';
import { unknownLabelOf } from './facets.ts';

/** Records that satisfy a condition: a statement that selects their ids, perhaps also of deleted ones, and a test of one. */
export interface RecordSet {
  readonly ids: Condition;
  readonly test: Condition;
}

export const NO_MATCH: RecordSet = {
  ids: { sql: 'SELECT 0 AS id WHERE 1 = 0', parameters: [] },
  test: { sql: '1 = 0', parameters: [] },
};

/** The records of which a test holds, each of which is tested. */
export const matchOf = (type: RecordType, test: Condition): RecordSet => ({
  ids: { sql: `SELECT id FROM ${type} WHERE ${test.sql}`, parameters: test.parameters },
  test,
});

/** The records of a type by the values that a facet filter compares. */
export interface Valued {
  having(keys: readonly string[]): RecordSet;
  readonly known: RecordSet;
  readonly all: RecordSet;
}

export function chosen(from: Valued, { mode, values, without }: Choice, ofAll: FacetKeys['keys']): RecordSet {
  const match = choiceMatch(from, mode, ofAll.slice(0, values.length));
  return without === undefined ? match : butNot(match, from.having(ofAll.slice(values.length).flat()));
}

export function choiceMatch(
  { having, known, all }: Valued,
  mode: Choice['mode'],
  ofValues: FacetKeys['keys'],
): RecordSet {
  const wanted = having(ofValues.flat());
  switch (mode) {
    case 'any':
      return wanted;
    case 'all':
      return ofValues.map(having).reduce(both);
    case 'none':
      return butNot(known, wanted);
    case 'except':
      return butNot(all, wanted);
  }
}

const both = (one: RecordSet, other: RecordSet): RecordSet => ({
  ids: combined(one.ids, 'IN', other.ids),
  test: conjunction([one.test, other.test]),
});
const butNot = (one: RecordSet, { ids, test }: RecordSet): RecordSet => ({
  ids: combined(one.ids, 'NOT IN', ids),
  test: conjunction([one.test, { ...test, sql: `NOT ${test.sql}` }]),
});
const combined = (one: Condition, operator: 'IN' | 'NOT IN', other: Condition): Condition => ({
  sql: `SELECT id FROM (${one.sql}) WHERE id ${operator} (${other.sql})`,
  parameters: [...one.parameters, ...other.parameters],
});

export const conjunction = (parts: readonly Condition[]): Condition => ({
  sql: parts.map(({ sql }) => sql).join(' AND '),
  parameters: parts.flatMap(({ parameters }) => parameters),
});

export const withFacets = (type: RecordType, field: string, keys: readonly string[]): RecordSet =>
  labelled(type, `labels.field = ? AND labels.value IN (${keys.map(() => '?').join()})`, [field, ...keys]);

/** The records that have any value of a facet. */
export const withField = (type: RecordType, field: string): RecordSet => labelled(type, 'labels.field = ?', [field]);

function labelled(type: RecordType, condition: string, parameters: readonly string[]): RecordSet {
  const where = `FROM labels WHERE labels.type = '${type}' AND ${condition}`;
  return {
    ids: { sql: `SELECT labels.id ${where}`, parameters },
    test: { sql: `EXISTS (SELECT 1 ${where} AND labels.id = ${type}.id)`, parameters },
  };
}

/** Few records have the same unknown fields; of one record, its few labels are read, whatever they are. */
export function withUnknown(type: RecordType, field: string): RecordSet {
  const { field: label, name } = unknownLabelOf(field);
  const naming = `SELECT named.value FROM label_values AS named
    WHERE named.type = '${type}' AND named.field = ? AND instr(named.value, ?) > 0 AND named.records > 0`;
  const sql = `SELECT labels.id FROM labels WHERE labels.type = '${type}' AND labels.field = ? AND labels.value IN (${naming})`;
  const parameters = [label, label, name];
  return {
    ids: { sql, parameters },
    test: {
      sql: `EXISTS (SELECT 1 FROM labels
        WHERE labels.type = '${type}' AND labels.id = ${type}.id AND +labels.field = ? AND instr(labels.value, ?) > 0)`,
      parameters: [label, name],
    },
  };
}
