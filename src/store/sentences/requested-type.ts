import { asksHowMany } from '../../contract/answer-records.ts';
import type { NamedType, RecordType } from '../../contract/entities/index.ts';
import { namesSpeakers } from './asked-fact.ts';
import { anyMeans, type Chunk, isContent, isPeriod, means, textOf } from './chunks.ts';
import { givenBy, gives, mentionsGrants } from './grants.ts';
import { areFunded, asksWhichRaisedMore, comparesDeeds, comparesRaised, groupAt, groupFor, WITH } from './groups.ts';
import { isPlaceIn, type Knowledge, phraseOf } from './knowledge.ts';
import type { Meaning } from './lexicon.ts';
import { asksForEdition } from './ordinal-rounds.ts';
import {
  areDealsAt,
  areMostAngelDeals,
  areRoundsOfStage,
  BOUNDS,
  firstNoun,
  isBesideNoun,
  isChainOfCompanies,
  isInvestor,
  isNamedStage,
  isOfAmount,
  isParticle,
  isPortfolio,
  isUnraisedAt,
  leads,
  mayFund,
  namesFounder,
  namesFounders,
  namesValuation,
  nounOf,
  type ParseRequest,
} from './parse-state.ts';
import {
  areDealsCompared,
  areDealsOf,
  areOfTag,
  areTags,
  isPlaceOf,
  joined,
  PLACE_LENGTHS,
} from './requested-sectors.ts';
import { wordsOf } from './sentence-tokens.ts';
import { areSizedRounds, asksForMostRounds, asksForOneRound, isSize } from './sized-rounds.ts';
import { areOfValued } from './valuations.ts';

/** The type that a sentence asks for: of its first noun, or else implied by other words. Undefined for none. */
export function requestedType(chunks: readonly Chunk[], request: ParseRequest): RecordType | undefined {
  const { types, knowledge } = request;
  const given = haveRounds(chunks, request)
    ? 'companies'
    : (namedType(chunks, knowledge) ?? impliedType(chunks, request));
  // Only rounds state who took part at a stage, or who led, and amounts.
  const isParty = isPartyIn(knowledge);
  const isOfRounds =
    (isNamedStage(chunks) && chunks.some(isParty)) ||
    (chunks.some(leads) && chunks.some(isParty)) ||
    (chunks.some(({ amount }) => amount?.isMoney) && anyMeans(chunks, 'rounds', 'deals')) ||
    chunks.some((_, index) => isChainOfCompanies(chunks, index, knowledge)) ||
    // `biggest grant givers`
    (mentionsGrants(chunks) && chunks.some(isSize)) ||
    ranksByAmount(chunks, knowledge);
  const isOfValued = given === 'companies' && types.join() !== given && areOfValued(chunks, request);
  const type = isOfValued || (given === 'investors' && isOfRounds) ? 'rounds' : given;
  // Rounds are not searched with all types, but may be named.
  return type !== undefined && (types.includes(type) || (type === 'rounds' && types.length > 1)) ? type : undefined;
}

/** Whether companies of a sector are restricted by a number of rounds: `wallets with more than 3 rounds`. */
function haveRounds(chunks: readonly Chunk[], { lexicon }: ParseRequest): boolean {
  const noun = chunks.findIndex((chunk) => nounOf(chunk) !== undefined);
  const isCounted = (chunk: Chunk): boolean =>
    means(chunk, ...BOUNDS, 'and', 'to') ||
    /^(?:\d+|[-–])$/.test(textOf([chunk])) ||
    !!lexicon.number(wordsOf(chunk.tokens));
  const owner = chunks.findLastIndex((chunk, index) => index < noun && !isCounted(chunk));
  const isWith = WITH.has(textOf(chunks.slice(Math.max(owner, 0), owner + 1)));
  return isWith && owner < noun - 1 && isContent(chunks[0]) && nounOf(chunks[noun] as Chunk) === 'rounds';
}

/** Whether investors, of any country, are ordered by amounts of money: `top investors by amount`, `who invested the most money`. */
const ranksByAmount = (chunks: readonly Chunk[], knowledge: Knowledge): boolean =>
  anyMeans(chunks, 'largest', 'smallest') &&
  chunks.some(isOfAmount) &&
  !mentionsGrants(chunks) &&
  !chunks.some(isPlaceOf(knowledge));

