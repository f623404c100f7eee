import { RECORD_TYPES, type RecordData } from '../../contract/entities/index.ts';
import { type Filters, pickFilters } from '../../contract/filters.ts';
import { rowsFor, withGroupsAsked } from '../../contract/groups-asked.ts';
import { periodWithin, utcDay } from '../../contract/periods.ts';
import { isGrant } from '../../contract/rounds.ts';
import { aggregateThatAnswers, answersAlone } from '../../contract/sentence-calls.ts';
import { parseSort } from '../../contract/sorts.ts';
import { GRANT } from '../../contract/vocabulary.ts';
import type { Records, SearchPage, Window } from '../../store/port/records.ts';
import { type PageQuery, pageWindow, unknownParameters } from '../query.ts';
import { asStated, countBy, readAsked, runAggregate } from './aggregate-page.tsx';
import { readConnected } from './connected-records.tsx';
import { countFacets, countRoles, frequentInvestors } from './facets.ts';
import { noteFunding, noteOnRaised } from './funding-notes.ts';
import { countRelaxed } from './given-filters.ts';
import { recordsLike } from './name-completion.tsx';
import {
  ALL,
  FOUND_TYPES,
  GRANTS,
  isOfUpcoming,
  KINDS,
  keptFilters,
  kindOf,
  ownFilters,
  PAGE_SIZE,
  PARAMETERS,
  type ParsedSearch,
  parseSearch,
  ROUNDS,
  requestOf,
  type SearchKind,
  sortOf,
  typed,
  typesOf,
  viewOf,
} from './parsed-search.ts';
import { countMatches, parseRecords, readFirst, searchInOrder } from './read-records.ts';
import { runAccepted } from './refused-parameters.tsx';
import { partsOf, withNamed } from './result-parts.ts';
import {
  companiesOf,
  newestRoundDate,
  ONLY_GRANTS,
  readGrants,
  withBackedCompanies,
  withRoundFigures,
} from './round-statistics.ts';

export type SearchOutcome = Awaited<ReturnType<typeof searchRecords>>;

/** Runs the search of a URL, without the parameters that it refuses. */
export async function searchRecords(records: Records, raw: PageQuery, now: Date) {
  const types = (query: PageQuery) => typesOf(FOUND_TYPES.find((one) => one === query['type']) ?? ALL);
  const { result, accepted, refusals } = await runAccepted(raw, types, (query) => searchAccepted(records, query, now));
  return { ...result, ignored: unknownParameters(accepted, PARAMETERS), refusals };
}

async function searchAccepted(records: Records, raw: PageQuery, now: Date) {
  const parsed = parseSearch(raw);
  const window = pageWindow(parsed.page, PAGE_SIZE);
  const read = await searchRead(records, parsed, { window, now });
  const { asked, effective, found } = read;
  const isEmpty = found.total === 0 && (await countAll(records)) === 0;
  const { results: plain, backers } = await withNamed(records, effective, parseRecords(found.results));
  const newestRound = await newestRoundDate(records);
  // Where groups are listed, the results are not.
  const results = isStart(parsed) ? plain : await withNotes(records, plain, newestRound);
  const givers = results.filter(({ type }) => type === 'investors');
  const [totals, grants, companies, facets, investors, newestEvent, answers, groups, roles, newestGrant, amounts] =
    await Promise.all([
      countKinds(records, parsed, read),
      readGrants(records, givers),
      companiesOf(
        records,
        results.filter(({ type }) => type === 'rounds' || type === 'people'),
      ),
      countFacets(records, asked, effective),
      frequentInvestors(records, effective.type),
      effective.type === 'events' ? lastEventDate(records) : undefined,
      parsed.page === 1 ? readAnswers(records, found, effective) : undefined,
      isStart(parsed) ? readGroups(records, now, newestRound) : [],
      countRoles(records, effective),
      kindOf(effective) === GRANTS ? newestRoundDate(records, ONLY_GRANTS) : undefined,
      readAmounts(records, effective),
    ]);
  const relaxed = found.total > 0 ? [] : await countRelaxed(records, effective, { facets: facets.facets, results });
  const isNamed = found.total > 0 || found.understood?.nearest !== undefined;
  const named = isNamed ? [] : await recordsLike(records, effective.query);
  return {
    parsed,
    /** The search with filters parsed from a sentence. */
    effective,
    found,
    /** Matches per kind; of the listed kind only, if a filter or a sentence is about it. */
    totals,
    ...{ results, parts: partsOf(effective, { results, backers }) },
    /** Grants of the investors among the results, by slug. */
    grants,
    companies,
    investors,
    isEmpty,
    newestRound,
    /** Date of the last grant on record, if grants are listed. */
    newestGrant,
    /** The known amounts of all rounds that a list without keywords finds. */
    amounts,
    /** Start of the last event on record, if events are searched. */
    newestEvent,
    hasUpcoming: (newestEvent ?? '') >= utcDay(now),
    /** The first records of each kind, where nothing is asked for. */
    groups,
    /** Words of what people are known as, each of which is a search of its own. */
    roles,
    /** What would match with fewer of the filters, if nothing does. */
    relaxed,
    /** Records with a name like the text, of any type, if nothing matches. */
    named,
    ...answers,
    ...facets,
  };
}

