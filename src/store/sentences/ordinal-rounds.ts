import { isLaterPlace } from '../../contract/answer-records.ts';
import { anyMeans, type Chunk, means, phraseFor, textOf } from './chunks.ts';
import { type Knowledge, phraseOf } from './knowledge.ts';
import type { Lexicon } from './lexicon.ts';

/** Chunks in which an edition of an event in the order of time asks for this order: `first Devcon`, `the last EthCC`. */
export function withOrdinalEditions(chunks: readonly Chunk[], { typesNamed }: Knowledge): readonly Chunk[] {
  return chunks.map((chunk, index) => {
    const order = EDITIONS.find(([words]) => words.test(textOf([chunk])))?.[1];
    return order !== undefined && isEdition(chunks[index + 1], typesNamed)
      ? { tokens: chunk.tokens, phrase: phraseFor(order) }
      : chunk;
  });
}

const EDITIONS = [
  [/^(?:the )?(?:first|very first|inaugural|earliest)$/i, 'oldest'],
  [/^(?:the )?(?:last|latest|newest|most recent|previous|past)$/i, 'latest'],
] as const;

/** Whether a chunk is the name of events alone. */
const isEdition = (chunk: Chunk | undefined, typesNamed: Knowledge['typesNamed']): boolean =>
  chunk?.isName === true && typesNamed(phraseOf(chunk.tokens)).join() === 'events';

/** Whether a text asks for an edition of an event in the order of time. */
export const asksForEdition = (chunks: readonly Chunk[], { typesNamed }: Knowledge): boolean =>
  chunks.some((chunk, index) => means(chunk, 'oldest', 'latest') && isEdition(chunks[index + 1], typesNamed));

/** Chunks in which the place of a round in the order of time asks for this order: `first ICO`, `third round of Acme`. */
export function withOrdinalRounds(chunks: readonly Chunk[], lexicon: Lexicon): readonly Chunk[] {
  if (anyMeans(chunks, 'companies', 'people', 'investors', 'events')) return chunks;
  return chunks.map((chunk, index) => {
    const next = chunks[index + 1];
    const word = textOf([chunk]);
    const isOfRounds = next?.closed?.[0] === 'funding_stage' || means(next, 'rounds');
    const isPlace = isLaterPlace(word) || lexicon.phrase(word.toLowerCase())?.ordinal === 1;
    return isOfRounds && isPlace ? { tokens: chunk.tokens, phrase: phraseFor('oldest') } : chunk;
  });
}