function namedType(chunks: readonly Chunk[], knowledge: Knowledge): RecordType | undefined {
  const areRounds =
    chunks.some((_, index) => areDealsAt(chunks, index)) ||
    asksIfBacked(chunks) ||
    areCoInvestors(chunks, knowledge) ||
    areBackersOf(chunks, knowledge) ||
    asksWhoBacksCompanies(chunks, knowledge);
  if (areRounds || asksForOneRound(chunks)) return 'rounds';
  // `no round since 2023`
  if (chunks.some((_, index) => isUnraisedAt(chunks, index)) && !anyMeans(chunks, 'investors', 'people', 'events'))
    return 'companies';
  // `conference speakers`
  const areSpeakers = (chunk: Chunk, index: number): boolean =>
    index > 0 && namesSpeakers(chunk) && means(chunk, 'people') && nounOf(chunks[index - 1] as Chunk) === 'events';
  if (chunks.some(areSpeakers)) return 'people';
  return (
    portfolioType(chunks) ??
    rankedType(chunks) ??
    employedType(chunks) ??
    investingPeople(chunks) ??
    investingFirms(chunks) ??
    firstNoun(chunks)
  );
}

function impliedType(chunks: readonly Chunk[], request: ParseRequest): RecordType | undefined {
  const { knowledge, lexicon } = request;
  const isWho = anyMeans(chunks, 'who');
  const isDated = chunks.some(({ period }) => period);
  // `compare A and B: which invested in more`, but `funding of A vs B`
  const names = chunks.filter(({ isName }) => isName);
  const are = (type: NamedType): boolean =>
    names.every(({ tokens }) => knowledge.typesNamed(phraseOf(tokens)).includes(type));
  const areCompanies = are('companies');
  const isVersus = anyMeans(chunks, 'versus');
  if (asksForEdition(chunks, knowledge)) return 'events';
  if (areDealsOf(chunks, knowledge) || areDealsCompared(chunks, knowledge)) return 'rounds';
  if (isVersus && areSectorsInPeriods(chunks, knowledge)) return 'rounds';
  // `A vs B in 2022`
  const areOfRounds = areCompanies ? anyMeans(chunks, 'funding', 'raised') : isDated && are('investors');
  if (isVersus && names.length > 1) return areOfRounds ? 'rounds' : undefined;
  if (names.length === 0 && comparesRaised(chunks)) return 'rounds';
  const isOfSeveral = areCompanies && (asksWhichRaisedMore(chunks) || areFunded(chunks));
  if (!isVersus && (comparesDeeds(chunks) || isOfSeveral || investTogether(chunks))) return 'rounds';
  // `when is the next Devcon`; `é`, which is, without its accent is Portuguese for `and`.
  const first = chunks.findIndex((chunk) => !means(chunk, 'question', 'empty', 'and'));
  if (means(chunks[first], 'next', 'upcoming') && isContent(chunks[first + 1])) return 'events';
  if (chunks.some((chunk) => namesValuation(chunks, chunk)) || givenBy(chunks, knowledge) >= 0) return 'rounds';
  // `最近一轮融资`
  if (anyMeans(chunks, 'lastRound') && !isDated) return 'rounds';
  if (namesFounder(chunks, knowledge)) return 'companies';
  // Only rounds state when an investor took part.
  if (chunks.some((chunk) => means(chunk, 'backs') && !means(chunk, 'backed'))) {
    // `which stage does A invest in most`
    const isOfStages = chunks.some((_, index) => groupAt(chunks, index, { lexicon })?.name === 'stage');
    return isOfStages || isDated || anyMeans(chunks, 'oldest', 'latest') ? 'rounds' : typeOfBacking(chunks, knowledge);
  }
  if (isWho && anyMeans(chunks, 'founds', 'works', 'speaks')) return 'people';
  // `Series A led by Paradigm`
  if (
    chunks.some(({ closed }) => closed?.[0] === 'funding_stage') ? anyMeans(chunks, 'led') : isWho && chunks.some(leads)
  )
    return 'rounds';
  return backedType(chunks) ?? typeOfRest(chunks, request);
}

/** Whether only sectors are compared in a period, or periods of a sector: `DeFi vs gaming 2021`. */
const areSectorsInPeriods = (chunks: readonly Chunk[], knowledge: Knowledge): boolean =>
  chunks.some(({ period }) => period !== undefined) &&
  areTags(
    chunks.filter(({ period, ...chunk }) => period === undefined && !means(chunk, 'versus', 'in')),
    knowledge,
  );

