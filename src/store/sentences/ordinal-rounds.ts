import { anyMeans, type Chunk, means, phraseFor, textOf } from './chunks.ts';
import type { Lexicon } from './lexicon.ts';

/** Places in the order of time whose round an answer names: see `placeIn`. */
const LATER = /^(?:second|third|fourth|fifth|2nd|3rd|4th|5th)$/i;

/** Chunks in which the place of a round in the order of time asks for this order: `first ICO`, `third round of Acme`. */
export function withOrdinalRounds(chunks: readonly Chunk[], lexicon: Lexicon): readonly Chunk[] {
  if (anyMeans(chunks, 'companies', 'people', 'investors', 'events')) return chunks;
  return chunks.map((chunk, index) => {
    const next = chunks[index + 1];
    const word = textOf([chunk]);
    const isOfRounds = next?.closed?.[0] === 'funding_stage' || means(next, 'rounds');
    const isPlace = LATER.test(word) || lexicon.phrase(word.toLowerCase())?.ordinal === 1;
    return isOfRounds && isPlace ? { tokens: chunk.tokens, phrase: phraseFor('oldest') } : chunk;
  });
}
