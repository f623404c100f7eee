import type { Database } from 'better-sqlite3';
import type { Evidence } from '../../search/evidence.ts';
import { type Called, createIdentities } from '../../search/identities.ts';
import type { Matches } from '../../search/matches.ts';
import { parseSizes } from '../../search/places.ts';
import type { Condition } from '../../search/search-index.ts';
import { createSearcher } from '../../search/searcher.ts';
import type { Searcher } from '../../search/stages.ts';
import { createCombiner } from './blocks.ts';
import { type ConditionFilter, createConditionFilter } from './condition-filter.ts';
import type { SetTools } from './dense-matches.ts';
import type { HeldTerms } from './held-terms.ts';
import { createKeyLookup } from './key-lookup.ts';
import { createLists } from './lists.ts';
import { matchesOf } from './matching.ts';
import { type Layout, layoutOf } from './ordinals.ts';
import { overlaid } from './overlaid-lists.ts';
import { createRuns } from './runs.ts';
import { SIZES_TABLE, searchTables } from './schema.ts';
import { createSourceReader } from './sources.ts';
import { createTermReader, type TermLists } from './term-lists.ts';

/** Search in one type. */
export interface TypeSearcher {
  /** The searcher of the stages, under a condition on the type's own table. */
  under(condition: Condition | undefined, epoch: number | undefined): Searcher;
  /** Every record, in static order. */
  everything(condition: Condition | undefined): Matches;
  idOf(ordinal: number): number;
}

export function createTypeSearcher(database: Database, type: string, memory: HeldTerms): TypeSearcher {
  const tables = searchTables(type);
  const runs = createRuns(database, tables.lists);
  const terms = createTermReader(overlaid(createLists(database, tables.lists), runs), memory);
  const tools: SetTools = { reader: createSourceReader(terms), combiner: createCombiner() };
  const identities = createIdentities(createKeyLookup(database, type));
  const conditions: ConditionFilter = createConditionFilter(database, type);
  const idOf = database.prepare<[number], number>(`SELECT id FROM ${tables.documents} WHERE ordinal = ?`).pluck();
  const sizes = database.prepare<[string], { documents: number; steps: string }>(
    `SELECT documents, steps FROM ${SIZES_TABLE} WHERE type = ?`,
  );
  let state: State | undefined;

  /** Read anew for each search, once the index has changed: by us, by another process, or back by a rollback. */
  const currentState = (epoch: number | undefined): State => {
    if (state === undefined || state.epoch !== epoch) {
      const { documents, steps } = parseSizes(sizes.get(type));
      state = { epoch, documents, layout: layoutOf(steps) };
      runs.refresh();
      terms.clear();
    }
    terms.begin();
    return state;
  };

  const match = (
    { documents, layout }: State,
    {
      evidence,
      called,
      condition,
    }: { evidence: Evidence<TermLists>; called: readonly Called[]; condition: Condition | undefined },
  ): Matches => {
    const filter = condition && ((ordinals: Uint32Array) => conditions.keep(ordinals, condition));
    return matchesOf(tools, { evidence, called, documents, layout, filter });
  };

  const under = (condition: Condition | undefined, epoch: number | undefined): Searcher => {
    const current = currentState(epoch);
    return createSearcher({
      terms,
      identities,
      documents: () => current.documents,
      match: (evidence, called) => match(current, { evidence, called, condition }),
    });
  };

  return {
    under,
    everything: (condition) => conditions.everything(condition),
    idOf: (ordinal) => idOf.get(ordinal) ?? 0,
  };
}

/** What a search needs to know of the index before it reads. */
interface State {
  epoch: number | undefined;
  documents: number;
  layout: Layout;
}
