import type { FilterName } from '../../contract/filters.ts';
import { BOUNDS, type Bound, type SentenceDraft } from './draft.ts';
import { amountFilters, type Given, type OpenPeriod, periodFilters, staffFilters } from './filters.ts';
import { shiftDay } from './periods.ts';
import { isContent, means, type Piece } from './pieces.ts';

interface Ends<Value> {
  readonly low: Value;
  readonly high: Value;
}

/** The end of a range that a second piece of the same kind makes: `between 2020 and 2022`, `2020 to 2022`. */
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

/** Reads a period with its bounds, and gives how many pieces it took. */
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

/** The bound of a period: what was said before it, or the words behind it. */
function boundAt(draft: SentenceDraft, place: number): Bound | undefined {
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
export function readAmount(draft: SentenceDraft, place: number): number {
  const { amount } = draft.pieces[place] as Required<Pick<Piece, 'amount'>>;
  const end = rangeEnd(draft, place, (piece) => piece.amount !== undefined);
  const high = end === undefined ? undefined : draft.pieces[end]?.amount?.value;
  const bounds = high === undefined ? boundsOf(draft, place, amount) : { min: amount.value, max: high };
  const length = (end ?? place) - place + 1;
  const counted = place + length + (isOpenAt(draft, place + length) ? 1 : 0);
  const isStaff = !amount.isMoney && means(draft.pieces[counted], 'employees');
  const given = isStaff ? staffFilters(draft.types, bounds) : amountFilters(draft.types, bounds);
  keepAll(draft, given, place, length);
  draft.bound = undefined;
  return length;
}

/** The least and the greatest amount that is meant: `more than 10` people begins with 11. A sum of money is a round figure, and included. */
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
      // Of a company the sum of its rounds is known, of which more may have come since.
      return draft.type === 'rounds' ? { min: value, max: value } : { min: value };
    default:
      return { min: value };
  }
}

/** What most sources say of few records. */
const SPARSE: ReadonlySet<FilterName> = new Set(['founded_from', 'founded_to', 'employees_min', 'employees_max']);

/**
 * Keeps filters that some pieces mean. Without any, the pieces are words where they go on with a name (`Token 2049`); otherwise
 * the answer has to say that it is without them.
 */
export function keepAll(draft: SentenceDraft, given: Given, place: number, length: number): void {
  const words = draft.pieces.slice(place, place + length).flatMap(({ tokens }) => tokens.map(({ raw }) => raw));
  for (const [name, value] of given) {
    draft.filters.set(name, value);
    if (SPARSE.has(name)) draft.sparse.set(name, words.join(' '));
  }
  if (given.length > 0) return;
  const before = draft.pieces[place - 1];
  if (isContent(before) && draft.text.at(-1) === before.tokens.at(-1)?.raw) {
    draft.text.push(...words);
  } else {
    draft.ignored.push(...words);
    draft.isPartial = true;
  }
}
