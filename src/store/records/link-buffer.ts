import type { RecordType } from '../../contract/entities/index.ts';
import { type Relation, relationNamed } from '../../contract/relations.ts';
import { cached } from '../cached.ts';
import type { RecordRef } from '../port/analytics.ts';
import { all, type Dialect, insertRows, type RowUpdate, run, runEach, type SqlProgram, type Value } from '../sql.ts';

/** A referencing record, with the types that the reference allows. */
interface Referrer extends RecordRef {
  readonly to: readonly RecordType[];
}

/** A stored link: its target, and the folded name or slug by which it was resolved. */
export interface LinkRow {
  readonly to_type: RecordType | null;
  readonly to_id: number | null;
  readonly key: string;
}

interface Source {
  readonly relation: string;
  readonly from_id: number;
}

function toReferrer({ relation, from_id }: Source): Referrer[] {
  const found = relationNamed(relation);
  return found === undefined ? [] : [{ type: found.from, id: from_id, to: found.to }];
}

export const LINK_COLUMNS = ['relation', 'from_id', 'position', 'to_type', 'to_id', 'key'] as const;
const RESOLVE: RowUpdate = {
  table: 'links',
  set: { to_type: 'text', to_id: 'number' },
  keys: { relation: 'text', from_id: 'number', position: 'number' },
  also: [],
};

interface ResolvedLink {
  readonly relation: Relation;
  readonly id: number;
  readonly position: number;
  readonly link: LinkRow;
}

/** Links from a record to another one, to be reverted. */
interface MovedBack {
  readonly from: number;
  readonly to: number;
  readonly links: readonly (readonly [relation: string, fromId: number, key: string])[];
}

const rowsOf = (relation: Relation, id: number, links: readonly LinkRow[]): Value[][] =>
  links.map(({ to_type, to_id, key }, position) => [relation.name, id, position, to_type, to_id, key]);

interface State {
  readonly relation: Relation;
  readonly known: Map<number, readonly LinkRow[]>;
  readonly added: Set<number>;
  /** Records whose links in the table are outdated. */
  readonly cleared: Set<number>;
  resolved: ResolvedLink[];
}

const MOVE = 'UPDATE links SET to_id = ? WHERE to_type = ? AND to_id = ?';

function statementsOf({ numbersOf, textsOf }: Dialect) {
  const isTo = `to_type = ? AND to_id IN (${numbersOf})`;
  return {
    of: `SELECT from_id, to_type, to_id, key FROM links
      WHERE relation = ? AND from_id IN (${numbersOf}) ORDER BY from_id, position`,
    pending: `SELECT DISTINCT relation, from_id FROM links
      WHERE key IN (${textsOf}) AND to_id IS NULL ORDER BY relation, from_id`,
    referrers: `SELECT DISTINCT relation, from_id FROM links WHERE ${isTo} ORDER BY relation, from_id`,
    unresolve: `UPDATE links SET to_type = NULL, to_id = NULL WHERE ${isTo}`,
    clear: `DELETE FROM links WHERE relation = ? AND from_id IN (${numbersOf})`,
  };
}

export type LinkBuffer = ReturnType<typeof createLinkBuffer>;

/** Write-behind buffer of links within one transaction: writes are visible at once and reach the table with `flush`. */
export function createLinkBuffer(dialect: Dialect) {
  const sql = statementsOf(dialect);
  const states = new Map<string, State>();
  const stateOf = (relation: Relation): State =>
    cached(states, relation.name, () => {
      return { relation, known: new Map(), added: new Set(), cleared: new Set(), resolved: [] };
    });
  const flush = () => flushAll(states, dialect, sql.clear);
  const load = function* load(relation: Relation, ids: readonly number[]): SqlProgram<void> {
    const { known } = stateOf(relation);
    const missing = ids.filter((id) => !known.has(id));
    if (missing.length === 0) return;
    yield* flush();
    const found = new Map<number, LinkRow[]>(missing.map((id) => [id, []]));
    const rows = yield* all<LinkRow & { readonly from_id: number }>(sql.of, relation.name, JSON.stringify(missing));
    for (const { from_id, ...link } of rows) found.get(from_id)?.push(link);
    for (const [id, links] of found) known.set(id, links);
  };
  const of = function* of(relation: Relation, id: number): SqlProgram<readonly LinkRow[]> {
    yield* load(relation, [id]);
    return stateOf(relation).known.get(id) ?? [];
  };
  const add = (relation: Relation, id: number, links: readonly LinkRow[]): void => {
    const { known, added } = stateOf(relation);
    known.set(id, links);
    added.add(id);
  };
  /** Flushes first, because the query covers the whole table. */
  const referrersOf = function* referrersOf(found: string, ...parameters: readonly Value[]): SqlProgram<Referrer[]> {
    yield* flush();
    return (yield* all<Source>(found, ...parameters)).flatMap(toReferrer);
  };
  /** Reads again after a bulk change. */
  const changed = function* changed(program: SqlProgram<void>): SqlProgram<void> {
    yield* flush();
    yield* program;
    states.clear();
  };
  return {
    load,
    of,
    add,
    set: (relation: Relation, id: number, links: readonly LinkRow[]): void => {
      stateOf(relation).cleared.add(id);
      add(relation, id, links);
    },
    *resolve(resolved: ResolvedLink): SqlProgram<void> {
      const { relation, id, position, link } = resolved;
      const links = yield* of(relation, id);
      const state = stateOf(relation);
      state.known.set(id, links.with(position, link));
      if (!state.added.has(id)) state.resolved.push(resolved);
    },
    unresolve: (type: RecordType, ids: readonly number[]) => changed(run(sql.unresolve, type, JSON.stringify(ids))),
    moveAll: (type: RecordType, from: number, to: number) => changed(run(MOVE, to, type, from)),
    /** Reverts redirected links that still have their redirected target. */
    moveBack: (type: RecordType, { from, to, links }: MovedBack) =>
      changed(
        runEach(
          `${MOVE} AND relation = ? AND from_id = ? AND key = ?`,
          links.map(([relation, fromId, key]) => [to, type, from, relation, fromId, key]),
        ),
      ),
    /** Records with unresolved links by these keys. */
    pending: (keys: readonly string[]) => referrersOf(sql.pending, JSON.stringify(keys)),
    referrers: (type: RecordType, ids: readonly number[]) => referrersOf(sql.referrers, type, JSON.stringify(ids)),
    flush,
  };
}

function* flushAll(states: ReadonlyMap<string, State>, { updateRows }: Dialect, clear: string): SqlProgram<void> {
  const rows: Value[][] = [];
  for (const state of states.values()) {
    const { relation, known, added, cleared, resolved } = state;
    if (cleared.size > 0) yield* run(clear, relation.name, JSON.stringify([...cleared]));
    if (resolved.length > 0)
      yield* updateRows(
        RESOLVE,
        resolved.map(({ id, position, link }) => [link.to_type, link.to_id, relation.name, id, position]),
      );
    for (const id of added) rows.push(...rowsOf(relation, id, known.get(id) ?? []));
    cleared.clear();
    added.clear();
    state.resolved = [];
  }
  yield* insertRows('links', LINK_COLUMNS, rows);
}
