import type { Database } from 'better-sqlite3';
import { createMemory, remembered } from '../../memory.ts';
import {
  createIdentities,
  type KeyLookup,
  type KeyRow,
  type NameMatch,
  SAME_KEY_MAX,
  STARTING_MAX,
} from '../../search/identities.ts';
import { KEY } from '../../search/layers.ts';
import type { Matches } from '../../search/matches.ts';
import { parseSizes } from '../../search/places.ts';
import type { Searcher } from '../../search/relaxations.ts';
import type { Condition } from '../../search/search-index.ts';
import { createSearcher } from '../../search/searcher.ts';
import type { TermMatches } from '../../search/term-matches.ts';
import { createCombiner } from './blocks.ts';
import { type ConditionFilter, createConditionFilter } from './condition-filter.ts';
import type { SetTools } from './dense-matches.ts';
import type { HeldTerms } from './held-terms.ts';
import { createLists } from './lists.ts';
import { type Layout, layoutOf } from './ordinals.ts';
import { overlaid } from './overlaid-lists.ts';
import { createRuns } from './runs.ts';
import { SIZES_TABLE, searchTables } from './search-tables.ts';
import { createSourceReader } from './sources.ts';
import { createPostingReader, type TermLists } from './term-lists.ts';
import { matchesOf } from './term-matching.ts';

/** Search in one type. */
export interface TypeSearcher {
  /** The searcher of the stages, under a condition on the type's own table, in the state that the epoch names. */
  under(condition: Condition | undefined, epoch: number | undefined): Searcher;
  /** Every record, in static order. */
  everything(condition: Condition | undefined, epoch: number | undefined): Matches;
  idOf(ordinal: number): number;
}

/** Numbers of records remembered; about a megabyte. */
const IDS_MAX = 8_192;

export function createTypeSearcher(database: Database, type: string, memory: HeldTerms): TypeSearcher {
  const tables = searchTables(type);
  const runs = createRuns(database, tables.lists);
  const terms = createPostingReader(overlaid(createLists(database, tables.lists), runs), memory);
  const tools: SetTools = { reader: createSourceReader(terms), combiner: createCombiner() };
  const keys = createKeyLookup(database, type);
  const identities = createIdentities(keys);
  const conditions: ConditionFilter = createConditionFilter(database, type);
  const ids = createIds(database, tables.documents);
  const sizes = database.prepare<[string], { documents: number; steps: string }>(
    `SELECT documents, steps FROM ${SIZES_TABLE} WHERE type = ?`,
  );
  let state: State | undefined;

  /** Read anew once the index has changed: by us, by another process, or back by a rollback. */
  const readState = (epoch: number | undefined): State => {
    if (state !== undefined && state.epoch === epoch) return state;
    const { documents, steps } = parseSizes(sizes.get(type));
    state = { epoch, documents, layout: layoutOf(steps) };
    runs.refresh();
    terms.clear();
    keys.clear();
    ids.clear();
    return state;
  };

  const match = (
    { documents, layout }: State,
    {
      evidence,
      called,
      condition,
    }: { evidence: TermMatches<TermLists>; called: readonly NameMatch[]; condition: Condition | undefined },
  ): Matches => {
    const filter = condition && ((ordinals: Uint32Array) => conditions.keep(ordinals, condition));
    return matchesOf(tools, { evidence, called, documents, layout, filter });
  };

  const under = (condition: Condition | undefined, epoch: number | undefined): Searcher => {
    const current = readState(epoch);
    return createSearcher({
      terms,
      identities,
      documents: () => current.documents,
      match: (evidence, called) => match(current, { evidence, called, condition }),
    });
  };

  return {
    under,
    everything(condition, epoch) {
      readState(epoch);
      return conditions.everything(condition);
    },
    idOf: ids.of,
  };
}

/** Gives the numbers of records, and remembers them: the important ones stand first on most pages. */
function createIds(database: Database, documents: string): { of(ordinal: number): number; clear(): void } {
  const find = database.prepare<[number], number>(`SELECT id FROM ${documents} WHERE ordinal = ?`).pluck();
  const known = createMemory<number, number>(IDS_MAX);
  const idOf = (ordinal: number): number => find.get(ordinal) ?? 0;
  return { of: (ordinal) => remembered(known, ordinal, idOf), clear: known.clear };
}

/** What a search needs to know of the index before it reads. */
interface State {
  epoch: number | undefined;
  documents: number;
  layout: Layout;
}

/** Keys remembered from one search to the next. */
const REMEMBERED_MAX = 2_048;

/** A look-up that remembers what it found until the index changes. */
interface RememberingLookup extends KeyLookup {
  clear(): void;
}

function createKeyLookup(database: Database, type: string): RememberingLookup {
  const { keys } = searchTables(type);
  const same = database.prepare<[string], KeyRow>(
    `SELECT ordinal, kind FROM ${keys} WHERE key = ? LIMIT ${SAME_KEY_MAX}`,
  );
  const starting = database
    // As one row: many small ones cost more to hand over than to find.
    .prepare<[string, string], string>(
      `SELECT json_group_array(ordinal) FROM (
        SELECT ordinal FROM ${keys} WHERE key > ? AND key < ? AND kind <= ${KEY.alias} LIMIT ${STARTING_MAX + 1}
      )`,
    )
    .pluck();
  const knownSame = createMemory<string, readonly KeyRow[]>(REMEMBERED_MAX);
  const knownStarting = createMemory<string, readonly number[]>(REMEMBERED_MAX);
  return {
    same: (key) => remembered(knownSame, key, (asked) => same.all(asked)),
    starting: (after, before) =>
      remembered(
        knownStarting,
        `${after}\0${before}`,
        () => JSON.parse(starting.get(after, before) ?? '[]') as number[],
      ),
    clear() {
      knownSame.clear();
      knownStarting.clear();
    },
  };
}
