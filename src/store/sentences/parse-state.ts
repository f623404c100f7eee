import type { RecordType } from '../../contract/entities/index.ts';
import { type FilterName, hasFilter } from '../../contract/filters.ts';
import { measureOf } from '../../contract/sentence-calls.ts';
import { GRANT } from '../../contract/vocabulary.ts';
import { anyMeans, type Chunk, isContent, isPeriod, means, OF_ALL_RECORDS, textOf } from './chunks.ts';
import type { DateMatch } from './dates.ts';
import type { OpenPeriod, Subject } from './filters.ts';
import { closedValue, type Knowledge, phraseOf } from './knowledge.ts';
import { type Lexicon, type Meaning, NOUNS } from './lexicon.ts';
import type { DateRange } from './periods.ts';
import { type Token, wordsOf } from './sentence-tokens.ts';

export interface ParseRequest {
  /** The sentence as typed; `tokens` may have other words for it. */
  readonly text: string;
  readonly tokens: readonly Token[];
  /** Whether a value among the tokens was misspelt. */
  readonly isCorrected: boolean;
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
  /** Whether its investors, chains or tags are compared. */
  isCompared: boolean;
  /** Periods that are compared and are not next to each other, or have several groups each. */
  periods: readonly DateRange[] | undefined;
  /** Requested sort, in request form. */
  sort: string | undefined;
  /** A period that the records have no date for. */
  period: OpenPeriod | undefined;
}

/** The group of those who did what a sentence asks for: led rounds, or took part. */
export const partyGroup = (chunks: readonly Chunk[]): string => (chunks.some(leads) ? 'lead_investor' : 'investor');

/** Whether a name is a chain whose companies are asked for: `Solana projects`. */
export function isChainOfCompanies(chunks: readonly Chunk[], index: number, { typesWith }: Knowledge): boolean {
  const [before, chunk, next] = [chunks[index - 1], chunks[index], chunks[index + 1]];
  // `projets Solana`
  const isBeside = means(next, 'companies') || (means(before, 'companies') && next === undefined);
  return isContent(chunk) && isBeside && typesWith('chain', phraseOf(chunk.tokens)).includes('rounds');
}

/** Whether a name is the chain of an investor's companies: `Acme's Solana portfolio`. */
export function isOwnedChain(
  { chunks, request: { knowledge } }: Pick<ParseState, 'chunks' | 'request'>,
  index: number,
): boolean {
  const [chunk, next] = [chunks[index], chunks[index + 1]];
  const owner = chunks[isParticle(chunks[index - 1]) ? index - 2 : index - 1];
  const isChain = isContent(chunk) && knowledge.typesWith('chain', phraseOf(chunk.tokens)).includes('companies');
  return (
    isChain && mayFund(owner) && means(next, 'backed') && /^(?:angel )?portfolio\b/.test(wordsOf(next?.tokens ?? []))
  );
}

/** Whether a word asks for the valuation of a company, which its rounds state: `Kalshi valuation`, `how much is Kalshi worth`. */
export const asksForValuation = (chunks: readonly Chunk[], chunk: Chunk): boolean =>
  namesValuation(chunks, chunk) && chunks.filter(({ isName }) => isName).length === 1;

/** Whether a word is about valuations: also `worth` of companies, but not of rounds. */
export function namesValuation(chunks: readonly Chunk[], chunk: Chunk): boolean {
  if (!means(chunk, 'valued')) return false;
  const index = chunks.indexOf(chunk);
  const isOfCompanies = means(chunks[index - 1], 'companies') && chunks.slice(index).some(({ amount }) => amount);
  return !means(chunk, 'empty') || isOfCompanies || chunk === chunks.at(-1);
}

const FOUNDERS = /found|grunder|fund(?:ad|a)or|fondat|创始/;

/** Whether a word of a sentence about people asks for founders. */
export const namesFounders = (chunk: Chunk): boolean =>
  means(chunk, 'founds') || (means(chunk, 'people') && FOUNDERS.test(chunk.tokens[0]?.text ?? ''));

/** Whether a word is about where people worked before. */
export const namesFormer = (chunk: Chunk): boolean => means(chunk, 'works') && FORMER.test(wordsOf(chunk.tokens));
const FORMER =
  /^(?:ex|former|formerly at|previously at|alumni(?: of| from)?|(?:has |have )?left|quit|used to work (?:at|for))$/;

