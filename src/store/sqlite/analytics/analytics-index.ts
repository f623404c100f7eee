import { LRUCache } from 'lru-cache';
import type { AggregateData } from '../../../contract/aggregate.ts';
import { type ConnectionsData, noPath } from '../../../contract/connections.ts';
import { RECORD_TYPES, type RecordType } from '../../../contract/entities/index.ts';
import { isByLeads } from '../../../contract/filters.ts';
import { decodeFacts, encodeFacts, factsOf } from '../../analytics/facts.ts';
import { cached } from '../../cached.ts';
import type { ConnectionsRequest, RecordRef } from '../../port/analytics.ts';
import type { Document } from '../../records/document.ts';
import type { SearchIndex } from '../../search/search-index.ts';
import { all, allLists, atOnce, insertRows, number, run, type SqlProgram } from '../../sql.ts';
import { type AggregateDraft, computeAggregate, isMeasuring } from './aggregate.ts';
import { createColumns, liveCodes, putFacts, typeIndex } from './columns.ts';
import { coverageOf } from './coverage.ts';
import { createCubes } from './cubes.ts';
import { edgeFacts } from './edge-facts.ts';
import { type IdSet, matching, type ResolvedAggregate } from './filter-records.ts';
import { refreshLinkLists } from './link-lists.ts';
import { type ConnectionsDraft, findConnections } from './paths.ts';
import { restrictionOf } from './restricted-groups.ts';
import { createScratch } from './scratch.ts';
import { talliedOf, tallyRecords } from './tally.ts';

/** Changed records applied at a time, which takes about 10 ms. */
const TAKEN_AT_ONCE = 500;
/** Lists of linked records written at a time, which takes about 10 ms. */
const REFRESHED_AT_ONCE = 20_000;
/** Cached results and filters, invalidated by any change of a record. */
const RESULTS_MAX = 128;
const FILTERS_MAX = 128;
/** Above this number of changes, tallies are computed again instead of following each. */
const FOLLOWED_MAX = 5_000;

/**
 * The read model of aggregates and connections: facts in a table, maintained in the transactions that write records, and
 * in-memory columns that follow it.
 */
export type AnalyticsIndex = ReturnType<typeof createAnalyticsIndex>;

/** @param fullText its epoch changes with every change of a record */
export function createAnalyticsIndex(fullText: Pick<SearchIndex, 'epoch'>) {
  let columns = createColumns();
  let cubes = createCubes(columns);
  let taken = 0;
  let epoch: number | undefined;
  const scratch = createScratch();
  const results = new LRUCache<string, AggregateData>({ max: RESULTS_MAX });
  const filtered = new LRUCache<string, IdSet>({ max: FILTERS_MAX });
  const refresh = (count?: number): boolean => refreshLinkLists(columns, scratch, { follower: cubes, count });
  return {
    putAll: (documents: readonly Document[]): SqlProgram<void> =>
      keep(documents.map((document) => [document.type, document.id, encodeFacts(factsOf(document))])),
    removeAll: (removed: readonly RecordRef[]): SqlProgram<void> =>
      keep(removed.map(({ type, id }) => [type, id, null])),
    /**
     * Applies a part of the changes since the last call. Returns false if there are more, so that the caller can yield.
     * Query in the transaction in which this returned true.
     */
    *catchUp(): SqlProgram<boolean> {
      const now = fullText.epoch();
      const last = yield* number('SELECT max(seq) FROM record_facts');
      if (now !== epoch || last !== taken) for (const cache of [results, filtered]) cache.clear();
      epoch = now;
      // The database was replaced, so start over.
      if (last < taken) {
        columns = createColumns();
        cubes = createCubes(columns);
        taken = 0;
      }
      if (last > taken) {
        if (last - taken > FOLLOWED_MAX) cubes.clear();
        const rows = yield* allLists<FactsRow>(CHANGES, taken, TAKEN_AT_ONCE);
        const records = rows.map(([, type, id, facts]) => ({
          type: typeIndex(type),
          id,
          facts: facts === null ? undefined : decodeFacts(facts),
        }));
        putFacts(columns, records, cubes);
        taken = rows.at(-1)?.[0] ?? last;
        if (taken < last) return false;
      }
      // A few are left to the next aggregate, because connections do without.
      const isFew = columns.linkLists.every(({ dueLength }) => dueLength < REFRESHED_AT_ONCE);
      return isFew || refresh(REFRESHED_AT_ONCE);
    },
    aggregate: function* query(request: ResolvedAggregate): SqlProgram<AggregateData> {
      const key = JSON.stringify({ ...request, filters: request.filters.given });
      const known = results.get(key);
      if (known !== undefined) return known;
      refresh();
      const { of } = request;
      const asked = withLeads(request);
      const found = yield* matching({ columns, filtered }, asked);
      const restriction = found && restrictionOf(columns, asked, found.records);
      const tally =
        found === undefined ? cubes.tally(request) : cubes.create(request, isMeasuring(request), restriction);
      if (found !== undefined) tallyRecords(tally, columns.entries, talliedOf(columns, tally, found.records));
      const draft = computeAggregate(columns, asked, {
        tally,
        coverage: found === undefined ? cubes.coverage(of) : coverageOf(columns, found.records),
        records: () => found?.records ?? liveCodes(columns, of),
      });
      const { covered, ...rest } = yield* withNames(draft);
      const data = { ...rest, covered: { ...covered, ...found?.leftOut } };
      results.set(key, data);
      return data;
    },
    /** Precomputes a part of the commonest queries; false if nothing is left. Requires `catchUp` in this transaction. */
    prepare: (): SqlProgram<boolean> =>
      atOnce(() => {
        refresh();
        return cubes.prepare();
      }),
    connect: (request: ConnectionsRequest): SqlProgram<ConnectionsData> =>
      withRecords(findConnections(columns, scratch, request), request),
  };
}

