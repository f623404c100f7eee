import type { FilterName } from '../../contract/filters.ts';
import type { Amount } from './amounts.ts';
import { beginsBound, boundAmountAt } from './bound-amounts.ts';
import type { DateMatch } from './dates.ts';
import { furtherStageAt } from './further-stage.ts';
import { BEGINS_PLACE, closedValue, isPlainWord, NAME_WORDS_MAX, phraseOf, WORDS_MAX } from './knowledge.ts';
import { type Meaning, NOUNS, type Phrase } from './lexicon.ts';
import { type Calendar, type DateRange, periodAt } from './periods.ts';
import { type Token, wordsOf } from './sentence-tokens.ts';

/** Tokens with a joint meaning. */
export interface Chunk {
  readonly tokens: readonly Token[];
  readonly period?: DateRange;
  readonly amount?: Amount;
  readonly phrase?: Phrase;
  readonly closed?: readonly [FilterName, string];
  readonly isName?: true;
  /** Whether it is the first word of an investor's name, written as a name: `Multicoin`, `Balaji's`. */
  readonly isFunder?: true;
  /** Whether it is a name rather than a value, though it may be one elsewhere; the name of a chain remains both. */
  readonly isProper?: true;
  /** Whether it is what figures did: `fall`, `went up`. */
  readonly isDevelopment?: true;
  /** Whether it is a period of which no record states when it was: `since the merge`. */
  readonly isUndated?: true;
}

/** What chunks depend on besides their tokens. */
export interface ChunkContext extends Calendar {
  readonly dates: readonly DateMatch[];
  isName(name: string): boolean;
  isCompany(name: string): boolean;
  isPlace(name: string): boolean;
  isTag(name: string): boolean;
  /** Whether it is the first word of investors' names, and no value of a filter. */
  isFunder(word: string): boolean;
}

/** Words for what all records are. */
export const OF_ALL_RECORDS = /^(?:crypto|web3)$/;

/** A phrase that has one meaning, whatever its words mean elsewhere. */
export const phraseFor = (meaning: Meaning): Phrase => ({ meanings: new Set([meaning]) });

export const means = (chunk: Chunk | undefined, ...meanings: readonly Meaning[]): boolean =>
  meanings.some((meaning) => chunk?.phrase?.meanings.has(meaning));

export const anyMeans = (chunks: readonly Chunk[], ...meanings: readonly Meaning[]): boolean =>
  chunks.some((chunk) => means(chunk, ...meanings));

/** The words of some chunks, as typed. */
export const textOf = (chunks: readonly Chunk[]): string => phraseOf(chunks.flatMap(({ tokens }) => tokens));

/** Whether a chunk is a name or no function word. */
export const isContent = (chunk: Chunk | undefined): chunk is Chunk =>
  chunk !== undefined && !(chunk.period || chunk.amount || chunk.phrase || chunk.closed || chunk.isUndated);

/** Whether a chunk is a period, known or not. */
export const isPeriod = ({ period, isUndated }: Chunk): boolean => period !== undefined || isUndated === true;

export function chunksOf(tokens: readonly Token[], context: ChunkContext): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let index = 0; index < tokens.length; ) {
    const chunk = chunkAt(tokens, index, context);
    chunks.push(chunk);
    index += chunk.tokens.length;
  }
  return withExclusionsFirst(withUndated(chunks.map(asJoined), context));
}

/** A plus between names or stages, which is no bound: `Acme + Bolt`, `seed + Series A`. */
function asJoined(chunk: Chunk, index: number, chunks: readonly Chunk[]): Chunk {
  const [before, after] = [chunks[index - 1], chunks[index + 1]];
  const isOfOne = before?.closed !== undefined && before.closed[0] === after?.closed?.[0];
  const isJoining = chunk.tokens[0]?.text === '+' && (isOfOne || (isContent(before) && isContent(after)));
  return isJoining ? { tokens: chunk.tokens, phrase: phraseFor('and') } : chunk;
}

/** Puts words that exclude what is before them in front of it: `grants aside`, `seed and Series A rounds excluded`. */
function withExclusionsFirst(chunks: readonly Chunk[]): readonly Chunk[] {
  const ordered: Chunk[] = [];
  const isValue = (chunk: Chunk | undefined): boolean => chunk?.closed !== undefined || isContent(chunk);
  for (const chunk of chunks) {
    let start = means(chunk, 'excluded') ? ordered.findLastIndex((each) => !means(each, 'empty', ...NOUNS)) : -1;
    while (means(ordered[start - 1], 'and', 'or') && isValue(ordered[start - 2])) start -= 2;
    if (isValue(ordered[start])) ordered.splice(start, 0, { ...chunk, phrase: phraseFor('not') });
    else ordered.push(chunk);
  }
  return ordered;
}

