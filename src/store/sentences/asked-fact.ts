import type { FilterName } from '../../contract/filters.ts';
import { measureOf, PRONOUN } from '../../contract/sentence-calls.ts';
import { anyMeans, type Chunk, isContent, means, textOf } from './chunks.ts';
import { comparedNumber } from './groups.ts';
import { phraseOf, SPEAKERS } from './knowledge.ts';
import { asksForEdition } from './ordinal-rounds.ts';
import {
  areDealsAt,
  areRoundsOfStage,
  BOUNDS,
  endsInSingular,
  ignore,
  isNegation,
  isOfBackward,
  isPortfolio,
  leads,
  leaveNegation,
  leaveUnstated,
  namesFormer,
  nounOf,
  type ParseState,
  roleOf,
} from './parse-state.ts';
import { numberOf } from './sentence-numbers.ts';
import { wordsOf } from './sentence-tokens.ts';

const isFact = (chunk: Chunk): boolean => chunk.period !== undefined || means(chunk, 'employees');

/**
 * What is asked of the one record that a question names: `how many employees did Acme have in 2019`, `Acme revenue 2023`.
 * As filters, these would find other records. Empty for other questions.
 */
export function factsAskedOf(chunks: readonly Chunk[]): readonly Chunk[] {
  if (!anyMeans(chunks, 'unstated', 'condition', 'employees') || !chunks.some(({ period }) => period)) return [];
  const others = chunks.filter((chunk) => !(chunk.isName || isFact(chunk)));
  const isOfOne = chunks.filter(({ isName }) => isName).length === 1;
  return isOfOne &&
    others.every((chunk) => means(chunk, 'question', 'empty', 'in', 'on', 'from', 'to', 'unstated', 'condition'))
    ? chunks.filter(isFact)
    : [];
}

/** Names facts as words that changed nothing. */
export function leaveOut(state: ParseState, facts: readonly Chunk[]): void {
  state.isPartial ||= facts.length > 0;
  ignore(state, facts);
}

/**
 * The words for the investors of a company, where what else these fund is asked for: `companies backed by the investors of
 * Acme`. Undefined for other requests.
 */
export function backersBeyond(chunks: readonly Chunk[]): readonly Chunk[] | undefined {
  if (anyMeans(chunks, 'coInvestors', 'common')) return undefined;
  const noun = chunks.findIndex((chunk) => means(chunk, 'investors') && !means(chunk, 'backed'));
  const name = chunks[noun + 1]?.isName ? noun + 1 : chunks[noun + 2]?.isName ? noun + 2 : -1;
  const isFunded = (chunk: Chunk): boolean => means(chunk, 'backs', 'backed', 'investments');
  const after = chunks.slice(name + 1);
  if (noun < 0 || name < 0 || after.some(isContent)) return undefined;
  const isOfOthers = chunks.slice(0, noun).some(isFunded);
  const isAsked = anyMeans(chunks.slice(0, noun), 'companies') || WHAT.test(chunks[0]?.tokens[0]?.text ?? '');
  return isOfOthers || (isAsked && after.some(isFunded)) ? chunks.slice(noun, name + 1) : undefined;
}

const WHAT = /^(?:what|que|was|quoi|qu)$/;

/** Reads nothing of a sentence about a record that only an earlier one names: `how much did they raise`. */
export function leaveUnnamed(state: ParseState): void {
  const { type, chunks } = state;
  const at = chunks.findIndex(({ tokens: [first] }) => PRONOUN.test(first?.text ?? '') && first?.raw !== 'IT');
  const isNoun = (chunk: Chunk, index: number): boolean => index < at && nounOf(chunk) !== undefined;
  const isNamed = chunks.some((chunk, index) => isNoun(chunk, index) || chunk.closed !== undefined || isContent(chunk));
  if (at >= 0 && type !== undefined && !isNamed) refuse(state, textOf(chunks.slice(at, at + 1)));
}

/** Reads nothing of what investors themselves raised, of which no round is: `when did Acme Ventures raise money`, `first investor in it`. */
export function leaveOwnMoney(state: ParseState): void {
  const { type, filters, request } = state;
  const [words] = OWN_MONEY.exec(request.text) ?? [];
  if (type === 'rounds' && filters.has('investor') && !filters.has('company') && words !== undefined)
    refuse(state, words);
}

