import type { FilterName } from '../../contract/filters.ts';
import { GRANT } from '../../contract/vocabulary.ts';
import { endsFirm, readCompared } from './asked-fact.ts';
import { anyMeans, type Chunk, isContent, means, RAISES, textOf } from './chunks.ts';
import {
  addFacet,
  facetAt,
  leaveEachBacked,
  readBoth,
  readChains,
  readVersus,
  saysBoth,
  saysTagged,
} from './facet-values.ts';
import { isGiverAt, mentionsGrants } from './grants.ts';
import { comparesDeeds, WITH } from './groups.ts';
import { phraseOf } from './knowledge.ts';
import { isAfterRole, leaveValue } from './left-values.ts';
import { addParties, PARTIES } from './named-parties.ts';
import {
  afterParticle,
  areDealsAt,
  asksForCoInvestors,
  hasFilterFor,
  haveDeals,
  ignore,
  isBesideNoun,
  isOfDeals,
  isOwnedChain,
  isParticle,
  isPortfolio,
  leaveNegation,
  leaveUnstated,
  namesFounder,
  nounOf,
  ORDERS,
  type ParseState,
  precedesParty,
} from './parse-state.ts';
import { isChainOfDeals, isEventAt, namedLength, type Parties, partiesAt } from './parties.ts';
import { isCount, NUMBER } from './sentence-numbers.ts';

/** Reads chunks outside the sentence vocabulary: a name, a filter value, or text. */
export function readContent(state: ParseState, index: number): number {
  const read = readEnd(state, index) || readCompared(state, index, namedLength) || readChainOfDeals(state, index);
  if (read > 0) return read;
  const [before, next] = [state.chunks[index - 1], state.chunks[index + 1]];
  const funders = partiesAt(state, index, true);
  const end = index + funders.length;
  const isGiver = isGiverAt(state, index, end);
  const isParty = isGiver || isFunder(state, index, funders);
  const isOfCompany =
    state.role === 'works' ||
    state.role === 'founds' ||
    (state.role === 'backs' && state.type === 'investors') ||
    state.type === 'rounds' ||
    (state.negation !== undefined && state.filters.has('company')) ||
    (means(before, 'from') && !anyMeans(state.chunks, 'likeness', 'employees')) ||
    means(next, 'titles');
  const isOfEvent = state.type === 'people' && (state.role === 'speaks' || isEventAt(state, index));
  const parties = isParty || isBackwardRole(nextVerb(state, end)) ? funders : partiesAt(state, index, false);
  const isOfInvestors =
    state.type === 'investors' &&
    !namesFund(state, index, parties.length) &&
    (isBesideNoun(state.chunks, index + parties.length - 1, 'investors') || has(state.chunks, index, parties.length));
  const isNamed = parties.names.length > 0;
  if (excludesInvestors(state, funders)) return leaveIn(state, funders);
  const funding = isParty ? readFunders(state, index, funders, isGiver) : 0;
  if (funding > 0) return funding;
  if (isOfEvent && isNamed && hasFilterFor(state, 'event')) return addParties(state, parties, 'event');
  if (isNamed && isFounder(state, index) && hasFilterFor(state, 'founder'))
    return addParties(state, parties, 'founder');
  const isOfPeople = haveStaff(state, index, parties.length);
  const value = facetAt(state, index);
  const isName = isNamed && (isOfPeople || isNoValue(state, index, value?.filter));
  const facet = isName ? undefined : value;
  // `layer 1 blockchains`
  if (facet?.filter === 'tag' && state.tagEnd === index && /^blockchains?$/i.test(facet.words)) return facet.length;
  if (isOfLayer(state, index)) return 1;
  if (facet) {
    const left = leaveValue(state, index, facet);
    if (left > 0) return left;
    addFacet(state, facet.filter, facet.words, facet.words);
    readVersus(state, index, facet.filter);
    if (facet.filter === 'tag') readTags(state, index, facet.length);
    if (facet.filter === 'tag') leaveEachBacked(state, index + facet.length);
    if (facet.filter === 'chain') readChains(state, index, facet.length);
    return facet.length;
  }
  if (backwardParty(state, index, parties)) return parties.length;
  // `backed by A or by B`
  const known = parties.isInstead && means(before, 'in', 'by') && PARTIES.find((filter) => state.filters.has(filter));
  if (known && isNamed) {
    if (state.filters.has('led')) state.role = 'led';
    return addParties(state, known === 'investor' ? funders : parties, known);
  }
  if (state.type === 'companies' && funders.names.length > 0 && isOwner(state, index, end))
    return addParties(state, funders, 'investor');
  if (state.type === 'rounds' && funders.names.length > 0 && isNoCompany(state, index))
    return addParties(state, funders, 'investor');
  if ((isOfCompany || isOfInvestors || isOfPeople) && isNamed && hasFilterFor(state, 'company'))
    return addParties(state, parties, 'company');
  if (state.negation !== undefined && state.type === 'companies' && isNamed) return leaveIn(state, parties);
  // An unknown party cannot be filtered by; a keyword search covers less than the request.
  if (isParty) state.isPartial = true;
  const isAfter = isAfterRole(state, index) || (isGiver && means(before, 'from', 'by'));
  if ((isParty || state.role === 'foundedBy') && state.negation === undefined && isAfter && !isOfWomen(state, index))
    return isNamed ? leaveParty(state, index, parties.length) : addUnknown(state, index);
  return addKeyword(state, index);
}

