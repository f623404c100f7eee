import type { RecordType } from '../../contract/entities/index.ts';
import type { FilterName } from '../../contract/filters.ts';
import { utcDay } from '../../contract/periods.ts';
import type { SortedField } from '../../contract/sorts.ts';
import { GRANT } from '../../contract/vocabulary.ts';
import type { ParsedQuery } from '../port/records.ts';
import { type Chunk, chunksOf, means } from './chunks.ts';
import { addFacet, isBesideNoun, readContent } from './content.ts';
import { periodFilters } from './filters.ts';
import { connectedNames, groupAt } from './groups.ts';
import { isPlaceIn, phraseOf } from './knowledge.ts';
import {
  areDealsAt,
  BOUNDS,
  endsInGrants,
  hasFilterFor,
  isNamedStage,
  isStageOfPeriod,
  leads,
  nounOf,
  type ParseRequest,
  type ParseState,
  roleOf,
  startParsing,
} from './parse-state.ts';
import { addFilters, readAmount, readPeriod } from './ranges.ts';

export interface ParsedSentence extends ParsedQuery {
  /** Filters with words that may be keywords, with those words. */
  readonly soft: ReadonlyMap<FilterName, string>;
  /** Filters on rarely known fields, with their words. */
  readonly sparse: ReadonlyMap<FilterName, string>;
  /** Whether it can only be a sentence, because it states conditions. */
  readonly isCertain: boolean;
  /** Whether it contains a question word. */
  readonly isAsked: boolean;
  /** Whether it compares what it names, which no record need mention together. */
  readonly isComparison: boolean;
  /** Whether every part was understood; `if named`: only if a record has the remaining text as its name. */
  readonly isWhole: boolean | 'if named';
  /** Whether an unknown word is in the position of a place. */
  readonly hasUnknownPlace: boolean;
  /** Who led or backed, if no record has this name. */
  readonly unknownParty?: string;
}

/** Parses a sentence by rules. Undefined if the text is none: without question word and filter. */
export function parseSentence(request: ParseRequest): ParsedSentence | undefined {
  const { tokens, lexicon, today, dates, knowledge } = request;
  const chunks = chunksOf(tokens, {
    lexicon,
    today,
    dates: dates(),
    isName: knowledge.isName,
    isPlace: isPlaceIn(knowledge),
  });
  const state = startParsing(request, chunks);
  for (let index = 0; index < chunks.length; ) index += readChunk(state, index);
  const { type, filters, text, ignored, soft, sparse, isAsked } = state;
  const isNamed =
    chunks.some((chunk, index) => type !== undefined && (nounOf(chunk) === type || areDealsAt(chunks, index))) ||
    (text.length === 0 &&
      (state.sort !== undefined || (type === 'rounds' && (isStageOfPeriod(chunks) || isNamedStage(chunks)))));
  const isNothing = filters.size === 0 && (isAsked ? text.length === 0 : !keepOnlyName(state));
  if (!isNamed && isNothing) return undefined;
  // An unparsed negation must not be answered as its opposite.
  const isPartial =
    state.isPartial ||
    state.negation !== undefined ||
    chunks.some((chunk) => means(chunk, 'lacking')) ||
    hasOpenRole(state);
  // In `story protocol`, the word for the type may belong to a name.
  const mayBeName = !isAsked && filters.size === 0 && text.length > 0 && endsInSingular(chunks);
  if (state.negation) ignored.push(...state.negation.tokens.map(({ raw }) => raw));
  // Words such as `latest funding rounds` occur in descriptions.
  const isSorted = state.sort !== undefined && text.length === 0;
  const isOfTitle = filters.has('company') && chunks.some((chunk) => means(chunk, 'titles'));
  const connected = connectedNames(chunks);
  // Only rounds tell who was most active in a period.
  const isOfPeriod = type === 'investors' && chunks.some(({ period }) => period);
  const ofSort = isOfPeriod && state.sort !== undefined ? ACTIVITY[state.sort] : undefined;
  const groups = ofSort === undefined ? state.groups : [ofSort];
  const isComparison = connected !== undefined || chunks.some((chunk) => means(chunk, 'versus'));
  const facts = [...filters.keys()].filter((name) => name !== 'company' || isOfParty(state));
  return {
    ...(type === undefined || request.types.length === 1 ? {} : { type }),
    filters: { ...Object.fromEntries(filters), ...withoutGrants(state) } as ParsedQuery['filters'],
    ...(state.sort === undefined ? {} : { sort: state.sort }),
    ...(groups.length > 0 && { group_by: groups }),
    ...(connected && { connect: connected }),
    text: text.join(' '),
    ignored,
    soft,
    sparse,
    isCertain:
      (isAsked && filters.size > 0) ||
      (facts.length > 0 && (isNamed || chunks.some(roleOf))) ||
      (isComparison && chunks.filter((chunk) => chunk.isName).length > 1) ||
      (isNamed && (isOfTitle || isSorted || chunks.some((chunk) => means(chunk, 'speaks')))),
    isAsked,
    isComparison,
    isWhole: !isPartial && (mayBeName ? 'if named' : true),
    hasUnknownPlace: state.hasUnknownPlace,
    ...(state.unknownParty.length > 0 && { unknownParty: state.unknownParty.join(' ') }),
  };
}

