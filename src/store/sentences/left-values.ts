import type { FilterName } from '../../contract/filters.ts';
import { means } from './chunks.ts';
import { hasFilterFor, leaveUnstated, nounOf, type ParseState, precedesParty } from './parse-state.ts';

/** Whether a chunk follows a role such as `led by`, or a word that does. */
export function isAfterRole({ chunks, unknownParty }: ParseState, index: number): boolean {
  const before = chunks[means(chunks[index - 1], 'empty') ? index - 2 : index - 1];
  if (before?.tokens.at(-1)?.raw === unknownParty.at(-1) && before !== undefined) return true;
  return means(before, 'led', 'backed', 'foundedBy') && precedesParty(before);
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
