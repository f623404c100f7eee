import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { allLists, column, type Dialect, insertRows, run, type SqlProgram } from '../sql.ts';

interface State {
  readonly known: Map<string, number[]>;
  /** Unwritten names, by record. */
  readonly added: Map<number, readonly string[]>;
  /** Records whose names in the table are outdated. */
  readonly cleared: Set<number>;
}

/** Write-behind buffer of folded names within one transaction: writes are visible at once and reach the table with `flush`. */
export type NameBuffer = ReturnType<typeof createNameBuffer>;

export function createNameBuffer(dialect: Dialect) {
  const findAll = `SELECT key, id FROM record_keys WHERE type = ? AND key IN (${dialect.textsOf})`;
  const states = new Map<RecordType, State>(
    RECORD_TYPES.map((type) => [type, { known: new Map(), added: new Map(), cleared: new Set() }]),
  );
  // The map has every type.
  const stateOf = (type: RecordType): State => states.get(type) as State;
  const flush = function* flush(): SqlProgram<void> {
    for (const [type, { added, cleared }] of states) {
      if (cleared.size > 0) yield* clearNames(dialect, type, [...cleared]);
      yield* insertNames([...added].flatMap(([id, keys]) => keys.map((key) => [type, key, id] as const)));
      cleared.clear();
      added.clear();
    }
  };
  const add = (type: RecordType, id: number, keys: readonly string[]): void => {
    const { known, added } = stateOf(type);
    added.set(id, keys);
    for (const key of keys) known.get(key)?.push(id);
  };
  return {
    *load(type: RecordType, keys: readonly string[]): SqlProgram<void> {
      const { known } = stateOf(type);
      const missing = [...new Set(keys)].filter((key) => !known.has(key));
      if (missing.length === 0) return;
      yield* flush();
      for (const key of missing) known.set(key, []);
      const rows = yield* allLists<[key: string, id: number]>(findAll, type, JSON.stringify(missing));
      for (const [key, id] of rows) known.get(key)?.push(id);
    },
    *find(type: RecordType, key: string): SqlProgram<readonly number[]> {
      const found = stateOf(type).known.get(key);
      if (found !== undefined) return found;
      yield* flush();
      const ids = yield* idsWithName(type, key);
      stateOf(type).known.set(key, ids);
      return ids;
    },
    add,
    set: (type: RecordType, id: number, keys: readonly string[]): void => {
      const { known, cleared } = stateOf(type);
      cleared.add(id);
      for (const [key, ids] of known) {
        if (ids.includes(id))
          known.set(
            key,
            ids.filter((other) => other !== id),
          );
      }
      add(type, id, keys);
    },
    flush,
  };
}

export const idsWithName = (type: RecordType, key: string): SqlProgram<number[]> =>
  column('SELECT id FROM record_keys WHERE type = ? AND key = ?', type, key);

export const insertNames = (
  rows: readonly (readonly [type: RecordType, key: string, id: number])[],
): SqlProgram<void> => insertRows('record_keys', ['type', 'key', 'id'], rows);

export const clearNames = ({ numbersOf }: Dialect, type: RecordType, ids: readonly number[]): SqlProgram<void> =>
  run(`DELETE FROM record_keys WHERE type = ? AND id IN (${numbersOf})`, type, JSON.stringify(ids));
