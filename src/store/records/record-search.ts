import { LRUCache } from 'lru-cache';
import type { RecordType } from '../../contract/entities/index.ts';
import { undefinedIfInvalid } from '../../contract/errors.ts';
import { type FilterName, type Filters, pickFilters } from '../../contract/filters.ts';
import { statedValue, utcDay } from '../../contract/periods.ts';
import { hasPeriod, withoutPeriod } from '../../contract/sample-notes.ts';
import { asksForLikes, type ListOwner } from '../../contract/sentence-calls.ts';
import { NO_GRANTS } from '../../contract/vocabulary.ts';
import type { SearchPage, SearchRequest } from '../port/records.ts';
import { type Relaxation, SCORE_TIER } from '../search/matches.ts';
import type { SearchIndex } from '../search/search-index.ts';
import type { ParsedSentence } from '../sentences/parser.ts';
import type { LazySentence } from '../sentences/sentence.ts';
import type { SqlProgram } from '../sql.ts';
import { companiesAlike, countSimilar, similarCompanies } from './computed-lists.ts';
import { conditionOf, orderOf, unknownFact } from './conditions.ts';
import type { Document } from './document.ts';
import {
  areUnstated,
  coverageOf,
  findFullText,
  grantsOf,
  type Matched,
  match,
  unknownGrantsOf,
  unknownOf,
} from './filtered-matches.ts';
import { documentsOf, misspeltName, withNearest, withParty } from './names-like.ts';
import type { RecordIndex } from './record-index.ts';
import { UNFILTERED } from './resolve-filters.ts';
import { countOfSample, type OnRecord } from './sample-count.ts';
import {
  createSentenceCache,
  type Interpretation,
  interpretationsOf,
  type SentenceParser,
  withoutPartyFilters,
} from './sentence-interpretations.ts';
import { type CoverageDate, createCoverageDate, DAY_OF } from './vocabulary.ts';
import { countWithoutEach } from './without-filters.ts';

interface Searcher {
  readonly fullText: SearchIndex;
  readonly covered: CoverageDate;
  readonly onRecord: OnRecord;
  readonly parse: SentenceParser;
}

const TYPED: readonly Relaxation[] = ['typed'];
/** Relaxations after an exact search found nothing. */
const BEYOND_TYPED: readonly Relaxation[] = ['corrected', 'some', 'any'];
const NO_FILTERS: Filters = {};
const NOT_GRANTS = pickFilters({ funding_stage: NO_GRANTS });
const isFilled = (filters: Filters): boolean => Object.keys(filters).length > 0;

/** Searches a read model. Pages are cached until the epoch of the index changes. */
export function createRecordSearch(fullText: SearchIndex, onRecord: OnRecord): RecordIndex['find'] {
  const covered = createCoverageDate();
  const searcher = { fullText, covered, onRecord, parse: createSentenceCache() };
  const pages = new LRUCache<string, SearchPage>({
    max: PAGES_MAX,
    maxSize: PAGES_LENGTH_MAX,
    maxEntrySize: PAGE_LENGTH_MAX,
    sizeCalculation: ({ results }, key) => results.reduce((sum, json) => sum + json.length, key.length),
  });
  let known: number | undefined;
  return function* find(request, sentence, rowsMax = Number.POSITIVE_INFINITY) {
    const epoch = fullText.epoch();
    if (epoch !== known) pages.clear();
    known = epoch;
    const key = pageKey(request, sentence);
    const cached = pages.get(key);
    if (cached !== undefined) return cached;
    fullText.bound(rowsMax);
    try {
      const page = yield* searchRecords(searcher, request, sentence);
      pages.set(key, page);
      return page;
    } finally {
      fullText.bound(Number.POSITIVE_INFINITY);
    }
  };
}

/** Capacity of the cache: in pages, because many are empty, and in characters; and the size of a cached page. */
const PAGES_MAX = 2_048;
const PAGES_LENGTH_MAX = 16_777_216;
const PAGE_LENGTH_MAX = 131_072;

/** All that a page depends on; joined by hand, because serializing the request costs a tenth of a search. */
function pageKey(request: SearchRequest, sentence?: LazySentence): string {
  const { types, text, filters, sort, window, isInterleaved } = request;
  const narrowed = filters === undefined && sort === undefined ? '' : JSON.stringify([filters, sort]);
  const today = sentence === undefined ? '' : utcDay(sentence.today);
  return `${types} ${window.offset} ${window.limit} ${isInterleaved} ${today} ${narrowed}\0${text}`;
}