/** A request that says whether rounds are asked for by who led them. */
function withLeads(request: ResolvedAggregate) {
  const { of, groups, filters } = request;
  const isOfLeads = of === 'rounds' && isByLeads(filters.given, groups);
  return { ...request, filters: { ...filters, isByLeads: isOfLeads }, isByLeads: isOfLeads };
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

type Named = ConnectionsData['paths'][number]['nodes'][number];

interface NamedRow extends Named {
  readonly id: number;
}

/** Reads columns of records, each record once. */
function* rowsOf<Row extends { readonly id: number }>(
  refs: readonly RecordRef[],
  columns: (type: RecordType) => string,
): SqlProgram<(ref: RecordRef) => Row> {
  const rows = new Map<string, Row>();
  for (const type of RECORD_TYPES) {
    const ids = refs.filter((ref) => ref.type === type).map(({ id }) => id);
    if (ids.length === 0) continue;
    const sql = `SELECT id, ${columns(type)} FROM ${type} WHERE id IN (SELECT value FROM json_each(?))`;
    for (const row of yield* all<Row>(sql, JSON.stringify([...new Set(ids)]))) rows.set(`${type} ${row.id}`, row);
  }
  return ({ type, id }) => {
    const found = rows.get(`${type} ${id}`);
    if (found === undefined) throw new Error(`The facts have ${type} ${id}, which is not there`);
    return found;
  };
}

const namesOf = (refs: readonly RecordRef[]) =>
  rowsOf<NamedRow>(refs, (type) => `'${type}' AS type, document ->> '$.slug' AS slug, document ->> '$.name' AS name`);

function* documentsOf(refs: readonly RecordRef[]): SqlProgram<(ref: RecordRef) => Document> {
  const rowOf = yield* rowsOf<{ id: number; document: string }>(refs, () => 'document');
  const documents = new Map<string, Document>();
  return (ref) => cached(documents, `${ref.type} ${ref.id}`, () => JSON.parse(rowOf(ref).document) as Document);
}

const nameIn = ({ type, slug, name }: Named): Named => ({ type, slug, name });

const isRef = (cell: AggregateDraft['rows'][number][number]): cell is RecordRef =>
  typeof cell === 'object' && cell !== null && 'id' in cell;

function* withNames({ columns, rows, groups, covered }: AggregateDraft): SqlProgram<AggregateData> {
  const rowOf = yield* namesOf(rows.flatMap((row) => row.filter(isRef)));
  return {
    columns,
    rows: rows.map((row) => row.map((cell) => (isRef(cell) ? nameIn(rowOf(cell)) : cell))),
    groups,
    covered,
  };
}

function* withRecords(draft: ConnectionsDraft, { hopsMax, kinds }: ConnectionsRequest): SqlProgram<ConnectionsData> {
  const { paths, complete, isolated } = draft;
  const onPaths = paths.flatMap(({ nodes, edges }) => [...nodes, ...edges.map(({ record }) => record)]);
  const documentOf = yield* documentsOf([...onPaths, ...isolated]);
  return {
    paths: paths.map(({ nodes, edges }) => ({
      hops: edges.length,
      nodes: nodes.map((node) => nameIn(documentOf(node))),
      edges: edges.map((edge, index) => ({
        kind: edge.kind,
        ...edgeFacts(edge, [nodes[index], nodes[index + 1]], documentOf(edge.record)),
        record: nameIn(documentOf(edge.record)),
      })),
    })),
    ...(paths.length > 0
      ? { reason: null, advice: null }
      : noPath({ isolated: isolated.map((end) => documentOf(end).name), complete, hopsMax, kinds })),
    complete,
  };
}
