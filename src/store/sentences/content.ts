import type { FilterName } from '../../contract/filters.ts';
import { has, nounOf, type SentenceDraft } from './draft.ts';
import { FACETS, type FacetName, isInVocabulary, phraseOf, WORDS_MAX } from './knowledge.ts';
import { isContent, means, type Piece } from './pieces.ts';
import type { Token } from './sentence-tokens.ts';

/** Reads what is no word of sentences: a name, a value of a filter, or text. */
export function readContent(draft: SentenceDraft, place: number): number {
  const { role } = draft;
  const isParty =
    role === 'led' || role === 'backed' || (draft.negation !== undefined && draft.filters.has('investor'));
  const isOfCompany =
    role === 'works' ||
    role === 'founds' ||
    (role === 'backs' && draft.type === 'investors') ||
    draft.type === 'rounds' ||
    means(draft.pieces[place - 1], 'from');
  const parties = partiesAt(draft, place, isParty);
  const isNamed = parties.names.length > 0;
  if (isParty && isNamed && has(draft, 'investor')) return keepParties(draft, parties, 'investor');
  const facet = facetAt(draft, place);
  if (facet) {
    keepValue(draft, facet.filter, facet.words, facet.words);
    return facet.length;
  }
  if (backwardParty(draft, place, parties)) return parties.length;
  if (isOfCompany && isNamed && has(draft, 'company')) return keepParties(draft, parties, 'company');
  // Who is not known can have led nothing: the word alone says less than was asked.
  if (isParty) draft.isPartial = true;
  keepWord(draft, place);
  return 1;
}

/** A word to look for, unless it only counts, or counts or negates what no filter can say. */
function keepWord(draft: SentenceDraft, place: number): void {
  const words = draft.pieces[place].tokens.map(({ raw }) => raw);
  const before = draft.pieces[place - 1];
  const isNumber = words.every((word) => /^\d/.test(word));
  const isLeftOut = (isNumber && draft.bound !== undefined) || draft.negation !== undefined;
  // `top 5`: how many are shown is said by the page.
  const isCount = isNumber && means(before, 'largest', 'latest');
  (isLeftOut || isCount ? draft.ignored : draft.text).push(...words);
  draft.isPartial ||= isLeftOut;
  if (isLeftOut) draft.bound = draft.negation = undefined;
  draft.hasUnknownPlace ||= means(before, 'in');
}

/** Pieces at a place that are no words of sentences. */
function contentAt({ pieces }: SentenceDraft, place: number): Piece[] {
  const run: Piece[] = [];
  for (let at = place; at < pieces.length && run.length < WORDS_MAX; at++) {
    const piece = pieces[at] as Piece;
    if (!isContent(piece)) break;
    run.push(piece);
  }
  return run;
}

/** Pieces at a place that are a name; none when nobody is called so. */
function namedLength(draft: SentenceDraft, place: number): number {
  const run = contentAt(draft, place);
  for (let count = run.length; count > 0; count--) {
    const tokens = run.slice(0, count).flatMap((piece) => piece.tokens);
    if (draft.request.knowledge.isName(phraseOf(tokens))) return count;
  }
  return 0;
}

/** The name at a place: one that somebody bears, or those of the investors that are called so for short. */
function nameAt(
  draft: SentenceDraft,
  place: number,
  isFunder: boolean,
): { length: number; names: readonly string[] } | undefined {
  const length = namedLength(draft, place);
  const phrase = phraseOf(draft.pieces.slice(place, place + (length || 1)).flatMap(({ tokens }) => tokens));
  const names = length > 0 ? [phrase] : isFunder ? draft.request.knowledge.investorsCalled(phrase) : [];
  return names.length > 0 ? { length: length || 1, names } : undefined;
}

/** Names that are said in one breath. */
interface Parties {
  /** Each with the names that are meant by it. */
  readonly names: readonly (readonly string[])[];
  /** Words beside them that are nobody's name, or that one filter cannot say too. */
  readonly others: readonly string[];
  /** Whether any of them will do. */
  readonly isAny: boolean;
  readonly length: number;
}

/** `A`, `A and B`, `A, B or C` from a place on. Of `A and B or C` one filter can say the first two. */
function partiesAt(draft: SentenceDraft, place: number, isFunder: boolean): Parties {
  const { pieces } = draft;
  const names: (readonly string[])[] = [];
  const others: string[] = [];
  let joint: 'and' | 'or' | undefined;
  let end = place;
  for (let at = place; isContent(pieces[at]); ) {
    const known = nameAt(draft, at, isFunder);
    if (at > place && known === undefined && facetAt(draft, at)) break;
    const said = (['and', 'or'] as const).find((each) => at > place && means(pieces[at - 1], each));
    joint ??= said;
    end = at + (known?.length ?? 1);
    if (known && (said === undefined || said === joint)) names.push(known.names);
    else others.push(phraseOf(pieces.slice(at, end).flatMap(({ tokens }) => tokens)));
    const isJoined = means(pieces[end], 'and', 'or');
    if (!isJoined && pieces[end]?.tokens[0]?.isListed !== true) break;
    at = isJoined ? end + 1 : end;
  }
  return { names, others, isAny: joint === 'or', length: end - place };
}