const withNotes = async (
  records: Records,
  found: readonly RecordData[],
  newestRound: string | undefined,
): Promise<readonly RecordData[]> =>
  withBackedCompanies(records, await withRoundFigures(records, await noteFunding(records, found), newestRound));

/** Whether a search asks for nothing: the first records of each kind are listed then. */
const isStart = ({ type, query, page, sort, view, given }: ParsedSearch): boolean =>
  type === ALL && query === '' && page === 1 && (sort ?? view) === undefined && Object.keys(given).length === 0;

export type Group = Awaited<ReturnType<typeof readGroups>>[number];

const GROUP_SHOWN = 4;

async function readGroups(records: Records, now: Date, newestRound: string | undefined) {
  const window = { offset: 0, limit: GROUP_SHOWN };
  const groups = KINDS.slice(1).map(async (kind) => {
    const { type, stage } = kind;
    const parsed = parseSearch({
      ...{ type, ...(stage && { funding_stage: stage }) },
      // The latest are tiny.
      ...(kind === GRANTS && { sort: '-amount_usd' }),
    });
    const { found } = await searchRead(records, parsed, { window, now });
    const plain = parseRecords(found.results);
    return {
      ...{ kind, records: await withNotes(records, plain, newestRound) },
      companies: type === 'rounds' ? await companiesOf(records, plain) : [],
    };
  });
  return (await Promise.all(groups)).filter((group) => group.records.length > 0);
}

type CheckedSearch = ParsedSearch & { readonly filters: Filters };

/** The search of a URL. A wholly read sentence is listed in the order of its filters; rounds without grants, unless a stage is given. */
export async function searchRead(
  records: Records,
  parsed: CheckedSearch,
  { window, now }: { readonly window: Window; readonly now: Date },
) {
  const { offset, limit } = window;
  // All rounds are listed without grants, so no other search is needed.
  if (parsed.type === 'rounds' && parsed.query === '' && Object.keys(parsed.given).length === 0) {
    const asked = ofStage(parsed, ROUNDS);
    const found = await searchInOrder(records, requestOf(asked, offset, limit));
    if (found.total > 0) return { asked, effective: asked, found, grants: 0 };
  }
  const first = await searchInOrder(records, requestOf(parsed, offset, limit));
  const asked = ofOneKind(parsed, first);
  const isMixed = asked !== parsed && first.grants !== undefined && first.grants < first.total;
  const found = isMixed
    ? { ...(await searchInOrder(records, requestOf(asked, offset, limit))), understood: first.understood }
    : first;
  const effective = effectiveOf(asked, found);
  // Those that match beside the listed rounds.
  const grants = isMixed ? (first.grants ?? 0) : 0;
  const read = { asked, effective, grants };
  const filters = pickFilters(typed(effective.given));
  if (isOfUpcoming(effective))
    return { ...read, found: { ...found, results: await listEvents(records, { filters, window, now }) } };
  const isList = found.understood !== undefined && effective.query === '' && effective.sort === undefined;
  if (!isList || sortOf(effective) === undefined) return { ...read, found };
  const { results, total } = await searchInOrder(records, requestOf({ ...effective, filters }, offset, limit));
  // Without filters and keywords, it would list all records instead of one that resembles the text.
  return { ...read, found: total === found.total ? { ...found, results } : found };
}

