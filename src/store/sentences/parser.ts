import { isOfTime } from '../../contract/aggregate.ts';
import { type FilterName, filterOf, isNegated } from '../../contract/filters.ts';
import { asRoundsOfTotal, measureOf } from '../../contract/sentence-calls.ts';
import { GRANT } from '../../contract/vocabulary.ts';
import type { ParsedQuery } from '../port/records.ts';
import {
  backersBeyond,
  factsAskedOf,
  isInexpressible,
  leaveAlternative,
  leaveBacked,
  leaveGroup,
  leaveOut,
  leaveOwnMoney,
  leaveUncounted,
  leaveUnnamed,
  namesType,
  OF,
  readAcquirer,
  readStageBound,
  readUnrecorded,
  refuseUnread,
  statesNothing,
  unreadPart,
} from './asked-fact.ts';
import { anyMeans, type Chunk, type ChunkContext, chunksOf, means, textOf } from './chunks.ts';
import { readContent } from './content.ts';
import { readCountOfOthers } from './counted-others.ts';
import { addFacet, readFlag, readSteps, readTogether, readVersus } from './facet-values.ts';
import { readBackedAtStage, readFunded } from './funded.ts';
import {
  areFunded,
  asksWhichOf,
  connectedNames,
  groupAt,
  groupFor,
  isExtreme,
  orderOfGroups,
  readComparatives,
  withComparedTogether,
} from './groups.ts';
import { readKindOfParty, readPlacedInvestors, readVentureCapital } from './investor-kinds.ts';
import { FACETS, isNameIn, isPlaceIn, phraseOf } from './knowledge.ts';
import { leaveValue, readBackedPlaces } from './left-values.ts';
import { withOrdinalEditions, withOrdinalRounds } from './ordinal-rounds.ts';
import {
  asksForUpdates,
  endsInGrants,
  endsInSingular,
  hasFilterFor,
  ignore,
  isBesideNoun,
  isFiller,
  leaveUnstated,
  namesFormer,
  namesFounders,
  nounOf,
  type ParseRequest,
  type ParseState,
  roleOf,
} from './parse-state.ts';
import { readPhrase } from './phrases.ts';
import { openStages, readAmount, readFurtherStage, readPeriod } from './ranges.ts';
import { isRankedInPeriod, rankedGroup } from './ranked-groups.ts';
import { areDealsOf } from './requested-sectors.ts';
import { isTypeAlone } from './sentence.ts';
import { wordsOf } from './sentence-tokens.ts';
import { readShare } from './shares.ts';
import { sortFor } from './sorts.ts';
import { startParsing, withoutTypos } from './start-parsing.ts';
import { type UnknownParties, unknownParties } from './unknown-parties.ts';
import { withoutLeadLength } from './without-lead.ts';

export interface ParsedSentence extends ParsedQuery, UnknownParties {
  /** Filters with words that may be keywords, with those words. */
  readonly soft: ReadonlyMap<FilterName, string>;
  /** Filters on rarely known fields, with their words. */
  readonly sparse: ReadonlyMap<FilterName, string>;
  /** Whether it is about rounds without grants. */
  readonly isOfFunding: boolean;
  /** Whether it can only be a sentence, because it states conditions. */
  readonly isCertain: boolean;
  /** Whether it names an investor and what its rounds have, and nothing else: `Acme Ventures gaming 2022`. */
  readonly isOfDeals: boolean;
  /** Whether it contains a question word. */
  readonly isAsked: boolean;
  /** Whether it compares its names, which no single record need mention together. */
  readonly isComparison: boolean;
  /** Whether every part was understood; `if named`: only if a record has the remaining text as its name. */
  readonly isWhole: boolean | 'if named';
  /** Whether an unknown word is in the position of a place. */
  readonly hasUnknownPlace: boolean;
}

/** Parses a sentence by rules. Undefined if the text is none: without question word and filter. */
export const parseSentence = (request: ParseRequest): ParsedSentence | undefined =>
  readShare(request, parseWhole) ?? parseWhole(request);

