import { checksAskedIn, mayCheck } from '../../contract/asked-checks.ts';
import { RECORD_TYPES } from '../../contract/entities/index.ts';
import { facets } from '../../contract/facets.ts';
import type { FilterName } from '../../contract/filters.ts';
import { once } from '../../contract/lazy.ts';
import { TEXT_LENGTH_MAX } from '../search/query.ts';
import { type DateMatch, dateParsersFor, datesIn } from './dates.ts';
import { closedValue, closedWords, isInVocabulary, phraseOf } from './knowledge.ts';
import {
  hasSentenceWord,
  type Lexicon,
  letterRuns,
  lexiconFor,
  type Meaning,
  NOUNS,
  type Phrase,
  textsWith,
  textsWithPhrase,
} from './lexicon.ts';
import { ORDERS, ROLE_WORDS } from './parse-state.ts';
import { withRaisedMoney } from './raised-money.ts';
import { rephrased } from './rephrased.ts';
import { splitUnspaced, type Token, tokensOf, wordsOf } from './sentence-tokens.ts';

/** A potential sentence with its store-independent analysis. */
export interface Sentence {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly lexicon: Lexicon;
  readonly today: Date;
  dates(): readonly DateMatch[];
  /** Whether a word asks, names a type or states a role, a stage or a status. */
  readonly isAsking: boolean;
}

const HAN = /\p{Script=Han}/u;
const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/;
const SIGNS = /[$€£¥<>≥≤\d]/;

const ASKING_WORDS = [
  'question',
  'who',
  'connected',
  'versus',
  'likeness',
  'titles',
  'angels',
  'investments',
  'unstated',
  'condition',
  'listed',
  'unrecorded',
  'valued',
  'funding',
  'coInvestors',
  'per',
] as const;
const ASKING: readonly Meaning[] = [...ASKING_WORDS, ...NOUNS, ...ROLE_WORDS];

const mayMeanAsking = textsWith([...ASKING, ...ORDERS, 'youngest', 'on']);
const mayMeanOrder = textsWith(ORDERS);
const hasUnstated = textsWithPhrase('unstated', 'condition', 'valued', 'titles');

/** Words for who works somewhere, which alone are no phrase. */
const STAFF = /\b(?:team|staff) (?:at|of|behind) \S/i;

const DATED: readonly Meaning[] = ['ago', 'day', 'week', 'month', 'year'];
const NUMBERED = /\d[./]\d/;

const CLOSED_WORDS_MAX = 3;
const STATED: readonly FilterName[] = ['funding_stage', 'status'];
const closedFirstWords = once(
  () =>
    new Set(['closed', ...[...STATED, 'country' as const].flatMap(closedWords).map((words) => letterRuns(words)[0])]),
);

const hasClosedWord = (text: string): boolean => letterRuns(text).some((word) => closedFirstWords().has(word));

/** Whether a stage or status begins at an index. */
const isClosedAt = (tokens: readonly Token[], index: number): boolean =>
  tokens[index]?.text === 'closed' ||
  Array.from({ length: CLOSED_WORDS_MAX }, (_, more) => tokens.slice(index, index + 1 + more)).some((some) =>
    STATED.includes(closedValue(wordsOf(some))?.[0] as FilterName),
  );

/** Whether a word is the letter of a stage, which is no word of any language: `A` of `Serie A`. */
const isOfLetter = (tokens: readonly Token[], index: number): boolean =>
  tokens[index]?.text.length === 1 &&
  index > 0 &&
  closedValue(wordsOf(tokens.slice(index - 1, index + 1)))?.[0] === 'funding_stage';

/** Whether a word is a usual sector, beside which a chain may be misspelt: `Solna wallets`. */
const hasTag = (text: string): boolean => letterRuns(text).some((word) => facets.tag.isKnown(facets.tag.key(word)));

const hasChain = (text: string): boolean =>
  letterRuns(text).some((word) => facets.chain.isKnown(facets.chain.key(word)));

const TAG_WORDS_MAX = 3;

