import type { FilterName } from '../../contract/filters.ts';
import { BOUNDS, type Bound, type Draft } from './draft.ts';
import { amountFilters, type Given, periodFilters, type Span, staffFilters } from './filters.ts';
import { shiftDay } from './periods.ts';
import { means, type Piece } from './pieces.ts';

interface Ends<Value> {
  readonly low: Value;
  readonly high: Value;
}

/** The end of a range that a second piece of the same kind makes: `between 2020 and 2022`, `2020 to 2022`. */
function rangeEnd(draft: Draft, place: number, is: (piece: Piece) => boolean): number | undefined {
  const next = draft.pieces[place + 1];
  const after = draft.pieces[place + 2];
  const isJoined =
    next?.tokens[0]?.text === '-' ||
    next?.tokens[0]?.text === '–' ||
    means(next, 'to', 'until') ||
    (draft.bound === 'between' && means(next, 'and'));
  return isJoined && after && is(after) ? place + 2 : undefined;
}

/** Reads a period with its bounds, and gives how many pieces it took. */
export function readSpan(draft: Draft, place: number, { low, high }: Ends<string>): number {
  const end = rangeEnd(draft, place, ({ period }) => period !== undefined);
  const bound = end === undefined ? boundAt(draft, place) : undefined;
  const span: Span =
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
  keepAll(draft, periodFilters(draft.types, draft.subject, span), draft.pieces.slice(place, place + length));
  draft.bound = undefined;
  return length;
}

const isOpenAt = (draft: Draft, place: number): boolean => means(draft.pieces[place], 'orMore', 'orLess');

/** The bound of a period: what was said before it, or the words behind it. */
function boundAt(draft: Draft, place: number): Bound | undefined {
  const next = draft.pieces[place + 1];
  if (means(next, 'orMore')) return 'since';
  if (means(next, 'orLess')) return 'until';
  // Chinese says it behind: `2020年以后`.
  const behind = BOUNDS.find((each) => /\p{Script=Han}/u.test(next?.tokens[0]?.raw ?? '') && means(next, each));
  if (behind !== undefined) return behind;
  if (draft.bound !== undefined) return draft.bound;
  const before = draft.pieces[place - 1];
  return means(before, 'since') ? 'since' : undefined;
}

/** Reads an amount with its bounds, and gives how many pieces it took. */
export function readAmount(draft: Draft, place: number): number {
  const { amount } = draft.pieces[place] as Required<Pick<Piece, 'amount'>>;
  const sign = draft.pieces[place - 1]?.tokens[0]?.text ?? '';
  const end = rangeEnd(draft, place, (piece) => piece.amount !== undefined);
  const next = draft.pieces[place + 1];
  const isLess = means(next, 'orLess') || /^[<≤]$/.test(sign) || ['max', 'before', 'until'].includes(draft.bound ?? '');
  const isExact = draft.type === 'rounds' && draft.bound === undefined && !means(next, 'orMore') && sign === '';
  const high = end === undefined ? amount.value : (draft.pieces[end]?.amount?.value ?? amount.value);
  const bounds =
    end !== undefined || isExact ? { min: amount.value, max: high } : isLess ? { max: high } : { min: amount.value };
  const length = (end ?? place) - place + 1;
  const isStaff = !amount.isMoney && means(draft.pieces[place + length], 'employees');
  const given = isStaff ? staffFilters(draft.types, bounds) : amountFilters(draft.types, bounds);
  keepAll(draft, given, draft.pieces.slice(place, place + length));
  draft.bound = undefined;
  return length;
}

/** What most sources say of few records. */
const SPARSE: ReadonlySet<FilterName> = new Set(['founded_from', 'founded_to', 'employees_min', 'employees_max']);

/** Keeps filters, or the words that would have made them. */
export function keepAll(draft: Draft, given: Given, pieces: readonly Piece[]): void {
  const words = pieces.flatMap(({ tokens }) => tokens.map(({ raw }) => raw));
  for (const [name, value] of given) {
    draft.filters.set(name, value);
    if (SPARSE.has(name)) draft.sparse.set(name, words.join(' '));
  }
  if (given.length === 0) draft.text.push(...words);
}