function parseWhole(request: ParseRequest): ParsedSentence | undefined {
  const tokens = withoutTypos(request);
  const chunked = withComparedTogether(chunksOf(tokens, contextOf(request)));
  const whole = withOrdinalEditions(withOrdinalRounds(chunked, request.lexicon), request.knowledge);
  const facts = factsAskedOf(whole);
  const backers = backersBeyond(whole);
  const fillers = whole.filter(isFiller);
  const chunks = backers ?? whole.filter((chunk) => !facts.includes(chunk) && !fillers.includes(chunk));
  const state = startParsing(request, chunks);
  readChunks(state);
  for (const leave of LEFT_AFTERWARDS) leave(state);
  leaveOut(state, facts);
  if (!backers) ignore(state, fillers);
  // Only the investors are listed.
  if (backers) leaveUnstated(state, whole);
  readTogether(state);
  for (const read of READ_AFTERWARDS) read(state);
  const { type, filters, text, soft, sparse, isAsked } = state;
  const isOfFounders = type === 'people' && chunks.some(namesFounders);
  const isFormer = chunks.some(saysWorked);
  const isOfAll = text.length === 0 && state.unstated.length === 0 && !state.isPartial;
  if (isOfFounders && !isFormer && (filters.size > 0 || state.sort !== undefined || isOfAll)) text.push(FOUNDER);
  const isRefused = refuseUnread(state) && request.types.length > 1 && type !== undefined;
  const ranked = rankedGroup(state);
  readVentureCapital(state, ranked === undefined ? state.groups : [ranked]);
  const isOrdered = state.sort !== undefined || state.groups.length > 0 || ranked !== undefined;
  const isNamed = namesType(state, isOrdered);
  if (!isNamed && !isRefused && statesNothing(state)) return undefined;
  const inexpressible = chunks.filter(
    (chunk) => isInexpressible(state, chunk, ranked) || (isFormer && namesFounders(chunk)),
  );
  ignore(
    state,
    inexpressible.filter(({ tokens }) => !state.ignored.includes(tokens.at(-1)?.raw ?? '')),
  );
  // In `story protocol`, the word for the type may belong to a name.
  const mayBeName = !isAsked && filters.size === 0 && text.length > 0 && endsInSingular(chunks);
  const isEmpty = filters.size === 0 && text.length === 0 && !isOrdered;
  if ((state.isPartial || state.period) && isEmpty && state.unstated.length === 0)
    state.unstated.push(unreadPart(state));
  const beyond = askedBeyondList(state, ranked);
  const listed = listedFor(state, beyond);
  const isOfNoDate = listed.type !== 'rounds' && (isRankedInPeriod(state) || state.period !== undefined);
  const isOpen = hasOpenRole(state) || isOfNoDate;
  const isPartial = state.isPartial || inexpressible.length > 0 || tokens !== request.tokens || isOpen;
  const isComparison =
    beyond.connect !== undefined || anyMeans(chunks, 'versus') || (type === undefined && asksWhichOf(chunks));
  const isOfDeals = listed.type === 'rounds' && text.length === 0 && areDealsOf(chunks, request.knowledge);
  // Words such as `latest funding rounds` occur in descriptions.
  const isList = (isOrdered || text.length > 0) && text.every((word) => word === FOUNDER);
  return {
    ...listed,
    isOfFunding: isOfFunding({ ...state, type: listed.type ?? type }),
    text: text.join(' '),
    soft,
    sparse,
    isCertain: isOfDeals || (isNamed && isList) || isCertain(state, isNamed, isComparison),
    isOfDeals,
    isAsked,
    isComparison,
    isWhole: !isPartial && (mayBeName ? 'if named' : true),
    hasUnknownPlace: state.hasUnknownPlace,
    ...unknownParties(state),
  };
}

