import { EXTREMES, type Extreme, GROUPS, isOfTime } from '../../contract/aggregate.ts';
import type { RecordType } from '../../contract/entities/index.ts';
import { measureOf } from '../../contract/sentence-calls.ts';
import { GRANT } from '../../contract/vocabulary.ts';
import { anyMeans, type Chunk, isContent, means, phraseFor, RAISES, textOf } from './chunks.ts';
import { phraseOf } from './knowledge.ts';
import { type Lexicon, NOUNS } from './lexicon.ts';
import { mayFund, nounOf, type ParseState } from './parse-state.ts';
import { wordsOf } from './sentence-tokens.ts';

const GROUP_LENGTH_MAX = 3;

/** Words that name a type or a company as well, or ask what something is, ask for groups only after `per`. */
const NAMES_TYPE = /^(?:investor|company|lead_investor|organization|type|status)$/;

/** The group of a type by its name: rounds have a stage, which is their type, companies a funding_stage, investors a focus. */
const groupOf = (type: RecordType, name: string): string | undefined =>
  Object.keys(GROUPS[type]).find(
    (group) =>
      group === name ||
      group === `funding_${name}` ||
      (name === 'tag' && group === 'focus') ||
      (name === 'type' && (group.endsWith('_type') || group === 'stage')) ||
      (name === 'company' && group === 'organization'),
  );

/** A group that a sentence counts by, and its number of chunks. */
export interface GroupMatch {
  readonly name: string;
  readonly length: number;
}

/**
 * The group that `per country`, `which sectors`, `yearly` or `countries with` names at an index; undefined for none.
 * @param isFurther whether another one precedes it: `by year and stage`
 */
export function groupAt(
  chunks: readonly Chunk[],
  index: number,
  { lexicon, isFurther = false }: { readonly lexicon: Lexicon; readonly isFurther?: boolean },
): GroupMatch | undefined {
  const named = (from: number, length: number): string | undefined => {
    const words = chunks.slice(from, from + length).flatMap(({ tokens }) => tokens);
    const name = lexicon.group(wordsOf(words));
    // `investments by Status`
    if (name === 'status' && /^\p{Lu}/u.test(words[0]?.raw ?? '')) return undefined;
    return name === 'year' && asksForFounding(chunks) ? 'year_founded' : name;
  };
  const own = named(index, 1);
  const next = chunks[index + 1];
  // `stages by year`, `countries by number of companies`
  const by =
    index === 0 && means(next, 'per')
      ? chunks.findIndex((each, at) => at > 1 && !means(each, 'empty', 'question'))
      : -1;
  const isGrouped = by > 1 && (named(by, 1) !== undefined || means(chunks[by], ...NOUNS));
  if (
    own !== undefined &&
    (means(chunks[index], 'per') ||
      (!NAMES_TYPE.test(own) && (isGrouped || WITH.has(next?.tokens[0]?.text ?? '') || isFocusAt(chunks, index))))
  )
    return { name: own, length: 1 };
  const isPer = means(chunks[index], 'per') || (isFurther && means(chunks[index], 'and'));
  if (!isPer && !means(chunks[index], 'question', 'largest', 'smallest')) return undefined;
  // `top 10 sectors`
  const from = /^\d+$/.test(next?.tokens[0]?.text ?? '') ? index + 2 : index + 1;
  for (let length = GROUP_LENGTH_MAX; length > 0; length--) {
    const name = named(from, length);
    const after = chunks[from + length];
    const isAlone = !isContent(after) && !means(after, ...NOUNS);
    // `total raised by companies`
    if (name !== undefined && NAMES_TYPE.test(name) && means(chunks[index - 1], 'raised', 'led', 'backed'))
      return undefined;
    if (name !== undefined && (isPer || (isAlone && !NAMES_TYPE.test(name))))
      return { name, length: from + length - index };
  }
  return undefined;
}

/** Whether what somebody funds is of the group that a text begins with: `sectors that Acme invests in`. */
function isFocusAt(chunks: readonly Chunk[], index: number): boolean {
  const [first, ...after] = chunks.slice(index + 1).filter((chunk) => !/^(?:that|which)$/.test(textOf([chunk])));
  const isVerb = (chunk: Chunk): boolean => means(chunk, 'backs') && !means(chunk, 'backed', 'investors');
  return index === 0 && isContent(first) && isVerb(after.find((chunk) => !isContent(chunk)) ?? first);
}

