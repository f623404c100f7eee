import { isLaterPlace } from '../../contract/answer-records.ts';
import { anyMeans, type Chunk, means, phraseFor, textOf } from './chunks.ts';
import type { Lexicon } from './lexicon.ts';

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