/** Reads what only the whole sentence tells, in this order. */
const READ_AFTERWARDS = [
  readFunded,
  readBackedAtStage,
  readBackedPlaces,
  readDevelopment,
  readComparatives,
  leaveBlockchain,
];
const LEFT_AFTERWARDS = [leaveUnnamed, leaveUncounted, leaveOwnMoney];

/** Whether a word is for where people were before: `former`, `founders who worked at Acme`. */
const saysWorked = (chunk: Chunk): boolean =>
  namesFormer(chunk) || (means(chunk, 'works') && /^work/.test(chunk.tokens[0]?.text ?? ''));

const contextOf = ({ lexicon, today, dates, knowledge }: ParseRequest): ChunkContext => ({
  lexicon,
  today,
  dates: dates(),
  isName: isNameIn(knowledge),
  isCompany: (name) => knowledge.typesNamed(name).includes('companies'),
  isPlace: isPlaceIn(knowledge),
  isTag: (name) => knowledge.typesWith('tag', name).length > 0,
  isFunder: (word) =>
    knowledge.investorsNamed(word).length > 0 && FACETS.every((facet) => knowledge.typesWith(facet, word).length === 0),
});

/** What a sentence lists: of totals of rounds these rounds, unless the type is given. */
function listedFor(
  { request, type, filters, sort, ignored, chunks }: ParseState,
  beyond: AskedBeyond,
): Omit<ParsedQuery, 'text'> {
  const read = { filters: Object.fromEntries(filters), ...(sort !== undefined && { sort }), ...beyond, ignored };
  if (type === undefined || request.types.length === 1) return read;
  const listed = asRoundsOfTotal({ ...read, type });
  const days = listed.type === type ? [] : chunks.filter(({ period }) => period);
  return { ...listed, ignored: ignored.filter((word) => !textOf(days).split(' ').includes(word)) };
}

type AskedBeyond = Pick<ParsedQuery, 'group_by' | 'order' | 'compared' | 'periods' | 'period' | 'connect' | 'unstated'>;

/** The parts of a request that no list answers. */
function askedBeyondList(state: ParseState, ranked: string | undefined): AskedBeyond {
  const connected = connectedNames(state.chunks);
  const groups = ranked === undefined ? state.groups : [ranked];
  // `largest round per year`
  const extreme = state.chunks.filter(isExtreme).slice(0, 1);
  const isOfGrants = state.filters.get('funding_stage') === GRANT;
  const isCounted = groups.length > 0 && (state.type === 'rounds' || isOfGrants);
  const order = extreme.length > 0 ? undefined : orderOfGroups(state.chunks, groups);
  if (isCounted && !state.ignored.includes(textOf(extreme))) ignore(state, extreme);
  return {
    ...(groups.length > 0 && { group_by: groups }),
    ...(order && { order }),
    ...(state.isCompared && /^(?:(?:lead_)?investor|chain|tag|country)$/.test(groups.join()) && { compared: true }),
    ...(state.periods && groups.length > 0 && { periods: state.periods }),
    ...(ranked !== undefined && state.period && { period: state.period }),
    ...(connected && { connect: connected }),
    ...(state.unstated.length > 0 && { unstated: state.unstated }),
  };
}

/** Whether it can only be a sentence, by its conditions, titles or names. */
function isCertain(state: ParseState, isNamed: boolean, isComparison: boolean): boolean {
  const { type, filters, chunks, isAsked } = state;
  const facts = [...filters.keys()].filter((name) => name !== 'company' || isOfParty(state));
  const isOfTitle =
    type === 'people' &&
    chunks.some((chunk) => means(chunk, 'titles') || (filters.has('company') && means(chunk, 'people', 'employees')));
  return (
    (isAsked && filters.size > 0) ||
    state.unknownParty.length > 0 ||
    (facts.length > 0 &&
      (isNamed || isOfParty(state) || chunks.some(roleOf) || means(chunks[0], 'next', 'upcoming'))) ||
    (isComparison && chunks.filter((chunk) => chunk.isName).length > 1) ||
    (isNamed && (isOfTitle || anyMeans(chunks, 'speaks', 'listed', 'unrecorded'))) ||
    (isNamed && filters.size === 0 && state.text.length === 0 && (isAsked || state.unstated.length > 0)) ||
    anyMeans(chunks, 'condition') ||
    isTypeAlone(wordsOf(state.request.tokens))
  );
}

