import { facets } from '../../contract/facets.ts';
import { type FilterName, isNegated } from '../../contract/filters.ts';
import { FUNDING_STAGES, GRANT } from '../../contract/vocabulary.ts';
import { anyMeans, type Chunk, isContent, means } from './chunks.ts';
import { comparesRaised, groupFor } from './groups.ts';
import { FACETS, type FacetName, isInVocabulary, isNameIn, phraseOf, WORDS_MAX } from './knowledge.ts';
import {
  countsNouns,
  hasFilterFor,
  isChainOfCompanies,
  isOwnedChain,
  leaveNegation,
  leaveUnstated,
  nounOf,
  type ParseState,
} from './parse-state.ts';
import { isCount } from './sentence-numbers.ts';
import { type Token, wordsOf } from './sentence-tokens.ts';

/** Words up to this length are values only if written like abbreviations; cities such as `nyc` are longer. */
const SHORT_MAX = 3;

/** The longest value at an index, with its filter; undefined if there is none. */
export function facetAt(state: ParseState, index: number) {
  const run = contentAt(state, index);
  for (let length = run.length; length > 0; length--) {
    const tokens = run.slice(0, length).flatMap((chunk) => chunk.tokens);
    const words = phraseOf(tokens);
    const filter = facetsAt(state, index).find((each) => isValue(state, index, { filter: each, tokens, length }));
    if (filter !== undefined) return { filter, words, length };
  }
  return undefined;
}

/** The facets in the order in which a value is sought: in `London or Singapore`, the city comes before the country. */
function facetsAt({ chunks, filters }: ParseState, index: number): readonly FacetName[] {
  const joint = means(chunks[index - 1], 'in') ? index - 2 : index - 1;
  const isAmongCities = means(chunks[joint], 'and', 'or', 'versus') && filters.has('city') && !filters.has('country');
  return isAmongCities ? ['city', ...FACETS] : FACETS;
}

interface Candidate {
  readonly filter: FacetName;
  readonly tokens: readonly Token[];
  readonly length: number;
}

function isValue(state: ParseState, index: number, { filter, tokens, length }: Candidate): boolean {
  const { knowledge } = state.request;
  const words = phraseOf(tokens);
  // `exactly one round`
  if (filter === 'chain' && isCount(wordsOf(tokens), state.request.lexicon) && !means(state.chunks[index - 1], 'on'))
    return false;
  const known = knowledge.typesWith(filter, words);
  const isPlace = filter === 'country' || filter === 'city';
  const isShort = isPlace && words.length <= SHORT_MAX - Number(filter === 'city') && !/\p{Script=Han}/u.test(words);
  // `companies in Zug`, `sf companies`
  const next = state.chunks[index + length];
  const isBesideType = next !== undefined && nounOf(next) !== undefined;
  const isCityListed =
    filter === 'city' && (isBesideType || means(state.chunks[index - 1], 'in', 'and', 'or', 'versus'));
  if ((isShort && !isCityListed && words !== words.toUpperCase()) || tokens.every(({ text }) => /^\d/.test(text)))
    return false;
  // `ETH events`: ETH is Ethiopia as well.
  if (
    filter === 'country' &&
    isShort &&
    isInVocabulary('chain', words) &&
    !means(state.chunks[index - 1], 'in', 'from')
  )
    return false;
  // Most places have no records, which is a valid answer.
  const isKnown = isPlace && !isShort && hasFilterFor(state, filter) && isInVocabulary(filter, words);
  if (!isKnown && !known.some((type) => state.types.includes(type))) return false;
  const before = state.chunks[index - 1];
  // `is Solana in France`
  if (state.type === undefined && index === 1 && IS.test(before?.tokens[0]?.text ?? '') && means(next, 'in'))
    return false;
  const isOf =
    state.role === 'works' || state.role === 'founds' || state.role === 'foundedBy' || state.role === 'speaks';
  const isWhere = isPlace && means(before, 'in');
  const isQualified =
    state.type !== undefined ||
    state.filters.has('chain') ||
    means(before, 'in', 'from', 'not') ||
    means(next, 'in', 'on');
  if (filter !== 'chain') return (!isOf || isWhere) && isQualified;
  if (isOwnedChain(state, index)) return true;
  // A chain that raised is its company.
  const isRaising = /^rais(?:e|ed|es|ing)$/.test(next?.tokens[0]?.text ?? '') && !means(before, 'on');
  if (isNameIn(knowledge)(words) && isRaising) return false;
  // `Solana and Base projects`
  const isChain = (chunk: Chunk | undefined): boolean =>
    isContent(chunk) && knowledge.typesWith('chain', phraseOf(chunk.tokens)).length > 0;
  const end =
    index + length + (means(next, 'and', 'or', 'versus') && isChain(state.chunks[index + length + 1]) ? 2 : 0);
  const behind = state.chunks[end];
  const isOn =
    means(saysBoth(before) ? state.chunks[index - 2] : before, 'on', 'not') ||
    // `on Solana and Base`
    (state.filters.has('chain') && means(before, 'and', 'or', 'versus')) ||
    // Postpositions in Chinese.
    (means(behind, 'on') && /\p{Script=Han}/u.test(behind?.tokens[0]?.raw ?? ''));
  // Many chains are companies too: a chain is meant only next to a noun or after `on`.
  const noun = state.chunks
    .slice(end)
    .find((chunk) => nounOf(chunk) !== undefined || !(isContent(chunk) || means(chunk, 'empty') || countsNouns(chunk)));
  // A chain that has rounds is its company: `Polygon's seed round`.
  const isOwner = next?.tokens[0]?.text === 's' && noun !== undefined && nounOf(noun) === 'rounds';
  if (isOwner && isNameIn(knowledge)(words)) return false;
  // `Solana NFT marketplaces`
  const isBeforeTag = isContent(next) && knowledge.typesWith('tag', phraseOf(next.tokens)).length > 0;
  const isBesideNoun =
    next !== undefined && (isBeforeTag || (noun && nounOf(noun)) !== undefined || state.filters.has('tag'));
  if (state.type === 'rounds' && state.groups.length > 0 && isChainOfCompanies(state.chunks, index, knowledge))
    return true;
  // `companies founded in 2020 on Solana`
  const isOfCompanies = state.role === 'founds' && state.type === 'companies';
  if (isOn && (state.role === undefined || state.role === 'backs' || isOfCompanies)) return true;
  return state.role === undefined && (isBesideNoun || (means(before, 'in') && state.type === 'companies'));
}