function readChainOfDeals(state: ParseState, index: number): number {
  if (!isChainOfDeals(state, index)) return 0;
  addFacet(state, 'chain', textOf(state.chunks.slice(index, index + 1)), '');
  return 1;
}

/** Whether people are asked for by the name at an index: `Acme founders`, `how many founders does Acme have`. */
const haveStaff = ({ type, chunks }: ParseState, index: number, length: number): boolean =>
  type === 'people' && (isBesideNoun(chunks, index, 'people', 'employees') || has(chunks, index, length));

/** Whether the name at an index is not meant as the value that it may be elsewhere: `who acquired Bridge`. */
function isNoValue({ chunks }: ParseState, index: number, filter: FilterName | undefined): boolean {
  const before = chunks[index - 1];
  const isOfWho = means(before, 'unstated') && /^(?:who|quien|quem|wer|qui)$/.test(before?.tokens[0]?.text ?? '');
  return isOfWho || (chunks[index]?.isProper === true && filter !== 'chain');
}

/** Reads those who can only be of who took part in rounds. Returns the number of chunks read; 0 for none. */
function readFunders(state: ParseState, index: number, funders: Parties, isGiver: boolean): number {
  if (funders.names.length === 0 || !hasFilterFor(state, 'investor')) return 0;
  const next = state.chunks[index + funders.length];
  // `rounds with Pantera as lead investor`
  if (means(next, 'led') && backwardParty(state, index, funders)) return funders.length;
  if (isGiver && !mentionsGrants(state.chunks) && hasFilterFor(state, 'funding_stage'))
    state.filters.set('funding_stage', GRANT);
  return addParties(state, funders, 'investor');
}

/** Whether the names at an index can only be of who took part in rounds. */
function isFunder(state: ParseState, index: number, { names, length }: Parties): boolean {
  const { chunks, type, role, negation, filters } = state;
  const before = chunks[index - 1];
  const isOfDeal = haveDeals(chunks, index + length) || (isOfDeals(before) && areDealsAt(chunks, index - 2));
  // `deals that A and B did together`
  const areJoint = names.length > 1 && anyMeans(chunks, 'common');
  const isWith = WITH.has((saysBoth(before) ? chunks[index - 2] : before)?.tokens[0]?.text ?? '');
  // `raised, but not from A`
  const isFrom = state.subject === 'raised' && (means(before, 'from') || before?.tokens.at(-1)?.text === 'from');
  // `who invested with A in B`
  const isIn = means(before, 'in') && filters.has('investor');
  // `the largest round without Acme`
  const areCompanies =
    type === 'rounds' &&
    names.flat().every((name) => {
      const types = state.request.knowledge.typesNamed(name);
      return types.includes('companies') && !types.includes('investors');
    });
  return (
    (type === 'rounds' && (isWith || areJoint)) ||
    (asksForCoInvestors(state) && !isIn) ||
    isOfDeal ||
    role === 'led' ||
    role === 'backed' ||
    (negation !== undefined && !areCompanies && (filters.has('investor') || means(negation, 'lacking') || isFrom))
  );
}