/** Whether rounds are funding rounds: it mentions neither grants nor givers. */
const isOfFunding = ({ type, filters, chunks }: ParseState): boolean =>
  type === 'rounds' &&
  (filters.get('investor') === undefined || isNegated(filters.get('investor'))) &&
  filters.get('funding_stage') !== GRANT &&
  !chunks.some(endsInGrants);

/** Whether the value of a role such as `founded by` or `updated` could not be parsed. */
function hasOpenRole({ role, chunks, text, filters }: ParseState): boolean {
  const isOpen = role === 'foundedBy' || role === 'works' || role === 'led' || role === 'backed';
  const isOfNoName = isOpen && text.length > 0 && !chunks.some(({ isName }) => isName);
  return isOfNoName || (asksForUpdates(chunks) && !filters.has('updated_since'));
}

/** Whether a company's name cannot be a keyword: `investors of Kalshi`, `Kalshi funding rounds`, `founder of Kalshi`. */
const isOfParty = ({ type, chunks }: ParseState): boolean =>
  (type === 'rounds' && areFunded(chunks)) ||
  chunks.some(
    (chunk, index) =>
      (type === 'investors' && (means(chunk, 'backs', 'common') || isBesideNoun(chunks, index, 'investors'))) ||
      (type === 'rounds' && (isBesideNoun(chunks, index, 'rounds', 'valued') || means(chunk, 'angels', 'people'))) ||
      (type === 'rounds' && isOfRounds(chunks, index)) ||
      (type === 'people' && means(chunk, 'founds')),
  );

/** Whether a name follows a noun: `first round of Kalshi`, `rounds by Kalshi`. */
const isOfRounds = (chunks: readonly Chunk[], index: number): boolean =>
  chunks[index]?.isName === true &&
  (means(chunks[index - 1], 'by') || OF.test(chunks[index - 1]?.tokens[0]?.text ?? '')) &&
  chunks[index - 2] !== undefined &&
  nounOf(chunks[index - 2] as Chunk) === 'rounds';

const FOUNDER = 'founder';

/** Beside another condition, an order or a group, the tag says as little as `crypto`: `blockchain companies in Germany`. */
function leaveBlockchain({ filters, soft, ignored, sort, groups, chunks }: ParseState): void {
  const tags = String(filters.get('tag')).replace(/^all:/, '').split('|');
  const blockchain = tags.find((tag) => /^blockchains?$/i.test(tag));
  const isOfMore = filters.size > 1 || tags.length > 1 || (sort ?? groups[0]) !== undefined || chunks.some(asksForSum);
  if (blockchain === undefined || !isOfMore) return;
  const others = tags.filter((tag) => tag !== blockchain);
  for (const each of [filters, soft]) {
    if (others.length === 0) each.delete('tag');
    else if (each.has('tag')) each.set('tag', others.join('|'));
  }
  ignored.push(blockchain);
}

const asksForSum = (chunk: Chunk): boolean =>
  textOf([chunk])
    .split(' ')
    .some((word) => measureOf(word) === 'sum');

/** Counts rounds by year where it is asked how they developed; those of one year with the year before: `did funding fall in 2023`. */
function readDevelopment({ type, chunks, filters, groups }: ParseState): void {
  const [from = '', to = ''] = [String(filters.get('from') ?? ''), String(filters.get('to') ?? '')];
  if (type !== 'rounds' || groups.length > 0 || from === '' || !chunks.some((chunk) => chunk.isDevelopment)) return;
  const year = from.slice(0, 4);
  if (from === `${year}-01-01` && to === `${year}-12-31`) filters.set('from', `${Number(year) - 1}-01-01`);
  groups.push('year');
}