const OWN_MONEY =
  /^when (?:did|has) .+? (?:raised?|get|got|receive) .*(?:money|funding|funds|capital)$|^(?:who (?:was|were|is|are) )?(?:the )?(?:first|earliest|seed|series \w) (?:investors?|backers?) (?:in|of|behind) .+$/i;

/** Reads nothing of a sentence about how many others records have, on average or compared, which nothing counts. */
export function leaveUncounted(state: ParseState): void {
  const counted = averagedNumber(state.chunks) ?? comparedNumber(state.chunks) ?? timeBetween(state.chunks);
  if (counted !== undefined && state.type !== undefined) refuse(state, textOf(counted));
}

/** The words of `average number of investors`, `how many investors on average`; undefined for none. */
function averagedNumber(chunks: readonly Chunk[]): readonly Chunk[] | undefined {
  const at = chunks.findIndex((chunk) => /^(?:average|median)$/.test(measureOf(textOf([chunk])) ?? ''));
  const isNoun = (chunk: Chunk | undefined): boolean =>
    chunk !== undefined && (nounOf(chunk) !== undefined || means(chunk, 'employees', 'investments'));
  if (at < 0) return undefined;
  if (/^number\b/.test(wordsOf(chunks[at + 1]?.tokens ?? []))) {
    const noun = chunks.findIndex((chunk, index) => index > at && isNoun(chunk));
    return noun < 0 ? undefined : chunks.slice(at, noun + 1);
  }
  const how = chunks.findIndex((chunk) => /^how many$/.test(wordsOf(chunk.tokens)));
  return how >= 0 && isNoun(chunks[how + 1]) && chunks[at - 1]?.tokens[0]?.text === 'on'
    ? chunks.slice(how, Math.max(at, how + 1) + 1)
    : undefined;
}

/** The words of `time between seed and Series A`; undefined for none. */
function timeBetween(chunks: readonly Chunk[]): readonly Chunk[] | undefined {
  const at = chunks.findIndex(({ tokens: [first] }) => DURATION.test(first?.text ?? ''));
  const between = chunks.findIndex((chunk, index) => index > at && means(chunk, 'between', 'from'));
  const isRound = (chunk: Chunk): boolean => chunk.closed?.[0] === 'funding_stage' || nounOf(chunk) === 'rounds';
  const after = between < 0 ? [] : chunks.slice(between);
  const isOfRounds = after.some(isRound) && !after.some(({ period }) => period !== undefined);
  return at >= 0 && isOfRounds ? chunks.slice(at, chunks.findLastIndex(isRound) + 1) : undefined;
}

const DURATION = /^(?:time|long|gap|interval|days|months|years)$/;

/** Reads nothing of a sentence but its type; nothing can be filtered, ordered or counted by some words of it. */
function refuse(state: ParseState, words: string): void {
  const { filters, groups, text, unknownParty } = state;
  state.unstated.splice(0, Infinity, words);
  for (const read of [filters, state.soft, state.sparse]) read.clear();
  for (const read of [groups, text, unknownParty]) read.length = 0;
  state.sort = undefined;
  state.period = undefined;
  state.isPartial = true;
}

/** Names a group that records of the type have none of: `cities with the most VCs`. Returns the number of chunks read. */
export function leaveGroup(state: ParseState, index: number, length: number): number {
  const group = state.chunks.slice(index, index + length);
  leaveUnstated(state, group);
  ignore(state, group);
  return length;
}

