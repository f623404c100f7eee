import type { FilterName } from '../../contract/filters.ts';
import { type Amount, amountAt } from './amounts.ts';
import type { DatedPart } from './dates.ts';
import { BEGINS_PLACE, closedValue, isPlainWord, phraseOf, WORDS_MAX } from './knowledge.ts';
import type { Meaning, Phrase } from './lexicon.ts';
import { type Calendar, type DateRange, periodAt } from './periods.ts';
import type { Token } from './sentence-tokens.ts';

/** Tokens with a joint meaning. */
export interface Piece {
  readonly tokens: readonly Token[];
  readonly period?: DateRange;
  readonly amount?: Amount;
  readonly phrase?: Phrase;
  /** A closed vocabulary value with its filter. */
  readonly closed?: readonly [FilterName, string];
  /** Whether it is the name of a record. */
  readonly isName?: true;
}

interface Cutting extends Calendar {
  readonly dates: readonly DatedPart[];
  isName(name: string): boolean;
  isPlace(name: string): boolean;
}

export const means = (piece: Piece | undefined, ...meanings: readonly Meaning[]): boolean =>
  meanings.some((meaning) => piece?.phrase?.meanings.has(meaning));

/** Whether a piece is a name or no function word. */
export const isContent = (piece: Piece | undefined): piece is Piece =>
  piece !== undefined && !(piece.period || piece.amount || piece.phrase || piece.closed);

/** Splits a text into pieces. */
export function piecesOf(tokens: readonly Token[], cutting: Cutting): Piece[] {
  const pieces: Piece[] = [];
  for (let place = 0; place < tokens.length; ) {
    const piece = pieceAt(tokens, place, cutting);
    pieces.push(piece);
    place += piece.tokens.length;
  }
  return pieces;
}

function pieceAt(tokens: readonly Token[], place: number, cutting: Cutting): Piece {
  const of = (length: number): readonly Token[] => tokens.slice(place, place + length);
  const name = nameLength(tokens, place, cutting);
  if (name > 1) return { tokens: of(name), isName: true };
  const ofPlace = placeLength(tokens, place, cutting);
  if (ofPlace > 0) return { tokens: of(ofPlace) };
  const dated = cutting.dates.find(
    ({ start, end }) => start < (tokens[place]?.end ?? 0) && end > (tokens[place]?.start ?? 0),
  );
  const period = periodAt(tokens, place, cutting);
  const datedLength = dated ? tokens.slice(place).filter(({ start }) => start < dated.end).length : 0;
  if (period && period.length >= datedLength) return { tokens: of(period.length), period };
  if (dated) return { tokens: of(datedLength), period: dated };
  const amount = amountAt(tokens, place, cutting.lexicon);
  if (amount && (amount.isMoney || isCounted(tokens, place + amount.length, cutting)))
    return { tokens: of(amount.length), amount };
  const end = amount && rangeEnd(tokens, place + amount.length, cutting);
  if (amount && end)
    return { tokens: of(amount.length), amount: { ...amount, value: amount.value * end.scale, isMoney: end.isMoney } };
  for (let length = Math.min(cutting.lexicon.wordsMax, tokens.length - place); length > 0; length--) {
    const words = of(length)
      .map(({ text }) => text)
      .join(' ');
    const closed = closedValue(words);
    const phrase = cutting.lexicon.phrase(words);
    if (closed) return { tokens: of(length), closed };
    if (phrase && phrase.meanings.size > 0) return { tokens: of(length), phrase };
  }
  return name === 1 ? { tokens: of(1), isName: true } : { tokens: of(1) };
}

/** The amount at the end of a range, which states the unit: `5 million` of `1 to 5 million`, `50` of `10-50 employees`. */
function rangeEnd(tokens: readonly Token[], place: number, cutting: Cutting): Amount | undefined {
  const { lexicon } = cutting;
  const joint = lexicon.phrase(tokens[place]?.text ?? '')?.meanings;
  if (!/^[-–]$/.test(tokens[place]?.text ?? '') && !joint?.has('and') && !joint?.has('to')) return undefined;
  const end = amountAt(tokens, place + 1, lexicon);
  return end && (end.isMoney || isCounted(tokens, place + 1 + end.length, cutting)) ? end : undefined;
}

/** Whether a number counts employees or investments. */
function isCounted(tokens: readonly Token[], place: number, { lexicon }: Cutting): boolean {
  const said = (from: number, to: number): Phrase | undefined =>
    lexicon.phrase(
      tokens
        .slice(place + from, place + to)
        .map(({ text }) => text)
        .join(' '),
    );
  const isOpen = [1, 2].find((length) => {
    const { meanings } = said(0, length) ?? {};
    return meanings?.has('orMore') || meanings?.has('orLess');
  });
  const { meanings } = said(isOpen ?? 0, (isOpen ?? 0) + 1) ?? {};
  return meanings?.has('employees') === true || meanings?.has('investments') === true;
}

/** Number of words of a place at a token that is a function word otherwise; 0 if there is none. */
function placeLength(tokens: readonly Token[], place: number, { isPlace }: Cutting): number {
  if (!BEGINS_PLACE.has(tokens[place]?.text ?? '')) return 0;
  for (let length = Math.min(WORDS_MAX, tokens.length - place); length > 1; length--)
    if (isPlace(phraseOf(tokens.slice(place, place + length)))) return length;
  return 0;
}

/** Number of words of the longest name at a token. Function words alone are no names. */
function nameLength(tokens: readonly Token[], place: number, { isName, lexicon }: Cutting): number {
  for (let length = Math.min(WORDS_MAX, tokens.length - place); length > 1; length--) {
    const some = tokens.slice(place, place + length);
    const isPlain = some.every(({ text }) => isPlainWord(lexicon.phrase(text)));
    if (!isPlain && isName(phraseOf(some))) return length;
  }
  const [token] = tokens.slice(place);
  return token && lexicon.phrase(token.text) === undefined && isName(token.raw) ? 1 : 0;
}
