import { type Aggregate, type AggregateData, GROUPS } from '../../../contract/aggregate.ts';
import type { ConnectionsData } from '../../../contract/connections.ts';
import { RECORD_TYPES, type RecordType } from '../../../contract/entities/index.ts';
import type { FilterName, Filters } from '../../../contract/filters.ts';
import type { AnswerIndex, ResolvedAggregate } from '../../answers/answer-index.ts';
import { decodeFacts, encodeFacts, factsOf } from '../../answers/facts.ts';
import { createMemory } from '../../memory.ts';
import type { RecordPlace } from '../../port/answers.ts';
import { conditionOf, unknownFact } from '../../records/conditions.ts';
import type { Condition } from '../../search/search-index.ts';
import { all, allLists, atOnce, insertRows, run, type SqlProgram, value } from '../../sql/program.ts';
import { sqliteDialect } from '../dialect.ts';
import { type AggregateDraft, computeAggregate } from './aggregate.ts';
import { liveCodes } from './cells.ts';
import { type Columns, codeOf, createColumns, putFacts, typePlace } from './columns.ts';
import { type ConnectDraft, findConnections, type PathDraft } from './connect.ts';
import { type Grouping, groupingOf, isMeasurable, isMeasuring } from './grouping.ts';
import { createScratch } from './scratch.ts';

/** Changed records applied at a time, which takes about 10 ms. */
const TAKEN_AT_ONCE = 500;
/** Cached results, invalidated by any change. */
const ANSWERS_MAX = 128;
/** Cached groupings; up to 10 MB each at a million records. */
const GROUPINGS_MAX = 32;

/** Precomputed queries: all records of a type by one group. */
const PREPARED = RECORD_TYPES.flatMap((of) => Object.keys(GROUPS[of]).map((group) => ({ of, groups: [group] })));

/** Facts in a table, and in-memory columns that follow it. */
export function createAnswerIndex(): AnswerIndex {
  let columns = createColumns();
  let taken = 0;
  const scratch = createScratch();
  const answers = createMemory<string, AggregateData>(ANSWERS_MAX);
  const groupings = createMemory<string, Grouping>(GROUPINGS_MAX);
  const keyOf = ({ of, groups }: Pick<Aggregate, 'of' | 'groups'>, filters: Filters): string =>
    JSON.stringify([of, groups, filters]);
  /** Caches a grouping without its cells, which use most of the memory. */
  const remember = (key: string, grouping: Grouping): Grouping => {
    const { cells, records } = grouping;
    groupings.set(key, cells?.record === records ? grouping : { ...grouping, cells: undefined });
    return grouping;
  };
  return {
    putAll: (documents) =>
      keep(documents.map((document) => [document.type, document.id, encodeFacts(factsOf(document))])),
    remove: (type, id) => keep([[type, id, null]]),
    catchUp: function* catchUp() {
      const last = (yield* value<number>('SELECT max(seq) FROM record_facts')) ?? 0;
      if (last === taken) return true;
      answers.clear();
      groupings.clear();
      // The database was replaced, so start over.
      if (last < taken) [columns, taken] = [createColumns(), 0];
      const rows = yield* allLists<FactsRow>(CHANGES, taken, TAKEN_AT_ONCE);
      for (const [seq, type, id, facts] of rows) {
        const place = { type: typePlace(type), id };
        putFacts(columns, place, facts === null ? undefined : decodeFacts(facts));
        taken = seq;
      }
      return rows.length < TAKEN_AT_ONCE;
    },
    aggregate: function* answer(request) {
      const key = JSON.stringify({ ...request, filters: request.filters.given });
      const known = answers.get(key);
      if (known !== undefined) return known;
      const place = keyOf(request, request.filters.given);
      const remembered = groupings.get(place);
      const isMeasured = isMeasuring(request);
      const grouping =
        remembered !== undefined && (remembered.isMeasured || !isMeasured)
          ? remembered
          : remember(place, groupingOf(columns, request, { records: yield* matching(columns, request), isMeasured }));
      const { covered, ...rest } = yield* withNames(computeAggregate(columns, request, grouping));
      const data = { ...rest, covered: { ...covered, ...(yield* leftOut(request)) } };
      answers.set(key, data);
      return data;
    },
    prepare: () =>
      atOnce(() => {
        const next = PREPARED.find((each) => groupings.get(keyOf(each, {})) === undefined);
        if (next === undefined) return false;
        const records = liveCodes(columns, columns.records[typePlace(next.of)]);
        remember(keyOf(next, {}), groupingOf(columns, next, { records, isMeasured: isMeasurable(next) }));
        return true;
      }),
    connect: function* answer(request) {
      return yield* withRecords(findConnections(columns, scratch, request));
    },
  };
}

type FactsRow = [seq: number, type: RecordType, id: number, facts: string | null];

const CHANGES = 'SELECT seq, type, id, facts FROM record_facts WHERE seq > ? ORDER BY seq LIMIT ?';

/** A change gets the next sequence number, so that followers can continue after their last one; unchanged facts keep theirs. */
function* keep(rows: readonly (readonly [string, number, string | null])[]): SqlProgram<void> {
  if (rows.length === 0) return;
  const kept = yield* allLists<[number, string, number, string | null]>(
    KEPT,
    JSON.stringify(rows.map(([type, id]) => [type, id])),
  );
  const known = new Map(kept.map(([seq, type, id, facts]) => [`${type} ${id}`, { seq, facts }]));
  const changed = rows.filter(([type, id, facts]) => known.get(`${type} ${id}`)?.facts !== facts);
  const replaced = changed.flatMap(([type, id]) => known.get(`${type} ${id}`)?.seq ?? []);
  yield* run('DELETE FROM record_facts WHERE seq IN (SELECT value FROM json_each(?))', JSON.stringify(replaced));
  yield* insertRows('record_facts', ['type', 'id', 'facts'], changed);
}