/** Whether a word repeats that the sector before it is one of chains: `L1 chains`, `layer 2 networks`. */
const isOfLayer = ({ chunks, tagEnd }: ParseState, index: number): boolean =>
  tagEnd === index &&
  /\b(?:l\d|layer \d|(?:side|app)chain)s?$/i.test(textOf(chunks.slice(0, index))) &&
  /^(?:chain|network)s?$/i.test(textOf(chunks.slice(index, index + 1)));

/** Requires a tag that follows another one as well: `defi lending`, `tagged A and B`. */
function readTags(state: ParseState, index: number, length: number): void {
  const { chunks, tagEnd } = state;
  const isBeside = tagEnd === index && chunks[index]?.tokens[0]?.isListed !== true;
  if (isBeside || (tagEnd === index - 1 && means(chunks[index - 1], 'and') && chunks.some(saysTagged)))
    readBoth(state, 'tag');
  state.tagEnd = index + length;
}

/** Whether a name is of a fund itself: `the a16z crypto fund`. */
function namesFund({ chunks, request: { knowledge } }: ParseState, index: number, length: number): boolean {
  const types = knowledge.typesNamed(textOf(chunks.slice(index, index + length)));
  return textOf(chunks.slice(index + length, index + length + 1)) === 'fund' && !types.includes('companies');
}

/** Whether a verb is about what the name at an index has: `how many investors does A have`, `wie viele Investoren hat A`. */
const has = (chunks: readonly Chunk[], index: number, length: number): boolean =>
  /^ha(?:ve|t|s)$/.test(chunks[index + length]?.tokens[0]?.text ?? '') ||
  /^(?:hat|tiene|tem|a)$/.test(chunks[index - 1]?.tokens[0]?.text ?? '');

/** Whether the investor at an index has the companies: `a16z's companies`, `qué empresas respaldó Paradigm`. */
function isOwner({ chunks, role, request: { knowledge } }: ParseState, index: number, end: number): boolean {
  const name = textOf(chunks.slice(index, end));
  const noun = afterParticle(chunks, end - 1);
  const isBeside = means(noun, 'companies') && noun?.tokens.at(-1)?.text.endsWith('s') === true;
  return (role === 'backs' || isBeside) && knowledge.typesNamed(name).includes('investors');
}

/** Names a party, with the role before it, that records of the type have no filter for: `founders backed by Acme`. */
function leaveParty(state: ParseState, index: number, length: number): number {
  leaveUnstated(state, state.chunks.slice(index - 1, index + length));
  state.role = undefined;
  return length;
}

/** Adds a word of a party that no record has as its name. */
function addUnknown(state: ParseState, index: number): number {
  state.unknownParty.push(...(state.chunks[index]?.tokens ?? []).map(({ raw }) => raw));
  return addKeyword(state, index);
}

/** Reads the last word of an unknown party, or of a firm whose first words are keywords: `Labs` of `Acme Labs rounds`. */
function readEnd(state: ParseState, index: number): number {
  if (endsUnknownParty(state, index)) return addUnknown(state, index);
  const before = state.chunks[index - 1];
  const isAfterKeyword = isContent(before) && state.text.at(-1) === before.tokens.at(-1)?.raw;
  return isAfterKeyword && endsFirm(state.chunks[index]) ? addKeyword(state, index) : 0;
}

/** Whether a chunk is the last word of an unknown party: `Foundation` of `grants from Acme Foundation`. */
const endsUnknownParty = ({ chunks, unknownParty }: ParseState, index: number): boolean =>
  unknownParty.length > 0 && chunks[index - 1]?.tokens.at(-1)?.raw === unknownParty.at(-1) && endsFirm(chunks[index]);

