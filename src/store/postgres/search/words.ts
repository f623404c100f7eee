import type { RecordType } from '../../../contract/entities/index.ts';
import type { WordIndex } from '../../records/record-index.ts';
import { answerOf } from '../../search/answer.ts';
import { createIdentities } from '../../search/identities.ts';
import type { QueryMatches } from '../../search/matches.ts';
import { parseQuery, type Query, TEXT_LENGTH_MAX } from '../../search/query.ts';
import type { SearchAnswer, SearchRequest } from '../../search/search-index.ts';
import { createSearcher } from '../../search/searcher.ts';
import { findMatches, type Searcher } from '../../search/stages.ts';
import type { Steps } from '../../sql/steps.ts';
import { type Answers, withAnswers } from './answers.ts';
import { createCounts } from './counts.ts';
import { everything } from './everything.ts';
import { changeWords } from './index-writer.ts';
import { createKeyLookup } from './key-lookup.ts';
import { type MatchRequest, matchesOf } from './matching.ts';
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

function find(answers: Answers, request: SearchRequest<RecordType>): SearchAnswer<RecordType> {
  const ids = new Map<string, number>();
  const found = matchesOfTypes(answers, request, (type) => (ordinal, id) => void ids.set(`${type} ${ordinal}`, id));
  const { types, offset, limit } = request;
  const isOne = types.length === 1;
  // The first pages of all types are fetched together.
  answers.each(found.matches.map((each) => () => (isOne ? each.page(offset, limit) : each.page(0, offset + limit))));
  return answerOf(request, found, (type, ordinal) => ids.get(`${type} ${ordinal}`) ?? 0);
}

/** Makes the note of a type's numbers. */
type NoteOf = (type: RecordType) => MatchRequest['noteId'];

function matchesOfTypes(answers: Answers, request: SearchRequest<RecordType>, noteOf: NoteOf): QueryMatches {
  const { types, text, where, offset, limit, reaches } = request;
  const first = offset + limit;
  const listings = types.map((type) => ({ type, condition: where?.(type), first, noteId: noteOf(type) }));
  if (text.trim() === '')
    return { matches: answers.each(listings.map((listing) => () => everything(answers, listing))), reach: 'typed' };
  // What the database cannot keep nobody can find.
  const query = parseQuery(text.slice(0, TEXT_LENGTH_MAX).replaceAll('\0', ' '));
  const vocabulary = createVocabulary(answers, query);
  const searchers = listings.map((listing) => createTypeSearcher(answers, { ...listing, query, vocabulary }));
  return findMatches(query, { vocabulary, searchers: askedTogether(answers, searchers) }, reaches);
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
      isName: asked((each, asking) => each.isName(asking)),
      nameParts: asked((each, plan) => each.nameParts(plan)),
    } satisfies Searcher;
  });
}

interface TypeRequest extends Pick<MatchRequest, 'condition' | 'first' | 'noteId'> {
  readonly type: RecordType;
  readonly query: Query;
  readonly vocabulary: KnownTerms;
}

const SIZES = 'SELECT type, documents FROM search_sizes';

function createTypeSearcher(answers: Answers, { type, query, vocabulary, ...more }: TypeRequest): Searcher {
  const counts = createCounts(answers, type);
  const keys = createKeyLookup(answers, type);
  keys.expect([query]);
  answers.expect([{ sql: SIZES, parameters: [] }]);
  const documents = (): number => {
    const rows = answers.rows<{ type: string; documents: number }>(SIZES);
    return rows.find((row) => row.type === type)?.documents ?? 0;
  };
  const searcher = createSearcher({
    terms: counts,
    identities: createIdentities(keys),
    documents,
    match: (evidence, called) => {
      const { termOf } = vocabulary;
      return matchesOf(answers, { type, evidence, called, documents: documents(), termOf, ...more });
    },
  });
  return {
    ...searcher,
    typed: (plan) => {
      counts.expect(plan);
      return searcher.typed(plan);
    },
    corrected: (plan, queries) => {
      keys.expect(queries);
      counts.expect(plan);
      return searcher.corrected(plan, queries);
    },
    counts: (plan) => {
      counts.expect(plan);
      return searcher.counts(plan);
    },
  };
}
