import { type Chunk, means } from './chunks.ts';
import { WITH } from './groups.ts';
import { phraseOf } from './knowledge.ts';
import { isParticle, leads, leaveUnstated, nounOf, ORDERS, type ParseState } from './parse-state.ts';
import { hasPeriodOfRounds, readAmount, saysExactly } from './ranges.ts';
import { COUNT, NUMBER, numberOf } from './sentence-numbers.ts';
import { wordsOf } from './sentence-tokens.ts';

/**
 * Reads how many others there are, which no filter is about: `led by two investors`, `companies with one round`, `more than
 * one company`, `raised 3 times`, `on more than 3 chains`, `with 2 or more founders`. Returns the number of chunks read.
 */
export function readCountOfOthers(state: ParseState, index: number): number {
  const [chunk, next] = [state.chunks[index] as Chunk, state.chunks[index + 1]];
  const words = phraseOf(chunk.tokens);
  const before = state.chunks[isParticle(state.chunks[index - 1]) ? index - 2 : index - 1];
  const isOfOrder = means(before, ...ORDERS, 'last') || means(next, ...ORDERS);
  // In `top ten`, `last 5 rounds` and `5 largest rounds`, the number is a page size.
  if (isOfOrder && !chunk.period && (COUNT.test(words) || NUMBER.test(words))) return 1;
  // The numbers on record are of all years.
  const value = hasPeriodOfRounds(state) ? undefined : numberOf(words);
  // `raised 3 times`
  if (COUNT.test(words) && /^times?$/.test(wordsOf(next?.tokens ?? []))) {
    if (state.type === 'companies' && value !== undefined) return readAmount(state, index, { value, isMoney: false });
    leaveUnstated(state, state.chunks.slice(index, index + 2));
    state.bound = undefined;
    return 2;
  }
  const isOpen = means(next, 'orMore', 'orLess');
  const length = isOpen ? 3 : 2;
  const counted = state.chunks[index + length - 1];
  const noun = counted && (nounOf(counted) ?? (means(counted, 'investments', 'employees') || undefined));
  const isOfGroup =
    noun === undefined && COUNTED_GROUPS.has(state.request.lexicon.group(wordsOf(counted?.tokens ?? [])) ?? '');
  if ((noun === undefined && !isOfGroup) || chunk.amount || !COUNT.test(words)) return 0;
  const isBounded = isOpen || (isOfGroup && state.bound !== undefined);
  const owner = state.chunks.slice(0, index).findLast(isNoOnly);
  // `companies that raised 2 rounds`
  const isWith = WITH.has(owner?.tokens[0]?.text ?? '') || (noun === 'rounds' && means(owner, 'raised'));
  // Rounds are not with rounds: `tokens with one round`.
  const isOfOthers = noun === state.type ? isWith && noun === 'rounds' : isBounded || isWith;
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

const isNoOnly = (chunk: Chunk): boolean => chunk.tokens[0]?.text !== 'a' && !saysExactly(chunk);
