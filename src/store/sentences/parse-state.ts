import type { RecordType } from '../../contract/entities/index.ts';
import { type FilterName, hasFilter } from '../../contract/filters.ts';
import { GRANT } from '../../contract/vocabulary.ts';
import { anyMeans, type Chunk, isContent, means } from './chunks.ts';
import type { DateMatch } from './dates.ts';
import type { OpenPeriod, Subject } from './filters.ts';
import { groupAt, groupFor } from './groups.ts';
import { closedValue, isPlaceIn, type Knowledge, phraseOf } from './knowledge.ts';
import { type Lexicon, type Meaning, NOUNS } from './lexicon.ts';
import { type Token, wordsOf } from './sentence-tokens.ts';

export interface ParseRequest {
  readonly tokens: readonly Token[];
  readonly lexicon: Lexicon;
  readonly today: Date;
  dates(): readonly DateMatch[];
  readonly types: readonly RecordType[];
  readonly knowledge: Knowledge;
}

/** Bounds of periods and amounts; `over` and `under` are exclusive. */
export const BOUNDS = ['over', 'min', 'under', 'max', 'between', 'after', 'since', 'before', 'until'] as const;
export const ROLE_WORDS = ['led', 'backed', 'backs', 'founds', 'foundedBy', 'works', 'speaks'] as const;
type Role = (typeof ROLE_WORDS)[number];
export type Bound = (typeof BOUNDS)[number];

export interface ParseState {
  readonly request: ParseRequest;
  readonly chunks: readonly Chunk[];
  types: readonly RecordType[];
  type: RecordType | undefined;
  subject: Subject | undefined;
  readonly filters: Map<FilterName, string | number | boolean>;
  readonly soft: Map<FilterName, string>;
  readonly sparse: Map<FilterName, string>;
  readonly text: string[];
  readonly ignored: string[];
  /** Groups that it counts by. */
  readonly groups: string[];
  /** Words for facts that no filter is about. */
  readonly unstated: string[];
  /** Words of a party that no record has as its name. */
  readonly unknownParty: string[];
  isAsked: boolean;
  bound: Bound | undefined;
  role: Role | undefined;
  /** The role of the party before it, which does not apply to what follows: `A led the round of B`. */
  backward: Chunk | undefined;
  negation: Chunk | undefined;
  /** The first negation that no filter expresses: any list would contain what it excludes. */
  unreadNegation: Chunk | undefined;
  /** Index of the chunk after the last tag: one that stands there is required as well, as in `defi lending`. */
  tagEnd: number | undefined;
  /** Whether a part of the request cannot be expressed. */
  isPartial: boolean;
  /** Whether an unknown word is in the position of a place. */
  hasUnknownPlace: boolean;
  /** Requested sort, in request form. */
  sort: string | undefined;
  /** A period that the records have no date for. */
  period: OpenPeriod | undefined;
}

/** Starts to parse by determining the subject. */
export function startParsing(request: ParseRequest, chunks: readonly Chunk[]): ParseState {
  const [only, ...others] = request.types;
  const isFixed = others.length === 0;
  const type = isFixed ? only : typeOf(chunks, request);
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
    isAsked: anyMeans(chunks, 'question', 'who', 'connected', 'versus', 'likeness', 'coInvestors'),
    bound: undefined,
    // Investors that companies have in common funded each of them.
    role: type === 'investors' && (anyMeans(chunks, 'common') || asksWhoBacked(chunks)) ? 'backs' : undefined,
    backward: undefined,
    negation: undefined,
    unreadNegation: undefined,
    tagEnd: undefined,
    isPartial: type === 'rounds' && areBackersOf(chunks, request.knowledge),
    hasUnknownPlace: false,
    sort: undefined,
    period: undefined,
  };
}

/** The groups of rounds that a request for investors counts, where only rounds state what it requires. */
function partiesCounted(chunks: readonly Chunk[], knowledge: Knowledge): string[] {
  const named = chunks.map(nounOf).find((type) => type !== undefined);
  const isWho = anyMeans(chunks, 'who') && anyMeans(chunks, 'backs');
  if (anyMeans(chunks, 'coInvestors') || (named === undefined && isWho) || asksWhoBacksCompanies(chunks, knowledge))
    return ['investor'];
  // `who led seed rounds in DeFi`; of a company, the rounds show it.
  if (anyMeans(chunks, 'who') && chunks.some(leads) && !chunks.some(isPartyIn(knowledge))) return ['lead_investor'];
  // `Kalshi's seed round investors`
  const isOfRounds = chunks.some((chunk, index) => means(chunks[index + 1], 'investors') && nounOf(chunk) === 'rounds');
  if (named === 'rounds' && isOfRounds) return ['investor'];
  return named === 'investors' ? [partyGroup(chunks)] : [];
}