function readChunks(state: ParseState): void {
  for (let index = 0; index < state.chunks.length; ) {
    const known = new Set(state.filters.keys());
    const length = readChunk(state, index);
    leaveAlternative(state, known, { index, length });
    index += length;
  }
}

const TIMES = /^(?:days?|weeks?|months?|quarters?|years?)$/;

/** Whether a number at an index is of a span between two things, which no filter is about: `within 18 months`. */
const isDuration = (chunks: readonly Chunk[], index: number): boolean =>
  /^\d+$/.test(textOf(chunks.slice(index, index + 1))) &&
  chunks[index - 1]?.tokens.at(-1)?.text === 'within' &&
  TIMES.test(chunks[index + 1]?.tokens[0]?.text ?? '');

/** Reads the chunk at an index. Returns the number of chunks read. */
function readChunk(state: ParseState, index: number): number {
  const chunk = state.chunks[index] as Chunk;
  const grouped = groupAt(state.chunks, index, { ...state.request, isFurther: state.groups.length > 0 });
  const group = grouped && state.type && groupFor(state.type, grouped.name);
  if (grouped && group !== undefined) {
    // `trend of rounds by quarter`
    if (isOfTime([group]) && isOfTime(state.groups)) state.groups.length = 0;
    state.groups.push(group);
    state.sort = sortFor(state, chunk) ?? state.sort;
    // `best year`
    const isOrdered = means(chunk, 'per') && means(chunk, 'largest', 'smallest');
    if (!isOrdered) ignore(state, state.chunks.slice(index, index + grouped.length));
    return grouped.length;
  }
  if (grouped && state.type) return leaveGroup(state, index, grouped.length);
  const counted = readCountOfOthers(state, index) || readPlacedInvestors(state, index);
  if (counted > 0) return counted;
  if (chunk.period) return readPeriod(state, index, chunk.period);
  if (isDuration(state.chunks, index)) {
    leaveUnstated(state, state.chunks.slice(index - 1, index + 2));
    return 2;
  }
  if (chunk.amount) return readAmount(state, index, chunk.amount);
  if (chunk.isUndated) {
    leaveUnstated(state, [chunk]);
    return 1;
  }
  if (leaveBacked(state, index)) return 2;
  const ofKind = readKindOfParty(state, index);
  if (ofKind > 0) return ofKind;
  const left = chunk.closed ? leaveValue(state, index, { filter: chunk.closed[0], length: 1 }) : 0;
  if (left > 0) return left;
  if (chunk.closed && hasFilterFor(state, chunk.closed[0])) {
    const acquired = chunk.closed[0] === 'status' ? readAcquirer(state, index) : 0;
    if (acquired > 0) return acquired;
    if (filterOf(chunk.closed[0]).test === 'flag') return readFlag(state, chunk.closed);
    if (readStageBound(state, index)) return 1;
    const further = chunk.closed[0] === 'funding_stage' ? readFurtherStage(state, index) : 0;
    if (further > 0) return further;
    const stages = openStages(chunk, state.chunks[index + 1]);
    addFacet(state, chunk.closed[0], stages ?? chunk.closed[1], phraseOf(chunk.tokens));
    readVersus(state, index, chunk.closed[0]);
    readSteps(state, index);
    return stages === undefined ? 1 : 2;
  }
  if (chunk.phrase) {
    const taken = readUnrecorded(state, index) || withoutLeadLength(state, index);
    if (taken === 0) readPhrase(state, chunk);
    return taken || 1;
  }
  // No filter is about the kind of the events where people spoke.
  if (chunk.closed?.[0] === 'event_type' && state.type === 'people') {
    ignore(state, [chunk]);
    state.isPartial = true;
    return 1;
  }
  return readContent(state, index);
}