/** Whether the years of `companies founded per year` are those of their founding. */
const asksForFounding = (chunks: readonly Chunk[]): boolean =>
  anyMeans(chunks, 'companies') &&
  anyMeans(chunks, 'founds') &&
  !anyMeans(chunks, 'rounds', 'raised', 'funding', 'investments');

/** Words before properties of groups, and before the parties of a round. */
export const WITH: ReadonlySet<string> = new Set(['with', 'con', 'com', 'mit', 'avec']);

/** The group of a type with a name; companies are grouped by a period through their rounds. */
export const groupFor = (type: RecordType, name: string): string | undefined =>
  groupOf(type, name) ?? (type === 'companies' && name !== 'type' ? groupOf('rounds', name) : undefined);

/** The order of groups that a superlative asks for: of periods, which come in the order of time, or for the smallest. */
export function orderOfGroups(chunks: readonly Chunk[], groups: readonly string[]): Extreme | undefined {
  const order = EXTREMES.find((each) => anyMeans(chunks, each));
  return groups.length > 0 && (order === 'smallest' || isOfTime(groups)) ? order : undefined;
}

/** Whether a word asks for the largest or smallest round, rather than for groups in that order, as `most rounds` does. */
export const isExtreme = (chunk: Chunk, index: number, chunks: readonly Chunk[]): boolean => {
  const after = chunks.slice(index + 1);
  const next = after.find((each) => each.closed?.[0] !== 'funding_stage');
  const noun = next && nounOf(next);
  const areRounds = noun === 'rounds' || (noun === undefined && after[0]?.closed?.[1] === GRANT);
  return /^(?:max|min)$/.test(measureOf(textOf([chunk])) ?? '') && areRounds;
};

/** The two names that `how are A and B connected` asks about; undefined for any other number. */
export function connectedNames(chunks: readonly Chunk[]): readonly [string, string] | undefined {
  if (!anyMeans(chunks, 'connected')) return undefined;
  const names: string[] = [];
  for (const [index, chunk] of chunks.entries()) {
    if (!isContent(chunk)) continue;
    const word = phraseOf(chunk.tokens);
    if (isContent(chunks[index - 1])) names.push(`${names.pop()} ${word}`);
    else names.push(word);
  }
  const [one, other, ...others] = names;
  return one !== undefined && other !== undefined && others.length === 0 ? [one, other] : undefined;
}

/** Whether records are compared by what they did: `A vs B deals`, `who led more, A or B`. */
export const comparesDeeds = (chunks: readonly Chunk[]): boolean =>
  anyMeans(chunks, 'versus') ||
  (anyMeans(chunks, 'led', 'backs', 'deals', 'investments', 'rounds') && saysWhichMore(chunks));

/** Whether it asks which company raised more: `did A or B raise more`. */
export const asksWhichRaisedMore = (chunks: readonly Chunk[]): boolean =>
  saysWhichMore(chunks) &&
  chunks.some((chunk) => means(chunk, 'raised', 'funding') || RAISES.test(chunk.tokens[0]?.text ?? ''));

/** Whether several companies are named by what they raised together: `total raised by A and B`. */
export const areFunded = (chunks: readonly Chunk[]): boolean =>
  anyMeans(chunks, 'raised', 'funding') &&
  !anyMeans(chunks, 'backs', 'backed', 'led', 'founds', 'foundedBy', 'who', 'connected') &&
  chunks.some((chunk, index) => means(chunk, 'and') && chunks[index - 1]?.isName && chunks[index + 1]?.isName);

/** Whether companies are compared by what they raised: `did A or B raise more`, `比较A和B的融资`. */
export const comparesFunding = (chunks: readonly Chunk[]): boolean =>
  asksWhichRaisedMore(chunks) || (anyMeans(chunks, 'versus') && anyMeans(chunks, 'funding'));

/** Whether it asks which of several values raised more: `which raised more, DeFi or Gaming`. */
export const comparesRaised = (chunks: readonly Chunk[]): boolean =>
  anyMeans(chunks, 'versus') &&
  chunks.some(isComparative) &&
  chunks.some((chunk) => means(chunk, 'raised') || RAISES.test(chunk.tokens[0]?.text ?? ''));

