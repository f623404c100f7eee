import type { Relation } from '../../contract/relations.ts';
import type { SqlProgram } from '../sql/program.ts';
import type { LinkRow, LinksOf, LinkTable, Referrer, ResolvedLink } from './link-rows.ts';

/** Write-behind buffer of links within one transaction: writes are visible at once and reach the table with `flush`. */
export interface LinkBuffer extends Pick<LinkTable, 'unresolve' | 'moveAll' | 'moveBack' | 'pending' | 'referrers'> {
  /** Prefetches the links of records along a relation. */
  load(relation: Relation, ids: readonly number[]): SqlProgram<void>;
  of(relation: Relation, id: number): SqlProgram<readonly LinkRow[]>;
  /** Links of a new record. */
  add(relation: Relation, id: number, links: readonly LinkRow[]): void;
  /** Replaces the links of a record. */
  set(relation: Relation, id: number, links: readonly LinkRow[]): void;
  /** Changes the target of a link. */
  resolve(resolved: ResolvedLink): SqlProgram<void>;
  /** Writes pending links. */
  flush(): SqlProgram<void>;
}

/** Links along one relation, by source record. */
interface State {
  readonly relation: Relation;
  readonly known: Map<number, readonly LinkRow[]>;
  /** Records with unwritten links. */
  readonly added: Set<number>;
  /** Records whose links in the table are outdated. */
  readonly cleared: Set<number>;
  resolved: ResolvedLink[];
}

/** @param table statements to read and write */
export function createLinkBuffer(table: LinkTable): LinkBuffer {
  const states = new Map<string, State>();
  const stateOf = (relation: Relation): State => {
    const found = states.get(relation.name);
    if (found !== undefined) return found;
    const made = { relation, known: new Map(), added: new Set<number>(), cleared: new Set<number>(), resolved: [] };
    states.set(relation.name, made);
    return made;
  };
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
  const add: LinkBuffer['add'] = (relation, id, links) => {
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
    set: (relation, id, links) => {
      stateOf(relation).cleared.add(id);
      add(relation, id, links);
    },
    resolve: function* resolve(resolved) {
      const { relation, id, position, link } = resolved;
      const links = yield* of(relation, id);
      const state = stateOf(relation);
      state.known.set(id, links.with(position, link));
      if (!state.added.has(id)) state.resolved.push(resolved);
    },
    unresolve: (type, id) => changed(table.unresolve(type, id)),
    moveAll: (type, from, to) => changed(table.moveAll(type, from, to)),
    moveBack: (type, moved) => changed(table.moveBack(type, moved)),
    pending: (keys): SqlProgram<Referrer[]> => flushed(table.pending(keys)),
    referrers: (type, id): SqlProgram<Referrer[]> => flushed(table.referrers(type, id)),
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