/** Reads nothing of a sentence but its type if a negation of it is unread, whose words nothing can be filtered by: whether it is. */
export function refuseUnread(state: ParseState): boolean {
  const { chunks, filters, ignored } = state;
  leaveNegation(state);
  // People have no country: `founders of DeFi companies in Germany`.
  const isOfPlaced = state.type === 'people' && filters.has('country') && !filters.has('company');
  const isUnread = (chunk: Chunk, index: number): boolean =>
    (means(chunk, 'lacking') && !isNegation(state, chunk) && !isOfBackward(state, chunk)) ||
    (isOfPlaced && anyMeans(chunks, 'companies') && index > 0 && nounOf(chunks[index - 1] as Chunk) === 'people');
  const from = chunks.findIndex((chunk, index) => chunk === state.unreadNegation || isUnread(chunk, index));
  if (from < 0) return false;
  const [first, ...after] = chunks.slice(from);
  const isPeriod = (chunk: Chunk | undefined): boolean => chunk?.period !== undefined;
  // `not in 2022`
  const isOfPeriod = isPeriod(after[0]) || (means(after[0], 'in', ...BOUNDS) && isPeriod(after[1]));
  const end = isOfPeriod
    ? after.findIndex(isPeriod) + 1
    : after.findIndex((chunk) => isPeriod(chunk) || means(chunk, 'in', ...BOUNDS));
  const negated = [first, ...(end < 0 ? after : after.slice(0, end))] as readonly Chunk[];
  ignored.splice(0, Infinity, ...state.request.tokens.map(({ raw }) => raw));
  refuse(state, textOf(negated).replace(/ in$/, ''));
  return true;
}

/**
 * Reads the name of a record that others are compared with, as `more funding than Acme`, which no filter does. Returns the number of chunks read; 0 if the index is not one.
 * @param namedLength number of chunks that form a name at an index
 */
export function readCompared(
  state: ParseState,
  index: number,
  namedLength: (state: ParseState, index: number) => number,
): number {
  const start = state.chunks[index - 1]?.tokens[0]?.text === 'the' ? index - 2 : index - 1;
  const before = state.chunks[start];
  const isThan = before?.tokens.at(-1)?.text === 'than' && !means(before, 'not');
  const length = isThan || means(before, 'over', 'under') ? namedLength(state, index) : 0;
  if (length === 0) return 0;
  const compared = state.chunks.slice(start, index + length);
  leaveUnstated(state, compared);
  ignore(state, compared.slice(1));
  state.bound = undefined;
  return length;
}

/** Reads a stage that others are before or after, which no filter expresses: `before its Series D`. Whether it is one. */
export function readStageBound(state: ParseState, index: number): boolean {
  const { chunks, bound } = state;
  const chunk = chunks[index] as Chunk;
  if (chunk.closed?.[0] !== 'funding_stage' || (bound !== 'before' && bound !== 'after' && bound !== 'since'))
    return false;
  const from = chunks.findLastIndex((each, at) => at < index && means(each, bound));
  leaveUnstated(state, chunks.slice(from, index + 1));
  state.bound = undefined;
  return true;
}

/**
 * Reads what no record states of others, with their name: `organised by Acme`, and of companies `by ex-Acme engineers`.
 * Returns the number of chunks read.
 */
export function readUnrecorded(state: ParseState, index: number): number {
  const { chunks, type } = state;
  const chunk = chunks[index] as Chunk;
  const isOfPeople = type !== undefined && type !== 'people' && namesFormer(chunk);
  if (!means(chunk, 'unrecorded') && !isOfPeople) return 0;
  const isPart = (each: Chunk): boolean =>
    (isOfPeople && means(each, 'titles', 'people', 'employees')) || each.tokens[0]?.text === 'the' || isContent(each);
  const end = chunks.findIndex((each, at) => at > index && !isPart(each));
  const words = chunks.slice(index, end < 0 ? undefined : end);
  leaveUnstated(state, words);
  ignore(state, words);
  return words.length;
}

/**
 * Reads the acquirer after a status, or names one that no record has as its name: `acquired by Acme`. Returns the number of
 * chunks read; 0 if there is none to filter by.
 */
export function readAcquirer(state: ParseState, index: number): number {
  if (!means(state.chunks[index + 1], 'by')) return 0;
  const end = state.chunks.findIndex((chunk, at) => at > index + 1 && !isContent(chunk));
  const acquirer = state.chunks.slice(index + 1, end < 0 ? undefined : end);
  const name = phraseOf(acquirer.slice(1).flatMap(({ tokens }) => tokens));
  const isOfOne = state.request.knowledge.typesNamed(name).some((type) => type === 'companies' || type === 'investors');
  if (state.type === 'companies' && isOfOne && state.negation === undefined) {
    state.filters.set('status', 'acquired');
    state.filters.set('acquirer', name);
    return 1 + acquirer.length;
  }
  leaveUnstated(state, acquirer);
  return 0;
}

