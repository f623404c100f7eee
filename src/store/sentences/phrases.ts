import { asksForSize } from '../../contract/answer-rounds.ts';
import { fieldsAskedIn } from '../../contract/asked-fields.ts';
import { utcDay } from '../../contract/periods.ts';
import { OF } from './asked-fact.ts';
import { anyMeans, type Chunk, isContent, means, textOf } from './chunks.ts';
import { periodFilters } from './filters.ts';
import { phraseOf } from './knowledge.ts';
import { JOINING } from './lexicon.ts';
import {
  asksForCoInvestors,
  asksForUpcoming,
  BOUNDS,
  hasFilterFor,
  ignore,
  isChainOfCompanies,
  isInvestor,
  isNegation,
  isOfBackward,
  isParticle,
  isUnraisedAt,
  leads,
  namesFormer,
  namesValuation,
  nounOf,
  ORDERS,
  type ParseState,
  roleOf,
} from './parse-state.ts';
import { addFilters, saysExactly } from './ranges.ts';
import { areBackersOf } from './requested-type.ts';
import { wordsOf } from './sentence-tokens.ts';
import { sortFor } from './sorts.ts';
import { isOfValued, readValuation } from './valuations.ts';

/** Meanings that filters and bounds are read by. */
const USED = [...JOINING, 'lastRound', 'held', 'updated', 'employees', 'orMore', 'orLess', 'common'] as const;

/** Reads a word or phrase with a meaning. */
export function readPhrase(state: ParseState, chunk: Chunk): void {
  const { lexicon } = state.request;
  const next = state.chunks[state.chunks.indexOf(chunk) + 1];
  // `dès 2022`, `über 5 Millionen`, but not `des fonds`
  const isNoBound = means(chunk, 'empty') && (next?.period ?? next?.amount) === undefined;
  const bound = isNoBound ? undefined : BOUNDS.find((each) => means(chunk, each));
  // In `who led the seed round of X`, X is the funded party.
  const isOfLeads = anyMeans(state.chunks, 'who') || state.groups.includes('lead_investor');
  const isAskedFor = leads(chunk) && state.type !== 'companies' && isOfLeads;
  const isBackward = chunk === state.backward;
  const role = isAskedFor ? 'backs' : isBackward ? undefined : roleOf(chunk);
  if (bound !== undefined) state.bound = bound;
  if (role !== undefined) state.role = role;
  if (isNegation(state, chunk)) state.negation = chunk;
  const isQuiet = means(chunk, 'quiet') && readQuiet(state);
  if (state.negation === chunk && means(chunk, 'quiet')) state.bound = 'since';
  const isOfValuation = readValuation(state, chunk);
  const isUnstated = isUnstatedAt(state, chunk, isOfValuation);
  if (isUnstated) {
    state.unstated.push(phraseOf(chunk.tokens.filter(({ text }) => !OF.test(text))));
    state.isPartial = true;
  }
  if (means(chunk, 'quiet') && !isQuiet && !isNegation(state, chunk)) state.unreadNegation ??= chunk;
  const isUpcoming = asksForUpcoming(state, chunk);
  // A period before it may begin later: `2027 upcoming events`.
  if (isUpcoming && !state.filters.has('from')) readUpcoming(state, chunk);
  if (means(chunk, 'titles')) readTitle(state, chunk);
  const isListed = means(chunk, 'listed') && state.type === 'companies';
  if (isListed) state.text.push(LISTED);
  if (namesFormer(chunk)) state.text.push(FORMER);
  if (state.type === 'people' && isInvestor(chunk)) state.filters.set('investments_min', 1);
  const sort = sortFor(state, chunk);
  state.sort = sort ?? state.sort;
  const isUsed =
    isOfValuation ||
    bound !== undefined ||
    role !== undefined ||
    isQuiet ||
    isListed ||
    isNegation(state, chunk) ||
    isUnraisedAt(state.chunks, state.chunks.indexOf(chunk) - 1) ||
    isParticle(chunk) ||
    isOfBackward(state, chunk) ||
    isBackward ||
    sort !== undefined ||
    isUpcoming ||
    (asksForCoInvestors(state) && means(chunk, 'coInvestors', 'largest')) ||
    (state.type === 'rounds' && state.groups.length > 0 && nounOf(chunk) === 'investors') ||
    (state.type === 'rounds' && means(chunk, 'angels') && areBackersOf(state.chunks, state.request.knowledge)) ||
    isChainOfCompanies(state.chunks, state.chunks.indexOf(chunk) - 1, state.request.knowledge) ||
    isOfStage(state, chunk) ||
    isOrderedFunding(state, chunk) ||
    asksForNumber(state, chunk) ||
    (state.type === 'rounds' && asksForSize(textOf([chunk]))) ||
    isOfRanking(state, chunk) ||
    ((means(chunk, 'around') || saysExactly(chunk)) &&
      (next?.amount ?? lexicon.number(wordsOf(next?.tokens ?? []))) !== undefined) ||
    (means(chunk, ...USED, 'investments') && !(means(chunk, 'in') && chunk === state.chunks.at(-1))) ||
    (nounOf(chunk) !== undefined && nounOf(chunk) === state.type) ||
    isOfValued(state, chunk);
  // A word such as `Near` may be a name.
  if (means(chunk, 'in') && !isUsed) state.isPartial = true;
  if (!isUsed || means(chunk, 'condition', 'likeness')) ignore(state, [chunk]);
}