/**
 * Whether a text asks who funds companies that it describes, which only rounds state: `who backs gaming startups`,
 * `investors in German startups`.
 */
function asksWhoBacksCompanies(chunks: readonly Chunk[], knowledge: Knowledge): boolean {
  const verb = chunks.findIndex((chunk) => means(chunk, 'backs'));
  const backed = chunks.slice(verb + 1);
  const isOfOthers = anyMeans(chunks, 'people', 'founds', 'foundedBy', 'works');
  if (verb < 0 || !anyMeans(backed, 'companies') || isOfOthers) return false;
  const isParty = isPartyIn(knowledge);
  if (backed.some((chunk, index) => isParty(chunk, index, backed) && !isChainOfCompanies(backed, index, knowledge)))
    return false;
  const isPlace = (chunk: Chunk): boolean =>
    chunk.closed?.[0] === 'country' || (isContent(chunk) && isPlaceIn(knowledge)(phraseOf(chunk.tokens)));
  return means(chunks[0], 'who') || (chunks.some((chunk) => nounOf(chunk) === 'investors') && backed.some(isPlace));
}

/** Whether a chunk is the name of a record, and neither a sector nor the first word of one: `zero knowledge`. */
const isPartyIn =
  ({ typesWith }: Knowledge) =>
  ({ isName, tokens }: Chunk, index: number, chunks: readonly Chunk[]): boolean =>
    isName === true &&
    ![tokens, [...tokens, ...(chunks[index + 1]?.tokens ?? [])]].some((words) =>
      typesWith('tag', phraseOf(words)).includes('investors'),
    );

/** The group of those who did what a sentence asks for: led rounds, or took part. */
export const partyGroup = (chunks: readonly Chunk[]): string => (chunks.some(leads) ? 'lead_investor' : 'investor');

/** Whether a name is a chain whose companies are asked for: `Solana projects`. */
export function isChainOfCompanies(chunks: readonly Chunk[], index: number, { typesWith }: Knowledge): boolean {
  const [before, chunk, next] = [chunks[index - 1], chunks[index], chunks[index + 1]];
  // `projets Solana`
  const isBeside = means(next, 'companies') || (means(before, 'companies') && next === undefined);
  return isContent(chunk) && isBeside && typesWith('chain', phraseOf(chunk.tokens)).includes('rounds');
}

