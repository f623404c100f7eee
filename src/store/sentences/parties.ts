import { foldName } from '../../contract/names.ts';
import { endsFirm, namesSpeakers } from './asked-fact.ts';
import { anyMeans, type Chunk, isContent, means, textOf } from './chunks.ts';
import { contentAt, facetAt } from './facet-values.ts';
import { isNameIn, phraseOf } from './knowledge.ts';
import { isOwnedChain, type ParseState, roleOf } from './parse-state.ts';
import { areDealsOf } from './requested-sectors.ts';

/** Number of chunks that form a name; 0 if no record has it. */
export function namedLength(state: ParseState, index: number): number {
  const run = contentAt(state, index);
  for (let count = run.length; count > 0; count--) {
    const tokens = run.slice(0, count).flatMap((chunk) => chunk.tokens);
    if (isNameIn(state.request.knowledge)(phraseOf(tokens))) return count;
  }
  return 0;
}

/** The name at an index: a record's, or an abbreviation of investors' names. */
function nameAt(state: ParseState, index: number, isFunder: boolean) {
  const length = namedLength(state, index);
  const series = length === 0 && isOfSpeakers(state) ? seriesAt(state, index) : undefined;
  if (series) return series;
  const phrase = phraseOf(state.chunks.slice(index, index + (length || 1)).flatMap(({ tokens }) => tokens));
  const funders = isFunder ? state.request.knowledge.investorsNamed(phrase) : [];
  // `Tiger` is a person, but more likely Tiger Global.
  const isPerson = state.request.knowledge.typesNamed(phrase).every((type) => type === 'people');
  const others = funders.filter((name) => foldName(name) !== foldName(phrase));
  const names = length === 0 || (isPerson && others.length > 0) ? others : [phrase, ...others];
  return names.length > 0 ? { length: length || 1, names } : undefined;
}

const isOfSpeakers = ({ type, chunks }: ParseState): boolean => type === 'people' && chunks.some(namesSpeakers);

/** Whether the name at an index is of events whose speakers are asked for: `Token2049 speakers`. */
export function isEventAt(state: ParseState, index: number): boolean {
  if (!isOfSpeakers(state)) return false;
  const length = namedLength(state, index);
  const name = textOf(state.chunks.slice(index, index + length));
  return length === 0
    ? seriesAt(state, index) !== undefined
    : state.request.knowledge.typesNamed(name).includes('events');
}

/** The editions of the event at an index, whose name only begins theirs: `Token2049`. */
function seriesAt(state: ParseState, index: number) {
  const run = contentAt(state, index);
  for (let length = run.length; length > 0; length--) {
    const name = textOf(run.slice(0, length));
    const names = state.request.knowledge.editionsOf(name);
    // `Scaling Bitcoin 2015`
    const year = state.chunks[index + length]?.period?.from.slice(0, 4) ?? '';
    const ofYear = names.filter((each) => year !== '' && each.includes(year));
    if (ofYear.length > 0) return { length: length + 1, names: ofYear };
    if (names.length > 0) return { length, names };
  }
  return undefined;
}

export interface Parties {
  /** Each with its possible names. */
  readonly names: readonly (readonly string[])[];
  /** Adjacent words that are no names, or that the filter cannot express. */
  readonly others: readonly string[];
  /** Whether any of them suffices. */
  readonly isAny: boolean;
  /** Whether they suffice instead of those before: `backed by A or by B`. */
  readonly isInstead: boolean;
  readonly length: number;
}

/** Parses `A`, `A and B`, `A, B or C` from an index on. A filter can express only the first two of `A and B or C`. */
export function partiesAt(state: ParseState, index: number, isFunder: boolean): Parties {
  const { chunks } = state;
  const names: (readonly string[])[] = [];
  const others: string[] = [];
  let joint: 'and' | 'or' | undefined;
  let end = index;
  for (let at = index; isContent(chunks[at]); ) {
    const known = nameAt(state, at, isFunder);
    if (at > index && known === undefined && facetAt(state, at)) break;
    const conjunction = at > index ? conjunctionOf(chunks[at - 1]) : undefined;
    joint ??= conjunction;
    end = at + (known?.length ?? 1);
    if (known && (conjunction === undefined || conjunction === joint)) names.push(known.names);
    else others.push(textOf(chunks.slice(at, end)));
    const isJoined = conjunctionOf(chunks[end]) !== undefined;
    // `compare A B funding`
    const isBeside = known !== undefined && chunks[end]?.isName === true && anyMeans(chunks, 'versus');
    if (!isJoined && !isBeside && chunks[end]?.tokens[0]?.isListed !== true) {
      // In `grants from Uniswap Foundation`, the second name is a part of an unknown one, and `Acme Ventures` is not Acme.
      if (isFunder && known && endsFirm(chunks[end])) names.pop();
      else if (isFunder && known && chunks[end]?.isName && !isOwnedChain(state, end) && !isChainOfDeals(state, end))
        others.push(phraseOf(chunks[end++]?.tokens ?? []));
      else if (isFunder && known && isNameContinued(state, end)) names.pop();
      break;
    }
    at = isJoined ? end + 1 : end;
  }
  const before = chunks.slice(0, index).findLast((chunk) => !means(chunk, 'in', 'by') && roleOf(chunk) === undefined);
  return { names, others, isAny: joint === 'or', isInstead: means(before, 'or'), length: end - index };
}

/** Whether the name at an index is the chain of an investor's rounds: `Acme Ventures Solana 2021`. */
export const isChainOfDeals = ({ type, chunks, request: { knowledge } }: ParseState, index: number): boolean =>
  type === 'rounds' &&
  knowledge.typesWith('chain', phraseOf(chunks[index]?.tokens ?? [])).includes('rounds') &&
  areDealsOf(chunks, knowledge);

/** How a word joins names: of those that are compared, any suffices. */
const conjunctionOf = (chunk: Chunk | undefined): 'and' | 'or' | undefined =>
  means(chunk, 'and') ? 'and' : means(chunk, 'or', 'versus') ? 'or' : undefined;

/** Whether a capital letter continues a name, though no record has the longer one. */
const isNameContinued = (state: ParseState, index: number): boolean =>
  isContent(state.chunks[index]) &&
  /^\p{Lu}/u.test(state.chunks[index]?.tokens[0]?.raw ?? '') &&
  facetAt(state, index) === undefined;
