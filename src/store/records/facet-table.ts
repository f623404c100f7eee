import type { RecordType } from '../../contract/entities/index.ts';
import { COMPANY_FIELD } from '../../contract/filters.ts';
import { remembered } from '../memory.ts';
import type { Dialect } from '../sql/dialect.ts';
import { all, allLists, column, runEach, type SqlProgram } from '../sql/program.ts';
import type { Document } from './document.ts';
import { type FacetValue, facetsOf, INHERITED, UNKNOWN } from './facets.ts';

/**
 * The table of facets, with the table of their values beside it, which has for each value how many records have it. Rounds have
 * the facets of their company too, so that a filter is one look-up for every type.
 */

/** The facets of records, by their numbers. */
type FacetsById = ReadonlyMap<number, readonly FacetValue[]>;

/** Keeps the facets of documents of a type, instead of those that were kept. */
export function* setFacets(dialect: Dialect, type: RecordType, documents: readonly Document[]): SqlProgram<void> {
  yield* setOwnFacets(dialect, type, documents);
  const ids = documents.map(({ id }) => id);
  if (type === 'rounds') yield* inheritFacets(dialect, ids);
  if (type === 'companies') yield* inheritFacets(dialect, yield* roundsOf(dialect, ids));
}

/** The same for documents in which nothing changed that rounds have of their company. */
export function* setOwnFacets(dialect: Dialect, type: RecordType, documents: readonly Document[]): SqlProgram<void> {
  const facets = new Map(documents.map((document) => [document.id, facetsOf(document)]));
  yield* replaceFacets(dialect, { type, facets, isInherited: false });
}

/** Removes the facets of a record that is out of sight. */
export function* clearFacets(dialect: Dialect, type: RecordType, id: number): SqlProgram<void> {
  const facets = new Map([[id, []]]);
  for (const isInherited of [false, true]) yield* replaceFacets(dialect, { type, facets, isInherited });
  if (type === 'companies') yield* inheritFacets(dialect, yield* roundsOf(dialect, [id]));
}

interface Replacement {
  readonly type: RecordType;
  readonly facets: FacetsById;
  /** Whether it is about the facets of the company of rounds, or about those of the record itself. */
  readonly isInherited: boolean;
}

/** Only what differs is written: a change of a record seldom changes its facets, and each takes up two places of the table. */
function* replaceFacets(dialect: Dialect, { type, facets, isInherited }: Replacement): SqlProgram<void> {
  if (facets.size === 0) return;
  const inField =
    type === 'rounds'
      ? `AND field ${isInherited ? '' : 'NOT '}IN (${INHERITED.map((name) => `'${name}'`).join()})`
      : '';
  // The index has them in this order; in another one they are only compared one by one.
  const sql = `SELECT value, (SELECT json_group_array(field || char(10) || labels.value) FROM labels
    WHERE type = ? AND labels.id = given.value ${inField}) FROM ${given(dialect)}`;
  const added = new Map<FacetValue, number[]>();
  const removed: (readonly [id: number, FacetValue])[] = [];
  for (const [id, keys] of yield* allLists<[number, string]>(sql, type, JSON.stringify([...facets.keys()]))) {
    const wanted = facets.get(id) ?? [];
    if (keys !== NOTHING && keys === JSON.stringify(wanted.map(keyOf).sort())) continue;
    const kept = new Set(JSON.parse(keys) as string[]);
    for (const facet of wanted) {
      if (kept.delete(keyOf(facet))) continue;
      const ids = added.get(facet);
      if (ids === undefined) added.set(facet, [id]);
      else ids.push(id);
    }
    for (const key of kept) removed.push([id, facetOfKey(key)]);
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
    ...removed.map(([, facet]) => [facet, -1] as const),
    ...[...added].map(([facet, ids]) => [facet, ids.length] as const),
  ]);
}

const NOTHING = '[]';
const keyOf = ({ field, value }: FacetValue): string => `${field}\n${value}`;

function facetOfKey(key: string): FacetValue {
  const end = key.indexOf('\n');
  return { field: key.slice(0, end), value: key.slice(end + 1), shown: '' };
}

/** The numbers of a parameter as a table. SQLite keeps to the order of a CROSS JOIN, so that it begins with them. */
const given = ({ numbersOf }: Dialect): string => `(${numbersOf}) AS given`;

const COUNT = `INSERT INTO label_values (type, field, value, shown, records) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (type, field, value) DO UPDATE SET records = label_values.records + excluded.records`;

function* countValues(type: RecordType, counts: readonly (readonly [FacetValue, records: number])[]): SqlProgram<void> {
  const changes = new Map<string, [field: string, value: string, shown: string, records: number]>();
  for (const [facet, records] of counts) {
    const { field, value, shown } = facet;
    const known = changes.get(keyOf(facet));
    changes.set(keyOf(facet), [field, value, known?.[2] || shown, (known?.[3] ?? 0) + records]);
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
 * Gives rounds the facets of their company; of a round without one, nothing of it is known. The type of the other end is a
 * literal test, or SQLite would begin with every link to a company.
 */
function* inheritFacets(dialect: Dialect, rounds: readonly number[]): SqlProgram<void> {
  if (rounds.length === 0) return;
  const found = yield* all<{ id: number; field: string; value: string }>(
    `SELECT from_id AS id, labels.field AS field, labels.value AS value FROM ${given(dialect)}
     CROSS JOIN links CROSS JOIN labels
     WHERE relation = 'rounds.company' AND from_id = given.value AND coalesce(to_type, '') = 'companies'
       AND labels.type = 'companies' AND labels.id = to_id`,
    JSON.stringify(rounds),
  );
  const facets = new Map<number, FacetValue[]>(rounds.map((id) => [id, []]));
  const shared = new Map<string, FacetValue>();
  for (const { id, field, value } of found) {
    const facet = { field: COMPANY_FIELD + field, value, shown: '' };
    if (INHERITED.includes(facet.field)) facets.get(id)?.push(remembered(shared, keyOf(facet), () => facet));
  }
  for (const own of facets.values()) if (own.length === 0) own.push(...UNKNOWN_COMPANY);
  yield* replaceFacets(dialect, { type: 'rounds', facets, isInherited: true });
}

/** What a round without a company has. */
const UNKNOWN_COMPANY = INHERITED.map((field): FacetValue => ({ field, value: UNKNOWN, shown: '' }));