/** Whether several take part in the same rounds: `did A and B invest together`, but not `companies that A and B both backed`. */
const investTogether = (chunks: readonly Chunk[]): boolean =>
  anyMeans(chunks, 'backs') && chunks.some(({ tokens }) => /^(?:together|jointly)$/.test(wordsOf(tokens)));

/** The type of what somebody led, backed or founded. */
function backedType(chunks: readonly Chunk[]): RecordType | undefined {
  // `is Aave backed by Paradigm`
  const backing = chunks.findIndex((chunk) => means(chunk, 'led', 'backed'));
  // `wallets on Solana backed by Paradigm` are companies.
  const isNamedAt = (chunk: Chunk, at: number): boolean => mayFund(chunk) && !means(chunks[at - 1], 'on', 'in');
  const areBoth = [chunks.slice(0, backing), chunks.slice(backing)].every((part) =>
    part.some((chunk) => isNamedAt(chunk, chunks.indexOf(chunk))),
  );
  if (backing > 0 && areBoth && !anyMeans(chunks, 'likeness')) return 'rounds';
  return anyMeans(chunks, 'led', 'backed', 'foundedBy') ? 'companies' : undefined;
}

/** The type of a sentence about nobody's deeds, by its figures, groups and sectors. */
function typeOfRest(chunks: readonly Chunk[], { knowledge, lexicon }: ParseRequest): RecordType | undefined {
  const isWho = anyMeans(chunks, 'who');
  const isDated = chunks.some(isPeriod);
  // `2022 vs 2023`
  if (anyMeans(chunks, 'versus') && chunks.every((chunk) => chunk.period || means(chunk, 'versus', 'question')))
    return 'rounds';
  const isRaised = anyMeans(chunks, 'raised');
  if (isRaised && anyMeans(chunks, 'quiet', 'lacking')) return 'companies';
  if (chunks.some((_, index) => isBesideNoun(chunks, index, 'employees'))) return 'people';
  // `who did the Series A of X`, `who raised last month`
  if (isWho) return isNamedStage(chunks) ? 'rounds' : isRaised && !isNamedIn(chunks) ? 'companies' : undefined;
  // `founded in 2019, raised a Series B`
  if (anyMeans(chunks, 'listed') || (anyMeans(chunks, 'founds') && isDated)) return 'companies';
  if (areRoundsOfStage(chunks)) return 'rounds';
  // `top sectors by funding`, `total funding per year`
  const isRanked = anyMeans(chunks, 'largest', 'smallest', 'per');
  const [group] = isRanked ? chunks.flatMap((_, index) => groupAt(chunks, index, { lexicon }) ?? []) : [];
  if (group) return GROUPED_TYPES.find((type) => groupFor(type, group.name) !== undefined);
  // `deals in 2022`, `Series B deals`
  const isStated = isDated || chunks.some(({ amount, closed }) => amount ?? closed?.[0] === 'funding_stage');
  if (anyMeans(chunks, 'investments') && isStated) return 'rounds';
  // `top funded in 2022`
  const areMostFunded = chunks.some((chunk) => means(chunk, 'largest') && chunk.tokens.at(-1)?.text === 'funded');
  // `how many exchanges are there`
  const areCounted =
    asksHowMany(textOf(chunks)) &&
    areTags(
      chunks.filter((chunk) => !means(chunk, 'question', 'empty')),
      knowledge,
    );
  if (areMostFunded || areOfTag(chunks, knowledge) || areTags(chunks, knowledge) || areCounted) return 'companies';
  // `latest funding`
  if (anyMeans(chunks, 'funding') && anyMeans(chunks, 'latest', 'largest')) return 'rounds';
  if (!isRaised) return undefined;
  // `combien a levé Acme en 2021`
  if (isDated && chunks.some(({ isName }) => isName)) return 'rounds';
  // `2023年最大的融资`, `最新融资`
  if (chunks.some((chunk) => means(chunk, 'latest') || (isDated && means(chunk, 'largest')))) return 'rounds';
  return chunks.some(({ amount, period }) => amount ?? period) ? 'companies' : undefined;
}