/**
 * Whether the name beside `rounds` is an investor's rather than a company's: `Paradigm rounds`, `rounds by Pantera`, or the
 * beginning of one investor's name: `Multicoin rounds`.
 */
function isNoCompany({ chunks, groups, request: { knowledge } }: ParseState, index: number): boolean {
  const chunk = chunks[index] as Chunk;
  const before = chunks[index - 2];
  const [of] = chunks[index - 1]?.tokens ?? [];
  const isBy = (means(chunks[index - 1], 'by') || of?.text === 'of') && before && nounOf(before) === 'rounds';
  // `favourite sectors of Multicoin`, as `Multicoin's favourite sectors`
  const isOfGroup = groups.length > 0 && of?.text === 'of' && index === chunks.length - 1;
  const isBeginning =
    /^\p{Lu}/u.test(chunk.tokens[0]?.raw ?? '') &&
    (isOfGroup || means(afterParticle(chunks, index), 'rounds', 'investments'));
  return (
    // What it raises, it does not invest: `how much did Acme raise`.
    !raises(chunks[index + 1]) &&
    (chunk.isName === true || isBy === true || isBeginning || (chunk.isFunder && comparesDeeds(chunks))) === true &&
    !knowledge.typesNamed(phraseOf(chunk.tokens)).includes('companies')
  );
}

const raises = (chunk: Chunk | undefined): boolean => RAISES.test(chunk?.tokens[0]?.text ?? '');

/** Whether the name at an index is a founder's of the requested records. */
function isFounder(state: ParseState, index: number): boolean {
  if (state.role === 'foundedBy') return true;
  const next = nextVerb(state, index + 1);
  if (!means(next, 'founds', 'foundedBy') || !namesFounder(state.chunks, state.request.knowledge)) return false;
  state.backward = next;
  return true;
}

/** No source states the sex of people. */
const WOMEN = /^(?:(?:wo)?m[ae]n|females?|males?|frauen|mujeres|femmes|女性)$/i;
const isOfWomen = ({ type, role, chunks }: ParseState, index: number): boolean =>
  (type === 'people' || role === 'foundedBy') && WOMEN.test(textOf(chunks.slice(index, index + 1)));

/** Keeps a keyword, except for counts and for the object of a negation without a filter. */
function addKeyword(state: ParseState, index: number): number {
  const { lexicon } = state.request;
  const tokens = (state.chunks[index] as Chunk).tokens.filter(({ raw }) => /[\p{L}\p{N}]/u.test(raw));
  const words = tokens.map(({ raw }) => raw);
  const before = state.chunks[isParticle(state.chunks[index - 1]) ? index - 2 : index - 1];
  const isNumber = tokens.every(({ text }) => NUMBER.test(text) || isCount(text, lexicon));
  // People cannot be filtered by properties of their companies: `founders of gaming companies`.
  const isOfCompanies = state.type === 'people' && means(state.chunks[index + 1], 'companies');
  const isOfSector =
    state.type === 'people' &&
    (state.role === 'works' || state.role === 'founds') &&
    state.request.knowledge.typesWith('tag', words.join(' ')).includes('companies');
  const isOrdinal = lexicon.phrase(words.join(' ').toLowerCase())?.ordinal !== undefined;
  // The list of `second largest` is in this order from the first on.
  if (isOrdinal && means(state.chunks[index + 1], ...ORDERS)) return 1;
  // `one DeFi company`
  const isSpelled = state.type !== undefined && words.length === 1 && !/^\d/.test(words[0] ?? '');
  const isCounted = isNumber && (isSpelled || state.bound !== undefined);
  const isLeftOut = isCounted || isOrdinal || state.negation !== undefined || isOfCompanies;
  // `more than 5 DeFi companies`
  const bounds = state.chunks.slice(index - 1, index).filter((bound) => state.bound && means(bound, state.bound));
  if (isNumber) ignore(state, bounds);
  if (isOfWomen(state, index) || (isOfSector && !isOfCompanies)) state.unstated.push(...words);
  else (isLeftOut ? state.ignored : state.text).push(...words);
  // `companies using Acme` are others than Acme.
  const isUsed = state.chunks[index]?.isName === true && /^us(?:es?|ing)$/.test(before?.tokens[0]?.text ?? '');
  state.isPartial ||= isLeftOut || isOfWomen(state, index) || isOfSector || isUsed;
  if (isLeftOut) state.bound = undefined;
  leaveNegation(state);
  const isPlaceListed = state.filters.has('city') || state.filters.has('country');
  state.hasUnknownPlace ||= means(before, 'in') || (isPlaceListed && means(before, 'and', 'or'));
  return 1;
}

