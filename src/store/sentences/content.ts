import type { FilterName } from '../../contract/filters.ts';
import { has, nounOf, type SentenceDraft } from './draft.ts';
import { FACETS, type FacetName, isInVocabulary, phraseOf, WORDS_MAX } from './knowledge.ts';
import { isContent, means, type Piece } from './pieces.ts';
import type { Token } from './sentence-tokens.ts';

/** Reads pieces outside the sentence vocabulary: a name, a filter value, or text. */
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
  const isOfInvestors =
    draft.type === 'investors' && isBesideNoun(draft.pieces, place + parties.length - 1, 'investors');
  const isNamed = parties.names.length > 0;
  if (isParty && isNamed && has(draft, 'investor')) return keepParties(draft, parties, 'investor');
  const facet = facetAt(draft, place);
  if (facet) {
    keepValue(draft, facet.filter, facet.words, facet.words);
    return facet.length;
  }
  if (backwardParty(draft, place, parties)) return parties.length;
  if ((isOfCompany || isOfInvestors) && isNamed && has(draft, 'company')) return keepParties(draft, parties, 'company');
  // An unknown party cannot be filtered by; a keyword search covers less than the request.
  if (isParty) draft.isPartial = true;
  keepWord(draft, place);
  return 1;
}

/** Whether a name precedes a noun: `Kalshi investors`. */
export const isBesideNoun = (pieces: readonly Piece[], place: number, noun: 'investors' | 'rounds'): boolean =>
  pieces[place]?.isName === true && means(pieces[place + 1], noun);

/** Keeps a keyword, except for counts and for what a negation without a filter refers to. */
function keepWord(draft: SentenceDraft, place: number): void {
  const words = draft.pieces[place].tokens.map(({ raw }) => raw);
  const before = draft.pieces[place - 1];
  const isNumber = words.every((word) => /^\d/.test(word));
  const isLeftOut = (isNumber && draft.bound !== undefined) || draft.negation !== undefined;
  // In `top 5`, the number is a page size.
  const isCount = isNumber && means(before, 'largest', 'latest');
  (isLeftOut || isCount ? draft.ignored : draft.text).push(...words);
  draft.isPartial ||= isLeftOut;
  if (isLeftOut) draft.bound = draft.negation = undefined;
  draft.hasUnknownPlace ||= means(before, 'in');
}

/** Content pieces from an index on. */
function contentAt({ pieces }: SentenceDraft, place: number): Piece[] {
  const run: Piece[] = [];
  for (let at = place; at < pieces.length && run.length < WORDS_MAX; at++) {
    const piece = pieces[at] as Piece;
    if (!isContent(piece)) break;
    run.push(piece);
  }
  return run;
}

/** Number of pieces that form a name; 0 if no record has it. */
function namedLength(draft: SentenceDraft, place: number): number {
  const run = contentAt(draft, place);
  for (let count = run.length; count > 0; count--) {
    const tokens = run.slice(0, count).flatMap((piece) => piece.tokens);
    if (draft.request.knowledge.isName(phraseOf(tokens))) return count;
  }
  return 0;
}

/** The name at an index: a record's, or an abbreviation of investors' names. */
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

/** Coordinated names. */
interface Parties {
  /** Each with its possible names. */
  readonly names: readonly (readonly string[])[];
  /** Adjacent words that are no names, or that the filter cannot express. */
  readonly others: readonly string[];
  /** Whether any of them suffices. */
  readonly isAny: boolean;
  readonly length: number;
}

/** Parses `A`, `A and B`, `A, B or C` from an index on. A filter can express only the first two of `A and B or C`. */
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
  // A round has one company, and founders are matched per company.
  const isAny = parties.isAny || (filter === 'company' && (draft.type === 'rounds' || draft.role === 'founds'));
  const mode = draft.negation ? 'not:' : names.length > 1 && !isAny ? 'all:' : '';
  // A filter has one mode for all names; anything else is reported as ignored.
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

/** Parses `rounds that Paradigm led`, with the name before its role. */
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

/** Words up to this length are values only if written like abbreviations. */
const SHORT_MAX = 3;

/** The longest facet value at an index. */
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
  // Most places have no records, which is a valid answer.
  const isKnown = isPlace && !isShort && has(draft, filter) && isInVocabulary(filter, words);
  if (!isKnown && !known.some((type) => draft.types.includes(type))) return false;
  const before = draft.pieces[place - 1];
  const next = draft.pieces[place + length];
  const isOf =
    draft.role === 'works' || draft.role === 'founds' || draft.role === 'foundedBy' || draft.role === 'speaks';
  const isWhere = isPlace && means(before, 'in');
  if (filter !== 'chain') return (!isOf || isWhere) && (draft.type !== undefined || means(before, 'in', 'from', 'not'));
  // Postpositions in Chinese.
  const isOn = means(before, 'on', 'not') || (means(next, 'on') && /\p{Script=Han}/u.test(next?.tokens[0]?.raw ?? ''));
  // Many chains are companies too: a chain is meant only next to a noun or after `on`.
  const noun = draft.pieces.slice(place + length).find((piece) => !isContent(piece));
  const isBesideNoun = next !== undefined && ((noun && nounOf(noun)) !== undefined || draft.filters.has('tag'));
  return draft.role === undefined && (isOn || isBesideNoun || (means(before, 'in') && draft.type === 'companies'));
}

/** Adds a facet value that may also be a keyword. */
export function keepValue(draft: SentenceDraft, filter: FilterName, value: string, words: string): void {
  const known = draft.filters.get(filter);
  const mode = draft.negation ? 'not:' : '';
  draft.filters.set(filter, known === undefined ? `${mode}${value}` : `${known}|${value}`);
  // A negated value is no keyword.
  const kept = draft.negation ? draft.sparse : draft.soft;
  kept.set(filter, [kept.get(filter) ?? '', words].join(' ').trim());
  draft.negation = undefined;
}