/** Sorted rounds are funding rounds: the last one of a company is rarely a grant that it got later. */
const withoutGrants = ({ type, filters, sort, chunks }: ParseState): ParsedQuery['filters'] =>
  type !== 'rounds' ||
  sort === undefined ||
  filters.has('investor') ||
  filters.has('funding_stage') ||
  chunks.some(endsInGrants)
    ? {}
    : { funding_stage: `except:${GRANT}` };

/** The groups of rounds that an order of investors counts. */
const ACTIVITY: Readonly<Record<string, string>> = { '-investments_count': 'investor', '-lead_count': 'lead_investor' };

/** Whether what a role such as `founded by` or `updated` is about could not be read. */
function hasOpenRole({ role, chunks, text, filters }: ParseState): boolean {
  const isOpen = role === 'foundedBy' || role === 'works' || role === 'led' || role === 'backed';
  const isOfNoName = isOpen && text.length > 0 && !chunks.some(({ isName }) => isName);
  return isOfNoName || (chunks.some((chunk) => means(chunk, 'updated')) && !filters.has('updated_since'));
}

/** Names end in words such as Protocol and Fund; who lists a type uses the plural. */
function endsInSingular(chunks: readonly Chunk[]): boolean {
  const last = chunks.at(-1);
  return last !== undefined && nounOf(last) !== undefined && !last.tokens.some(({ text }) => text.endsWith('s'));
}

const OF = new Set(['of', 'for', 'to', 'like', 'de', 'del', 'du', 'von', 'zu', 'a', 'al']);

/** Keeps only the name in `total value locked of Aave`: no record has a fact that no filter or field is about. */
function keepOnlyName({ chunks, text, ignored }: ParseState): boolean {
  const [before, last] = chunks.slice(-2);
  if (last?.isName !== true || !OF.has(before?.tokens[0]?.text ?? '')) return false;
  const name = last.tokens.map(({ raw }) => raw);
  ignored.push(...text.filter((word) => !name.includes(word)));
  text.splice(0, text.length, ...name);
  return true;
}

/** Whether a company's name cannot be a keyword: `investors of Kalshi`, `Kalshi funding rounds`, `founder of Kalshi`. */
const isOfParty = ({ type, chunks }: ParseState): boolean =>
  chunks.some(
    (chunk, index) =>
      (type === 'investors' && (means(chunk, 'backs') || isBesideNoun(chunks, index, 'investors'))) ||
      (type === 'rounds' && (isBesideNoun(chunks, index, 'rounds') || isOfRounds(chunks, index))) ||
      (type === 'people' && means(chunk, 'founds')),
  );

/** Whether a name follows a noun: `first round of Kalshi`. */
const isOfRounds = (chunks: readonly Chunk[], index: number): boolean =>
  chunks[index]?.isName === true &&
  OF.has(chunks[index - 1]?.tokens[0]?.text ?? '') &&
  chunks[index - 2] !== undefined &&
  nounOf(chunks[index - 2] as Chunk) === 'rounds';

/** Reads the chunk at an index. Returns the number of chunks read. */
function readChunk(state: ParseState, index: number): number {
  const chunk = state.chunks[index] as Chunk;
  const grouped = groupAt(state.chunks, index, state.type);
  if (grouped) {
    state.groups.push(grouped.group);
    const sort = sortFor(state, chunk);
    if (sort !== undefined) state.sort = sort;
    const chunks = state.chunks.slice(index, index + grouped.length);
    state.ignored.push(...chunks.flatMap(({ tokens }) => tokens.map(({ raw }) => raw)));
    return grouped.length;
  }
  if (chunk.period) return readPeriod(state, index, { low: chunk.period.from, high: chunk.period.to });
  if (chunk.amount) return readAmount(state, index);
  if (chunk.closed && hasFilterFor(state, chunk.closed[0])) {
    // No source states by whom.
    if (chunk.closed[0] === 'status' && means(state.chunks[index + 1], 'by')) state.isPartial = true;
    addFacet(state, chunk.closed[0], chunk.closed[1], phraseOf(chunk.tokens));
    return 1;
  }
  if (chunk.phrase) {
    readPhrase(state, chunk);
    return 1;
  }
  return readContent(state, index);
}