/** Joins the words for a period with the event that it begins or ends with: `since the Acme collapse`, `during the bull market`. */
function withUndated(chunks: readonly Chunk[], { isPlace }: ChunkContext): Chunk[] {
  const joined: Chunk[] = [];
  for (let index = 0; index < chunks.length; ) {
    const words = textOf(chunks.slice(index + 1).filter((chunk) => !means(chunk, 'empty')));
    // `the most after Germany`
    const isBeforeEvent = isBeforePeriod(chunks[index] as Chunk) && !isPlace(words);
    // `After Party`
    const isName = chunks.length === 2 && isContent(chunks[1]);
    const length = isBeforeEvent && !isName ? undatedLength(chunks.slice(index)) : 0;
    const tokens = chunks.slice(index, index + length).flatMap((chunk) => chunk.tokens);
    joined.push(length > 0 ? { tokens, isUndated: true } : (chunks[index] as Chunk));
    index += length || 1;
  }
  return joined;
}

const isBeforePeriod = (chunk: Chunk): boolean =>
  /^(?:during|amid)$/.test(chunk.tokens[0]?.text ?? '') ||
  (means(chunk, 'before', 'after', 'since') && !means(chunk, 'from', 'in', 'per', 'question'));

/** Number of chunks from the bound to the end of the event after it; 0 if none is. */
function undatedLength(chunks: readonly Chunk[]): number {
  const start = chunks.findIndex((chunk, at) => at > 0 && !means(chunk, 'empty', 'last', 'latest'));
  const first = chunks[start];
  if (first?.isUndated !== true && !isContent(first)) return 0;
  const isPart = (chunk: Chunk, at: number): boolean =>
    chunk.closed?.[0] === 'status' ||
    (means(chunk, 'empty') && isContent(chunks[at + 1])) ||
    chunk.isUndated === true ||
    isContent(chunk);
  const end = chunks.findIndex((chunk, at) => at > start && !isPart(chunk, at));
  return end < 0 ? chunks.length : end;
}

function chunkAt(tokens: readonly Token[], index: number, context: ChunkContext): Chunk {
  const of = (length: number): readonly Token[] => tokens.slice(index, index + length);
  const name = nameLength(tokens, index, context);
  if (isProperAt(tokens, { index, length: Math.max(name, 1) }, context))
    return { tokens: of(Math.max(name, 1)), isName: true, isProper: true };
  if (name > 1) return { tokens: of(name), isName: true };
  if (isNon(tokens, index, context)) return { tokens: of(1), phrase: context.lexicon.phrase('not') as Phrase };
  const [first, between, last] = of(3);
  const isAround = first !== undefined && last !== undefined && OF_ALL_RECORDS.test(between?.text ?? '');
  // `public crypto companies`
  const around = isAround ? context.lexicon.phrase(wordsOf([first, last])) : undefined;
  if (around) return { tokens: of(3), phrase: around };
  const development = developmentLength(tokens, index);
  if (development > 0) return { tokens: of(development), phrase: phraseFor('empty'), isDevelopment: true };
  if (MARKET.test(wordsOf(of(2)))) return { tokens: of(2), isUndated: true };
  const ofPlace = placeLength(tokens, index, context) || valueLength(tokens, index, context);
  if (ofPlace > 0) return { tokens: of(ofPlace) };
  const dated = context.dates.find(
    ({ start, end }) => start < (tokens[index]?.end ?? 0) && end > (tokens[index]?.start ?? 0),
  );
  const period = periodAt(tokens, index, context);
  const datedLength = dated ? tokens.slice(index).filter(({ start }) => start < dated.end).length : 0;
  if (period && period.length >= datedLength) return { tokens: of(period.length), period };
  if (dated) return { tokens: of(datedLength), period: dated };
  const amount = boundAmountAt(tokens, index, context.lexicon);
  if (amount) return { tokens: of(amount.length), amount };
  for (let length = Math.min(context.lexicon.wordsMax, tokens.length - index); length > 0; length--) {
    const words = wordsOf(of(length));
    const closed =
      closedValue(words) ??
      (length === 1
        ? (attributeAt(tokens, index, context) ?? furtherStageAt(tokens, index, context.lexicon))
        : undefined);
    const isState = length === 1 && isFunded(tokens, index, context);
    const phrase = context.lexicon.phrase(isVerb(tokens, index) ? `${words}ed` : isState ? 'raised' : words);
    if (closed) return { tokens: of(length), closed };
    const isOfOthers = length > 1 && phrase !== undefined && leadsRounds(phrase, tokens.slice(index + length), context);
    // `funding from 2021 to 2022`
    const isOfPeriod =
      phrase?.meanings.has('backed') === true && periodAt(tokens, index + length, context) !== undefined;
    // `did The Block raise`
    const isBeforeName = length > 1 && phrase !== undefined && nameLength(tokens, index + length - 1, context) > 1;
    const isBound = phrase !== undefined && beginsBound(tokens, { index, length }, context.lexicon);
    if (isOfOthers || (length > 1 && isOfPeriod) || isBeforeName || isBound) continue;
    if (phrase && phrase.meanings.size > 0) return { tokens: of(length), phrase };
  }
  if (name === 1) return { tokens: of(1), isName: true };
  const isWritten = /^\p{Lu}/u.test(first?.raw ?? '') || between?.text === 's';
  return isWritten && context.isFunder(first?.raw ?? '') ? { tokens: of(1), isFunder: true } : { tokens: of(1) };
}

