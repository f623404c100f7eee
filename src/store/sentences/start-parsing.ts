import { asksHowMany } from '../../contract/answer-records.ts';
import { editDistancesTo } from '../search/typos.ts';
import { anyMeans, type Chunk, means, textOf } from './chunks.ts';
import type { Subject } from './filters.ts';
import { closedValue, FACETS, isNameIn, isPlaceIn, type Knowledge, phraseOf } from './knowledge.ts';
import {
  asksForUpdates,
  firstNoun,
  leads,
  nounOf,
  type ParseRequest,
  type ParseState,
  partyGroup,
} from './parse-state.ts';
import {
  areBackersOf,
  asksIfBacked,
  asksWhoBacked,
  asksWhoBacksCompanies,
  giveGrants,
  isPartyIn,
  requestedType,
} from './requested-type.ts';
import { type Token, wordsOf } from './sentence-tokens.ts';
import { asksForMostRounds } from './sized-rounds.ts';

/** Starts to parse by determining the subject. */
export function startParsing(request: ParseRequest, chunks: readonly Chunk[]): ParseState {
  const [only, ...others] = request.types;
  const isFixed = others.length === 0;
  const type = isFixed ? only : requestedType(chunks, request);
  return {
    request,
    chunks,
    type,
    types: type === undefined ? request.types : [type],
    subject: subjectOf(chunks),
    filters: new Map(),
    soft: new Map(),
    sparse: new Map(),
    text: [],
    ignored: [],
    groups: type === 'rounds' ? partiesCounted(chunks, request.knowledge) : [],
    unstated: [],
    unknownParty: [],
    isAsked:
      anyMeans(chunks, 'question', 'who', 'connected', 'versus', 'likeness', 'coInvestors') ||
      namesFunding(chunks, request.knowledge),
    bound: undefined,
    // Investors that companies have in common funded each of them.
    role: type === 'investors' && (anyMeans(chunks, 'common') || asksWhoBacked(chunks)) ? 'backs' : undefined,
    backward: undefined,
    negation: undefined,
    unreadNegation: undefined,
    tagEnd: undefined,
    isPartial: request.isCorrected || (type === 'rounds' && areBackersOf(chunks, request.knowledge)),
    hasUnknownPlace: false,
    isCompared: false,
    periods: undefined,
    sort: undefined,
    period: undefined,
  };
}

/** The groups of rounds that a request for investors counts, where only rounds state what it requires. */
function partiesCounted(chunks: readonly Chunk[], knowledge: Knowledge): string[] {
  const named = firstNoun(chunks);
  const areUnicorns = chunks.some((chunk) => means(chunk, 'valued') && means(chunk, 'companies'));
  if (areUnicorns && asksHowMany(textOf(chunks))) return ['company'];
  const isWho = anyMeans(chunks, 'who') && anyMeans(chunks, 'backs');
  // `where is Acme lead investor`
  if (asksIfBacked(chunks) || (chunks[0]?.tokens[0]?.text === 'where' && chunks.some(leads))) return [];
  if (anyMeans(chunks, 'coInvestors')) return [anyMeans(chunks, 'led') ? 'lead_investor' : 'investor'];
  const isOfLeads = chunks.some(leads) && !chunks.some(isPartyIn(knowledge));
  if ((isWho && (named === undefined || asksForMostRounds(chunks))) || asksWhoBacksCompanies(chunks, knowledge))
    return [isOfLeads ? 'lead_investor' : 'investor'];
  // `who led seed rounds in DeFi`; of a company, the rounds show it, unless its lead investors are asked for.
  const isNoun = chunks.some((chunk) => leads(chunk) && /investor$/.test(wordsOf(chunk.tokens)));
  if (anyMeans(chunks, 'who') && (isOfLeads || isNoun)) return ['lead_investor'];
  // `Kalshi's seed round investors`
  const isOfRounds = chunks.some((chunk, index) => means(chunks[index + 1], 'investors') && nounOf(chunk) === 'rounds');
  if (named === 'rounds' && isOfRounds) return ['investor'];
  return named === 'investors' || giveGrants(chunks) ? [partyGroup(chunks)] : [];
}

/** Whether a text is a company's name and words for what it raised: `Acme funding`, `Acme raised in total`. */
function namesFunding(chunks: readonly Chunk[], { typesNamed }: Knowledge): boolean {
  const [name, ...others] = chunks.filter((chunk) => !means(chunk, 'funding', 'raised', 'empty'));
  const isOfOne = name?.isName === true && others.length === 0 && anyMeans(chunks, 'funding', 'raised');
  return isOfOne && typesNamed(phraseOf(name.tokens)).includes('companies');
}

const LAST_FUNDED = /^last (?:funded|backed)$/;

/** The subject of the sentence's periods. */
function subjectOf(chunks: readonly Chunk[]): Subject | undefined {
  if (asksForUpdates(chunks)) return 'updated';
  if (chunks.some(({ closed }) => closed?.[0] === 'status' && closed[1] !== 'active') && !anyMeans(chunks, 'founds'))
    return 'status';
  // No filter is about the day of a listing.
  if (anyMeans(chunks, 'listed') && !anyMeans(chunks, 'founds', 'raised', 'rounds', 'backed')) return 'listed';
  const isBeside = (index: number): boolean =>
    [1, 2, 3, -1, -2, -3].some((offset) => chunks[index + offset]?.period !== undefined);
  if (chunks.some((chunk, index) => means(chunk, 'founds', 'foundedBy') && isBeside(index))) return 'founded';
  if (anyMeans(chunks, 'lastRound') || chunks.some(({ tokens }) => LAST_FUNDED.test(wordsOf(tokens))))
    return 'lastRound';
  const isRaised = chunks.some(
    (chunk) =>
      means(chunk, 'largest', 'smallest', 'raised', 'led', 'backs', 'backed', 'rounds', 'funding', 'quiet') ||
      chunk.amount?.isMoney ||
      chunk.closed?.[0] === 'funding_stage',
  );
  return isRaised ? 'raised' : undefined;
}

/** Names and keywords of fewer words are corrected by the search. */
const CORRECTED_TOKENS_MIN = 3;

/** The tokens with misspelt function words corrected; the same array if none is. */
export function withoutTypos({ tokens, lexicon, knowledge }: ParseRequest): readonly Token[] {
  if (tokens.length < CORRECTED_TOKENS_MIN) return tokens;
  const isValue = (words: string): boolean =>
    isNameIn(knowledge)(words) ||
    isPlaceIn(knowledge)(words) ||
    FACETS.some((facet) => knowledge.typesWith(facet, words).length > 0);
  // `States` alone is like `stages`, and `makers` of `market makers` like `makes`.
  const isPart = (index: number): boolean =>
    [index - 1, index].some((from) => {
      const pair = tokens.slice(Math.max(from, 0), from + 2);
      return isValue(phraseOf(pair)) || closedValue(wordsOf(pair)) !== undefined;
    });
  const isKnown = ({ raw, text }: Token, index: number): boolean =>
    lexicon.phrase(text) !== undefined || closedValue(text) !== undefined || isValue(raw) || isPart(index);
  const isSeries = ({ text }: Token, index: number): boolean =>
    /^[a-h]$/.test(tokens[index + 1]?.text ?? '') && editDistancesTo('series', 1)(text).whole === 1;
  const corrections = tokens.map((token, index) =>
    isKnown(token, index) ? undefined : isSeries(token, index) ? 'series' : lexicon.corrected(token.text),
  );
  if (corrections.every((word) => word === undefined)) return tokens;
  return tokens.map((token, index) => ({ ...token, text: corrections[index] ?? token.text }));
}