function readPhrase(state: ParseState, chunk: Chunk): void {
  const bound = BOUNDS.find((each) => means(chunk, each));
  // In `who led the seed round of X`, X is the funded party.
  const isAskedFor = leads(chunk) && state.type !== 'companies' && state.chunks.some((each) => means(each, 'who'));
  const isBackward = chunk === state.backward;
  const role = isAskedFor ? 'backs' : isBackward ? undefined : roleOf(chunk);
  if (bound !== undefined) state.bound = bound;
  if (role !== undefined) state.role = role;
  if (means(chunk, 'not')) state.negation = chunk;
  if (means(chunk, 'unstated')) state.isPartial = true;
  // `next week` is a period; `next events` are those to come.
  const isUpcoming = means(chunk, 'upcoming') || (means(chunk, 'next') && state.type === 'events');
  if (isUpcoming) readUpcoming(state, chunk);
  if (means(chunk, 'titles')) readTitle(state, chunk);
  const sort = sortFor(state, chunk);
  if (sort !== undefined) state.sort = sort;
  // People are filtered by their company, whatever their role there.
  const isRoleUsed = role !== undefined && !(role === 'founds' && state.type === 'people');
  const isUsed =
    bound !== undefined ||
    isRoleUsed ||
    isBackward ||
    sort !== undefined ||
    isUpcoming ||
    means(
      chunk,
      'not',
      'in',
      'from',
      'to',
      'on',
      'by',
      'and',
      'or',
      'raised',
      'lastRound',
      'held',
      'updated',
      'employees',
      'investments',
      'orMore',
      'orLess',
      'common',
    ) ||
    (nounOf(chunk) !== undefined && nounOf(chunk) === state.type);
  if (!isUsed || means(chunk, 'likeness')) state.ignored.push(...chunk.tokens.map(({ raw }) => raw));
}

/** Abbreviations of titles, which records have, by words of their long forms. */
const TITLES: readonly (readonly [RegExp, string])[] = [
  [/techn|技术/, 'CTO'],
  [/financ|财务/, 'CFO'],
  [/chief|direct|gesch|vorstand|pdg|执行/, 'CEO'],
];

/** A title is a keyword for the people of the company beside it. */
function readTitle(state: ParseState, { tokens }: Chunk): void {
  const words = tokens.map(({ text }) => text).join(' ');
  state.text.push(TITLES.find(([form]) => form.test(words))?.[1] ?? words.replace(/s$/, '').toUpperCase());
  state.role ??= 'works';
}

/** Future events begin today or later. */
function readUpcoming(state: ParseState, chunk: Chunk): void {
  const today = utcDay(state.request.today);
  addFilters(
    state,
    periodFilters(state.types, state.subject ?? 'held', { from: today }),
    state.chunks.indexOf(chunk),
    1,
  );
}

const ORDERS = ['largest', 'latest', 'smallest', 'oldest'] as const;
/** Sorts by type, in request form. */
const SORTS: Readonly<
  Partial<Record<RecordType, Partial<Record<(typeof ORDERS)[number], SortedField | `-${SortedField}`>>>>
> = {
  companies: {
    largest: '-total_funding_usd',
    latest: '-last_round_date',
    smallest: 'total_funding_usd',
    oldest: 'year_founded',
  },
  rounds: { largest: '-amount_usd', latest: '-announced_date', smallest: 'amount_usd', oldest: 'announced_date' },
  investors: { largest: '-investments_count', latest: '-updated_at', smallest: 'investments_count' },
  people: { largest: '-angel_investments', latest: '-updated_at' },
  events: { latest: '-start_date', oldest: 'start_date' },
};

/** Sorts by a word of its own. */
function specialSort({ type, chunks }: ParseState, chunk: Chunk): string | undefined {
  const index = chunks.indexOf(chunk);
  const [before, after] = [chunks[index - 1], chunks[index + 1]];
  if (type === 'companies' && means(chunk, 'youngest')) return '-year_founded';
  if (type === 'companies' && means(chunk, 'employees') && means(before, 'by')) return '-total_employees';
  if (type !== 'rounds') return undefined;
  const isLast =
    means(chunk, 'lastRound') || (means(chunk, 'last') && after !== undefined && nounOf(after) === 'rounds');
  return isLast ? '-announced_date' : undefined;
}

function sortFor(state: ParseState, chunk: Chunk): string | undefined {
  const {
    types: [type, ...others],
    chunks,
  } = state;
  const special = specialSort(state, chunk);
  if (special !== undefined) return special;
  const isLedAsked = chunks.some((each) => means(each, 'led'));
  const sorts = type === undefined || others.length > 0 ? undefined : SORTS[type];
  const order = ORDERS.find((each) => means(chunk, each));
  if (type === 'people' && means(chunk, 'angels')) return '-angel_investments';
  if (type === 'investors' && order === 'largest' && isLedAsked) return '-lead_count';
  return order && sorts?.[order];
}