/** Whether a text consists of several usual sectors, or of one in a country: `zk rollups`, `NFT marketplaces and games`, `wallets from France`. */
function areTags(tokens: readonly Token[], lexicon: Lexicon): boolean {
  let count = 0;
  for (let index = 0; index < tokens.length; ) {
    const length = Array.from({ length: TAG_WORDS_MAX }, (_, less) => TAG_WORDS_MAX - less).find(
      (some) => index + some <= tokens.length && isInVocabulary('tag', phraseOf(tokens.slice(index, index + some))),
    );
    const { text = '' } = tokens[index] ?? {};
    const meanings = lexicon.phrase(text)?.meanings;
    const country = countryLength(tokens, index);
    // `non-US exchanges`
    const isJoining = text === 'non' || JOINING_TAGS.some((each) => meanings?.has(each));
    if (length === undefined && country === 0 && !isJoining) return false;
    count += length === undefined && country === 0 ? 0 : 1;
    index += length ?? (country || 1);
  }
  return count > 1;
}

const JOINING_TAGS: readonly Meaning[] = ['and', 'or', 'in', 'from'];

/** Number of words at an index for a country: `Swiss`, `South Korea`, `the US`; 0 if there is none. */
function countryLength(tokens: readonly Token[], index: number): number {
  const length = Array.from({ length: TAG_WORDS_MAX }, (_, less) => TAG_WORDS_MAX - less).find((some) => {
    const words = tokens.slice(index, index + some);
    const isWhole = index + some <= tokens.length;
    return isWhole && (closedValue(wordsOf(words))?.[0] === 'country' || isInVocabulary('country', phraseOf(words)));
  });
  return length ?? 0;
}

/** Whether a text is the name of a type alone, which many names of records contain: `people`, `investors`. */
export const isTypeAlone = (text: string): boolean => NAMES_OF_TYPES.includes(text.trim().toLowerCase());

const NAMES_OF_TYPES: readonly string[] = [...RECORD_TYPES, 'unicorns'];

/** Whether a text may be a sentence: it is the name of a type, or contains a function word, a number, a stage, a status, a country, a sector or a chain. */
export function mayBeSentence(text: string): boolean {
  const read = text.slice(0, TEXT_LENGTH_MAX);
  if (isTypeAlone(read)) return true;
  if (!/\s/.test(read) && !HAN.test(read)) return false;
  return SIGNS.test(read) || hasSentenceWord(read) || hasClosedWord(read) || hasTag(read) || hasChain(read);
}

/** A text that may be a sentence; parsed once, on demand. */
export interface LazySentence {
  readonly today: Date;
  /** Whether it asks (see `Sentence`); parsed only if a word of it may. */
  isAsking(): boolean;
  /** Whether it may consist of a name and of what rounds have, without a word that asks: `Acme Ventures gaming 2022`. */
  mayNameDeals(): boolean;
  /** Whether it asks and begins with an order, which may be a name as well: `top angels`. */
  isRanking(): boolean;
  /** Whether a phrase of it is for a title or a team, or a fact that no filter is about: `partners at Acme`, `market cap of Aave`. */
  asksUnstated(): boolean;
  read(): Sentence;
}

/** Prepares a text for parsing, limited to the searched length. */
export async function lazySentence(whole: string, today: Date): Promise<LazySentence> {
  const text = whole.slice(0, TEXT_LENGTH_MAX);
  const parsers = await dateParsersFor(text);
  const read = once(() => sentenceOf(text, today, parsers));
  const isAsking = (): boolean => mayAsk(text) && read().isAsking;
  const isRanking = (): boolean => {
    const { tokens, lexicon } = read();
    return isOrder(lexicon.phrase(tokens[0]?.text ?? ''));
  };
  return {
    today,
    isAsking,
    mayNameDeals: () => YEAR.test(text) || hasClosedWord(text) || hasTag(text) || hasChain(text),
    isRanking: () => mayMeanOrder(text) && isAsking() && isRanking(),
    asksUnstated: () => hasUnstated(text) || STAFF.test(text),
    read,
  };
}

/** Records state names of chains in English, also those of the company that is named like its chain. */
function withEnglishChain(token: Token): Token {
  if (!HAN.test(token.raw) || !isInVocabulary('chain', token.raw)) return token;
  const name = facets.chain.key(token.raw);
  return { ...token, raw: name, text: name };
}

/** `media`, which is a sector, as the average before what it is of, in Spanish and in Portuguese without its accent: `media de las rondas`. */
const withAverage = (token: Token, next: Token | undefined): Token =>
  token.text === 'media' && /^d(?:e|el|[ao]s?)$/.test(next?.text ?? '') ? { ...token, raw: 'média' } : token;

const INVESTED =
  /^(?:investiert|investierte|investi|invertido|investido|invierte|invirtio|invirtieron|investe|investiu|investiram)$/;

