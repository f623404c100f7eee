import { GRANT } from '../../contract/vocabulary.ts';
import { OF } from './asked-fact.ts';
import { type Chunk, isContent, means } from './chunks.ts';
import { GIVES, type Knowledge, phraseOf } from './knowledge.ts';
import { afterParticle, endsInGrants, nounOf, type ParseState } from './parse-state.ts';

/** Whether the names from an index to an end are of who gives grants. */
export const isGiverAt = (state: ParseState, index: number, end: number): boolean =>
  isBesideGrants(state, index) || isAfterGrants(state, index) || givesGrants(state, end);

export const mentionsGrants = (chunks: readonly Chunk[]): boolean => chunks.some(({ closed }) => closed?.[1] === GRANT);

/** Whether a chunk is the verb of who gives grants. */
export const gives = (chunk: Chunk | undefined): boolean => GIVES.test(chunk?.tokens[0]?.text ?? '');

/** The index of a giver of grants before what it gave: `how much did Acme give`; -1 if there is none. */
export const givenBy = (chunks: readonly Chunk[], { isGiver }: Knowledge): number =>
  chunks.findIndex((chunk, index) => gives(chunks[index + 1]) && isContent(chunk) && isGiver(phraseOf(chunk.tokens)));

/** Whether a giver of grants precedes them: `Arbitrum grants`. */
function isBesideGrants({ chunks, request, type }: ParseState, index: number): boolean {
  const [chunk, next] = [chunks[index] as Chunk, afterParticle(chunks, index)];
  // `how much did Acme grant`
  const isVerb = /^(?:did|does)$/.test(chunks[index - 1]?.tokens.at(-1)?.text ?? '');
  const isOfGrants = next?.closed?.[1] === GRANT && (nounOf(next) === 'rounds' || isVerb);
  if (!isOfGrants && !(type === 'rounds' && endsInGrants(chunk))) return false;
  return request.knowledge.isGiver(phraseOf(chunk.tokens));
}

/** Whether the name before an index is of who gave grants: `grants that Acme gave`, `how much did Acme give`. */
const givesGrants = ({ chunks, type, request }: ParseState, end: number): boolean =>
  type === 'rounds' && gives(chunks[end]) && (mentionsGrants(chunks) || givenBy(chunks, request.knowledge) === end - 1);

/** Whether a giver of grants follows them: `grants by Arbitrum`, `average grant of Arbitrum`, but not `grants received by Gitcoin`. */
function isAfterGrants({ chunks, request }: ParseState, index: number): boolean {
  const at = chunks[index - 1]?.tokens[0]?.text === 'the' ? index - 2 : index - 1;
  const isGiven = means(chunks[at], 'from', 'by') && !means(chunks[at - 1], 'raised');
  const isOf = OF.test(chunks[at]?.tokens[0]?.text ?? '') && chunks[at - 1]?.closed?.[1] === GRANT;
  return (
    (isGiven && mentionsGrants(chunks)) || (isOf && request.knowledge.isGiver(phraseOf(chunks[index]?.tokens ?? [])))
  );
}
