import type { Database } from 'better-sqlite3';
import { type Matches, NO_MATCHES } from '../../search/matches.ts';
import type { Plan } from '../../search/plan.ts';
import type { Condition } from '../../search/search-index.ts';
import type { Searcher } from '../../search/stages.ts';
import { type ConditionFilter, createConditionFilter } from './condition-filter.ts';
import { denseMatches } from './dense-matches.ts';
import { parseSizes } from './documents.ts';
import { type Evidence, gatherEvidence, type WordEvidence } from './evidence.ts';
import { type Called, createIdentities } from './identities.ts';
import { createLists } from './lists.ts';
import { layoutOf } from './ordinals.ts';
import { SIZES_TABLE, searchTables } from './schema.ts';
import { createSourceReader } from './sources.ts';
import { type MatchRequest, sparseMatches } from './sparse-matches.ts';

/** Search in one type. */
export interface TypeSearcher {
  /** The searcher of the stages, under a condition on the type's own table. */
  under(condition: Condition | undefined): Searcher;
  /** Every record, in static order. */
  everything(condition: Condition | undefined): Matches;
  idOf(ordinal: number): number;
}

/** Below this share of the documents candidates are scored one by one; above it sets of bits are cheaper. */
const SPARSE_SHARE = 1 / 64;
const SPARSE_MIN = 2_048;
/** What an identity is worth that only a correction found. */
const CORRECTED_BONUS = -1;

export function createTypeSearcher(database: Database, type: string): TypeSearcher {
  const tables = searchTables(type);
  const lists = createLists(database, tables.lists);
  const reader = createSourceReader(lists);
  const identities = createIdentities(database, type);
  const conditions: ConditionFilter = createConditionFilter(database, type);
  const idOf = database.prepare<[number], number>(`SELECT id FROM ${tables.documents} WHERE ordinal = ?`).pluck();
  const sizes = database.prepare<[string], { documents: number; steps: string }>(
    `SELECT documents, steps FROM ${SIZES_TABLE} WHERE type = ?`,
  );

  const match = (evidence: Evidence, called: readonly Called[], condition: Condition | undefined): Matches => {
    const row = sizes.get(type);
    const documents = row?.documents ?? 0;
    const isWordless = evidence.words.length === 0 || evidence.words.some(({ count }) => count === 0);
    if (isWordless && called.length === 0 && !evidence.start) return NO_MATCHES;
    const filter = condition && ((ordinals: Uint32Array) => conditions.keep(ordinals, condition));
    const request: MatchRequest = { evidence, called, documents, filter };
    const fewest = Math.min(...evidence.words.map(({ count }) => count), Infinity);
    const candidates = (fewest === Infinity ? 0 : fewest) + (evidence.start?.count ?? 0);
    if (candidates <= Math.max(SPARSE_MIN, documents * SPARSE_SHARE)) return sparseMatches(reader, request);
    return denseMatches(reader, layoutOf(parseSizes(row).steps), request);
  };

  const under = (condition: Condition | undefined): Searcher => {
    const evidenceOf = onceFor((plan: Plan) => gatherEvidence(lists, plan));
    return {
      typed(plan) {
        const evidence = evidenceOf(plan);
        const called = [...identities.whole(plan.query), ...(evidence.start ? [] : identities.starting(plan.query))];
        // An unknown word is more likely a typo than an extra word: then names inside the query must wait.
        const isKnown = evidence.words.every(({ count }) => count > 0);
        if (isKnown && evidence.words.length > 1) called.push(...identities.parts(plan.query));
        return match(evidence, called, condition);
      },
      corrected(plan, queries) {
        const called = queries.flatMap((query) => [...identities.whole(query), ...identities.starting(query)]);
        const to = plan.words.length - 1;
        const weaker = called.map((one) => ({ ...one, bonus: one.bonus + CORRECTED_BONUS, from: 0, to }));
        return match(gatherEvidence(lists, plan), weaker, condition);
      },
      named(plan) {
        const { parts, joined } = plan.query;
        const most = parts.filter(({ key }) => key.length * 2 >= joined.length);
        return match(evidenceOf(plan), identities.parts({ ...plan.query, parts: most }), condition);
      },
      forgiving(plan, words) {
        const evidence = evidenceOf(plan).words;
        return match(
          { words: words.map((word, place) => standingAt(evidence[word], place)), keywords: [], start: undefined },
          [],
          condition,
        );
      },
      counts: (plan) => evidenceOf(plan).words.map(({ count, countTyped }) => ({ any: count, typed: countTyped })),
      documents: () => sizes.get(type)?.documents ?? 0,
    };
  };

  return {
    under,
    everything: (condition) => conditions.everything(condition),
    idOf: (ordinal) => idOf.get(ordinal) ?? 0,
  };
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
