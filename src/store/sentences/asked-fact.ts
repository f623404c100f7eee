import { anyMeans, type Chunk, means } from './chunks.ts';
import { phraseOf } from './knowledge.ts';
import { BOUNDS, ignore, isNegation, leaveNegation, nounOf, type ParseState } from './parse-state.ts';

const isFact = (chunk: Chunk): boolean => chunk.period !== undefined || means(chunk, 'employees');

/**
 * What is asked of the one record that a question names: `how many employees did Acme have in 2019`, `Acme revenue 2023`.
 * As filters, these would find other records. Empty for other questions.
 */
export function factsAskedOf(chunks: readonly Chunk[]): readonly Chunk[] {
  if (!anyMeans(chunks, 'unstated', 'employees') || !chunks.some(({ period }) => period)) return [];
  const others = chunks.filter((chunk) => !(chunk.isName || isFact(chunk)));
  const isOfOne = chunks.filter(({ isName }) => isName).length === 1;
  return isOfOne && others.every((chunk) => means(chunk, 'question', 'empty', 'in', 'on', 'from', 'to', 'unstated'))
    ? chunks.filter(isFact)
    : [];
}

/** Names facts as words that changed nothing. */
export function leaveOut(state: ParseState, facts: readonly Chunk[]): void {
  state.isPartial ||= facts.length > 0;
  ignore(state, facts);
}

/** Reads nothing of a sentence but its type if a negation of it is unread, whose words nothing can be filtered by. */
export function refuseUnread(state: ParseState): void {
  const { chunks, filters, groups, ignored, text, unknownParty } = state;
  leaveNegation(state);
  const isUnread = (chunk: Chunk): boolean => means(chunk, 'lacking') && !isNegation(state, chunk);
  const from = chunks.findIndex((chunk) => chunk === state.unreadNegation || isUnread(chunk));
  if (from < 0) return;
  const [first, ...after] = chunks.slice(from);
  const end = after.findIndex((chunk) => chunk.period ?? means(chunk, 'in', ...BOUNDS));
  const negated = [first, ...(end < 0 ? after : after.slice(0, end))] as readonly Chunk[];
  state.unstated.splice(0, Infinity, phraseOf(negated.flatMap(({ tokens }) => tokens)).replace(/ in$/, ''));
  ignored.splice(0, Infinity, ...state.request.tokens.map(({ raw }) => raw));
  for (const read of [filters, state.soft, state.sparse]) read.clear();
  for (const read of [groups, text, unknownParty]) read.length = 0;
  state.sort = undefined;
  state.isPartial = true;
}

/** The part of a sentence from the first to the last word that was not read. */
export function unreadPart({ chunks, ignored, type, role }: ParseState): string {
  const isUnread = ({ tokens }: Chunk): boolean => tokens.some(({ raw }) => ignored.includes(raw));
  const isOpen = (chunk: Chunk): boolean => role !== undefined && nounOf(chunk) !== type;
  const end = chunks.findLastIndex((chunk) => isUnread(chunk) || isOpen(chunk));
  return phraseOf(chunks.slice(chunks.findIndex(isUnread), end + 1).flatMap(({ tokens }) => tokens));
}