/** A search that finds rounds, with the stage of one kind of them: of grants if nothing else matches. */
function ofOneKind(parsed: CheckedSearch, { understood, grants, total }: SearchPage): CheckedSearch {
  const type = understood?.type ?? parsed.type;
  if (type !== 'rounds' || (parsed.given.funding_stage ?? understood?.filters.funding_stage) !== undefined)
    return parsed;
  return ofStage({ ...parsed, type }, grants === total ? GRANTS : ROUNDS);
}

function ofStage(parsed: CheckedSearch, { stage }: SearchKind): CheckedSearch {
  const given = { ...parsed.given, ...(stage !== undefined && { funding_stage: stage }) };
  return { ...parsed, given, filters: pickFilters(typed(given)) };
}

async function countKinds(
  records: Records,
  parsed: CheckedSearch,
  { found, effective, grants: others }: Awaited<ReturnType<typeof searchRead>>,
): Promise<ReadonlyMap<SearchKind, number>> {
  const listed = kindOf(effective);
  const isNarrowed = found.understood !== undefined || Object.keys(keptFilters(parsed)).length > 0;
  if (isNarrowed && effective.type !== ALL) {
    // A sentence about rounds leaves the grants out by itself; one about a stage has none.
    const grants = isOfRounds(effective) && others === 0 ? await countGrants(records, effective) : others;
    return new Map([
      ...(grants > 0 || isOfRounds(effective) ? [[GRANTS, grants] as const] : []),
      [listed, found.total],
    ]);
  }
  const { query: text, type } = parsed;
  const filters = isNarrowed ? parsed.filters : {};
  const first = { text, filters, window: { offset: 0, limit: 1 } };
  const { totals } = type === ALL ? found : await searchInOrder(records, { ...first, types: RECORD_TYPES });
  const rounds = await records.search({ ...first, types: ['rounds'] });
  const isOfGrants = parseRecords(rounds.results).some(isGrant);
  const grants = totals.rounds === undefined ? 0 : (rounds.grants ?? (isOfGrants ? rounds.total : 0));
  const counts = KINDS.map((kind) => {
    const total = kind.type === ALL ? 0 : (totals[kind.type] ?? 0);
    return [kind, kind.stage === undefined ? total : kind.stage === GRANT ? grants : total - grants] as const;
  });
  const sum = counts.reduce((all, [, total]) => all + total, 0);
  return new Map([...counts, [KINDS[0] as SearchKind, sum]]);
}

/** Whether a search is for rounds of any stage but grants. */
const isOfRounds = ({ type, given }: ParsedSearch): boolean =>
  type === ROUNDS.type && given.funding_stage === ROUNDS.stage;

async function countGrants(records: Records, { query: text, given }: ParsedSearch): Promise<number> {
  const filters = pickFilters(typed({ ...given, funding_stage: GRANT }));
  return countMatches(records, { types: ['rounds'], text, filters });
}

async function readAnswers(records: Records, found: SearchPage, effective: ParsedSearch) {
  const [totalled, connected, charted] = await Promise.all([
    totalOf(records, found, effective),
    readConnected(records, found),
    readChart(records, effective),
  ]);
  return { totalled, connected, charted };
}