const KEPT = `SELECT seq, kept.type, kept.id, facts FROM json_each(?) AS given CROSS JOIN record_facts AS kept
  ON kept.type = given.value ->> 0 AND kept.id = given.value ->> 1`;

/** Codes of the records of a type that pass the filters. */
function* matching(columns: Columns, { of, filters }: ResolvedAggregate): SqlProgram<Uint32Array> {
  const condition = conditionOf(sqliteDialect, of, filters);
  if (condition === undefined) return liveCodes(columns, columns.records[typePlace(of)]);
  // As one JSON text, because many small rows cost more to fetch than to find.
  const sql = `SELECT json_group_array(${of}.id) FROM ${of} WHERE deleted_at IS NULL AND (${condition.sql})`;
  const ids = JSON.parse((yield* value<string>(sql, ...(condition.parameters as string[]))) ?? '[]') as number[];
  return Uint32Array.from(ids, (id) => codeOf(columns, of, id));
}

/** Records excluded per filter because the field is unknown; omitted if none. */
function* leftOut({ of, filters }: ResolvedAggregate): SqlProgram<Pick<AggregateData['covered'], 'left_out'>> {
  const left: Partial<Record<FilterName, number>> = {};
  for (const name of Object.keys(filters.given) as FilterName[]) {
    const fact = unknownFact(sqliteDialect, of, { filters, name });
    if (fact === undefined) continue;
    const { records, lacking, known } = fact;
    const count = (records ?? (yield* countWhere(of, lacking))) - (known ? yield* countWhere(of, known) : 0);
    if (count > 0) left[name] = count;
  }
  return Object.keys(left).length === 0 ? {} : { left_out: left };
}

function* countWhere(type: RecordType, { sql, parameters }: Condition): SqlProgram<number> {
  const counted = `SELECT count(*) FROM ${type} WHERE deleted_at IS NULL AND (${sql})`;
  return (yield* value<number>(counted, ...(parameters as string[]))) ?? 0;
}

type Named = ConnectionsData['paths'][number]['nodes'][number];

/** Names of records, by type and id. */
function* namesOf(places: readonly RecordPlace[]): SqlProgram<(place: RecordPlace) => Named> {
  const named = new Map<string, Named>();
  for (const type of RECORD_TYPES) {
    const ids = places.filter((place) => place.type === type).map(({ id }) => id);
    if (ids.length === 0) continue;
    const sql = `SELECT id, document ->> '$.slug' AS slug, document ->> '$.name' AS name FROM ${type}
      WHERE id IN (SELECT value FROM json_each(?))`;
    for (const row of yield* all<Named & { id: number }>(sql, JSON.stringify([...new Set(ids)]))) {
      named.set(`${type} ${row.id}`, { type, slug: row.slug, name: row.name });
    }
  }
  return ({ type, id }) => {
    const found = named.get(`${type} ${id}`);
    if (found === undefined) throw new Error(`The facts have ${type} ${id}, which is not there`);
    return found;
  };
}

const isPlace = (cell: AggregateDraft['rows'][number][number]): cell is RecordPlace =>
  typeof cell === 'object' && cell !== null && 'id' in cell;

function* withNames({ columns, rows, groups, covered }: AggregateDraft): SqlProgram<AggregateData> {
  const nameOf = yield* namesOf(rows.flatMap((row) => row.filter(isPlace)));
  return {
    columns,
    rows: rows.map((row) => row.map((cell) => (isPlace(cell) ? nameOf(cell) : cell))),
    groups,
    covered,
  };
}

function* withRecords({ paths, complete }: ConnectDraft): SqlProgram<ConnectionsData> {
  const nameOf = yield* namesOf(paths.flatMap(({ nodes, edges }) => [...nodes, ...edges.map(({ record }) => record)]));
  const titleOf = yield* titlesOf(paths);
  return {
    paths: paths.map(({ nodes, edges }) => ({
      hops: edges.length,
      nodes: nodes.map(nameOf),
      edges: edges.map(({ kind, label, date, record }, place) => ({
        kind,
        label: (label === ROLE && titleOf(record, [nodes[place], nodes[place + 1]])) || label,
        date,
        record: nameOf(record),
      })),
    })),
    complete,
  };
}

/** Label of a role without title. */
const ROLE = 'role';

interface Role {
  readonly organization_type: string | null;
  readonly organization_id: number | null;
  readonly title: string | null;
}

/** Titles of people, by person and organisation. */
function* titlesOf(
  paths: readonly PathDraft[],
): SqlProgram<(person: RecordPlace, ends: readonly (RecordPlace | undefined)[]) => string | undefined> {
  const people = paths.flatMap(({ edges }) =>
    edges.filter(({ label }) => label === ROLE).map(({ record }) => record.id),
  );
  const sql = "SELECT id, document -> '$.roles' AS roles FROM people WHERE id IN (SELECT value FROM json_each(?))";
  const rows =
    people.length === 0 ? [] : yield* all<{ id: number; roles: string }>(sql, JSON.stringify([...new Set(people)]));
  const roles = new Map(rows.map((row) => [row.id, JSON.parse(row.roles) as Role[]]));
  return ({ id }, ends) => {
    const isOfEnd = (role: Role): boolean =>
      ends.some((end) => end?.type === role.organization_type && end.id === role.organization_id);
    return roles.get(id)?.find((role) => role.title !== null && isOfEnd(role))?.title ?? undefined;
  };
}