/** The type of the first noun, or else implied by other words. */
function typeOf(chunks: readonly Chunk[], { types, knowledge, lexicon }: ParseRequest): RecordType | undefined {
  const isOfDeals = chunks.some((_, index) => areDealsAt(chunks, index));
  const named =
    isOfDeals ||
    areCoInvestors(chunks, knowledge) ||
    areBackersOf(chunks, knowledge) ||
    asksWhoBacksCompanies(chunks, knowledge)
      ? 'rounds'
      : (rankedType(chunks) ?? chunks.map(nounOf).find((type) => type !== undefined));
  const implied = (): RecordType | undefined => {
    const isWho = anyMeans(chunks, 'who');
    // `compare A and B: which invested in more`
    if (anyMeans(chunks, 'versus') && chunks.filter(({ isName }) => isName).length > 1) return undefined;
    // `next Devcon`
    if (means(chunks[0], 'next', 'upcoming') && isContent(chunks[1])) return 'events';
    if (chunks.some((chunk) => asksForValuation(chunks, chunk))) return 'rounds';
    // `最近一轮融资`
    if (anyMeans(chunks, 'lastRound') && !chunks.some(({ period }) => period)) return 'rounds';
    if (namesFounder(chunks, knowledge)) return 'companies';
    // Only rounds state when an investor took part.
    if (chunks.some((chunk) => means(chunk, 'backs') && !means(chunk, 'backed'))) {
      if (chunks.some(({ period }) => period)) return 'rounds';
      return typeOfBacking(chunks, knowledge);
    }
    if (isWho && anyMeans(chunks, 'founds', 'works', 'speaks')) return 'people';
    if (chunks.some(leads) && (isWho || chunks.some(({ closed }) => closed?.[0] === 'funding_stage'))) return 'rounds';
    // `is Aave backed by Paradigm`
    const backing = chunks.findIndex((chunk) => means(chunk, 'led', 'backed'));
    if (backing > 0 && isNamedIn(chunks.slice(0, backing)) && isNamedIn(chunks.slice(backing))) return 'rounds';
    if (anyMeans(chunks, 'led', 'backed', 'foundedBy')) return 'companies';
    const isRaised = anyMeans(chunks, 'raised');
    if (isRaised && anyMeans(chunks, 'quiet', 'lacking')) return 'companies';
    if (chunks.some((_, index) => isBesideNoun(chunks, index, 'employees'))) return 'people';
    if (isWho) return undefined;
    if (areRoundsOfStage(chunks)) return 'rounds';
    if (anyMeans(chunks, 'founds') && chunks.some(({ period }) => period)) return 'companies';
    // `top sectors by funding`, `total funding per year`
    const isRanked = anyMeans(chunks, 'largest', 'per');
    const [group] = isRanked ? chunks.flatMap((_, index) => groupAt(chunks, index, { lexicon }) ?? []) : [];
    if (group) return GROUPED_TYPES.find((type) => groupFor(type, group.name) !== undefined);
    const isDated = chunks.some(({ period }) => period);
    // `deals in 2022`
    if (anyMeans(chunks, 'investments') && (isDated || chunks.some(({ amount }) => amount))) return 'rounds';
    if (!isRaised) return undefined;
    // `combien a levé Acme en 2021`
    if (isDated && chunks.some(({ isName }) => isName)) return 'rounds';
    // `2023年最大的融资`, `最新融资`
    if (chunks.some((chunk) => means(chunk, 'latest') || (isDated && means(chunk, 'largest')))) return 'rounds';
    return chunks.some(({ amount, period }) => amount ?? period) ? 'companies' : undefined;
  };
  const given = named ?? implied();
  // Only rounds state who took part at a stage, or who led.
  const isParty = isPartyIn(knowledge);
  const isOfRounds =
    (isNamedStage(chunks) && chunks.some(isParty)) ||
    (chunks.some(leads) && chunks.some(isParty)) ||
    chunks.some((_, index) => isChainOfCompanies(chunks, index, knowledge));
  const type = given === 'investors' && isOfRounds ? 'rounds' : given;
  // Rounds are not searched with all types, but may be named.
  return type !== undefined && (types.includes(type) || (type === 'rounds' && types.length > 1)) ? type : undefined;
}

/** Whether a word asks for the valuation of a company, which its rounds state: `Kalshi valuation`, `how much is Kalshi worth`. */
export const asksForValuation = (chunks: readonly Chunk[], chunk: Chunk): boolean =>
  namesValuation(chunks, chunk) && chunks.filter(({ isName }) => isName).length === 1;

/** Whether a word is about valuations; `worth` of an amount is not. */
export const namesValuation = (chunks: readonly Chunk[], chunk: Chunk): boolean =>
  means(chunk, 'valued') && (!means(chunk, 'empty') || chunk === chunks.at(-1));

const isNamedIn = (chunks: readonly Chunk[]): boolean => chunks.some(({ isName }) => isName);

/**
 * The requested type, if it is neither the backer nor the backed: `what did Paradigm invest in`, `did Paradigm invest in
 * Kalshi`.
 */
function typeOfBacking(chunks: readonly Chunk[], { investorsNamed }: Knowledge): RecordType {
  if (asksWhoBacked(chunks)) return 'investors';
  const verb = chunks.findIndex((chunk) => means(chunk, 'backs'));
  const isFunder = (chunk: Chunk): boolean => isContent(chunk) && investorsNamed(phraseOf(chunk.tokens)).length > 0;
  if (!isNamedIn(chunks.slice(0, verb)) && !chunks.slice(0, verb).some(isFunder)) return 'investors';
  return isNamedIn(chunks.slice(verb)) ? 'rounds' : 'companies';
}

/** Whether the verb follows what somebody backed: `wer hat Kalshi finanziert`. */
const asksWhoBacked = (chunks: readonly Chunk[]): boolean =>
  chunks[0]?.tokens[0]?.text === 'wer' && means(chunks.at(-1), 'backs');

