import { anyMeans, type Chunk, isContent, means } from './chunks.ts';
import { mentionsGrants } from './grants.ts';
import { firstNoun, nounOf } from './parse-state.ts';
import { wordsOf } from './sentence-tokens.ts';

/** Whether those in the greatest number of rounds are asked for: `the most rounds`, `most seed deals`, but not `the largest round`. */
export const asksForMostRounds = (chunks: readonly Chunk[]): boolean =>
  chunks.some(({ tokens }, index) => {
    const areRounds = (each: Chunk): boolean => nounOf(each) === 'rounds' || means(each, 'investments');
    const isBetween = (each: Chunk): boolean => each.closed?.[0] === 'funding_stage' || isContent(each);
    const next = chunks.slice(index + 1).find((each) => areRounds(each) || !isBetween(each));
    return tokens.at(-1)?.text === 'most' && next !== undefined && areRounds(next);
  });

/** Whether a word orders the rounds after it by size: `biggest Series A rounds`, but not `most rounds`. */
export function areSizedRounds(chunk: Chunk, after: readonly Chunk[]): boolean {
  const next = after.find((each) => each.closed?.[0] !== 'funding_stage' && !means(each, 'empty'));
  return isSize(chunk) && means(next, 'rounds');
}

/**
 * Whether companies are asked for by one round, which their totals are not: `which company raised the largest round`, `raised more
 * than $50M in one round`.
 */
export const asksForOneRound = (chunks: readonly Chunk[]): boolean =>
  firstNoun(chunks) === 'companies' &&
  !anyMeans(chunks, 'founds', 'foundedBy', 'works', 'employees') &&
  chunks.some(
    (chunk, index) =>
      /^in (?:a|one) (?:single )?round$/.test(wordsOf(chunk.tokens)) ||
      areSizedRounds(chunk, chunks.slice(index + 1)) ||
      isSizedStage(chunk, chunks.slice(index + 1)),
  );

/** Whether a word orders companies by what they raised at the stage after it: `the largest seed ever`, but not `largest Series B companies`. */
function isSizedStage(chunk: Chunk, after: readonly Chunk[]): boolean {
  const stage = after.findIndex((each) => !means(each, 'empty'));
  const isStage = after[stage]?.closed?.[0] === 'funding_stage' && !mentionsGrants(after.slice(stage, stage + 1));
  const isOrder = isSize(chunk) || /^(?:highest|lowest|by size)$/.test(wordsOf(chunk.tokens));
  return isOrder && isStage && !means(after[stage + 1], 'companies');
}

export const isSize = ({ tokens }: Chunk): boolean => /^(?:big|larg|small)/.test(tokens[0]?.text ?? '');
