import type { Database } from 'better-sqlite3';
import { cached, createCache } from '../../cached.ts';
import { parseSizes } from '../../search/doc-ids.ts';
import type { Matches } from '../../search/matches.ts';
import {
  createNameMatcher,
  DOCUMENTS_PER_KEY_MAX,
  type KeyLookup,
  type KeyRow,
  NAME_PREFIX_MATCHES_MAX,
  type NameMatch,
} from '../../search/name-matcher.ts';
import type { Searcher } from '../../search/relaxations.ts';
import { KEY } from '../../search/scoring.ts';
import type { Condition } from '../../search/search-index.ts';
import { createSearcher } from '../../search/searcher.ts';
import type { TermMatches } from '../../search/term-matches.ts';
import { type Layout, layoutOf } from './bitmap-layout.ts';
import { type ConditionFilter, createConditionFilter } from './condition-filter.ts';
import type { SetTools } from './dense-matches.ts';
import { withRuns } from './overlaid-postings.ts';
import type { PostingsCache } from './postings-cache.ts';
import { createPostingsTable } from './postings-table.ts';
import { createRuns } from './runs.ts';
import { SIZES_TABLE, searchTables } from './search-tables.ts';
import { createSetEvaluator } from './set-expression.ts';
import { matchesOf } from './term-matching.ts';
import { createPostingsReader, type TermPostings } from './term-postings.ts';
import { createWeightedPostingsReader } from './weighted-postings.ts';

export interface TypeSearcher {
  /** The searcher under a condition on the type's table, for an index epoch; `namedIds` match as by their name. */
  under(condition: Condition | undefined, epoch: number | undefined, namedIds?: readonly number[]): Searcher;
  /** Every record, in static order. */
  everything(condition: Condition | undefined, epoch: number | undefined): Matches;
  idOf(docId: number): number;
}

/** Cached record ids, about 1 MB. */
const IDS_MAX = 8_192;

export function createTypeSearcher(database: Database, type: string, postingsCache: PostingsCache): TypeSearcher {
  const tables = searchTables(type);
  const runs = createRuns(database, tables.lists);
  const terms = createPostingsReader(withRuns(createPostingsTable(database, tables.lists), runs), postingsCache);
  const tools: SetTools = { reader: createWeightedPostingsReader(terms), evaluator: createSetEvaluator() };
  const nameMatcher = createNameMatcher(createKeyLookup(database, type));
  const conditions: ConditionFilter = createConditionFilter(database, type);
  const ids = createIds(database, tables.documents);
  const docIds = database
    .prepare<[string], number>(
      `SELECT ordinal FROM ${tables.documents} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY ordinal`,
    )
    .pluck();
  const sizes = database.prepare<[string], { documents: number; steps: string }>(
    `SELECT documents, steps FROM ${SIZES_TABLE} WHERE type = ?`,
  );
  let state: State | undefined;

  /** Reloaded when the index changed: by us, another process, or a rollback. */
  const readState = (epoch: number | undefined): State => {
    if (state !== undefined && state.epoch === epoch) return state;
    const { documents, steps } = parseSizes(sizes.get(type));
    state = { epoch, documents, layout: layoutOf(steps) };
    runs.refresh();
    terms.clear();
    ids.clear();
    return state;
  };

  const match = (
    { documents, layout }: State,
    {
      termMatches,
      nameMatches,
      condition,
    }: { termMatches: TermMatches<TermPostings>; nameMatches: readonly NameMatch[]; condition: Condition | undefined },
  ): Matches => {
    const filter = condition && ((docIds: Uint32Array) => conditions.keep(docIds, condition));
    return matchesOf(tools, { termMatches, nameMatches, documents, layout, filter });
  };

  const under: TypeSearcher['under'] = (condition, epoch, namedIds = []) => {
    const current = readState(epoch);
    return createSearcher({
      terms,
      nameMatcher,
      named: namedIds.length === 0 ? [] : docIds.all(JSON.stringify(namedIds)),
      documents: () => current.documents,
      match: (termMatches, nameMatches) => match(current, { termMatches, nameMatches, condition }),
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

/** Maps document ids to record ids, cached because top-ranked records recur on most pages. */
function createIds(database: Database, documents: string): { of(docId: number): number; clear(): void } {
  const find = database.prepare<[number], number>(`SELECT id FROM ${documents} WHERE ordinal = ?`).pluck();
  const known = createCache<number, number>(IDS_MAX);
  const idOf = (docId: number): number => find.get(docId) ?? 0;
  return { of: (docId) => cached(known, docId, idOf), clear: () => known.clear() };
}

interface State {
  epoch: number | undefined;
  documents: number;
  layout: Layout;
}

function createKeyLookup(database: Database, type: string): KeyLookup {
  const { keys } = searchTables(type);
  const equal = database.prepare<[string], KeyRow>(
    `SELECT ordinal AS docId, kind FROM ${keys} WHERE key = ? LIMIT ${DOCUMENTS_PER_KEY_MAX}`,
  );
  const between = database
    // As one row, because many small rows cost more to fetch than to find.
    .prepare<[string, string], string>(
      `SELECT json_group_array(ordinal) FROM (
        SELECT ordinal FROM ${keys} WHERE key > ? AND key < ? AND kind <= ${KEY.alias} LIMIT ${NAME_PREFIX_MATCHES_MAX + 1}
      )`,
    )
    .pluck();
  return {
    equal: (key) => equal.all(key),
    between: (after, before) => JSON.parse(between.get(after, before) ?? '[]') as number[],
  };
}
