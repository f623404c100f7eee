import type { Database } from 'better-sqlite3';
import { type Matches, NO_MATCHES } from '../../search/matches.ts';
import type { Plan } from '../../search/plan.ts';
import { partsOf } from '../../search/query.ts';
import type { Condition } from '../../search/search-index.ts';
import type { Searcher } from '../../search/stages.ts';
import { createCombiner } from './blocks.ts';
import { type ConditionFilter, createConditionFilter } from './condition-filter.ts';
import type { SetTools } from './dense-matches.ts';
import { parseSizes } from './documents.ts';
import { type Evidence, gatherEvidence, type WordEvidence } from './evidence.ts';
import type { HeldTerms } from './held-terms.ts';
import { type Called, createIdentities } from './identities.ts';
import { createLists } from './lists.ts';
import { matchesOf } from './matching.ts';
import { type Layout, layoutOf } from './ordinals.ts';
import { overlaid } from './overlaid-lists.ts';
import { createRuns } from './runs.ts';
import { SIZES_TABLE, searchTables } from './schema.ts';
import { createSourceReader } from './sources.ts';
import { createTermReader } from './term-lists.ts';

/** Search in one type. */
export interface TypeSearcher {
  /** The searcher of the stages, under a condition on the type's own table, in the state that the epoch names. */
  under(condition: Condition | undefined, epoch: number | undefined): Searcher;
  /** Every record, in static order. */
  everything(condition: Condition | undefined, epoch: number | undefined): Matches;
  idOf(ordinal: number): number;
}

/** Numbers of records remembered; about a megabyte. */
const IDS_MAX = 16_384;
/** What an identity is worth that only a correction found. */
const CORRECTED_BONUS = -1;

export function createTypeSearcher(database: Database, type: string, memory: HeldTerms): TypeSearcher {
  const tables = searchTables(type);
  const runs = createRuns(database, tables.lists);
  const terms = createTermReader(overlaid(createLists(database, tables.lists), runs), memory);
  const tools: SetTools = { reader: createSourceReader(terms), combiner: createCombiner() };
  const identities = createIdentities(database, type);
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
    ids.clear();
    return state;
  };

  const match = (
    { documents, layout }: State,
    {
      evidence,
      called,
      condition,
    }: { evidence: Evidence; called: readonly Called[]; condition: Condition | undefined },
  ): Matches => {
    const isWordless = evidence.words.length === 0 || evidence.words.some(({ count }) => count === 0);
    if (isWordless && called.length === 0 && !evidence.start) return NO_MATCHES;
    const filter = condition && ((ordinals: Uint32Array) => conditions.keep(ordinals, condition));
    return matchesOf(tools, { evidence, called, documents, layout, filter });
  };

  const under = (condition: Condition | undefined, epoch: number | undefined): Searcher => {
    const current = readState(epoch);
    terms.begin();
    const evidenceOf = onceFor((plan: Plan) => gatherEvidence(terms, plan));
    const matched = (evidence: Evidence, called: readonly Called[]) => match(current, { evidence, called, condition });
    return {
      typed(plan) {
        const evidence = evidenceOf(plan);
        const called = [...identities.whole(plan.query), ...(evidence.start ? [] : identities.starting(plan.query))];
        // An unknown word is more likely a typo than an extra word: then names inside the query must wait.
        const isKnown = evidence.words.every(({ count }) => count > 0);
        if (isKnown && evidence.words.length > 1) called.push(...identities.parts(plan.query, partsOf(plan.query)));
        return matched(evidence, called);
      },
      corrected(plan, queries) {
        const called = queries.flatMap((query) => [...identities.whole(query), ...identities.starting(query)]);
        const to = plan.words.length - 1;
        const weaker = called.map((one) => ({ ...one, bonus: one.bonus + CORRECTED_BONUS, from: 0, to }));
        return matched(gatherEvidence(terms, plan), weaker);
      },
      named(plan) {
        const most = partsOf(plan.query).filter(({ key }) => key.length * 2 >= plan.query.joined.length);
        return matched(evidenceOf(plan), identities.parts(plan.query, most));
      },
      forgiving(plan, words) {
        const evidence = evidenceOf(plan).words;
        const kept = words.map((word, place) => standingAt(evidence[word], place));
        return matched({ words: kept, keywords: [], start: undefined }, []);
      },
      counts: (plan) => evidenceOf(plan).words.map(({ count, countTyped }) => ({ any: count, typed: countTyped })),
      documents: () => current.documents,
    };
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
  const known = new Map<number, number>();
  return {
    of(ordinal) {
      const remembered = known.get(ordinal);
      if (remembered !== undefined) return remembered;
      if (known.size >= IDS_MAX) known.clear();
      const id = find.get(ordinal) ?? 0;
      known.set(ordinal, id);
      return id;
    },
    clear: () => known.clear(),
  };
}

/** What a search needs to know of the index before it reads. */
interface State {
  epoch: number | undefined;
  documents: number;
  layout: Layout;
}

/** Remembers the answer for the last argument: several stages ask about one plan. */
function onceFor<Argument, Answer>(work: (argument: Argument) => Answer): (argument: Argument) => Answer {
  let last: { argument: Argument; answer: Answer } | undefined;
  return (argument) => {
    if (last?.argument !== argument) last = { argument, answer: work(argument) };
    return last.answer;
  };
}

/** The same evidence for a word at another place in the query. */
function standingAt(evidence: WordEvidence, place: number): WordEvidence {
  return { ...evidence, sources: evidence.sources.map((source) => ({ ...source, from: place, to: place })) };
}
