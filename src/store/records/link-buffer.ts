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

interface LinksOf {
  readonly relation: Relation;
  readonly id: number;
  readonly links: readonly LinkRow[];
}

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

export type LinkTable = ReturnType<typeof createLinkTable>;

export function createLinkTable({ numbersOf, textsOf, updateRows }: Dialect) {
  const of = `SELECT from_id, to_type, to_id, key FROM links
    WHERE relation = ? AND from_id IN (${numbersOf}) ORDER BY from_id, position`;
  const clear = `DELETE FROM links WHERE relation = ? AND from_id IN (${numbersOf})`;
  const pending = `SELECT DISTINCT relation, from_id FROM links
    WHERE key IN (${textsOf}) AND to_id IS NULL ORDER BY relation, from_id`;
  const isTo = `to_type = ? AND to_id IN (${numbersOf})`;
  return {
    /** The ordered links of records along a relation. */
    of: (relation: Relation, ids: readonly number[]): SqlProgram<(LinkRow & { readonly from_id: number })[]> =>
      all(of, relation.name, JSON.stringify(ids)),
    clear: (relation: Relation, ids: readonly number[]): SqlProgram<void> =>
      run(clear, relation.name, JSON.stringify(ids)),
    insertAll: (added: readonly LinksOf[]): SqlProgram<void> =>
      insertRows('links', LINK_COLUMNS, added.flatMap(rowsOf)),
    resolve: (resolved: readonly ResolvedLink[]): SqlProgram<void> =>
      updateRows(
        RESOLVE,
        resolved.map(({ relation, id, position, link }) => [link.to_type, link.to_id, relation.name, id, position]),
      ),
    moveAll: (type: RecordType, from: number, to: number): SqlProgram<void> =>
      run('UPDATE links SET to_id = ? WHERE to_type = ? AND to_id = ?', to, type, from),
    /** Reverts redirected links that still have their redirected target. */
    moveBack: (type: RecordType, { from, to, links }: MovedBack): SqlProgram<void> =>
      runEach(
        'UPDATE links SET to_id = ? WHERE to_type = ? AND to_id = ? AND relation = ? AND from_id = ? AND key = ?',
        links.map(([relation, fromId, key]) => [to, type, from, relation, fromId, key]),
      ),
    unresolve: (type: RecordType, ids: readonly number[]): SqlProgram<void> =>
      run(`UPDATE links SET to_type = NULL, to_id = NULL WHERE ${isTo}`, type, JSON.stringify(ids)),
    /** Records with unresolved links by these keys. */
    pending: function* findPending(keys: readonly string[]): SqlProgram<Referrer[]> {
      return keys.length === 0 ? [] : (yield* all<Source>(pending, JSON.stringify(keys))).flatMap(toReferrer);
    },
    *referrers(type: RecordType, ids: readonly number[]): SqlProgram<Referrer[]> {
      const sql = `SELECT DISTINCT relation, from_id FROM links WHERE ${isTo} ORDER BY relation, from_id`;
      return (yield* all<Source>(sql, type, JSON.stringify(ids))).flatMap(toReferrer);
    },
  };
}

const rowsOf = ({ relation, id, links }: LinksOf): Value[][] =>
  links.map(({ to_type, to_id, key }, position) => [relation.name, id, position, to_type, to_id, key]);

interface State {
  readonly relation: Relation;
  readonly known: Map<number, readonly LinkRow[]>;
  readonly added: Set<number>;
  /** Records whose links in the table are outdated. */
  readonly cleared: Set<number>;
  resolved: ResolvedLink[];
}

export type LinkBuffer = ReturnType<typeof createLinkBuffer>;

/** Write-behind buffer of links within one transaction: writes are visible at once and reach the table with `flush`. */
export function createLinkBuffer(table: LinkTable) {
  const states = new Map<string, State>();
  const stateOf = (relation: Relation): State =>
    cached(states, relation.name, () => {
      return { relation, known: new Map(), added: new Set(), cleared: new Set(), resolved: [] };
    });
  const flush = () => flushAll(states, table);
  const load = function* load(relation: Relation, ids: readonly number[]): SqlProgram<void> {
    const { known } = stateOf(relation);
    const missing = ids.filter((id) => !known.has(id));
    if (missing.length === 0) return;
    yield* flush();
    const found = new Map<number, LinkRow[]>(missing.map((id) => [id, []]));
    for (const { from_id, ...link } of yield* table.of(relation, missing)) found.get(from_id)?.push(link);
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
  const flushed = function* flushed<Result>(program: SqlProgram<Result>): SqlProgram<Result> {
    yield* flush();
    return yield* program;
  };
  /** Reads again after a bulk change. */
  const changed = function* changed(program: SqlProgram<void>): SqlProgram<void> {
    yield* flushed(program);
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
    unresolve: (type: RecordType, ids: readonly number[]) => changed(table.unresolve(type, ids)),
    moveAll: (type: RecordType, from: number, to: number) => changed(table.moveAll(type, from, to)),
    moveBack: (type: RecordType, moved: MovedBack) => changed(table.moveBack(type, moved)),
    pending: (keys: readonly string[]) => flushed(table.pending(keys)),
    referrers: (type: RecordType, ids: readonly number[]) => flushed(table.referrers(type, ids)),
    flush,
  };
}

function* flushAll(states: ReadonlyMap<string, State>, table: LinkTable): SqlProgram<void> {
  const rows: LinksOf[] = [];
  for (const state of states.values()) {
    const { relation, known, added, cleared, resolved } = state;
    if (cleared.size > 0) yield* table.clear(relation, [...cleared]);
    if (resolved.length > 0) yield* table.resolve(resolved);
    for (const id of added) rows.push({ relation, id, links: known.get(id) ?? [] });
    cleared.clear();
    added.clear();
    state.resolved = [];
  }
  yield* table.insertAll(rows);
}