function keepParties(draft: SentenceDraft, parties: Parties, filter: 'investor' | 'company'): number {
  const { names, others, length } = parties;
  const isLed = filter === 'investor' && draft.role === 'led';
  // A round is of one company, and who founded two is asked of each.
  const isAny = parties.isAny || (filter === 'company' && (draft.type === 'rounds' || draft.role === 'founds'));
  const mode = draft.negation ? 'not:' : names.length > 1 && !isAny ? 'all:' : '';
  // One filter says one thing of all its names: what is beside it is told, and not read.
  const isSayable = !draft.filters.has(filter) && !(draft.negation && isLed);
  const meant = mode === 'all:' ? names.map(([name]) => name) : names.flat();
  if (isSayable) draft.filters.set(filter, mode + meant.join('|'));
  if (isSayable && isLed) draft.filters.set('led', true);
  if (isSayable && filter === 'company' && mode === '') draft.soft.set(filter, meant.join(' '));
  const left = isSayable ? others : [...meant, ...others];
  draft.ignored.push(...left);
  draft.isPartial ||= left.length > 0;
  draft.negation = undefined;
  draft.role = undefined;
  return length;
}

/** `rounds that Paradigm led`: the name stands before its role. */
function backwardParty(draft: SentenceDraft, place: number, parties: Parties): boolean {
  const end = place + parties.length;
  const next = draft.pieces[end];
  const role = means(next, 'led') ? 'led' : means(next, 'backed') || means(next, 'backs') ? 'backed' : undefined;
  const isNamed = parties.names.length > 0;
  if (
    !isNamed ||
    role === undefined ||
    next?.tokens.length !== 1 ||
    draft.type === 'investors' ||
    !has(draft, 'investor')
  )
    return false;
  if (draft.pieces.slice(end + 1).some((piece) => piece.isName)) return false;
  draft.role = role;
  keepParties(draft, parties, 'investor');
  return true;
}

/** Words of these lengths are values only where they are written like an abbreviation. */
const SHORT_MAX = 3;

/** The value of a filter that pieces at a place are; the longest. */
function facetAt(
  draft: SentenceDraft,
  place: number,
): { filter: FacetName; words: string; length: number } | undefined {
  const run = contentAt(draft, place);
  for (let length = run.length; length > 0; length--) {
    const tokens = run.slice(0, length).flatMap((piece) => piece.tokens);
    const words = phraseOf(tokens);
    const filter = FACETS.find((each) => isValue(draft, place, { filter: each, tokens, words, length }));
    if (filter !== undefined) return { filter, words, length };
  }
  return undefined;
}

interface Candidate {
  readonly filter: FacetName;
  readonly tokens: readonly Token[];
  readonly words: string;
  readonly length: number;
}

function isValue(draft: SentenceDraft, place: number, { filter, tokens, words, length }: Candidate): boolean {
  const { knowledge } = draft.request;
  const known = knowledge.typesWith(filter, words);
  const isPlace = filter === 'country' || filter === 'city';
  const isShort = isPlace && words.length <= SHORT_MAX && !/\p{Script=Han}/u.test(words);
  if ((isShort && words !== words.toUpperCase()) || tokens.every(({ text }) => /^\d/.test(text))) return false;
  // Nothing is on record of most places, and that is the answer.
  const isKnown = isPlace && !isShort && has(draft, filter) && isInVocabulary(filter, words);
  if (!isKnown && !known.some((type) => draft.types.includes(type))) return false;
  const before = draft.pieces[place - 1];
  const next = draft.pieces[place + length];
  const isOf =
    draft.role === 'works' || draft.role === 'founds' || draft.role === 'foundedBy' || draft.role === 'speaks';
  const isWhere = isPlace && means(before, 'in');
  if (filter !== 'chain') return (!isOf || isWhere) && (draft.type !== undefined || means(before, 'in', 'from', 'not'));
  // Chinese says it behind.
  const isOn = means(before, 'on', 'not') || (means(next, 'on') && /\p{Script=Han}/u.test(next?.tokens[0]?.raw ?? ''));
  // Many chains are also companies: only beside a noun, or `on` it, is a chain meant.
  const noun = draft.pieces.slice(place + length).find((piece) => !isContent(piece));
  const isBesideNoun = next !== undefined && ((noun && nounOf(noun)) !== undefined || draft.filters.has('tag'));
  return draft.role === undefined && (isOn || isBesideNoun || (means(before, 'in') && draft.type === 'companies'));
}

/** Keeps a value of a filter that may have been meant as words. */
export function keepValue(draft: SentenceDraft, filter: FilterName, value: string, words: string): void {
  const known = draft.filters.get(filter);
  const mode = draft.negation ? 'not:' : '';
  draft.filters.set(filter, known === undefined ? `${mode}${value}` : `${known}|${value}`);
  // What somebody is not is no word to search for.
  const kept = draft.negation ? draft.sparse : draft.soft;
  kept.set(filter, [kept.get(filter) ?? '', words].join(' ').trim());
  draft.negation = undefined;
}
