import type { FilterName } from '../../contract/filters.ts';
import { type Draft, has, nounOf } from './draft.ts';
import { FACETS, keysOf, phraseOf, WORDS_MAX } from './knowledge.ts';
import { means, type Piece } from './pieces.ts';
import type { Token } from './tokens.ts';

/** Reads what is no word of sentences: a name, a value of a filter, or text. */
export function readContent(draft: Draft, place: number): number {
  const run = contentAt(draft, place);
  const { role } = draft;
  const isParty = role === 'led' || role === 'backed';
  const isOfCompany =
    role === 'works' || role === 'founds' || draft.type === 'rounds' || means(draft.pieces[place - 1], 'from');
  const length = namedLength(draft, place);
  if (isParty && length > 0) return keepParty(draft, place, length, 'investor');
  for (let count = Math.min(run.length, WORDS_MAX); count > 0; count--) {
    const taken = keepFacet(draft, place, run.slice(0, count));
    if (taken) return count;
  }
  if (isOfCompany && length > 0 && has(draft, 'company')) return keepParty(draft, place, length, 'company');
  const before = backwardParty(draft, place, length);
  if (before) return length;
  const [piece] = run;
  draft.text.push(...(piece?.tokens.map(({ raw }) => raw) ?? []));
  return 1;
}

/** Pieces at a place that are no words of sentences. */
function contentAt({ pieces }: Draft, place: number): Piece[] {
  const run: Piece[] = [];
  for (let at = place; at < pieces.length && run.length < WORDS_MAX; at++) {
    const piece = pieces[at] as Piece;
    if (piece.period || piece.amount || piece.phrase || piece.closed) break;
    run.push(piece);
  }
  return run;
}

/** Pieces at a place that are a name; none when nobody is called so. */
function namedLength(draft: Draft, place: number): number {
  const run = contentAt(draft, place);
  for (let count = run.length; count > 0; count--) {
    const tokens = run.slice(0, count).flatMap((piece) => piece.tokens);
    if (draft.request.knowledge.isName(phraseOf(tokens))) return count;
  }
  return 0;
}

function keepParty(draft: Draft, place: number, length: number, filter: 'investor' | 'company'): number {
  if (!has(draft, filter)) return keepText(draft, place, length);
  const words = phraseOf(draft.pieces.slice(place, place + length).flatMap(({ tokens }) => tokens));
  if (draft.negation) return keepNoParty(draft, filter, { words, length });
  const known = draft.filters.get(filter);
  draft.filters.set(filter, known === undefined ? words : `all:${String(known).replace(/^all:/, '')}|${words}`);
  if (filter === 'company') draft.soft.set(filter, [draft.soft.get(filter) ?? '', words].join(' ').trim());
  if (filter === 'investor' && draft.role === 'led') draft.filters.set('led', true);
  // Only `and` goes on with the same role.
  if (!means(draft.pieces[place + length], 'and', 'or')) draft.role = undefined;
  return length;
}

/** Somebody who has nothing to do with what is searched; beside others of that filter it is said, and not read. */
function keepNoParty(
  draft: Draft,
  filter: 'investor' | 'company',
  { words, length }: { readonly words: string; readonly length: number },
): number {
  if (!draft.filters.has(filter) && draft.role !== 'led') {
    draft.filters.set(filter, `not:${words}`);
    draft.negation = undefined;
  } else {
    draft.ignored.push(words);
  }
  draft.role = undefined;
  return length;
}

function keepText(draft: Draft, place: number, length: number): number {
  draft.text.push(...draft.pieces.slice(place, place + length).flatMap(({ tokens }) => tokens.map(({ raw }) => raw)));
  return length;
}

/** `rounds that Paradigm led`: the name stands before its role. */
function backwardParty(draft: Draft, place: number, length: number): boolean {
  const next = draft.pieces[place + length];
  const role = means(next, 'led') ? 'led' : means(next, 'backed') || means(next, 'backs') ? 'backed' : undefined;
  if (length === 0 || role === undefined || draft.type === 'investors' || !has(draft, 'investor')) return false;
  if (draft.pieces.slice(place + length + 1).some((piece) => piece.isName)) return false;
  draft.role = role;
  keepParty(draft, place, length, 'investor');
  return true;
}

/** Words of these lengths are values only where they are written like an abbreviation. */
const SHORT_MAX = 3;

/** Keeps the value of a filter that some pieces are; false when they are none. */
function keepFacet(draft: Draft, place: number, run: readonly Piece[]): boolean {
  const tokens = run.flatMap((piece) => piece.tokens);
  const words = phraseOf(tokens);
  const filter = FACETS.find((each) => isValue(draft, place, { filter: each, tokens, words, length: run.length }));
  if (filter === undefined) return false;
  keepValue(draft, filter, words, words);
  return true;
}

interface Candidate {
  readonly filter: (typeof FACETS)[number];
  readonly tokens: readonly Token[];
  readonly words: string;
  readonly length: number;
}

function isValue(draft: Draft, place: number, { filter, tokens, words, length }: Candidate): boolean {
  const { knowledge } = draft.request;
  const known = knowledge.typesWith(filter, words);
  const isShort = filter !== 'tag' && filter !== 'chain' && words.length <= SHORT_MAX;
  if ((isShort && words !== words.toUpperCase()) || tokens.every(({ text }) => /^\d/.test(text))) return false;
  if (!known.some((type) => draft.types.includes(type)) || keysOf(filter, words).length === 0) return false;
  const before = draft.pieces[place - 1];
  const next = draft.pieces[place + length];
  const isOf =
    draft.role === 'works' || draft.role === 'founds' || draft.role === 'foundedBy' || draft.role === 'speaks';
  if (filter !== 'chain') return !isOf && (draft.type !== undefined || means(before, 'in', 'from', 'not'));
  // Chinese says it behind.
  const isOn = means(before, 'on', 'not') || (means(next, 'on') && /\p{Script=Han}/u.test(next?.tokens[0]?.raw ?? ''));
  // Many chains are also companies: only beside a noun, or `on` it, is a chain meant.
  const isBesideNoun = next !== undefined && (nounOf(next) !== undefined || draft.filters.has('tag'));
  return draft.role === undefined && (isOn || isBesideNoun || (means(before, 'in') && draft.type === 'companies'));
}

/** Keeps a value of a filter that may have been meant as words. */
export function keepValue(draft: Draft, filter: FilterName, value: string, words: string): void {
  const known = draft.filters.get(filter);
  const mode = draft.negation ? 'not:' : '';
  draft.filters.set(filter, known === undefined ? `${mode}${value}` : `${known}|${value}`);
  // What somebody is not is no word to search for.
  const kept = draft.negation ? draft.sparse : draft.soft;
  kept.set(filter, [kept.get(filter) ?? '', words].join(' ').trim());
  draft.negation = undefined;
}