/** People, of whom a question asks that worked somewhere, whatever other noun occurs: `who left Acme to start a company`. */
const employedType = ([who, verb]: readonly Chunk[]): RecordType | undefined =>
  means(who, 'who') && means(verb, 'works') ? 'people' : undefined;

/** Investors, if firms are asked for by what they fund: `firms that invest in gaming`. */
function investingFirms(chunks: readonly Chunk[]): RecordType | undefined {
  if (giveGrants(chunks)) return 'investors';
  const noun = chunks.findIndex((chunk) => nounOf(chunk) !== undefined);
  const verb = chunks.slice(noun + 1).find((chunk) => !means(chunk, 'empty', 'question', 'who'));
  const isOfFirms = means(chunks[noun], 'companies') && !isNamedIn(chunks.slice(0, noun));
  return isOfFirms && /^(?:invest|fund|back)(?:s|ing)?$/.test(verb?.tokens[0]?.text ?? '') && means(verb, 'backs')
    ? 'investors'
    : undefined;
}

/** Whether firms are asked for by the grants that they give: `organisations that gave the largest grants`. */
export const giveGrants = (chunks: readonly Chunk[]): boolean =>
  mentionsGrants(chunks) &&
  chunks.some((chunk, index) => {
    const verb = chunks
      .slice(index + 1)
      .find(({ tokens: [first] }) => !/^(?:that|which|have|has)$/.test(first?.text ?? ''));
    return (
      means(chunk, 'companies') &&
      /^(?:give|gives|gave|award|awards|distribute|distributes)$/.test(verb?.tokens[0]?.text ?? '')
    );
  });

/** The type of an investor's companies, or of who funded some in Chinese, whatever noun precedes or follows: `投资过A的机构`. */
function portfolioType(chunks: readonly Chunk[]): RecordType | undefined {
  if (chunks.some((chunk, index) => isPortfolio(chunk) && means(chunks[index - 1], 'investors'))) return 'companies';
  return asksWhoBacked(chunks) && anyMeans(chunks, 'companies') ? 'investors' : undefined;
}

/** Types whose groups a ranking without a type asks for, in order of preference. */
const GROUPED_TYPES = ['rounds', 'companies', 'events'] as const;

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

/** Whether a text asks if one party funded another, which its rounds show: `is Acme an investor in Bolt`. */
export function asksIfBacked(chunks: readonly Chunk[]): boolean {
  const noun = chunks.findIndex((chunk) => means(chunk, 'investors') && means(chunk, 'backs'));
  const isAsked = noun > 0 && (/^(?:are|were)$/.test(chunks[0]?.tokens[0]?.text ?? '') || !isPlural(chunks[noun]));
  return isAsked && isNamedIn(chunks.slice(0, noun)) && isNamedIn(chunks.slice(noun + 1));
}

const isPlural = (chunk: Chunk | undefined): boolean => /(?:s|en)$/.test(chunk?.tokens[0]?.text ?? '');

/** Whether a text asks for co-investors, which the investors of rounds state: `co-investors of X`. */
const areCoInvestors = (chunks: readonly Chunk[], { investorsNamed }: Knowledge): boolean =>
  anyMeans(chunks, 'coInvestors') &&
  !(anyMeans(chunks, 'common') && chunks.filter(({ isName }) => isName).length > 1) &&
  chunks.some((chunk) => isContent(chunk) && (chunk.isName || investorsNamed(phraseOf(chunk.tokens)).length > 0));

/** People, if nothing but them is asked for: `investors who are also founders`. */
function investingPeople(chunks: readonly Chunk[]): RecordType | undefined {
  const isPlain = ({ phrase }: Chunk): boolean => phrase !== undefined;
  const isOfOthers = anyMeans(chunks, 'backs', 'backed', 'foundedBy', 'companies') || !chunks.every(isPlain);
  return chunks.some(isInvestor) && chunks.some(namesFounders) && !isOfOthers ? 'people' : undefined;
}