/** Whether a word about people is for those who invest: `founders who are also investors`. */
export const isInvestor = (chunk: Chunk): boolean =>
  means(chunk, 'angels') || (means(chunk, 'investors') && /^(?:inve|投资)/.test(chunk.tokens[0]?.text ?? ''));

/** Whether it asks for records that changed; `how has funding changed` is a trend. */
export const asksForUpdates = (chunks: readonly Chunk[]): boolean =>
  anyMeans(chunks, 'updated') && !anyMeans(chunks, 'funding');

/** Whether a word restricts a type to what is to come. `next week` is a period; `next events` are those to come. */
export const asksForUpcoming = ({ type }: ParseState, chunk: Chunk): boolean =>
  means(chunk, 'upcoming') || (means(chunk, 'next') && type === 'events');

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

/** Whether `investments` at an index are somebody's, or in an order; alone it is a stop word, and so is one `investment` without order. */
export function areDealsAt(chunks: readonly Chunk[], index: number): boolean {
  const [before, chunk, next] = [chunks[index - 1], chunks[index], chunks[index + 1]];
  if (!means(chunk, 'investments')) return false;
  const isOrdered =
    means(before, ...DEAL_ORDERS) && !chunks.some((each) => nounOf(each) === 'investors') && !areMostAngelDeals(chunks);
  if (isOrdered || /^(?:deal|investment)$/.test(chunk?.tokens[0]?.text ?? '')) return isOrdered;
  const areJoint = anyMeans(chunks, 'common') && chunks.filter(isContent).length > 1;
  // `deals where A and B participated`
  const areOf =
    chunks.every((each) => each === chunk || nounOf(each) === undefined) &&
    anyMeans(chunks.slice(index), 'backs', 'led');
  if (areOf && chunks.slice(index).some(mayFund)) return true;
  return (
    mayFund(chunks.slice(0, index).findLast((each) => !isWithinDeals(each))) ||
    (isOfDeals(next) && mayFund(chunks[index + 2])) ||
    // `number of deals A vs B`
    (mayFund(next) && means(chunks[index + 2], 'versus')) ||
    areJoint
  );
}

/** Whether those who invested most often by themselves are asked for: `people with the most angel investments`. */
export const areMostAngelDeals = (chunks: readonly Chunk[]): boolean =>
  anyMeans(chunks, 'who', 'people') &&
  chunks.some(
    (chunk, index) =>
      chunk.tokens[0]?.text === 'angel' &&
      means(chunk, 'investments') &&
      chunks[index - 1]?.tokens.at(-1)?.text === 'most',
  );

/** Whether a chunk is a name, or begins that of an investor. */
export const mayFund = (chunk: Chunk | undefined): boolean => chunk?.isName === true || chunk?.isFunder === true;

const DEAL_ORDERS = ['largest', 'latest', 'oldest', 'last'] as const;

/** Whether a word counts the noun after it: `A vs B number of deals`. */
export const countsNouns = (chunk: Chunk | undefined): boolean =>
  /^(?:number|numero|nombre|anzahl|zahl)$/.test(chunk?.tokens[0]?.text ?? '');

/** Whether a chunk may stand between an investor and its investments: `Acme 2021 DeFi seed deals`, `Acme's biggest investment`. */
const isWithinDeals = (chunk: Chunk | undefined): boolean =>
  chunk?.period !== undefined ||
  chunk?.closed?.[0] === 'funding_stage' ||
  (isContent(chunk) && !mayFund(chunk)) ||
  isParticle(chunk) ||
  countsNouns(chunk) ||
  means(chunk, ...DEAL_ORDERS);

/** Whether the investments follow of the investors that end before an index. */
export const haveDeals = (chunks: readonly Chunk[], end: number): boolean =>
  areDealsAt(
    chunks,
    chunks.findIndex((chunk, at) => at >= end && !isWithinDeals(chunk)),
  );

/** Whether a word is for the companies of the investor before it: `Paradigm portfolio`. */
export const isPortfolio = (chunk: Chunk | undefined): boolean =>
  means(chunk, 'backed') &&
  /^(?:(?:angel )?portfolio|cartera|carteira|portefeuille|投资组合)$/.test(wordsOf(chunk?.tokens ?? []));