/** A text with exact matches, or one that is no sentence, is searched verbatim; another is parsed as a sentence. */
function* searchRecords(finder: Searcher, request: SearchRequest, text?: LazySentence): SqlProgram<SearchPage> {
  if (text === undefined) return yield* present(finder, yield* match(finder.fullText, { request, isWhole: true }));
  const typed = yield* match(finder.fullText, { request, relaxations: ['typed'], isWhole: true });
  if (typed.total > 0 && (yield* isPlain(finder, typed, text))) return yield* present(finder, typed);
  const parsed = yield* finder.parse(text.read(), request.types, typed.result.epoch);
  const sentence = parsed && (yield* withParty(finder.fullText, parsed, typed.total === 0));
  const similar = sentence && (yield* similarAsked(finder, request, sentence));
  if (similar !== undefined) return similar;
  const isRead = sentence?.isCertain && (sentence.isOfDeals || text.isAsking() || text.asksUnstated());
  if (typed.total > 0 && !isRead) {
    const asked = sentence && (yield* matchAskedName(finder, typed, sentence));
    return yield* present(finder, asked ?? typed);
  }
  if (sentence === undefined) {
    const read = yield* misspeltName(finder.fullText, request.types, text.read());
    const named = {
      request: { ...request, text: read?.text ?? '' },
      relaxations: TYPED,
      understood: read,
      isWhole: false,
    };
    if (read !== undefined) return yield* present(finder, yield* match(finder.fullText, named));
    const matched = yield* match(finder.fullText, { request, relaxations: BEYOND_TYPED, isWhole: true });
    return yield* present(finder, { ...matched, interpretation: { request, isWhole: true } });
  }
  const interpretations = interpretationsOf(request, sentence);
  // No record of its type has the party of a sentence: a company that only invests raised nothing.
  let last = typed.total > 0 ? typed : readAs(typed, interpretations[0]?.understood);
  for (const interpretation of interpretations) {
    const matched = yield* tryMatch(finder, interpretation);
    if (matched === undefined && interpretation === interpretations[0])
      last = readAs(last, withoutPartyFilters(last.interpretation.understood));
    if (matched === undefined || !(yield* areUnstated(finder.fullText, matched, sentence))) continue;
    if (matched.total > 0)
      return (
        (yield* similarToNamed(finder, matched)) ??
        (yield* withNearest(finder.fullText, sentence, yield* present(finder, matched)))
      );
    last = matched;
  }
  return yield* withNearest(finder.fullText, sentence, yield* present(finder, last));
}

const readAs = (typed: Matched, understood: Interpretation['understood']): Matched => ({
  ...typed,
  interpretation: { ...typed.interpretation, understood },
});

/**
 * The record whose name or ticker remains of a question, or beside its type or a fact: `what is $UNI`, `market cap of Aave`;
 * also those of a type that nothing typed has: `events by Acme`.
 */
function* matchAskedName(finder: Searcher, typed: Matched, sentence: ParsedSentence): SqlProgram<Matched | undefined> {
  const { isAsked, type, filters, text, unstated } = sentence;
  if (!(isAsked || type || unstated) || Object.keys(filters).length > 0 || text === '') return undefined;
  const [interpretation] = interpretationsOf(typed.interpretation.request, sentence);
  const matched = interpretation && (yield* match(finder.fullText, interpretation));
  if (matched === undefined || matched.total === 0) return undefined;
  return (type !== undefined && typed.result.totals[type] === 0) || (yield* isNamed(finder, matched))
    ? matched
    : undefined;
}

/** The companies similar to the one that a sentence names, of those that pass its filters; undefined if there are none. */
function* similarAsked(
  finder: Searcher,
  request: SearchRequest,
  sentence: ParsedSentence,
): SqlProgram<SearchPage | undefined> {
  if (!asksForLikes(sentence.ignored)) return undefined;
  const [interpretation] = interpretationsOf(request, sentence);
  const matched = interpretation && (yield* tryMatch(finder, { ...interpretation, isOfNamed: false }));
  return matched && (yield* similarToNamed(finder, matched));
}

/** The companies similar to the one that a sentence such as `alternatives to Aave` names; undefined for other sentences. */
function* similarToNamed(finder: Searcher, matched: Matched): SqlProgram<SearchPage | undefined> {
  const { filters, interpretation, result } = matched;
  const { request, understood, isWhole } = interpretation;
  const isAsked = understood !== undefined && asksForLikes(understood.ignored);
  if (!isAsked || request.window.limit === 0 || !request.types.includes('companies')) return undefined;
  const { hits } = finder.fullText.find({ types: request.types, text: request.text, offset: 0, limit: 1 });
  const [named] = hits;
  if (named?.type !== 'companies' || named.score < SCORE_TIER.exactName) return undefined;
  const where = isFilled(filters.given) ? conditionOf('companies', filters) : undefined;
  const alike = yield* companiesAlike(named.id);
  const order = request.sort && orderOf('companies', request.sort);
  const { results, total } = yield* similarCompanies(alike, request.window, { where, order });
  if (where !== undefined && total === 0) return undefined;
  const unknown: Partial<Record<FilterName, number>> = {};
  for (const name of Object.keys(filters.given) as FilterName[]) {
    const { lacking, known } = unknownFact('companies', { filters, name }) ?? {};
    const count = (yield* countSimilar(alike, lacking)) - (yield* countSimilar(alike, known));
    if (count > 0) unknown[name] = count;
  }
  const [json = '{}'] = yield* documentsOf(hits);
  const { type, slug, name } = JSON.parse(json) as ListOwner;
  return {
    results,
    total,
    totals: Object.fromEntries(request.types.map((type) => [type, type === 'companies' ? total : 0])),
    isTyped: isWhole !== false,
    unknown,
    covered: yield* finder.covered(request.types, result.epoch),
    understood: { ...understood, list: 'similar', list_of: { type, slug, name } },
  };
}