/**
 * Whether a company is named, though its name is a value as well: `how much did Syndicate raise`, `who invested in Bridge`, but
 * not `who invested in Bridge protocols`.
 */
function isProperAt(
  tokens: readonly Token[],
  { index, length }: { readonly index: number; readonly length: number },
  { isCompany, lexicon }: ChunkContext,
): boolean {
  const [before, next] = [tokens[index - 1], tokens[index + length]];
  const name = phraseOf(tokens.slice(index, index + length));
  const isVerbNext = next !== undefined && (RAISES.test(next.text) || /^(?:s|last|first|founded)$/.test(next.text));
  const isAlone = (): boolean => !tokens.some(({ text }) => lexicon.phrase(text)?.meanings.has('companies'));
  const isObject = next === undefined && PARTY_BEFORE.test(before?.text ?? '') && /^\p{Lu}\p{Ll}+$/u.test(name);
  return /^\p{Lu}/u.test(name) && (isVerbNext || (isObject && isAlone())) && isCompany(name);
}

/** Words before the company at the end of `who funded Acme` or `investors in Acme`. */
const PARTY_BEFORE = /^(?:in|backed|funded|founded|led|behind)$/;

/** The verb of who raised. */
export const RAISES = /^raise[sd]?$/;

/**
 * Number of words at an index for what figures do, rather than for a season or a keyword: `did funding fall in 2023`, `growth of
 * funding`, but not `deals fall 2022`.
 */
function developmentLength(tokens: readonly Token[], index: number): number {
  const [one, two, ...after] = tokens.slice(index, index + 4).map(({ text }) => text);
  if (CHANGES.test(one ?? '') && /^(?:of|in)$/.test(two ?? '') && after.some((word) => FIGURES.test(word))) return 2;
  const isOfFigure = FIGURES.test(tokens[index - 1]?.text ?? '');
  if (isOfFigure && /^(?:go|goes|going|gone|went)$/.test(one ?? '') && /^(?:up|down)$/.test(two ?? '')) return 2;
  const isSeason = one === 'fall' && /^\d/.test(two ?? '');
  return DEVELOPS.test(one ?? '') && isOfFigure && !isSeason ? 1 : 0;
}

const CHANGES = /^(?:growth|increase|decrease|decline|drop|fall|rise|change)$/;
const FIGURES =
  /^(?:fund(?:s|ing|raising)|financing|invest(?:ing|ments?)|deals?|rounds?|raises?|capital|money|activity|volumes?|counts?|amounts?|sizes?)$/;
const DEVELOPS =
  /^(?:fall|fell|fallen|drop(?:s|ped)?|decline[sd]?|rise[sn]?|rose|grow[ns]?|grew|increase[sd]?|decrease[sd]?|shrink|shrank|shrunk|develop(?:ed)?|evolved?|chang(?:e|ed)|recover(?:ed)?)$/;

/** A time of the market, of which no record states when it was. */
const MARKET = /^(?:bull|bear) (?:market|run)s?$/;