/** Whether names after a negation are of investors to leave out, not of a company whose investors are. */
const excludesInvestors = ({ negation, type, request: { knowledge } }: ParseState, { names }: Parties): boolean =>
  negation !== undefined &&
  type === 'investors' &&
  names.length > 0 &&
  !names.flat().some((name) => knowledge.typesNamed(name).includes('companies'));

/** Lists those that `besides A` excludes as well, because no filter is about the records of a list themselves. */
function leaveIn(state: ParseState, { names, length }: Parties): number {
  const words = (state.negation?.tokens ?? []).map(({ raw }) => raw).join(' ');
  state.unstated.push(`${words} ${names.map(([name]) => name).join(' and ')}`);
  state.negation = undefined;
  state.isPartial = true;
  return length;
}

const nextVerb = (state: ParseState, index: number): Chunk | undefined =>
  state.chunks
    .slice(index)
    .filter((_, at) => !isOwnedChain(state, index + at))
    // `bitkraft vc portfolio`
    .find(
      (chunk, at, rest) =>
        !means(chunk, 'empty') &&
        chunk.tokens[0]?.text !== 'been' &&
        chunk.period === undefined &&
        !(at === 0 && means(chunk, 'investors') && isPortfolio(rest[1])),
    );

/** Whether a role applies to the name before it: `led`, `took part`, but not `led by`. */
const isBackwardRole = (chunk: Chunk | undefined): boolean =>
  means(chunk, 'backs') || (means(chunk, 'led', 'backed') && !precedesParty(chunk));

/** Whether a name is the chain that companies are on, rather than another party: `Multicoin portfolio companies on Solana`. */
const isChainAfter = ({ chunks, request: { knowledge } }: ParseState, index: number): boolean =>
  (saysBoth(chunks[index - 1]) || means(chunks[index - 1], 'on', 'in', 'and', 'or')) &&
  anyMeans(chunks.slice(0, index), 'on', 'in') &&
  knowledge.typesWith('chain', phraseOf(chunks[index]?.tokens ?? [])).includes('companies');

/** Parses `rounds that Paradigm led`, with the name before its role. */
function backwardParty(state: ParseState, index: number, parties: Parties): boolean {
  const end = index + parties.length;
  const first = nextVerb(state, end);
  // `rounds that Paradigm did not lead`
  const negation = means(first, 'not', 'lacking') ? first : undefined;
  const next = negation === undefined ? first : state.chunks[state.chunks.indexOf(negation) + 1];
  const role = means(next, 'led') ? 'led' : means(next, 'backed') || means(next, 'backs') ? 'backed' : undefined;
  const isNamed = parties.names.length > 0;
  if (!isNamed || role === undefined || !isBackwardRole(next)) return false;
  // Who led is asked for.
  if (state.type === 'investors' || state.groups.includes('lead_investor')) return false;
  if (!hasFilterFor(state, 'investor')) return false;
  // Only rounds are between two parties.
  const isParty = (chunk: Chunk, at: number): boolean =>
    chunk.isName === true && !isChainAfter(state, at) && !isOwnedChain(state, at);
  if (state.type !== 'rounds' && state.chunks.some((chunk, at) => at > end && isParty(chunk, at))) return false;
  state.role = role;
  state.backward = next;
  state.negation ??= negation;
  addParties(state, parties, 'investor');
  return true;
}