/** Whether nothing can be filtered by a word: a fact, but for one that the record named beside it states, `fund size of Acme`. */
function isUnstatedAt({ type, chunks }: ParseState, chunk: Chunk, isOfValuation: boolean): boolean {
  const isOfField =
    type === undefined &&
    chunks.some(({ isName }) => isName) &&
    fieldsAskedIn(textOf([chunk]), ['investors']).length > 0;
  return (
    (means(chunk, 'unstated', 'condition') && !isOfField) ||
    (means(chunk, 'listed') && type !== 'companies') ||
    (!isOfValuation && namesValuation(chunks, chunk))
  );
}

/** Whether a word only says by what investors are ranked already: `top investors by number of rounds`, `who led the most rounds`. */
const isOfRanking = ({ type, sort = '' }: ParseState, chunk: Chunk): boolean =>
  type === 'investors' &&
  /(?:investments|lead)_count$/.test(sort) &&
  (means(chunk, 'rounds') || chunk.tokens[0]?.text === 'number');

/** Whether a word for `how much` asks how many records there are: `combien d'entreprises`, `有多少公司`. */
function asksForNumber({ chunks, type }: ParseState, chunk: Chunk): boolean {
  const index = chunks.indexOf(chunk);
  // `DeFi公司有多少`
  const next =
    chunks.slice(index + 1).find(({ tokens }) => !/^(?:de|[d的家个])$/.test(tokens[0]?.text ?? '')) ??
    chunks.slice(0, index).findLast((each) => nounOf(each) !== undefined);
  return (
    /^combien$|多少/.test(chunk.tokens[0]?.text ?? '') &&
    next !== undefined &&
    (means(next, 'employees') ||
      (type !== undefined && nounOf(next) === type) ||
      // `combien de DAOs`, `有多少交易所`
      (type === 'companies' && isContent(next) && !anyMeans(chunks, 'raised', 'funding')))
  );
}

/** Whether a word for rounds only repeats the stage beside it, or that companies raised in a period: `a seed round`, `raise in 2022`. */
function isOfStage({ chunks, type }: ParseState, chunk: Chunk): boolean {
  const index = chunks.indexOf(chunk);
  const isBeside = [chunks[index - 1], chunks[index + 1]].some((each) => each?.closed?.[0] === 'funding_stage');
  const isVerb = /^raises?$/.test(chunk.tokens[0]?.text ?? '');
  return (
    means(chunk, 'rounds') &&
    (isBeside || (isVerb && type === 'companies' && chunks.some(({ amount, period }) => amount ?? period)))
  );
}

/** Whether funding stands for rounds in an order, not for a sum: `largest funding in 2025`. */
const isOrderedFunding = ({ chunks, type }: ParseState, chunk: Chunk): boolean =>
  type === 'rounds' && means(chunk, 'funding') && means(chunks[chunks.indexOf(chunk) - 1], ...ORDERS);

/** What descriptions say of companies whose shares are traded. */
const LISTED = 'publicly listed';

/** Titles as records state them, by words of their other forms. */
const TITLES: readonly (readonly [RegExp, string])[] = [
  [/ingeni|engenheir|工程/, 'engineer'],
  [/invest|forsch|cherch|pesquis|研究/, 'researcher'],
  [/entwickl|^devs? /, 'developer'],
  [/techn|技术/, 'CTO'],
  [/financ|财务/, 'CFO'],
  [/^ciso/, 'chief information security officer'],
  [/^clo/, 'chief legal officer'],
  [/^gps?\b|^general partner/, 'general partner'],
  [/^chief executive|direct|gesch|vorstand|pdg|执行|^(?:who|quien|quem|wer|qui) /, 'CEO'],
];

/** A title is a keyword that restricts the people of the company beside it. */
function readTitle(state: ParseState, { tokens }: Chunk): void {
  const words = wordsOf(tokens);
  const title = words.replace(/ (?:at|of)$/, '').replace(/s$/, '');
  const known = TITLES.find(([form]) => form.test(words))?.[1];
  state.text.push(known ?? (/^c.o$/.test(title) ? title.toUpperCase() : title));
  state.role ??= 'works';
}

/** Prefix of former titles. */
const FORMER = 'former';
/** Companies without a round after the preceding period: `raised a seed in 2021 and nothing since`. */
function readQuiet(state: ParseState): boolean {
  const end = state.filters.get('to');
  if (end === undefined || !hasFilterFor(state, 'last_round_before')) return false;
  state.filters.set('last_round_before', end);
  return true;
}

/** Future events begin today or later. */
function readUpcoming(state: ParseState, chunk: Chunk): void {
  const today = utcDay(state.request.today);
  addFilters(
    state,
    periodFilters(state.types, state.subject ?? 'held', { from: today }),
    state.chunks.indexOf(chunk),
    1,
  );
}