/** Names what became of the companies that investors funded, which is no status of theirs: `backed closed companies`. Whether it is. */
export function leaveBacked(state: ParseState, index: number): boolean {
  const { chunks, type } = state;
  const isOfBacked =
    type === 'investors' && chunks[index]?.closed?.[0] === 'status' && means(chunks[index + 1], 'companies');
  if (isOfBacked) leaveUnstated(state, chunks.slice(index, index + 2));
  return isOfBacked;
}

/** Names a condition that would suffice instead of those known before it, which no filters express: `backed by A or in Berlin`. */
export function leaveAlternative(
  state: ParseState,
  known: ReadonlySet<FilterName>,
  { index, length }: { readonly index: number; readonly length: number },
): void {
  const added = [...state.filters.keys()].filter((name) => !known.has(name));
  const isJoining = (chunk: Chunk): boolean =>
    !means(chunk, 'or') && (means(chunk, ...JOINING_CONDITIONS) || roleOf(chunk) !== undefined);
  const or = state.chunks.findLastIndex((chunk, at) => at < index && !isJoining(chunk));
  if (known.size === 0 || added.length === 0 || !means(state.chunks[or], 'or')) return;
  for (const name of added) for (const each of [state.filters, state.soft, state.sparse]) each.delete(name);
  leaveUnstated(state, state.chunks.slice(or, index + length));
}

const JOINING_CONDITIONS = ['in', 'by', 'on', 'from', 'raised', 'empty', ...BOUNDS] as const;

/** The part of a sentence from the first to the last word that was not read. */
export function unreadPart({ chunks, ignored, type, role }: ParseState): string {
  const isUnread = ({ tokens }: Chunk): boolean => tokens.some(({ raw }) => ignored.includes(raw));
  const isOpen = (chunk: Chunk): boolean => role !== undefined && nounOf(chunk) !== type;
  const end = chunks.findLastIndex((chunk) => isUnread(chunk) || isOpen(chunk));
  return phraseOf(chunks.slice(chunks.findIndex(isUnread), end + 1).flatMap(({ tokens }) => tokens));
}

/** Whether a word asks for speakers or attendants. */
export const namesSpeakers = (chunk: Chunk): boolean =>
  means(chunk, 'speaks') || (means(chunk, 'people') && SPEAKERS.test(wordsOf(chunk.tokens)));

/** Words after a noun that exclude everything else, which no filter does. */
const ONLY = /^(?:only|nur)$/;
const OF_LAST = ['funding_stage', 'investor', 'funding_min', 'funding_max'] as const;

/**
 * Whether no filter or order expresses a word: that people speak at any event, that investors lead, that a company's last
 * round is as described, or `only`.
 * @param ranked the group of rounds that ranks what is asked for
 */
export function isInexpressible(
  { type, types, filters, chunks, request }: ParseState,
  chunk: Chunk,
  ranked: string | undefined,
): boolean {
  const next = chunks[chunks.indexOf(chunk) + 1];
  const before = chunks.slice(0, chunks.indexOf(chunk));
  const isOfStage = before.at(-1)?.closed?.[0] === 'funding_stage';
  const isOfNoun = (next !== undefined || isOfStage) && before.some((each) => nounOf(each) === type);
  const isOfNumber = numberOf(wordsOf(next?.tokens ?? []), request.lexicon) !== undefined;
  if (isOfNoun && !isOfNumber && ONLY.test(wordsOf(chunk.tokens))) return true;
  // `conferences by number of speakers`
  if (type === 'events' && filters.size > 0 && means(chunk, 'people')) return anyMeans(chunks, 'largest', 'per');
  if (type === 'people') return !filters.has('event') && namesSpeakers(chunk);
  // `companies that share investors with A`
  if (type === 'companies' && means(chunk, 'common')) return !filters.has('investor');
  const isLast = means(chunk, 'lastRound') || (means(chunk, 'latest', 'last') && means(next, 'rounds'));
  if (type === 'companies' && isLast) return OF_LAST.some((name) => filters.has(name));
  const isCounted = means(next, ...BOUNDS) || anyMeans(chunks, 'largest', 'smallest');
  return (
    types.join() === 'investors' &&
    ranked !== 'lead_investor' &&
    leads(chunk) &&
    !isCounted &&
    !filters.has('led_min') &&
    !filters.has('led_max')
  );
}