/**
 * Tokens with a verb in front of what it is of, as in English: `wer hat Acme gegründet`, `hat Acme in Bolt investiert`, `ha
 * invertido Acme en Bolt`.
 */
function withVerbFirst(tokens: readonly Token[], { phrase }: Lexicon): readonly Token[] {
  const moved = (from: number, to: number): readonly Token[] =>
    tokens.toSpliced(from, 1).toSpliced(to - Number(from < to), 0, tokens[from] as Token);
  const ending = phrase(tokens.at(-1)?.text ?? '')?.meanings;
  const isOfWho = tokens[0]?.text === 'wer' && /^ha(?:t|ben)$/.test(tokens[1]?.text ?? '');
  if (isOfWho && (['backs', 'led', 'founds'] as const).some((each) => ending?.has(each)))
    return moved(tokens.length - 1, 2);
  const verb = tokens.findIndex(({ text }) => INVESTED.test(text));
  const preposition = tokens.findIndex(({ text }) => /^(?:in|dans|en|em|n[ao]s?)$/.test(text));
  const [first, last] = [verb, preposition].toSorted((one, other) => one - other) as [number, number];
  const isName = ({ raw, text }: Token): boolean =>
    /^\p{Lu}/u.test(raw) || phrase(text) === undefined || phrase(text)?.meanings.has('and') === true;
  const between = tokens.slice(first + 1, last);
  return first < 0 || between.length === 0 || !between.every(isName) ? tokens : moved(verb, preposition);
}

/** A preposition that is the name of a chain, by its capitals or the words beside it: `on near`, `did Near raise`, `near ecosystem`. */
function withNamedChain(
  token: Token,
  [previous, next]: readonly (Token | undefined)[],
  { text, lexicon }: Pick<Sentence, 'text' | 'lexicon'>,
): Token {
  const isSubject = /^(?:did|does|has|have|is|was)$/.test(previous?.text ?? '') && /^\p{Lu}/u.test(token.raw);
  const isName =
    (token.raw === token.raw.toUpperCase() && text !== text.toUpperCase()) ||
    isSubject ||
    previous?.text === 'on' ||
    lexicon.phrase(next?.text ?? '')?.meanings.has('companies');
  const isChain = isName && lexicon.phrase(token.text)?.meanings.has('in') && isInVocabulary('chain', token.raw);
  return isChain ? { ...token, text: `${token.text} chain` } : token;
}

const isOrder = (phrase: Phrase | undefined): boolean => ORDERS.some((order) => phrase?.meanings.has(order));

/** Whether `isAsking` may be true: distinguishes most names and keywords from sentences at a tenth of the cost. */
const mayAsk = (text: string): boolean => mayMeanAsking(text) || hasClosedWord(text) || hasTag(text) || mayCheck(text);

function sentenceOf(text: string, today: Date, parsers: Awaited<ReturnType<typeof dateParsersFor>>): Sentence {
  const found = tokensOf(text);
  const lexicon = lexiconFor(
    text,
    found.filter((_, index) => !isOfLetter(found, index)).map((token) => token.text),
  );
  const tokens = withRaisedMoney(withVerbFirst(rephrased(splitUnspaced(found, lexicon)), lexicon))
    .map(withEnglishChain)
    .map((token, index, all) => withAverage(token, all[index + 1]))
    .map((token, index, all) => withNamedChain(token, [all[index - 1], all[index + 1]], { text, lexicon }));
  const phrases = tokens.map((token) => lexicon.phrase(token.text));
  const isAsking =
    phrases.some((phrase) => ASKING.some((meaning) => phrase?.meanings.has(meaning))) ||
    tokens.some((_, index) => isClosedAt(tokens, index)) ||
    phrases.some(
      (phrase, index) => phrase?.meanings.has('on') && isInVocabulary('chain', tokens[index + 1]?.raw ?? ''),
    ) ||
    // `top sectors`, `oldest wallets`
    isOrder(phrases[0]) ||
    phrases[0]?.meanings.has('youngest') === true ||
    areTags(tokens, lexicon) ||
    checksAskedIn(text).length > 0;
  const isDated =
    NUMBERED.test(text) ||
    phrases.some((phrase) => phrase?.month !== undefined || DATED.some((meaning) => phrase?.meanings.has(meaning)));
  return { text, tokens, lexicon, today, dates: () => (isDated ? datesIn(text, today, parsers) : []), isAsking };
}
