import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import type { SqlProgram } from '../sql/program.ts';
import type { NameTable } from './tables.ts';

/** The folded names of records within one transaction: what is written is seen at once and reaches the table with `flush`. */
export interface NameBuffer {
  /** Reads who is known by some names, so that looking for each asks nothing more. */
  load(type: RecordType, keys: readonly string[]): SqlProgram<void>;
  /** The records known by a folded name. */
  find(type: RecordType, key: string): SqlProgram<readonly number[]>;
  /** Names of a record that had none yet. */
  add(type: RecordType, id: number, keys: readonly string[]): void;
  /** Names instead of those a record had. */
  set(type: RecordType, id: number, keys: readonly string[]): void;
  /** Writes what is pending. */
  flush(): SqlProgram<void>;
}

interface State {
  readonly known: Map<string, number[]>;
  /** Names to be written, by record. */
  readonly added: Map<number, readonly string[]>;
  /** Records whose names in the table no longer hold. */
  readonly cleared: Set<number>;
}

/** @param table the statements that it reads and writes with */
export function createNameBuffer(table: NameTable): NameBuffer {
  const states = new Map<RecordType, State>(
    RECORD_TYPES.map((type) => [type, { known: new Map(), added: new Map(), cleared: new Set() }]),
  );
  // Every type has one.
  const stateOf = (type: RecordType): State => states.get(type) as State;
  const flush = function* flush(): SqlProgram<void> {
    for (const [type, { added, cleared }] of states) {
      if (cleared.size > 0) yield* table.clear(type, [...cleared]);
      yield* table.insertAll([...added].flatMap(([id, keys]) => keys.map((key) => [type, key, id] as const)));
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
    load: function* load(type, keys) {
      const { known } = stateOf(type);
      const wanted = [...new Set(keys)].filter((key) => !known.has(key));
      if (wanted.length === 0) return;
      yield* flush();
      for (const key of wanted) known.set(key, []);
      for (const [key, id] of yield* table.findAll(type, wanted)) known.get(key)?.push(id);
    },
    find: function* find(type, key) {
      const found = stateOf(type).known.get(key);
      if (found !== undefined) return found;
      yield* flush();
      const ids = yield* table.find(type, key);
      stateOf(type).known.set(key, ids);
      return ids;
    },
    add,
    set: (type, id, keys) => {
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