/** Words between a noun and what it is of. */
export const OF = /^(?:of|for|to|like|d[aeou]|del|von|zu|al?)$/;

/** Keeps only the name in `total value locked of Aave` or `Uniswap revenue`: no filter or field expresses the rest. */
function keepOnlyName({ chunks, text, ignored, unstated }: ParseState): boolean {
  const end = chunks.findLastIndex((chunk) => !means(chunk, 'empty'));
  const [fact, before, last] = [chunks[end - 2], chunks[end - 1], chunks[end]];
  const isUnstated = unstated.length > 0;
  const isOfLast = means(before, 'by') || OF.test(before?.tokens.at(-1)?.text ?? '');
  // `proof of reserve`
  const isName = fact?.isName === true && last?.isName === true;
  const isNamed = isOfLast && (isUnstated || (last?.isName === true && !isName));
  const named = isNamed ? last : chunks.find(({ isName }) => isUnstated && isName);
  const name = named?.tokens.map(({ raw }) => raw) ?? [];
  if (name.length === 0 || !name.every((word) => text.includes(word))) return false;
  ignored.push(...text.filter((word) => !name.includes(word)));
  text.splice(0, text.length, ...name);
  return true;
}

/** Whether the type is named, or implied by all that it states. */
export function namesType(state: ParseState, isOrdered: boolean): boolean {
  const { chunks, type, text, filters, request } = state;
  if (!isOrdered && mayBeCompany(state)) return false;
  return (
    chunks.some((chunk, index) => type !== undefined && (nounOf(chunk) === type || areDealsAt(chunks, index))) ||
    (text.length === 0 &&
      (isOrdered ||
        (type === 'rounds' && areRoundsOfStage(chunks)) ||
        (type === 'companies' && request.types.length > 1 && filters.has('tag')))) ||
    (type === 'events' && asksForEdition(chunks, request.knowledge)) ||
    (type === 'companies' && (anyMeans(chunks, 'listed') || (isPortfolio(chunks.at(-1)) && isContent(chunks[0]))))
  );
}

/** Whether a text may be the name of a company that ends in the word for it: `sum protocol`, `next protocol`. */
const mayBeCompany = ({ type, chunks }: ParseState): boolean =>
  type === 'companies' &&
  chunks.length === 2 &&
  endsInSingular(chunks) &&
  (measureOf(textOf(chunks.slice(0, 1))) !== undefined ||
    means(chunks[0], 'next') ||
    textOf(chunks).startsWith('count '));

/** Whether a text without a noun for its type has no condition that could be searched by. */
export function statesNothing(state: ParseState): boolean {
  const { chunks, filters, isAsked, text, unknownParty, unstated } = state;
  // `highest valuations`
  const areFacts =
    anyMeans(chunks, 'valued', 'unstated', 'unrecorded', 'condition') ||
    ranksFounders(state) ||
    chunks.some(({ isUndated }) => isUndated);
  const isOfFact = text.length === 0 && unstated.length > 0 && areFacts;
  if (filters.size + unknownParty.length > 0 || isOfFact) return false;
  // `hacked bridges`, `crypto unicorns`
  return isAsked ? text.length === 0 : !anyMeans(chunks, 'condition') && !keepOnlyName(state);
}

/** Whether people are ranked by what they founded, which no order is by: `who founded the most companies`. */
export const ranksFounders = ({ type, chunks }: Pick<ParseState, 'type' | 'chunks'>): boolean =>
  type === 'people' && anyMeans(chunks, 'founds') && anyMeans(chunks, 'largest', 'smallest');

/** Whether a name is only the last word of firms. */
export const endsFirm = (chunk: Chunk | undefined): boolean =>
  chunk?.isName === true &&
  chunk.tokens.length === 1 &&
  /^(?:foundation|ventures|capital|labs|dao|fund|partners|holdings|group)$/.test(chunk.tokens[0]?.text ?? '');