/** Whether people are requested by what they backed, which only rounds state: `angel investors in X`. */
function areBackersOf(chunks: readonly Chunk[], knowledge: Knowledge): boolean {
  const backing = chunks.findIndex(
    (chunk, index) => means(chunk, 'angels') || (means(chunk, 'backs') && anyMeans(chunks.slice(0, index), 'people')),
  );
  const [name] = chunks.slice(backing + 1).filter(isContent);
  return (
    backing >= 0 && !anyMeans(chunks, 'speaks') && name?.isName === true && !isPlaceIn(knowledge)(phraseOf(name.tokens))
  );
}

/** Whether a text asks for co-investors, which the investors of rounds state: `co-investors of X`. */
const areCoInvestors = (chunks: readonly Chunk[], { investorsNamed }: Knowledge): boolean =>
  anyMeans(chunks, 'coInvestors') &&
  chunks.some((chunk) => isContent(chunk) && (chunk.isName || investorsNamed(phraseOf(chunk.tokens)).length > 0));

/** Whether it asks for the other investors of an investor's rounds. */
export const asksForCoInvestors = ({ type, chunks }: ParseState): boolean =>
  type === 'rounds' && anyMeans(chunks, 'coInvestors');

/** Particles between an owner and a noun. */
export const isParticle = (chunk: Chunk | undefined): boolean => /^[的s]$/.test(chunk?.tokens[0]?.text ?? '');

/** The next chunk after a particle: `Kalshi's investors`, `Kalshi的投资者`. */
export const afterParticle = (chunks: readonly Chunk[], index: number): Chunk | undefined =>
  chunks[isParticle(chunks[index + 1]) ? index + 2 : index + 1];

/** Whether a name precedes a noun: `Kalshi investors`. */
export const isBesideNoun = (chunks: readonly Chunk[], index: number, ...nouns: readonly Meaning[]): boolean =>
  chunks[index]?.isName === true && means(afterParticle(chunks, index), ...nouns);

/** Whether `investments` at an index are somebody's or the latest ones; alone it is a stop word. */
export function areDealsAt(chunks: readonly Chunk[], index: number): boolean {
  if (!means(chunks[index], 'investments')) return false;
  const isOf = isOfDeals(chunks[index + 1]) && chunks[index + 2]?.isName === true;
  // `Paradigm 2021 deals`
  const isApart = chunks[index - 1]?.period !== undefined || isParticle(chunks[index - 1]);
  const before = chunks[isApart ? index - 2 : index - 1];
  const areJoint = anyMeans(chunks, 'common') && chunks.filter(isContent).length > 1;
  return before?.isName === true || means(before, 'latest') || isOf || areJoint;
}

/** A word between investments and who made them. */
export const isOfDeals = (chunk: Chunk | undefined): boolean =>
  chunk?.tokens.length === 1 && ['of', 'by'].includes(chunk.tokens[0]?.text ?? '');

/** Whether a text names rounds by a stage, giver or their funding, and a period, company, amount or order: `ICOs over $100m`. */
export function areRoundsOfStage(chunks: readonly Chunk[]): boolean {
  const isOfStage = chunks.some(({ closed }) => closed?.[0] === 'funding_stage');
  const isBounded = chunks.some(({ amount }) => amount?.isMoney) || anyMeans(chunks, ...ORDERS);
  const isOfMoney = isOfStage || anyMeans(chunks, 'funding') || chunks.some(endsInGrants);
  const isDated = isOfMoney && chunks.some(({ period }) => period);
  return isDated || (isOfStage && isBounded) || isNamedStage(chunks);
}

/** Types whose groups a ranking without a type asks for, in order of preference. */
const GROUPED_TYPES = ['rounds', 'companies', 'events'] as const;

export const ORDERS = ['largest', 'latest', 'smallest', 'oldest'] as const;

/** Whether a text such as `Series A of Kalshi` has a stage and a name. */
const isNamedStage = (chunks: readonly Chunk[]): boolean =>
  chunks.some(({ closed }) => closed?.[0] === 'funding_stage' && closed[1] !== GRANT) &&
  chunks.some(({ isName }) => isName);

/** Whether a name ends in the word for grants. */
export const endsInGrants = ({ isName, tokens }: Chunk): boolean =>
  isName === true && closedValue(tokens.at(-1)?.text ?? '')?.[1] === GRANT;