/** Like `match`; undefined if a filter from the sentence matches nothing, or no record the required name. */
function* tryMatch(finder: Searcher, interpretation: Interpretation): SqlProgram<Matched | undefined> {
  try {
    const matched = yield* match(finder.fullText, interpretation);
    return interpretation.isOfNamed && !(yield* isNamed(finder, matched)) ? undefined : matched;
  } catch (error) {
    return undefinedIfInvalid(error);
  }
}

/** Whether a text with exact matches is not a sentence: the best match has this name, which is no order, or the text contains no filter. */
function* isPlain(finder: Searcher, typed: Matched, text: LazySentence): SqlProgram<boolean> {
  if (text.asksUnstated()) return false;
  if (holdsBest(typed) && hasName(typed.result)) return !text.isRanking();
  if (!text.isAsking() && !text.mayNameDeals()) return true;
  return !text.isRanking() && (yield* isNamed(finder, typed));
}

const hasName = ({ hits: [best] }: Matched['result']): boolean => (best?.score ?? 0) >= SCORE_TIER.exactName;

const holdsBest = ({ interpretation: { request } }: Matched): boolean =>
  request.window.offset === 0 && request.window.limit > 0 && request.sort === undefined;

/** Whether the best match of a text has it as its name; independent of the page. */
function* isNamed({ fullText }: Searcher, matched: Matched): SqlProgram<boolean> {
  if (holdsBest(matched)) return hasName(matched.result);
  const { types, text } = matched.interpretation.request;
  const where = (type: RecordType) => conditionOf(type, matched.filters);
  return hasName(yield* findFullText(fullText, { types, text, where, offset: 0, limit: 1, relaxations: ['typed'] }));
}

function* present(finder: Searcher, matched: Matched): SqlProgram<SearchPage> {
  const { filters, result, total } = matched;
  const { request, understood, isWhole } = matched.interpretation;
  const { totals, hits, relaxation } = result;
  const countUnderFilters = function* (given: Filters): SqlProgram<number> {
    const counted = { ...request, filters: given, window: { offset: 0, limit: 0 } };
    return (yield* match(finder.fullText, { ...matched.interpretation, request: counted })).total;
  };
  const unknown = filters === UNFILTERED ? {} : yield* unknownOf(finder.fullText, matched);
  return {
    results: yield* documentsOf(hits),
    total,
    totals,
    isTyped: relaxation === 'typed' && (isWhole === 'if named' ? yield* isNamed(finder, matched) : isWhole),
    unknown,
    unknownGrants: yield* unknownGrantsOf(finder.fullText, matched, unknown),
    coverage: filters === UNFILTERED ? undefined : yield* coverageOf(matched),
    covered: yield* finder.covered(request.types, result.epoch),
    grants: request.types[0] === 'rounds' ? yield* grantsOf(finder.fullText, matched) : undefined,
    onRecord: yield* countOfSample(finder.onRecord, request, filters.given),
    withoutDates: total === 0 ? yield* undatedMatches(finder, matched.interpretation) : undefined,
    // Mere counts, as of other relaxations, need none.
    withoutFilters:
      total === 0 && request.window.limit > 0 ? yield* countWithoutEach(filters.given, countUnderFilters) : undefined,
    understood,
  };
}

/** What matches without the period of a search that also has other conditions; undefined without both, and if nothing does. */
function* undatedMatches(finder: Searcher, interpretation: Interpretation): SqlProgram<SearchPage['withoutDates']> {
  const { types, text, filters: given = NO_FILTERS } = interpretation.request;
  const [type] = types;
  const field = type && DAY_OF[type];
  const others = withoutPeriod(given);
  const isNarrowed = text.trim() !== '' || isFilled(others);
  if (types.length > 1 || field === undefined || !hasPeriod(given) || !isNarrowed) return undefined;
  // Amounts raised exclude grants unless these are asked for.
  const filters = { ...(type === 'rounds' && NOT_GRANTS), ...others };
  const sort = { field, isDescending: true } as const;
  const request = { types, text, filters, sort, window: { offset: 0, limit: 1 } };
  const { total, result } = yield* match(finder.fullText, { ...interpretation, request });
  const [newest] = yield* documentsOf(result.hits);
  if (newest === undefined) return undefined;
  const latest = statedValue(JSON.parse(newest) as Document, field) as string | null;
  return { records: total, latest };
}