const IS = /^(?:is|was|ist|war|est|esta)$/;

export const saysBoth = (chunk: Chunk | undefined): boolean => chunk !== undefined && phraseOf(chunk.tokens) === 'both';

export const saysTagged = ({ tokens: [first] }: Chunk): boolean => first?.text === 'tagged';

/** Fields with one value each: no round is `both a seed and a Series A`, but companies have several. */
const SINGLE: ReadonlySet<FilterName> = new Set(['funding_stage', 'country', 'city', 'status']);

/** All of the values are required. */
export function readBoth(state: ParseState, filter: FilterName): void {
  const values = String(state.filters.get(filter));
  const isOfRounds = filter === 'funding_stage' && state.type === 'companies';
  if (SINGLE.has(filter) && !isOfRounds) state.isPartial = true;
  else if (!values.includes(':')) state.filters.set(filter, `all:${values}`);
}

const ALL = 'all:';

/**
 * Names that investors funded companies of each of two sectors, which their focus does not state: `invested in both a DEX and a
 * bridge`.
 */
export function leaveEachBacked(state: ParseState, end: number): void {
  const { chunks, filters, type, groups } = state;
  const both = chunks.findIndex(saysBoth);
  const value = String(filters.get('tag'));
  const isOfDeals = chunks.some((chunk) => means(chunk, 'backs') && !means(chunk, 'investors'));
  const areInvestors = type === 'investors' || groups.some((group) => group.endsWith('investor'));
  if (!areInvestors || both < 0 || both > end || !value.startsWith(ALL) || !isOfDeals) return;
  filters.set('tag', value.slice(ALL.length));
  leaveUnstated(state, chunks.slice(both, end));
}

/** Requires all of the chains that companies are on: `on A and B`, but not `A and B projects`. */
export function readChains(state: ParseState, index: number, length: number): void {
  const { chunks, filters, type } = state;
  const before = chunks.slice(0, index);
  const isOn = (chunk: Chunk | undefined): boolean =>
    means(chunk, 'on') || (type === 'companies' && means(chunk, 'in'));
  const joint = isOn(before.at(-1)) ? before.at(-2) : before.at(-1);
  const value = String(filters.get('chain'));
  // `on A and B or C`
  if (means(joint, 'or') && value.startsWith(ALL)) {
    filters.set('chain', value.slice(ALL.length));
    state.isPartial = true;
  }
  const opening = before.findLast((chunk) => !(isContent(chunk) || means(chunk, 'and', 'or')));
  const isOnEach = isOn(opening) || means(chunks[index + length], 'on');
  const isOfCompanies = type === 'companies' || anyMeans(chunks, 'companies');
  if (means(joint, 'and') && isOnEach && isOfCompanies && value.includes('|')) readBoth(state, 'chain');
}

/** Takes `both` for read where all of several values are required; of stages and a period, no filter is about each. */
export function readTogether(state: ParseState): void {
  const { chunks, filters, ignored } = state;
  const isDated = filters.has('from') || filters.has('to');
  if (isDated && String(filters.get('funding_stage')).startsWith(ALL))
    leaveUnstated(state, chunks.slice(chunks.findIndex(({ closed }) => closed?.[0] === 'funding_stage')));
  const at = ignored.findIndex((word) => /^both$/i.test(word));
  if (at >= 0 && [...filters.values()].some((value) => String(value).startsWith('all:'))) ignored.splice(at, 1);
}

export const STAGES_IN_ORDER: readonly string[] = FUNDING_STAGES.filter((stage) => /seed|series/.test(stage));

