import { type FilterName, hasFilter } from '../../contract/filters.ts';
import { type Chunk, means, textOf } from './chunks.ts';
import { phraseOf } from './knowledge.ts';
import { hasFilterFor, leaveUnstated, nounOf, type ParseState, partyGroup, precedesParty } from './parse-state.ts';

/** Whether a chunk follows a role such as `led by`, or a word that does. */
export function isAfterRole({ chunks, unknownParty }: ParseState, index: number): boolean {
  const before = chunks[means(chunks[index - 1], 'empty') ? index - 2 : index - 1];
  if (before?.tokens.at(-1)?.raw === unknownParty.at(-1) && before !== undefined) return true;
  return means(before, 'led', 'backed', 'foundedBy') && precedesParty(before);
}

/**
 * Reads the country before the verb as that of investors, and the one at an index as that of whom they fund: `US investors that fund
 * startups in Europe`. Whether these are two.
 */
function readBackedPlace(state: ParseState, index: number, length: number): boolean {
  const { chunks, filters } = state;
  const verb = chunks.findIndex((chunk) => backsOthers(chunk));
  const place = chunks[index];
  const first = String(filters.get('country'));
  if (verb < 0 || verb > index || place === undefined || /[|:]/.test(first) || filters.has('investor_country'))
    return false;
  if (!chunks.slice(0, verb).some((chunk) => (chunk.closed?.[1] ?? phraseOf(chunk.tokens)) === first)) return false;
  filters.set('investor_country', first);
  filters.set(
    'country',
    place.closed?.[1] ?? phraseOf(chunks.slice(index, index + length).flatMap(({ tokens }) => tokens)),
  );
  asRoundsOf(state);
  return true;
}

/** Reads the country after the verb of investors as that of whom they fund: `funds that invest in DeFi in Europe`. */
export function readBackedPlaces(state: ParseState): void {
  const { type, chunks, filters } = state;
  const country = filters.get('country');
  const verb = chunks.findIndex((chunk) => backsOthers(chunk));
  const place = chunks.findIndex((chunk) => (chunk.closed?.[1] ?? phraseOf(chunk.tokens)) === country);
  const isOfRounds = [...filters.keys()].every((name) => hasFilter('rounds', name));
  const isOfMore = filters.size > 1 || state.groups.length > 0;
  if (type === 'investors' && verb >= 0 && place > verb && isOfRounds && isOfMore) asRoundsOf(state);
}

/** Whether a word says that investors fund others: `that backed`, but not `investors in`. */
export const backsOthers = (chunk: Chunk): boolean => means(chunk, 'backs') && !means(chunk, 'investors');

/** Counts rounds by the investors that are asked for. */
function asRoundsOf(state: ParseState): void {
  const { type, groups, chunks, filters, period } = state;
  if (groups.length === 0) groups.push(partyGroup(chunks));
  if (type !== 'investors') return;
  state.type = 'rounds';
  state.sort = undefined;
  state.period = undefined;
  const days = textOf(chunks.filter((chunk) => chunk.period)).split(' ');
  state.ignored.splice(0, Infinity, ...state.ignored.filter((word) => !days.includes(word)));
  for (const name of ['from', 'to'] as const) if (period?.[name] !== undefined) filters.set(name, period[name]);
}

/** A value that a filter of the type might be read from, and its number of chunks. */
interface Value {
  readonly filter: FilterName;
  readonly length: number;
}

/**
 * Names a value that is not of the records themselves: what kind of investor led or funded them (`led by exchanges`), or where
 * those that investors of one place fund are (`US investors active in Europe`). Returns the number of chunks read; 0 for none.
 */
export function leaveValue(state: ParseState, index: number, { filter, length }: Value): number {
  const { chunks, type, filters } = state;
  const isPlace = filter === 'country' || filter === 'city';
  const isOfRounds = type === 'rounds' && state.groups.some((group) => group.endsWith('investor'));
  const isOfOthers = isPlace && (type === 'investors' || isOfRounds) && filters.has(filter);
  const isListed =
    means(chunks[index - 2], 'and', 'or', 'not') || means(chunks[index - 1], 'and', 'or', 'not', 'versus', 'to');
  if (isOfOthers && !isListed && filter === 'country' && readBackedPlace(state, index, length)) return length;
  if (isOfOthers && (isOfRounds || means(chunks[index - 1], 'in', 'backs')) && !isListed) {
    leaveUnstated(state, chunks.slice(index - 1, index + length));
    return length;
  }
  const isKind = filter === 'tag' || (filter === 'investor_type' && !hasFilterFor(state, filter));
  if (!isKind || !isAfterRole(state, index)) return 0;
  const next = chunks[index + length];
  const end = index + length + (next && nounOf(next) !== undefined ? 1 : 0);
  leaveUnstated(state, chunks.slice(index - 1, end));
  state.role = undefined;
  return end - index;
}