/** Whether a word asks which of two records did more, not `more than` an amount. */
const saysWhichMore = (chunks: readonly Chunk[]): boolean =>
  chunks.some(({ tokens }) => MORE.test(wordsOf(tokens))) && chunks.some((_, index) => isEither(chunks, index));

const MORE = /^(?:more|better|mas|mehr|plus|mais|(?:the )?most)(?: funded| deals| investments)?$/;
const COMPARATIVE = /^(?:more|less|fewer|better|worse|(?:high|low|bigg|larg|great|small|strong|weak)er)$/;

const isComparative = ({ tokens }: Chunk): boolean => COMPARATIVE.test(wordsOf(tokens));

/** Chunks with what a sentence compares side by side, and `versus` between them. */
export const withComparedTogether = (chunks: readonly Chunk[]): readonly Chunk[] =>
  withValuesCompared(withPeriodsTogether(withNamesTogether(chunks)));

/**
 * Chunks with the periods that a sentence compares side by side: `compare Q1 2022 with Q1 2023`, `is 2024 funding higher than
 * 2023`, `more rounds in 2021 or in 2022`.
 */
function withPeriodsTogether(chunks: readonly Chunk[]): readonly Chunk[] {
  const [first = 0, ...others] = chunks.flatMap(({ period }, index) => (period ? [index] : []));
  const joints = others.map((at) => (means(chunks[at - 1], 'in') ? at - 2 : at - 1));
  const isVersus = anyMeans(chunks, 'versus');
  const areJoined = joints.every((at) => {
    const word = chunks[at]?.tokens.at(-1)?.text ?? '';
    if (means(chunks[at], 'versus') || word === 'than') return true;
    return isVersus ? /^(?:and|with|to|against)$/.test(word) : means(chunks[at], 'or') && chunks.some(isComparative);
  });
  const isOfOthers =
    chunks.slice(1, first).some((chunk) => means(chunk, 'and', 'versus')) || anyMeans(chunks, 'founds');
  if (others.length === 0 || !areJoined || isOfOthers || chunks.some(({ isName }) => isName)) return chunks;
  const compared = others.flatMap((at, index) => {
    const { tokens = [] } = chunks[joints[index] ?? 0] ?? {};
    return [{ tokens, phrase: phraseFor('versus') }, ...chunks.slice(at, at + 1)];
  });
  const moved = new Set([
    ...others,
    ...joints,
    ...others.filter((at) => means(chunks[at - 1], 'in')).map((at) => at - 1),
  ]);
  return [
    ...chunks.slice(0, first).map(withoutComparative),
    ...chunks.slice(first, first + 1),
    ...compared,
    ...chunks.filter((_, index) => index > first && !moved.has(index)).map(withoutComparative),
  ];
}

const withoutComparative = (chunk: Chunk): Chunk =>
  isComparative(chunk) ? { tokens: chunk.tokens, phrase: phraseFor('empty') } : chunk;

/** Chunks with `versus` between the values of which a question asks which has more: `are there more VCs in London or Singapore`. */
function withValuesCompared(chunks: readonly Chunk[]): readonly Chunk[] {
  if (!isQuestion(chunks)) return chunks;
  const beside = withThanTogether(chunks);
  if (beside !== chunks || !chunks.some(isComparative)) return beside;
  return chunks.map((chunk, index) =>
    means(chunk, 'or') && isValue(chunks[index - 1]) && isValue(chunks[index + 1])
      ? { tokens: chunk.tokens, phrase: phraseFor('versus') }
      : withoutComparative(chunk),
  );
}

/** A word that may be a sector, chain or place. */
const isValue = (chunk: Chunk | undefined): boolean => isContent(chunk) && chunk.isName !== true;

