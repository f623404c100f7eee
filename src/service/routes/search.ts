import type * as z from 'zod';
import { answerText } from '../../contract/answer-parts.ts';
import { answerSentence } from '../../contract/answer-sentence.ts';
import { entityOf, NAMED_TYPES, RECORD_TYPES, type RecordData } from '../../contract/entities/index.ts';
import { showThrough } from '../../contract/entity.ts';
import { type ErrorCode, ServiceError, TEXT } from '../../contract/errors.ts';
import { checkFields } from '../../contract/field-names.ts';
import { FILTER_NAMES } from '../../contract/filters.ts';
import type { searchQuery } from '../../contract/queries.ts';
import type { SearchData } from '../../contract/record-responses.ts';
import { askedIn } from '../../contract/sentence-calls.ts';
import { parseSort, sortedBy } from '../../contract/sorts.ts';
import { PAID_TYPES, type PaidSearchQuery, type SoldType } from '../../contract/x402.ts';
import type { SearchPage, SearchRequest, Window } from '../../store/port/records.ts';
import type { Store } from '../../store/store.ts';
import { type Call, type Handler, withRequestMeta } from '../call.ts';
import type { ServiceDeps } from '../deps.ts';
import type { PaidResource } from '../payments/payment-gate.ts';
import { answerOf } from './analytics.ts';
import { charge } from './charge.ts';
import { csvResponse } from './csv.ts';
import { filtersFor, searchJson, windowOf } from './pagination.ts';

export function keyedSearch(store: Store): Handler {
  return async (call) => {
    const { query, isCsv } = call;
    const { type, query: text, page, limit, fields, sort } = query as z.output<typeof searchQuery>;
    const types = type === 'all' ? NAMED_TYPES : [type];
    // A sentence may select a type beyond the given ones.
    checkFields(type === 'all' ? RECORD_TYPES : types, fields, 'query');
    const request = {
      types,
      text,
      filters: filtersFor(types, query),
      sort: parseSort(types, sort),
      window: windowOf(page, limit, call),
    };
    const found = await searchStore(store, request);
    if (isCsv) return csvResponse(found, { types, fields, sort: sortedBy({ type, sort }, found.understood) });
    const answers = page === 1 && found.understood !== undefined ? await answersOf(store, found, call) : {};
    return withRequestMeta(searchJson(found, { page, limit, fields }, answers), 'Search completed');
  };
}

/** What answers a sentence beside its list: the aggregate that it asks for, and a sentence. */
async function answersOf(
  store: Store,
  found: SearchPage,
  call: Pick<Call, 'query' | 'atLeast'>,
): Promise<Pick<SearchData, 'answer' | 'sentence'>> {
  const { understood, results, total, isTyped } = found;
  const { type, query: words, sort } = call.query as z.output<typeof searchQuery>;
  const given = FILTER_NAMES.filter((name) => call.query[name] !== undefined).map((name) => [name, call.query[name]]);
  const answer = await answerOf(store, found, call);
  const parts = answerSentence({
    query: words,
    type: understood?.type ?? type,
    text: understood?.text ?? words,
    given: { ...understood?.filters, ...Object.fromEntries(given) },
    sort: sort ?? understood?.sort,
    understood,
    results: results.map((json) => JSON.parse(json) as RecordData),
    total,
    isApproximate: !isTyped,
    totalled: answer && { asked: askedIn(answer.asked), data: answer },
  });
  return { answer, sentence: parts && answerText(parts, String, String) };
}

/** Errors that are not failures of the search: an unavailable database, or an unknown filter value. */
const PASSED_ON: readonly ErrorCode[] = ['unavailable', 'invalid_parameter'];

/** Runs a search. Unexpected errors become `search_failed`. */
async function searchStore(store: Store, request: SearchRequest): Promise<SearchPage> {
  try {
    return await store.records.search(request);
  } catch (cause) {
    if (cause instanceof ServiceError && PASSED_ON.includes(cause.code)) throw cause;
    throw new ServiceError('search_failed', TEXT.searchFailed, { cause });
  }
}

export function paidSearch(deps: ServiceDeps): Handler {
  return async (call) => {
    const query = call.query as PaidSearchQuery;
    // Validate everything before requesting payment.
    const window = windowOf(query.page, query.limit, call);
    return charge(deps, call, {
      query: canonical(query),
      compute: () => searched(deps.store, query, window),
      // The first page always exists, even without matches.
      isRefusable: query.page > 1,
    });
  };
}

const canonical = ({ q, type, limit, page }: PaidSearchQuery): string =>
  `${new URLSearchParams({ ...(q !== '' && { q }), type, limit: String(limit), page: String(page) })}`;

/** The response of a paid search. Throws `invalid_parameter` past the last page. */
async function searched(store: Store, paidSearchQuery: PaidSearchQuery, window: Window): Promise<PaidResource> {
  const { q, type, page, limit } = paidSearchQuery;
  const types: readonly SoldType[] = type === 'all' ? PAID_TYPES : [type];
  const { results, total } = await searchStore(store, { types, text: q, window, isInterleaved: true });
  if (page > 1 && results.length === 0) throw pastTheEnd(Math.ceil(total / limit));
  const records = results.map((json) => JSON.parse(json) as Record<string, unknown>);
  const lists = [...new Set([...PAID_TYPES, ...types])].map((each) => [
    each,
    records.filter((record) => record['type'] === each).map(shownAs(each)),
  ]);
  return { data: JSON.stringify(Object.fromEntries(lists)), meta: { query: q, type, page, limit, total } };
}

function pastTheEnd(pages: number): ServiceError {
  const message = `page is past the end; pages of this limit: ${pages}`;
  const errors = [{ location: 'query.page', message: `page must be at most ${Math.max(1, pages)}` }];
  return new ServiceError('invalid_parameter', message, { errors });
}

function shownAs(type: SoldType): (record: Record<string, unknown>) => Record<string, unknown> {
  const { paid } = entityOf(type);
  if (paid === null) throw new Error(`${type} are not sold`);
  return (record) => showThrough(paid, record);
}
