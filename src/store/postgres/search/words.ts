import type { SearchedType } from '../../../contract/entities/index.ts';
import type { WordIndex } from '../../records/record-index.ts';
import { answerOf } from '../../search/answer.ts';
import { createIdentities, type KeyLookup, type KeyRow, SAME_KEY_MAX, STARTING_MAX } from '../../search/identities.ts';
import { KEY } from '../../search/layers.ts';
import type { Matches } from '../../search/matches.ts';
import { parseQuery, TEXT_LENGTH_MAX } from '../../search/query.ts';
import type { SearchAnswer, SearchRequest } from '../../search/search-index.ts';
import { createSearcher } from '../../search/searcher.ts';
import { findMatches, type Searcher } from '../../search/stages.ts';
import type { Steps } from '../../sql/steps.ts';
import { type Answers, withAnswers } from './answers.ts';
import { createCounts } from './counts.ts';
import { everything } from './everything.ts';
import { changeWords } from './index-writer.ts';
import { matchesOf } from './matching.ts';
import { createVocabulary, type KnownTerms } from './vocabulary.ts';

/** The index of words: text search vectors, whose candidates are scored by the same rules as on every engine. */
export const postgresWords: WordIndex = {
  putMany: (type, documents) => changeWords(type, documents, []),
  remove: (type, id) => changeWords(type, [], [id]),
  settle: nothingToSettle,
  find: (request) => withAnswers((answers) => find(answers, request)),
};

/** The lists of PostgreSQL's own indexes are its business. */
// biome-ignore lint/correctness/useYield: it has no steps to take.
function* nothingToSettle(): Steps<boolean> {
  return false;
}

function find(answers: Answers, request: SearchRequest<SearchedType>): SearchAnswer<SearchedType> {
  const matches = matchesOfTypes(answers, request);
  const { types, offset, limit } = request;
  const isOne = types.length === 1;
  // Each type's first page, and then its numbers, are fetched together.
  const pages = answers.each(
    matches.map((each) => () => (isOne ? each.page(offset, limit) : each.page(0, offset + limit))),
  );
  const ids = answers.each(
    types.map(
      (type, index) => () =>
        idsOf(
          answers,
          type,
          (pages[index] ?? []).map(({ ordinal }) => ordinal),
        ),
    ),
  );
  return answerOf(request, matches, (type, ordinal) => ids[types.indexOf(type)]?.get(ordinal) ?? 0);
}

function idsOf(answers: Answers, type: SearchedType, ordinals: readonly number[]): Map<number, number> {
  if (ordinals.length === 0) return new Map();
  const sql = `SELECT ordinal, id FROM ${type}_search WHERE ordinal = ANY (CAST(? AS BIGINT[]))`;
  const rows = answers.rows<{ ordinal: number; id: number }>(sql, `{${ordinals.join()}}`);
  return new Map(rows.map(({ ordinal, id }) => [ordinal, id]));
}

function matchesOfTypes(answers: Answers, { types, text, where }: SearchRequest<SearchedType>): Matches[] {
  if (text.trim() === '') return answers.each(types.map((type) => () => everything(answers, type, where?.(type))));
  // What the database cannot keep nobody can find.
  const query = parseQuery(text.slice(0, TEXT_LENGTH_MAX).replaceAll('\0', ' '));
  const vocabulary = createVocabulary(answers, query);
  const searchers = types.map((type) => createTypeSearcher(answers, { type, vocabulary, condition: where?.(type) }));
  return findMatches(query, vocabulary, askedTogether(answers, searchers));
}

/** When the first is asked, all are, so that what they lack is fetched for all types at once. */
function askedTogether(answers: Answers, searchers: readonly Searcher[]): Searcher[] {
  const together = <Result>(ask: (searcher: Searcher) => Result): Result[] =>
    answers.each(searchers.map((searcher) => () => ask(searcher)));
  return searchers.map((searcher, index) => {
    const asked =
      <Args extends unknown[], Result>(ask: (searcher: Searcher, ...args: Args) => Result) =>
      (...args: Args): Result => {
        if (index === 0) together((each) => ask(each, ...args));
        return ask(searcher, ...args);
      };
    return {
      typed: asked((each, plan) => each.typed(plan)),
      corrected: asked((each, plan, queries) => each.corrected(plan, queries)),
      named: asked((each, plan) => each.named(plan)),
      forgiving: asked((each, plan, words) => each.forgiving(plan, words)),
      counts: asked((each, plan) => each.counts(plan)),
      documents: asked((each) => each.documents()),
    } satisfies Searcher;
  });
}

interface TypeRequest {
  readonly type: SearchedType;
  readonly vocabulary: KnownTerms;
  readonly condition: Parameters<typeof everything>[2];
}

function createTypeSearcher(answers: Answers, { type, vocabulary, condition }: TypeRequest): Searcher {
  const counts = createCounts(answers, type);
  const documents = (): number => {
    const sizes = 'SELECT type, documents FROM search_sizes';
    const rows = answers.rows<{ type: string; documents: number }>(sizes);
    return rows.find((row) => row.type === type)?.documents ?? 0;
  };
  const searcher = createSearcher({
    terms: counts,
    identities: createIdentities(createKeyLookup(answers, type)),
    documents,
    match: (evidence, called) => {
      const request = { type, evidence, called, documents: documents(), condition, termOf: vocabulary.termOf };
      return matchesOf(answers, request);
    },
  });
  return {
    ...searcher,
    typed: (plan) => {
      counts.expect(plan);
      return searcher.typed(plan);
    },
    corrected: (plan, queries) => {
      counts.expect(plan);
      return searcher.corrected(plan, queries);
    },
    counts: (plan) => {
      counts.expect(plan);
      return searcher.counts(plan);
    },
  };
}

function createKeyLookup(answers: Answers, type: SearchedType): KeyLookup {
  const same = `SELECT ordinal, kind FROM ${type}_search_keys WHERE key = ? ORDER BY kind, ordinal LIMIT ${SAME_KEY_MAX}`;
  const starting = `SELECT ordinal FROM ${type}_search_keys
    WHERE key > ? AND key < ? AND kind <= ${KEY.alias} ORDER BY key, kind, ordinal LIMIT ${STARTING_MAX + 1}`;
  return {
    same: (key) => answers.rows<KeyRow>(same, key),
    starting: (after, before) =>
      answers.rows<{ ordinal: number }>(starting, after, before).map(({ ordinal }) => ordinal),
  };
}