/** A word between investments and who made them: `investments of Acme`, `how many investments has Acme made`. */
export const isOfDeals = (chunk: Chunk | undefined): boolean =>
  (means(chunk, 'by') && !means(chunk, 'per')) ||
  (chunk?.tokens.length === 1 && /^(?:of|by|d[aeo]|del|has|have|did|does)$/.test(chunk.tokens[0]?.text ?? ''));

/** Whether a text names rounds by a stage, giver or their funding, and a period, comparison, company, amount, order or average: `ICOs over $100m`. */
export function areRoundsOfStage(chunks: readonly Chunk[]): boolean {
  const isOfStage = chunks.some(({ closed }) => closed?.[0] === 'funding_stage');
  // `how much was raised in ICOs`
  const isMeasured = anyMeans(chunks, 'raised') ? /^(?:average|median|sum)$/ : /^(?:average|median)$/;
  const isAveraged = chunks.some(({ tokens }) => tokens.some(({ raw }) => isMeasured.test(measureOf(raw) ?? '')));
  const isBounded = chunks.some(({ amount }) => amount?.isMoney) || anyMeans(chunks, ...ORDERS) || isAveraged;
  const isOfMoney = isOfStage || anyMeans(chunks, 'funding', 'investments') || chunks.some(endsInGrants);
  const isDated = isOfMoney && (chunks.some(isPeriod) || anyMeans(chunks, 'versus'));
  return isDated || (isOfStage && isBounded) || isNamedStage(chunks);
}

export const ORDERS = ['largest', 'latest', 'smallest', 'oldest'] as const;

/** Whether a text such as `Series A of Kalshi` has a stage and a name. */
export const isNamedStage = (chunks: readonly Chunk[]): boolean =>
  chunks.some(({ closed }) => closed?.[0] === 'funding_stage' && closed[1] !== GRANT) &&
  chunks.some(({ isName }) => isName);

/** Whether a word is for an amount of money. */
export const isOfAmount = (chunk: Chunk): boolean => !means(chunk, 'investors') && AMOUNT.test(wordsOf(chunk.tokens));

const AMOUNT = /\b(?:amount|money|capital|dollars|usd)\b/;

/** Whether a name ends in the word for grants. */
export const endsInGrants = ({ isName, tokens }: Chunk): boolean =>
  isName === true && closedValue(tokens.at(-1)?.text ?? '')?.[1] === GRANT;

/** Whether a name is the founder in a question: `what did X found`, but not `who founded X` or `when was X founded`. */
export function namesFounder(chunks: readonly Chunk[], { typesNamed }: Knowledge): boolean {
  const verb = chunks.findIndex((chunk) => means(chunk, 'founds', 'foundedBy'));
  const isPerson = ({ tokens, isName }: Chunk, index: number): boolean =>
    isName === true &&
    typesNamed(phraseOf(tokens)).includes('people') &&
    !/^(?:was|were)$/.test(chunks[index - 1]?.tokens.at(-1)?.text ?? '');
  return chunks.slice(0, Math.max(verb, 0)).some(isPerson) && !chunks.slice(verb).some(({ isName }) => isName);
}

/** `led` of a subject; not `led by`. */
export const leads = (chunk: Chunk): boolean => means(chunk, 'led') && !precedesParty(chunk);

/** Whether a role precedes its party. */
export const precedesParty = (chunk: Chunk | undefined): boolean =>
  /^(?:by|of|pel[ao]|from|with|por|de|von|durch|par)$/.test(chunk?.tokens.at(-1)?.text ?? '');

export const roleOf = (chunk: Chunk): Role | undefined => ROLE_WORDS.find((each) => means(chunk, each));

export function nounOf(chunk: Chunk): RecordType | undefined {
  const words = wordsOf(chunk.tokens);
  if (chunk.closed?.[0] === 'event_type') return 'events';
  if (chunk.closed?.[0] === 'investor_type') return 'investors';
  // Most acquisitions are recorded as the status of a company, not as a round.
  if (chunk.closed?.[0] === 'status' && /^(?:acquisition|adquisicion|aquisicao|ubernahme|收购|并购)/.test(words))
    return 'companies';
  if (
    chunk.closed &&
    /round|runde|轮|^(?:grants|subvenciones|zuschusse|forderungen|subventions|资助|赠款)$/.test(words)
  )
    return 'rounds';
  return means(chunk, 'angels', 'titles') ? 'people' : NOUNS.find((noun) => means(chunk, noun));
}