/** The type of `who led most rounds`, `who raised the most` or `who spoke at most events`, whatever other noun occurs. */
function rankedType(chunks: readonly Chunk[]): RecordType | undefined {
  const some = (...meanings: readonly Meaning[]): boolean => anyMeans(chunks, ...meanings);
  // `A or B: who did most deals`
  const isOfNamed = (comparesDeeds(chunks) && !some('versus')) || asksWhichRaisedMore(chunks);
  if (!some('who') || !some('largest', 'smallest') || some('people', 'angels') || isOfNamed) return undefined;
  // `who led the biggest rounds`
  if (chunks.some((chunk, index) => areSizedRounds(chunk, chunks.slice(index + 1)))) return 'rounds';
  // `who was given the largest grant`, but not `the most grants`
  const isOfStage = chunks.some(({ closed }) => closed?.[0] === 'funding_stage');
  const isGiven = chunks.some(
    (chunk, index) => gives(chunk) && /^(?:was|were|been)$/.test(textOf(chunks.slice(index - 1, index))),
  );
  if (some('raised') || isGiven) return isOfStage && !asksForMostRounds(chunks) ? 'rounds' : 'companies';
  if (chunks.some(gives)) return isOfStage && chunks.some(isSize) ? 'rounds' : 'investors';
  if (some('speaks', 'founds') || areMostAngelDeals(chunks)) return 'people';
  return some('led', 'backs', 'deals') || asksForMostRounds(chunks) ? 'investors' : undefined;
}

const isNamedIn = (chunks: readonly Chunk[]): boolean => chunks.some(({ isName }) => isName);

/**
 * Whether a text asks who funds companies that it describes, which only rounds state: `who backs gaming startups`,
 * `investors in German startups`.
 */
export function asksWhoBacksCompanies(chunks: readonly Chunk[], knowledge: Knowledge): boolean {
  const verb = chunks.findIndex((chunk) => means(chunk, 'backs'));
  const backed = chunks.slice(verb + 1);
  const isOfOthers = anyMeans(chunks, 'people', 'founds', 'foundedBy', 'works');
  const isPlace = isPlaceOf(knowledge);
  // `which VCs invest in Latin America`
  const isWithin = !means(chunks[verb], 'investors') && IN.test(chunks[verb]?.tokens.at(-1)?.text ?? '');
  const isOfPlace = isWithin && PLACE_LENGTHS.some((length) => isPlace(joined(backed.slice(0, length))));
  if (verb < 0 || !(anyMeans(backed, 'companies') || isOfPlace) || isOfOthers) return false;
  const isParty = isPartyIn(knowledge);
  if (backed.some(isParty)) return false;
  return means(chunks[0], 'who') || (chunks.some((chunk) => nounOf(chunk) === 'investors') && backed.some(isPlace));
}

const IN = /^(?:in|en|em|no|na)$/;
/** Whether a chunk is the name of a record, and neither a chain of companies, a sector nor the first word of one: `zero knowledge`. */
export const isPartyIn =
  (knowledge: Knowledge) =>
  ({ isName, isProper, tokens }: Chunk, index: number, chunks: readonly Chunk[]): boolean =>
    isProper === true ||
    (isName === true &&
      !isChainOfCompanies(chunks, index, knowledge) &&
      ![tokens, [...tokens, ...(chunks[index + 1]?.tokens ?? [])]].some((words) =>
        knowledge.typesWith('tag', phraseOf(words)).includes('investors'),
      ));

/** Whether it asks for those of a verb in Chinese: `投资过A的机构`. */
export const asksWhoBacked = ([verb, name]: readonly Chunk[]): boolean =>
  /^投/.test(verb?.tokens[0]?.text ?? '') && means(verb, 'backs') && name?.isName === true;

/** Whether people are requested by what they backed, which only rounds state: `angel investors in X`, `X angels`, but not `from X`. */
export function areBackersOf(chunks: readonly Chunk[], knowledge: Knowledge): boolean {
  const backing = chunks.findIndex(
    (chunk, index) => means(chunk, 'angels') || (means(chunk, 'backs') && anyMeans(chunks.slice(0, index), 'people')),
  );
  const [name] = chunks.slice(backing + 1).filter(isContent);
  const [of] = chunks[backing + 1]?.tokens ?? [];
  const owner = chunks[isParticle(chunks[backing - 1]) ? backing - 2 : backing - 1];
  const isOfOwner = backing === chunks.length - 1 && means(chunks[backing], 'angels');
  return (
    backing >= 0 &&
    !/^(?:at|from)$/.test(of?.text ?? '') &&
    !anyMeans(chunks, 'speaks') &&
    (isOfOwner
      ? owner?.isName === true && knowledge.typesNamed(phraseOf(owner.tokens)).includes('companies')
      : name?.isName === true && !isPlaceIn(knowledge)(phraseOf(name.tokens)))
  );
}
