import { anyMeans, type Chunk, means } from './chunks.ts';
import type { ParseState } from './parse-state.ts';

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
  state.ignored.push(...facts.flatMap(({ tokens }) => tokens.map(({ raw }) => raw)));
}