/** Requires both stages of companies that `went from seed to Series B`; of `Series A to C rounds`, any from the first to the last. */
export function readSteps(state: ParseState, index: number): void {
  const { chunks, type, filters } = state;
  const joint = chunks[index - 1];
  const isJoined = means(joint, 'to', 'until') || /^(?:[-–]|through)$/.test(joint?.tokens[0]?.text ?? '');
  const [first, last] = [chunks[index - 2], chunks[index]].map((chunk) =>
    STAGES_IN_ORDER.indexOf(chunk?.closed?.[1] ?? ''),
  );
  const stages = String(filters.get('funding_stage'));
  const ends = [first, last].map((place = -1) => STAGES_IN_ORDER[place]).join('|');
  if (!isJoined || first === undefined || first < 0 || last === undefined || last <= first || stages !== ends) return;
  // `Series A through C in 2022`
  state.bound = undefined;
  const isOfBoth = means(chunks[index - 3], 'from') && type === 'companies';
  filters.set('funding_stage', isOfBoth ? `${ALL}${stages}` : STAGES_IN_ORDER.slice(first, last + 1).join('|'));
}

/** The orders by which figures are those of what was raised. */
const RAISED: Readonly<Record<string, string>> = { rounds: '-amount_usd', companies: '-total_funding_usd' };

/** Counts by what two values are compared in: `US vs UK funding`. */
export function readVersus(state: ParseState, index: number, filter: FilterName): void {
  if (!means(state.chunks[index - 1], 'versus')) return;
  groupByFilter(state, filter);
  const isOfRegion =
    filter === 'country' &&
    String(state.filters.get(filter))
      .split('|')
      .some((name) => facets.country.group?.(name) !== undefined);
  state.isCompared = filter === 'chain' || filter === 'tag' || isOfRegion;
  if (comparesRaised(state.chunks)) state.sort ??= RAISED[state.type ?? ''];
}

/** Counts by the values of a filter or role, unless something else is counted by. */
export function groupByFilter({ type, groups }: ParseState, filter: FilterName | 'lead_investor'): void {
  const group = type && groupFor(type, filter === 'funding_stage' ? 'stage' : filter);
  if (groups.length === 0 && group !== undefined) groups.push(group);
}

/** Adds a facet value that may also be a keyword. */
export function addFacet(state: ParseState, filter: FilterName, value: string, words: string): void {
  const known = state.filters.get(filter);
  // `which country has the most VCs after the US`
  if (state.bound === 'after' && (filter === 'country' || filter === 'city')) {
    state.bound = undefined;
    if (!state.groups.includes(filter)) {
      state.unstated.push(`after ${words}`);
      state.isPartial = true;
      return;
    }
    state.negation = state.chunks.find((chunk) => means(chunk, 'after'));
  }
  // Their focus is not all that investors have backed.
  if (state.negation && filter === 'tag' && state.type === 'investors' && anyMeans(state.chunks, 'backs')) {
    leaveNegation(state);
    return;
  }
  if (state.negation && known !== undefined) {
    const excluding = withoutValues(known, value.split('|'));
    if (excluding === undefined) leaveNegation(state);
    state.filters.set(filter, excluding ?? known);
    state.negation = undefined;
    return;
  }
  const isOfStages = filter === 'funding_stage' && state.type === 'companies' && anyMeans(state.chunks, 'and');
  const isBoth = known !== undefined && (isOfStages || state.chunks.some(saysBoth));
  // `not grant` includes rounds of unknown stage.
  const mode = state.negation ? (value === GRANT ? 'except:' : 'not:') : '';
  state.filters.set(filter, known === undefined ? `${mode}${value}` : `${known}|${value}`);
  if (isBoth) readBoth(state, filter);
  // A negated value is no keyword; few companies have a status, and most are active.
  const kept = state.negation || value === 'active' ? state.sparse : state.soft;
  kept.set(filter, [kept.get(filter) ?? '', words].join(' ').trim());
  state.negation = undefined;
}

/** Reads a filter that is on or off: `unsourced`. Returns the number of chunks read. */
export function readFlag(state: ParseState, [name, value]: Required<Chunk>['closed']): number {
  // A page that states it verifies a round.
  const filter = name === 'verified' && state.type === 'rounds' ? 'sourced' : name;
  state.filters.set(filter, (value === 'true') === (state.negation === undefined));
  state.negation = undefined;
  return 1;
}

/** The names and keywords from an index on. */
export function contentAt({ chunks }: ParseState, index: number): Chunk[] {
  const run: Chunk[] = [];
  for (let at = index; at < chunks.length && run.length < WORDS_MAX; at++) {
    const chunk = chunks[at] as Chunk;
    if (!isContent(chunk)) break;
    run.push(chunk);
  }
  return run;
}

/** A filter value with an exclusion: `A|not:B`. Undefined without a value, or if it has an exclusion. */
export const withoutValues = (
  known: string | number | boolean | undefined,
  others: readonly string[],
): string | undefined =>
  known === undefined || isNegated(known) ? undefined : [known, ...others.map((other) => `not:${other}`)].join('|');