async function totalOf(records: Records, page: SearchPage, { type, given }: ParsedSearch) {
  const asked = aggregateThatAnswers(page, { filters: given, ...(type !== ALL && { type }) });
  if (asked === undefined) return undefined;
  const { of, measure = 'count', order, filters } = asked;
  const { from, to } = filters;
  // Nobody asked for the years of a total: those of one year would be one row.
  const isByYear = measure === 'sum' && page.understood?.group_by === undefined && asked.group_by.join() === 'year';
  const isOfYears = isByYear && from !== undefined && to !== undefined;
  const group_by = isOfYears ? [periodWithin(String(from), String(to))] : asked.group_by;
  const asText = Object.entries(filters).map(([name, value]) => [name, String(value)]);
  const isAlone = answersAlone(asked, page.understood);
  const top = String(rowsFor(asked, isAlone ? 25 : 10));
  const shown = { measure, top, ...(order && { order }) };
  const query = { of, group_by: group_by.join('|'), ...shown, ...Object.fromEntries(asText) };
  const form = readAsked(query);
  const counted = await runAggregate(records, form);
  const data = counted && withGroupsAsked(counted, asked);
  if (data === undefined || data.rows.length === 0) return undefined;
  const isOfRaised = measure === 'sum' && group_by.join() === 'company';
  const note = isOfRaised ? await noteOnRaised(records, data.rows[0]?.[0]) : '';
  return {
    asked: form,
    data: await asStated(records, form, data),
    note,
    isAlone,
    isComparison: asked.periods !== undefined,
  };
}

async function lastEventDate(records: Records): Promise<string | undefined> {
  const sort = parseSort(['events'], '-start_date');
  const [last] = (await readFirst(records, 1, { types: ['events'], sort })).found;
  const date = last?.['start_date'];
  return typeof date === 'string' ? date : undefined;
}

async function readAmounts(records: Records, { type, query, given }: ParsedSearch) {
  if (type !== 'rounds' || query !== '') return undefined;
  const asked = { of: type, group_by: 'year', measure: 'sum', kind: 'all', ...given };
  return (await countBy(records, asked)).covered;
}

/** The records of a list by the first group of their type. The aggregate page separates rounds and grants by its own parameter. */
async function readChart(records: Records, search: ParsedSearch) {
  if (viewOf(search) !== 'chart') return undefined;
  const { type, given } = search;
  const { stage, label } = kindOf(search);
  const isKind = stage !== undefined && given.funding_stage === stage;
  const kind = type !== 'rounds' ? undefined : isKind ? label.toLowerCase() : 'all';
  const asked = readAsked({ of: type, ...(kind && { kind }), ...ownFilters(search) });
  const data = await runAggregate(records, asked);
  return data && { asked, data: await asStated(records, asked, data) };
}

export const countAll = (records: Records): Promise<number> => countMatches(records, { types: RECORD_TYPES });

function effectiveOf(parsed: ParsedSearch, { understood }: SearchPage): ParsedSearch {
  if (understood === undefined) return parsed;
  const read = Object.fromEntries(Object.entries(understood.filters).map(([name, value]) => [name, String(value)]));
  return {
    ...parsed,
    type: understood.type ?? parsed.type,
    query: understood.text,
    sort: parsed.sort ?? understood.sort,
    given: { ...read, ...parsed.given },
  };
}

/** A window of the events that pass some filters: the next one first and then the later ones, then the past ones, the newest first. */
async function listEvents(
  records: Records,
  { filters, window: { offset, limit }, now }: { filters: Filters; window: Window; now: Date },
): Promise<SearchPage['results']> {
  const today = utcDay(now);
  const { starts_after: given = today } = filters;
  const list = (isUpcoming: boolean, window: Window) =>
    records.search({
      types: ['events'],
      text: '',
      filters: isUpcoming ? { ...filters, starts_after: given > today ? given : today } : filters,
      sort: { field: 'start_date', isDescending: !isUpcoming },
      window,
    });
  const upcoming = await list(true, { offset, limit });
  // Of all events with the latest first, as many are upcoming; events without a date come last.
  const past = { offset: Math.max(offset, upcoming.total), limit: limit - upcoming.results.length };
  if (past.limit === 0) return upcoming.results;
  return [...upcoming.results, ...(await list(false, past)).results];
}