/** Whether `who leads` is about rounds, not a title: `who leads the most seed rounds`. */
const leadsRounds = ({ meanings }: Phrase, after: readonly Token[], { lexicon }: ChunkContext): boolean =>
  meanings.has('titles') && after.some(({ text }) => lexicon.phrase(text)?.meanings.has('rounds'));

/** Whether a word is the verb of `did` or the like before it, not a part of a name before that verb: `which companies did Acme fund`. */
const isVerb = (tokens: readonly Token[], index: number): boolean =>
  /^fo?und$/.test(tokens[index]?.text ?? '') &&
  tokens.slice(0, index).some(({ text }) => /^(?:did|does|do|to)$/.test(text)) &&
  !tokens.slice(index + 1).some(({ text }) => BASE_VERB.test(text));

/** Verbs of investors, as they are after `did`. */
const BASE_VERB =
  /^(?:invest|back|fund|lead|join|buy|put|raise|participate|take|support|finance|bet|write|give|make|own)$/;

const FUNDED = /^(?:funded|backed|financed|finanzierte[nr]?|financee?s)$/;

/** Whether a participle says of the companies or the sector after it that they raised: `funded startups`, `backed DEXs`. */
function isFunded(tokens: readonly Token[], index: number, { isTag, lexicon }: ChunkContext): boolean {
  const isOfCompanies =
    lexicon.phrase(tokens[index + 1]?.text ?? '')?.meanings.has('companies') ||
    [1, 2, 3].some((length) => isTag(phraseOf(tokens.slice(index + 1, index + 1 + length))));
  const before = tokens.slice(0, index);
  // `wie viele finanzierte Unternehmen`
  const isOpening =
    isPlainWord(lexicon.phrase(wordsOf(before))) || before.every(({ text }) => isPlainWord(lexicon.phrase(text)));
  return isOpening && FUNDED.test(tokens[index]?.text ?? '') && isOfCompanies;
}

/** Words that are values only before a noun: `us` is a pronoun elsewhere, and a round is closed too. */
const ATTRIBUTES: ReadonlyMap<string, readonly [value: readonly [FilterName, string], nouns: readonly Meaning[]]> =
  new Map(
    Object.entries({
      us: [['country', 'United States'], NOUNS],
      closed: [['status', 'closed'], ['companies']],
      active: [['status', 'active'], ['companies']],
    }),
  );

/** The value of `US companies`, `was Acme closed` or `companies that are still active`. */
function attributeAt(tokens: readonly Token[], index: number, { lexicon, isTag }: ChunkContext): Chunk['closed'] {
  const [value, nouns] = ATTRIBUTES.get(tokens[index]?.text ?? '') ?? [];
  const next = lexicon.phrase(tokens[index + 1]?.text ?? '')?.meanings;
  const isLast =
    index === tokens.length - 1 &&
    /^(?:are|still|currently|not|longer|now|then|since|later|have|has)$/.test(tokens[index - 1]?.text ?? '');
  const hasMeaning = (...some: readonly Meaning[]): boolean =>
    tokens.some(({ text }) => some.some((each) => lexicon.phrase(text)?.meanings.has(each)));
  // `who raised in 2021 and is now closed`
  const areCompanies = hasMeaning('companies') || (hasMeaning('raised') && !hasMeaning('rounds', 'investors'));
  const isPredicate =
    (value?.[1] === 'closed' &&
      (/^(?:is|was)$/.test(tokens[0]?.text ?? '') || isEnd(tokens, index, { lexicon, isTag }))) ||
    (value?.[0] === 'status' && isLast && areCompanies);
  // `closed exchanges`, `how many closed lending companies in Germany`
  const isBeforeTag = (length: number): boolean => {
    const after = index + length + 1;
    const meanings = lexicon.phrase(tokens[after]?.text ?? '')?.meanings;
    const isOfCompanies = meanings?.has('companies') || !NOUNS.some((noun) => meanings?.has(noun));
    const isWhole = after >= tokens.length || (value?.[1] === 'closed' && meanings !== undefined && isOfCompanies);
    return isWhole && isTag(phraseOf(tokens.slice(index + 1, after)));
  };
  const isOpening = tokens.slice(0, index).every(({ text }) => lexicon.phrase(text) !== undefined);
  const isOfTag = value?.[0] === 'status' && isOpening && [1, 2, 3].some(isBeforeTag);
  // `non-US exchanges`
  const isOfNon = value?.[0] === 'country' && tokens[index - 1]?.text === 'non' && isTag(tokens[index + 1]?.raw ?? '');
  const isAttribute =
    isPredicate ||
    isOfNon ||
    isOfTag ||
    (nouns?.some((noun) => next?.has(noun)) && (index === 0 || value?.[0] !== 'country'));
  return isAttribute ? value : undefined;
}

