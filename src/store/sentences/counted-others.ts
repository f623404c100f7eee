import { type Chunk, isContent, means } from './chunks.ts';
import { WITH } from './groups.ts';
import type { Lexicon } from './lexicon.ts';
import { BOUNDS, isParticle, leads, leaveUnstated, nounOf, ORDERS, type ParseState } from './parse-state.ts';
import { hasPeriodOfRounds, readAmount, saysExactly } from './ranges.ts';
import { isCount, NUMBER, numberOf, SEVERAL } from './sentence-numbers.ts';
import { wordsOf } from './sentence-tokens.ts';

/**
 * Reads how many others there are, which no filter is about: `led by two investors`, `companies with one round`, `more than
 * one company`, `raised 3 times`, `on more than 3 chains`, `with 2 or more founders`. Returns the number of chunks read.
 */
export function readCountOfOthers(state: ParseState, index: number): number {
  const [chunk, next] = [state.chunks[index] as Chunk, state.chunks[index + 1]];
  const { lexicon } = state.request;
  const words = wordsOf(chunk.tokens);
  const isNumber = isCount(words, lexicon);
  // `solo tres rondas`
  if (isContent(chunk) && saysExactly(chunk) && isCount(wordsOf(next?.tokens ?? []), lexicon)) return 1;
  const before = state.chunks[isParticle(state.chunks[index - 1]) ? index - 2 : index - 1];
  const isOfOrder = means(before, ...ORDERS, 'last') || means(next, ...ORDERS);
  // In `top ten`, `last 5 rounds` and `5 largest rounds`, the number is a page size.
  if (isOfOrder && !chunk.period && (isNumber || NUMBER.test(words))) return 1;
  // The numbers on record are of all years.
  const isDated = hasPeriodOfRounds(state);
  const times = timesAt(state, index);
  const verb = state.chunks.slice(0, index).findLast((each) => means(each, 'raised', 'led', 'backs', 'backed'));
  // `companies that Acme led twice`
  if (times && state.type === 'companies' && !isDated && !means(verb, 'led', 'backs', 'backed')) {
    if (times.isOpen) state.bound ??= 'min';
    return readAmount(state, index, { value: times.value, isMoney: false, what: 'rounds' }) && times.length;
  }
  if (times) {
    leaveUnstated(state, state.chunks.slice(index, index + times.length));
    state.bound = undefined;
    return times.length;
  }
  // `led at least 5 rounds in 2022`
  const isNumbered = isNumber || chunk.amount?.isMoney === false;
  if (isDated && state.type === 'investors' && state.bound !== undefined && isNumbered && means(next, 'rounds')) {
    leaveUnstated(state, state.chunks.slice(index - 1, index + 2));
    state.bound = undefined;
    return 2;
  }
  const value = isDated ? undefined : numberOf(words, lexicon);
  // `led at least 3 Series A rounds`: these numbers are of all stages.
  const isOfStage = isNumber && next?.closed?.[0] === 'funding_stage' && state.bound !== undefined;
  if (isOfStage && (state.type === 'investors' || state.type === 'companies')) {
    leaveUnstated(state, state.chunks.slice(index - 1, index + 1));
    state.bound = undefined;
    return 1;
  }
  const isOpen = means(next, 'orMore', 'orLess');
  const length = isOpen ? 3 : 2;
  const counted = state.chunks[index + length - 1];
  const noun = counted && (nounOf(counted) ?? (means(counted, 'investments', 'employees') || undefined));
  const isOfGroup = noun === undefined && COUNTED_GROUPS.has(lexicon.group(wordsOf(counted?.tokens ?? [])) ?? '');
  if ((noun === undefined && !isOfGroup) || chunk.amount || !isNumber) return 0;
  const isBounded = isOpen || (isOfGroup && state.bound !== undefined);
  const owner = state.chunks.slice(0, index).findLast((each) => !isOnly(each, lexicon));
  // `companies that raised 2 rounds`
  const isWith = WITH.has(owner?.tokens[0]?.text ?? '') || (noun === 'rounds' && means(owner, 'raised'));
  // Rounds are not with rounds: `tokens with one round`.
  const isOfOthers = noun === state.type ? isWith && noun === 'rounds' : isBounded || isWith;
  // `mit einer Runde über 5 Millionen` counts nothing.
  const isArticle = means(chunk, 'empty') && words !== 'single';
  if (isArticle && !(state.bound ?? (saysExactly(before) || (isWith && counted === state.chunks.at(-1))))) return 0;
  const isOfBound = state.bound !== undefined && !/^\d/.test(words);
  // `companies with more than one round`, `investors with at least one deal`, `investors that led 2 rounds`
  const isOfRounds =
    (state.type === 'companies' && noun === 'rounds' && (isOfOthers || isOfBound)) ||
    (state.type === 'investors' && means(counted, 'investments') && isOfBound) ||
    (state.type === 'investors' && noun === 'rounds' && state.chunks.some(leads));
  if (isOfRounds && value !== undefined) return readAmount(state, index, { value, isMoney: false });
  if (!isOfOthers && !isOfBound && state.role !== 'led' && state.role !== 'backed') return 0;
  leaveUnstated(state, state.chunks.slice(index, index + length));
  state.bound = undefined;
  return length;
}

/** Groups that records have several of. */
const COUNTED_GROUPS: ReadonlySet<string> = new Set(['chain', 'tag', 'country', 'city', 'stage']);

/** How often something happened: `twice`, `three times`, `dreimal`; undefined for other words. */
function timesAt({ chunks, request: { lexicon } }: ParseState, index: number) {
  const [before, chunk, next] = [chunks[index - 1], chunks[index], chunks[index + 1]];
  const word = wordsOf(chunk?.tokens ?? []);
  // `companies once backed by Acme`
  const isOnce = word === 'once' && (means(before, 'raised', 'backs', ...BOUNDS) || saysExactly(before));
  const value = lexicon.number(isOnce || word === 'twice' ? word : (/^(\p{L}+)mal$/u.exec(word)?.[1] ?? ''));
  if (value !== undefined) return { value, isOpen: false, length: 1 };
  if (!isCount(word, lexicon) || !TIMES.test(wordsOf(next?.tokens ?? []))) return undefined;
  return { value: numberOf(word, lexicon) ?? 2, isOpen: SEVERAL.test(word), length: 2 };
}

const TIMES = /^(?:times?|mal|fois|ve[cz]es)$/;

const isOnly = (chunk: Chunk, lexicon: Lexicon): boolean =>
  saysExactly(chunk) || /^a$/.test(wordsOf(chunk.tokens)) || lexicon.number(wordsOf(chunk.tokens)) === 1;