/** The type of `who led most rounds`, `who raised the most` or `who spoke at most events`, whatever other noun occurs. */
function rankedType(chunks: readonly Chunk[]): RecordType | undefined {
  const some = (...meanings: readonly Meaning[]): boolean => anyMeans(chunks, ...meanings);
  if (!some('who') || !some('largest') || some('people')) return undefined;
  if (some('raised')) return 'companies';
  if (some('speaks')) return 'people';
  return some('led', 'backs', 'deals') ? 'investors' : undefined;
}

/** Whether a name is the founder in a question: `what did X found`, but not `who founded X`. */
export function namesFounder(chunks: readonly Chunk[], { typesNamed }: Knowledge): boolean {
  const verb = chunks.findIndex((chunk) => means(chunk, 'founds', 'foundedBy'));
  const isPerson = ({ tokens, isName }: Chunk): boolean =>
    isName === true && typesNamed(phraseOf(tokens)).includes('people');
  return chunks.slice(0, Math.max(verb, 0)).some(isPerson) && !chunks.slice(verb).some(({ isName }) => isName);
}

/** `led` of a subject; not `led by`. */
export const leads = (chunk: Chunk): boolean =>
  means(chunk, 'led') && !BEFORE_PARTY.has(chunk.tokens.at(-1)?.text ?? '');

/** Words at the end of roles that precede their party. */
export const BEFORE_PARTY: ReadonlySet<string> = new Set([
  'by',
  'of',
  'from',
  'with',
  'por',
  'de',
  'von',
  'durch',
  'par',
]);

export const roleOf = (chunk: Chunk): Role | undefined => ROLE_WORDS.find((each) => means(chunk, each));

export function nounOf(chunk: Chunk): RecordType | undefined {
  const words = wordsOf(chunk.tokens);
  if (chunk.closed?.[0] === 'event_type') return 'events';
  if (chunk.closed?.[0] === 'investor_type') return 'investors';
  // Most acquisitions are recorded as the status of a company, not as a round.
  if (chunk.closed?.[0] === 'status' && /^(?:acquisition|adquisicion|ubernahme|收购|并购)/.test(words))
    return 'companies';
  if (chunk.closed && /round|runde|轮|^(?:grants|subvenciones|zuschusse|subventions|资助|赠款)$/.test(words))
    return 'rounds';
  return means(chunk, 'angels', 'titles') ? 'people' : NOUNS.find((noun) => means(chunk, noun));
}

/** The subject of the sentence's periods. */
function subjectOf(chunks: readonly Chunk[]): Subject | undefined {
  if (anyMeans(chunks, 'updated')) return 'updated';
  // No filter is about the day of an acquisition or end.
  if (chunks.some(({ closed }) => closed?.[0] === 'status' && closed[1] !== 'active') && !anyMeans(chunks, 'founds'))
    return 'status';
  const isBeside = (index: number): boolean =>
    [1, 2, 3, -1, -2, -3].some((offset) => chunks[index + offset]?.period !== undefined);
  if (chunks.some((chunk, index) => means(chunk, 'founds', 'foundedBy') && isBeside(index))) return 'founded';
  if (anyMeans(chunks, 'lastRound')) return 'lastRound';
  const isRaised = chunks.some(
    (chunk) =>
      means(chunk, 'largest', 'smallest', 'raised', 'led', 'backs', 'backed', 'rounds') ||
      chunk.amount?.isMoney ||
      chunk.closed?.[0] === 'funding_stage',
  );
  return isRaised ? 'raised' : undefined;
}

/** Whether a word excludes what follows it: `companies that never raised a Series B`, `rounds without Acme`. */
export function isNegation({ chunks, type }: ParseState, chunk: Chunk): boolean {
  const next = chunks.slice(chunks.indexOf(chunk) + 1).find((each) => !means(each, 'empty', 'raised'));
  const isStage = (type === 'companies' || type === 'rounds') && next?.closed?.[0] === 'funding_stage';
  return means(chunk, 'not') || (means(chunk, 'lacking') && (isStage || (type === 'rounds' && next?.isName === true)));
}

/** Names the words of chunks among those without effect. */
export const ignore = ({ ignored }: ParseState, chunks: readonly Chunk[]): void => {
  ignored.push(...chunks.flatMap(({ tokens }) => tokens.map(({ raw }) => raw)));
};

/** Ends a negation that no filter expresses. */
export function leaveNegation(state: ParseState): void {
  state.unreadNegation ??= state.negation;
  state.negation = undefined;
}

export const hasFilterFor = ({ types }: ParseState, name: FilterName): boolean =>
  types.some((type) => hasFilter(type, name));
