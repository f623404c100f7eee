import { anyMeans, type Chunk, isContent, means, textOf } from './chunks.ts';
import { saysTagged } from './facet-values.ts';
import { isPlaceIn, type Knowledge, phraseOf } from './knowledge.ts';
import { isParticle, ORDERS } from './parse-state.ts';

/** Whether a sentence without a noun asks for the companies of a sector or place. */

const TAG_LENGTHS = [1, 2, 3];

/** Whether companies of a sector are ordered or restricted: `oldest DEX`, `wallets that raised money`, `acquired wallets`, `lending but not DeFi`. */
export function areOfTag(chunks: readonly Chunk[], knowledge: Knowledge): boolean {
  const { typesWith } = knowledge;
  const isPlace = isPlaceOf(knowledge);
  const isChain = (chunk: Chunk | undefined): boolean =>
    isContent(chunk) && typesWith('chain', phraseOf(chunk.tokens)).includes('companies');
  const isTag = (run: readonly Chunk[]): boolean =>
    run.every(isContent) && typesWith('tag', textOf(run)).includes('companies');
  return (
    (anyMeans(chunks, ...ORDERS, 'youngest', 'not', 'lacking', 'raised', 'unstated') ||
      chunks.some((chunk) => ['status', 'funding_stage'].includes(chunk.closed?.[0] ?? '') || saysTagged(chunk)) ||
      // `NFT marketplaces on Solana`
      chunks.some((chunk, index) => means(chunk, 'on') && isChain(chunks[index + 1])) ||
      // `wallets from Germany`, `总部在新加坡的交易所`
      chunks.some((chunk, index) => isParticle(chunks[index + 1]) && isPlace(chunk)) ||
      chunks.some(
        (_, index) =>
          isWithin(chunks, index) &&
          PLACE_LENGTHS.some((length) => isPlace(joined(chunks.slice(index, index + length)))),
      )) &&
    [...chunks.keys()].some((from) => TAG_LENGTHS.some((length) => isTag(chunks.slice(from, from + length))))
  );
}

/** Whether a word for where something is precedes an index: `in Berlin`, `aus der Schweiz`. */
const isWithin = (chunks: readonly Chunk[], index: number): boolean =>
  means(
    chunks.slice(0, index).findLast((chunk) => !means(chunk, 'empty')),
    'in',
    'from',
  );

/** Whether a text consists of sectors, maybe in a place: `zk rollups`, `NFT marketplaces and games`, `payments Africa`. */
export function areTags(chunks: readonly Chunk[], knowledge: Knowledge): boolean {
  let count = 0;
  for (let index = 0; index < chunks.length; ) {
    const length = TAG_LENGTHS.findLast((some) => {
      const run = chunks.slice(index, index + some);
      const words = textOf(run);
      return run.length === some && run.every(isContent) && knowledge.typesWith('tag', words).includes('companies');
    });
    const isPlace = isPlaceOf(knowledge)(chunks[index] as Chunk);
    if (length === undefined && !isPlace && !means(chunks[index], 'and', 'or', 'empty')) return false;
    count += length === undefined && !isPlace ? 0 : 1;
    index += length ?? 1;
  }
  return count > 0;
}

/**
 * Whether a text consists of one investor and of what its rounds have: a period, stages, sectors, chains or places, as `Acme Ventures
 * gaming 2022`. A company would be meant by what it is, not by its rounds.
 */
export function areDealsOf(chunks: readonly Chunk[], knowledge: Knowledge): boolean {
  const { parties = 0, conditions = 0 } = anyMeans(chunks, 'versus') ? {} : dealsIn(chunks, knowledge);
  return parties === 1 && conditions > 0;
}

/** Whether a text compares investors by rounds of a kind: `A vs B in DeFi`. */
export function areDealsCompared(chunks: readonly Chunk[], knowledge: Knowledge): boolean {
  const { parties = 0, conditions = 0 } = anyMeans(chunks, 'versus') ? dealsIn(chunks, knowledge) : {};
  return parties > 1 && conditions > 0;
}

/** How many investors, and conditions of rounds, a text consists of; neither if it has anything else. */
function dealsIn(
  chunks: readonly Chunk[],
  { typesNamed, typesWith }: Knowledge,
): { readonly parties?: number; readonly conditions?: number } {
  const isPlace = isPlaceOf({ typesNamed, typesWith } as Knowledge);
  let parties = 0;
  let conditions = 0;
  for (let index = 0; index < chunks.length; ) {
    const chunk = chunks[index] as Chunk;
    const length = TAG_LENGTHS.findLast((some) => {
      const run = chunks.slice(index, index + some);
      return run.length === some && run.every(isContent) && typesWith('tag', textOf(run)).includes('rounds');
    });
    const name = phraseOf(chunk.tokens);
    const types = typesNamed(name);
    const isOfInvestor = (chunk.isName === true && types.includes('investors')) || chunk.isFunder === true;
    const isParty = isOfInvestor && !types.includes('companies');
    const isCondition =
      length !== undefined ||
      chunk.period !== undefined ||
      chunk.closed?.[0] === 'funding_stage' ||
      (isContent(chunk) && typesWith('chain', name).includes('rounds')) ||
      isPlace(chunk);
    const isNoun = index === chunks.length - 1 && means(chunk, 'rounds', 'deals', 'investments');
    const isBeside = isNoun || means(chunk, 'empty', 'in', 'on', 'versus');
    if (!isParty && !isCondition && !isBeside) return {};
    parties += Number(isParty);
    conditions += Number(isCondition && !isParty);
    index += isParty ? 1 : (length ?? 1);
  }
  return { parties, conditions };
}

export const PLACE_LENGTHS = [1, 2];

/** Names and keywords as one. */
export const joined = (chunks: readonly Chunk[]): Chunk =>
  chunks.length === 1 ? (chunks[0] as Chunk) : { tokens: chunks.filter(isContent).flatMap(({ tokens }) => tokens) };

/** Whether a chunk is a country or a place that a record has. */
export const isPlaceOf =
  (knowledge: Knowledge) =>
  (chunk: Chunk): boolean =>
    chunk.closed?.[0] === 'country' || (isContent(chunk) && isPlaceIn(knowledge)(phraseOf(chunk.tokens)));