/** Whether `non` at an index excludes a value: `non-US companies`, `non-grant rounds`, but not `non-fungible tokens`. */
function isNon(tokens: readonly Token[], index: number, { isPlace, isTag, lexicon }: ChunkContext): boolean {
  const next = tokens[index + 1];
  if (tokens[index]?.text !== 'non' || next === undefined || lexicon.phrase('not') === undefined) return false;
  if (isTag(phraseOf(tokens.slice(index, index + 2)))) return false;
  return isPlace(next.raw) || next.text === 'us' || isTag(next.raw) || closedValue(next.text) !== undefined;
}

/** Whether `closed` at an index is what became of companies, not a round that they closed: `companies that closed in 2022`. */
function isEnd(tokens: readonly Token[], index: number, { lexicon, isTag }: Pick<ChunkContext, 'lexicon' | 'isTag'>) {
  const [noun] = tokens.flatMap(({ text }) => NOUNS.find((each) => lexicon.phrase(text)?.meanings.has(each)) ?? []);
  // `exchanges that closed`, `exchanges closed in 2022`
  const isTagAt = (at: number): boolean => noun === undefined && isTag(tokens[at]?.raw ?? '');
  const isOfCompanies = noun === 'companies' || isTagAt(index - 2) || isTagAt(index - 1);
  const before = tokens[index - 1]?.text ?? '';
  return (
    isOfCompanies &&
    // `how many companies on Solana closed`
    (index === tokens.length - 1 ||
      /^(?:that|which|who|have|has|are|were)$/.test(before) ||
      lexicon.phrase(before)?.meanings.has('companies') ||
      isTagAt(index - 1)) &&
    /^(?:|in|after|since|before|during|and)$/.test(tokens[index + 1]?.text ?? '')
  );
}

/** Length in words of a place that begins with a function word; 0 if there is none. */
function placeLength(tokens: readonly Token[], index: number, { isPlace }: ChunkContext): number {
  if (!BEGINS_PLACE.has(tokens[index]?.text ?? '')) return 0;
  for (let length = Math.min(WORDS_MAX, tokens.length - index); length > 1; length--)
    if (isPlace(phraseOf(tokens.slice(index, index + length)))) return length;
  return 0;
}

/** Length in words of a value with a function word in it, such as `real world assets`, `Bay Area`; 0 if there is none. */
function valueLength(tokens: readonly Token[], index: number, { isTag, isPlace, lexicon }: ChunkContext): number {
  for (let length = Math.min(WORDS_MAX, tokens.length - index); length > 1; length--) {
    const [, ...more] = tokens.slice(index, index + length);
    const isSplit = (words: readonly Token[]): boolean => words.some(({ text }) => lexicon.phrase(text) !== undefined);
    const value = phraseOf(tokens.slice(index, index + length));
    // `DeFi + NFT`
    if (/\+$/.test(value)) continue;
    if (isSplit(more) && (isTag(value) || (!/[&+]/.test(value) && isPlace(value)))) return length;
  }
  return 0;
}

/** Number of words of the longest name at a token. Function words alone are no names, and neither is a phrase: `over time`. */
function nameLength(tokens: readonly Token[], index: number, { isName, lexicon }: ChunkContext): number {
  for (let length = Math.min(NAME_WORDS_MAX, tokens.length - index); length > 1; length--) {
    const some = tokens.slice(index, index + length);
    const isPlain =
      some.every(({ text }) => isPlainWord(lexicon.phrase(text))) || lexicon.phrase(wordsOf(some)) !== undefined;
    // Names compare without signs, but `A & B` are two.
    const isJoined = [some[0], some.at(-1)].some((token) => /^[&+]$/.test(token?.text ?? ''));
    if (!isPlain && !isJoined && !isVerb(tokens, index + length - 1) && isName(phraseOf(some))) return length;
  }
  const [token] = tokens.slice(index);
  return token && lexicon.phrase(token.text) === undefined && isName(token.raw) ? 1 : 0;
}
