import type { FilterName } from '../../contract/filters.ts';
import { BOUNDS, type Bound, type SentenceDraft } from './draft.ts';
import {
  amountFilters,
  type Given,
  investmentFilters,
  type OpenPeriod,
  periodFilters,
  staffFilters,
} from './filters.ts';
import { shiftDay } from './periods.ts';
import { isContent, means, type Piece } from './pieces.ts';

interface Ends<Value> {
  readonly low: Value;
  readonly high: Value;
}

/** The index of a range's end: `between 2020 and 2022`, `2020 to 2022`. */
function rangeEnd(draft: SentenceDraft, place: number, is: (piece: Piece) => boolean): number | undefined {
  const next = draft.pieces[place + 1];
  const after = draft.pieces[place + 2];
  const isJoined =
    next?.tokens[0]?.text === '-' ||
    next?.tokens[0]?.text === '–' ||
    means(next, 'to', 'until') ||
    (draft.bound === 'between' && means(next, 'and'));
  return isJoined && after && is(after) ? place + 2 : undefined;
}

/** Reads a period with bounds. Returns the number of pieces read. */
export function readSpan(draft: SentenceDraft, place: number, { low, high }: Ends<string>): number {
  const end = rangeEnd(draft, place, ({ period }) => period !== undefined);
  const bound = end === undefined ? boundAt(draft, place) : undefined;
  const span: OpenPeriod =
    bound === 'since' || bound === 'min'
      ? { from: low }
      : bound === 'after'
        ? { from: shiftDay(high, 1) }
        : bound === 'before'
          ? { to: shiftDay(low, -1) }
          : bound === 'until' || bound === 'max'
            ? { to: high }
            : { from: low, to: end === undefined ? high : (draft.pieces[end]?.period?.to ?? high) };
  const length = (end ?? place) - place + 1 + (isOpenAt(draft, (end ?? place) + 1) ? 1 : 0);
  keepAll(draft, periodFilters(draft.types, draft.subject, span), place, length);
  draft.bound = undefined;
  return length;
}

const isOpenAt = (draft: SentenceDraft, place: number): boolean => means(draft.pieces[place], 'orMore', 'orLess');

/** The bound of a period: stated before it, or after it. */
function boundAt(draft: SentenceDraft, place: number): Bound | undefined {
  const next = draft.pieces[place + 1];
  if (means(next, 'orMore')) return 'since';
  if (means(next, 'orLess')) return 'until';
  // Postpositions in Chinese: `2020年以后`.
  const behind = BOUNDS.find((each) => /\p{Script=Han}/u.test(next?.tokens[0]?.raw ?? '') && means(next, each));
  if (behind !== undefined) return behind;
  if (draft.bound !== undefined) return draft.bound;
  const before = draft.pieces[place - 1];
  return means(before, 'since') ? 'since' : undefined;
}

/** Reads an amount with bounds. Returns the number of pieces read. */
export function readAmount(draft: SentenceDraft, place: number): number {
  const { amount } = draft.pieces[place] as Required<Pick<Piece, 'amount'>>;
  const end = rangeEnd(draft, place, (piece) => piece.amount !== undefined);
  const high = end === undefined ? undefined : draft.pieces[end]?.amount?.value;
  const bounds = high === undefined ? boundsOf(draft, place, amount) : { min: amount.value, max: high };
  const length = (end ?? place) - place + 1;
  const counted = place + length + (isOpenAt(draft, place + length) ? 1 : 0);
  const unit = amount.isMoney ? undefined : draft.pieces[counted];
  const given = means(unit, 'employees')
    ? staffFilters(draft.types, bounds)
    : means(unit, 'investments')
      ? investmentFilters(draft.types, bounds)
      : amountFilters(draft.types, bounds);
  keepAll(draft, given, place, length);
  draft.bound = undefined;
  return length;
}

/** Minimum and maximum of an amount: `more than 10` people begins with 11. Money is a round figure, and inclusive. */
function boundsOf(
  draft: SentenceDraft,
  place: number,
  { value, isMoney }: Required<Piece>['amount'],
): { min?: number; max?: number } {
  const next = draft.pieces[place + 1];
  if (means(next, 'orMore')) return { min: value };
  if (means(next, 'orLess')) return { max: value };
  switch (draft.bound) {
    case 'over':
    case 'after':
      return { min: isMoney ? value : Math.floor(value) + 1 };
    case 'under':
    case 'before':
      return { max: isMoney ? value : Math.ceil(value) - 1 };
    case 'max':
    case 'until':
      return { max: value };
    case undefined:
      // A company's amount is a total, to which later rounds may have added.
      return draft.type === 'rounds' ? { min: value, max: value } : { min: value };
    default:
      return { min: value };
  }
}

/** Rarely known fields. */
const SPARSE: ReadonlySet<FilterName> = new Set(['founded_from', 'founded_to', 'employees_min', 'employees_max']);

/**
 * Adds the filters of some pieces. Without any, the pieces are keywords if a name continues (`Token 2049`); otherwise
 * the reading is partial.
 */
export function keepAll(draft: SentenceDraft, given: Given, place: number, length: number): void {
  const wordsOf = (pieces: readonly Piece[]): string[] => pieces.flatMap(({ tokens }) => tokens.map(({ raw }) => raw));
  const words = wordsOf(draft.pieces.slice(place, place + length));
  const [before, after] = [draft.pieces[place - 1], draft.pieces[place + length]];
  const isCounted = means(after, 'employees', 'investments');
  const bounded = [means(before, ...BOUNDS) ? before : undefined, isCounted ? after : undefined];
  const [first = [], last = []] = bounded.map((piece) => (piece === undefined ? [] : wordsOf([piece])));
  for (const [name, value] of given) {
    draft.filters.set(name, value);
    if (SPARSE.has(name)) draft.sparse.set(name, [...first, ...words, ...last].join(' '));
  }
  if (given.length > 0) return;
  if (isContent(before) && draft.text.at(-1) === before.tokens.at(-1)?.raw) {
    draft.text.push(...words);
  } else {
    draft.ignored.push(...words);
    draft.isPartial = true;
  }
}