/** `did NFT companies raise more than DeFi companies` as `did NFT versus DeFi companies raise more`. */
function withThanTogether(chunks: readonly Chunk[]): readonly Chunk[] {
  const at = chunks.findIndex(({ tokens }, index) => tokens.at(-1)?.text === 'than' && isValue(chunks[index + 1]));
  const first = chunks.findIndex((chunk, index) => index < at && isValue(chunk) && !isComparative(chunk));
  const than = chunks[at];
  const before = than === undefined ? [] : than.tokens.slice(0, -1);
  const comparatives = [...chunks.slice(0, Math.max(at, 0)), { tokens: before }];
  if (than === undefined || first < 0 || !comparatives.some(isComparative)) return chunks;
  return [
    ...chunks.slice(0, first + 1),
    { tokens: than.tokens.slice(-1), phrase: phraseFor('versus') },
    ...chunks.slice(at + 1, at + 2),
    ...chunks.slice(first + 1, at).map(withoutComparative),
    ...(before.length === 0 ? [] : [{ tokens: before, phrase: phraseFor('empty') }]),
    ...chunks.slice(at + 2),
  ];
}

/** Takes the words for read that groups answer: which is more, and how figures developed. */
export function readComparatives({ chunks, groups, ignored }: ParseState): void {
  if (groups.length === 0) return;
  const answered = chunks.filter(
    (chunk) => isComparative(chunk) || MORE.test(wordsOf(chunk.tokens)) || chunk.isDevelopment,
  );
  for (const { raw } of answered.flatMap(({ tokens }) => tokens)) {
    const at = ignored.indexOf(raw);
    if (at >= 0) ignored.splice(at, 1);
  }
}

const isQuestion = (chunks: readonly Chunk[]): boolean =>
  anyMeans(chunks, 'question', 'who') ||
  /^(?:is|are|was|were|did|do|does|has|have)$/.test(chunks[0]?.tokens[0]?.text ?? '');

/**
 * Chunks with the two names that a sentence compares side by side: `has A raised more than B` as `has A or B raised more`, and
 * `A funding compared to B` as `A compared to B funding`.
 */
function withNamesTogether(chunks: readonly Chunk[]): readonly Chunk[] {
  const [first = 0, last = 0, ...others] = chunks.flatMap(({ isName }, index) => (isName ? [index] : []));
  const joint = chunks[last - 1];
  const between = chunks.slice(first + 1, last - 1);
  const isThan =
    joint?.tokens.at(-1)?.text === 'than' && chunks.some(({ tokens: [word] }) => MORE.test(word?.text ?? ''));
  const isOfOthers =
    others.length > 0 ||
    anyMeans(chunks.slice(0, first), ...NOUNS) ||
    between.some((chunk) => isContent(chunk) && !MORE.test(wordsOf(chunk.tokens)));
  if (joint === undefined || between.length === 0 || isOfOthers || !(isThan || means(joint, 'versus'))) return chunks;
  const more = isThan ? joint.tokens.slice(0, -1) : [];
  return [
    ...chunks.slice(0, first + 1),
    isThan ? { tokens: joint.tokens.slice(-1), phrase: phraseFor('or') } : joint,
    ...chunks.slice(last, last + 1),
    ...between.map((chunk) => (isContent(chunk) ? { tokens: chunk.tokens, phrase: phraseFor('empty') } : chunk)),
    ...(more.length > 0 ? [{ tokens: more, phrase: phraseFor('empty') }] : []),
    ...chunks.slice(last + 1),
  ];
}

/** The words of `which has more investors, A or B`, of which nothing counts how many a record has; undefined for none. */
export function comparedNumber(chunks: readonly Chunk[]): readonly Chunk[] | undefined {
  const at = chunks.findIndex(
    (chunk, index) => wordsOf(chunk.tokens) === 'more' && means(chunks[index + 1], 'investors', 'people', 'events'),
  );
  return at >= 0 && chunks.some((_, index) => isEither(chunks, index)) ? chunks.slice(at, at + 2) : undefined;
}

const isEither = (chunks: readonly Chunk[], index: number): boolean =>
  means(chunks[index], 'or') && mayFund(chunks[index - 1]) && mayFund(chunks[index + 1]);

/** Whether a question is which of two records is more: `which raised more, A or B`, `A or B: who raised more`. */
export const asksWhichOf = (chunks: readonly Chunk[]): boolean =>
  anyMeans(chunks, 'question', 'who') &&
  chunks.some((_, index) => isEither(chunks, index) && (index === 1 || means(chunks[0], 'question', 'who')));