/** Names end in words such as Protocol and Fund; who lists a type uses the plural. */
export function endsInSingular(chunks: readonly Chunk[]): boolean {
  const last = chunks.at(-1);
  return last !== undefined && nounOf(last) !== undefined && !last.tokens.some(({ text }) => text.endsWith('s'));
}

/** The type of the first noun; one that may only describe counts last: `Solana ecosystem investors`. */
export const firstNoun = (chunks: readonly Chunk[]): RecordType | undefined =>
  [...chunks.filter((chunk) => !means(chunk, 'empty')), ...chunks].map(nounOf).find((type) => type !== undefined);

/** Whether a word negates the verb of the name before it: `A did not lead`. */
export const isOfBackward = ({ chunks, backward }: ParseState, chunk: Chunk): boolean =>
  backward !== undefined && means(chunk, 'not', 'lacking') && chunks[chunks.indexOf(chunk) + 1] === backward;

/** Whether an index begins what companies are that have not raised since a day: `no round since 2023`, `without funding since 2022`. */
export function isUnraisedAt(chunks: readonly Chunk[], index: number): boolean {
  const [chunk, next, ...after] = chunks.slice(index);
  if (means(chunk, 'quiet')) return next?.period !== undefined;
  const isOfNone = means(chunk, 'lacking') && means(next, 'rounds', 'funding');
  return isOfNone && after.find((each) => !means(each, 'since', 'in', 'from', 'empty'))?.period !== undefined;
}

/** Whether a word excludes what follows it: `companies that never raised a Series B`, `rounds without Acme`. */
export function isNegation(state: ParseState, chunk: Chunk): boolean {
  const { chunks, type } = state;
  if (isOfBackward(state, chunk)) return false;
  const next = chunks.slice(chunks.indexOf(chunk) + 1).find((each) => !means(each, 'empty', 'raised'));
  // `rounds without US investors`
  const isOfParties = next !== undefined && means(chunks[chunks.indexOf(next) + 1], 'investors');
  const isStage = (type === 'companies' || type === 'rounds') && next?.closed?.[0] === 'funding_stage';
  return (
    means(chunk, 'not') ||
    (type === 'companies' && isUnraisedAt(chunks, chunks.indexOf(chunk))) ||
    (means(chunk, 'lacking') &&
      (isStage || (type === 'rounds' && (next?.isName === true || isOfParties || means(next, 'led')))))
  );
}

/** Names the words of chunks among those without effect. */
export const ignore = ({ ignored }: ParseState, chunks: readonly Chunk[]): void => {
  ignored.push(...chunks.flatMap(({ tokens }) => tokens.map(({ raw }) => raw)));
};

/** Names the words of chunks as what nothing can be filtered by. */
export function leaveUnstated(state: ParseState, chunks: readonly Chunk[]): void {
  state.unstated.push(textOf(chunks));
  state.isPartial = true;
}

/** Ends a negation that no filter expresses. */
export function leaveNegation(state: ParseState): void {
  state.unreadNegation ??= state.negation;
  state.negation = undefined;
}

export const hasFilterFor = ({ types }: ParseState, name: FilterName): boolean =>
  types.some((type) => hasFilter(type, name));

/** Whether a word says of what follows it only what all records are: `Acme crypto investments`, `blockchain conferences`. */
export const isFiller = (chunk: Chunk, index: number, chunks: readonly Chunk[]): boolean => {
  const next = chunks[index + 1];
  const words = wordsOf(chunk.tokens);
  const isOfEvents = means(next, 'events') || next?.closed?.[0] === 'event_type';
  return (
    ((means(chunk, 'empty') && OF_ALL_RECORDS.test(words) && next !== undefined) ||
      (words === 'blockchain' && isOfEvents)) &&
    !means(chunks[index - 1], 'in', 'on', 'from', 'to', 'by')
  );
};
