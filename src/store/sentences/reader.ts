import type { RecordType } from '../../contract/entities/index.ts';
import type { FilterName } from '../../contract/filters.ts';
import type { SortedField } from '../../contract/sorts.ts';
import type { Understood } from '../port/records.ts';
import { isBesideNoun, keepValue, readContent } from './content.ts';
import { BOUNDS, begin, has, leads, nounOf, type ReadingRequest, roleOf, type SentenceDraft } from './draft.ts';
import { periodFilters } from './filters.ts';
import { isPlaceIn, phraseOf } from './knowledge.ts';
import { means, type Piece, piecesOf } from './pieces.ts';
import { keepAll, readAmount, readSpan } from './spans.ts';

/** A parsed sentence. */
export interface Reading extends Understood {
  /** Filters with words that may be keywords, with those words. */
  readonly soft: ReadonlyMap<FilterName, string>;
  /** Filters on rarely known fields, with their words. */
  readonly sparse: ReadonlyMap<FilterName, string>;
  /** Whether it can only be a sentence, because it states conditions. */
  readonly isCertain: boolean;
  /** Whether it contains a question word. */
  readonly isAsked: boolean;
  /** Whether every part was understood; `if named`: only if a record has the remaining text as its name. */
  readonly isWhole: boolean | 'if named';
  /** Whether an unknown word is in the position of a place. */
  readonly hasUnknownPlace: boolean;
}

/** Parses a sentence by rules. Undefined if the text is none: without question word and filter. */
export function readSentence(request: ReadingRequest): Reading | undefined {
  const { tokens, lexicon, today, dates, knowledge } = request;
  const pieces = piecesOf(tokens, {
    lexicon,
    today,
    dates: dates(),
    isName: knowledge.isName,
    isPlace: isPlaceIn(knowledge),
  });
  const draft = begin(request, pieces);
  for (let place = 0; place < pieces.length; ) place += readPiece(draft, place);
  const { type, filters, text, ignored, soft, sparse, isAsked } = draft;
  const isNamed = pieces.some((piece) => type !== undefined && nounOf(piece) === type);
  if (!isNamed && filters.size === 0 && !isAsked && !keepOwner(draft)) return undefined;
  // An unparsed negation must not be answered as its opposite.
  const isPartial = draft.isPartial || draft.negation !== undefined || pieces.some((piece) => means(piece, 'lacking'));
  // In `story protocol`, the word for the type may belong to a name.
  const mayBeName = !isAsked && filters.size === 0 && text.length > 0 && endsInSingular(pieces);
  if (draft.negation) ignored.push(...draft.negation.tokens.map(({ raw }) => raw));
  const facts = [...filters.keys()].filter((name) => name !== 'company' || isOfParty(draft));
  return {
    ...(type === undefined || request.types.length === 1 ? {} : { type }),
    filters: Object.fromEntries(filters) as Understood['filters'],
    ...(draft.sort === undefined ? {} : { sort: draft.sort }),
    text: text.join(' '),
    ignored,
    soft,
    sparse,
    isCertain: (isAsked && filters.size > 0) || (facts.length > 0 && (isNamed || pieces.some(roleOf))),
    isAsked,
    isWhole: !isPartial && (mayBeName ? 'if named' : true),
    hasUnknownPlace: draft.hasUnknownPlace,
  };
}

/** Names end in words such as Protocol and Fund; who lists a type uses the plural. */
function endsInSingular(pieces: readonly Piece[]): boolean {
  const last = pieces.at(-1);
  return last !== undefined && nounOf(last) !== undefined && !last.tokens.some(({ text }) => text.endsWith('s'));
}

const OF = new Set(['of', 'for', 'de', 'del', 'du', 'von']);

/** Keeps only the name in `total value locked of Aave`: no record has a fact that no filter or field is about. */
function keepOwner({ pieces, text, ignored }: SentenceDraft): boolean {
  const [before, last] = pieces.slice(-2);
  if (last?.isName !== true || !OF.has(before?.tokens[0]?.text ?? '')) return false;
  const name = last.tokens.map(({ raw }) => raw);
  ignored.push(...text.filter((word) => !name.includes(word)));
  text.splice(0, text.length, ...name);
  return true;
}

/** Whether a company's name cannot be a keyword: `investors of Kalshi`, `Kalshi funding rounds`, `founder of Kalshi`. */
const isOfParty = ({ type, pieces }: SentenceDraft): boolean =>
  pieces.some(
    (piece, place) =>
      (type === 'investors' && (means(piece, 'backs') || isBesideNoun(pieces, place, 'investors'))) ||
      (type === 'rounds' && isBesideNoun(pieces, place, 'rounds')) ||
      (type === 'people' && means(piece, 'founds')),
  );

/** Reads the piece at an index. Returns the number of pieces read. */
function readPiece(draft: SentenceDraft, place: number): number {
  const piece = draft.pieces[place] as Piece;
  if (piece.period) return readSpan(draft, place, { low: piece.period.from, high: piece.period.to });
  if (piece.amount) return readAmount(draft, place);
  if (piece.closed && has(draft, piece.closed[0])) {
    keepValue(draft, piece.closed[0], piece.closed[1], phraseOf(piece.tokens));
    return 1;
  }
  if (piece.phrase) {
    readPhrase(draft, piece);
    return 1;
  }
  return readContent(draft, place);
}

function readPhrase(draft: SentenceDraft, piece: Piece): void {
  const bound = BOUNDS.find((each) => means(piece, each));
  // In `who led the seed round of X`, X is the funded party.
  const isAskedFor = leads(piece) && draft.type !== 'companies' && draft.pieces.some((each) => means(each, 'who'));
  const role = isAskedFor ? 'backs' : roleOf(piece);
  if (bound !== undefined) draft.bound = bound;
  if (role !== undefined) draft.role = role;
  if (means(piece, 'not')) draft.negation = piece;
  if (means(piece, 'upcoming')) readUpcoming(draft, piece);
  const sort = sortFor(draft, piece);
  if (sort !== undefined) draft.sort = sort;
  // People are filtered by their company, whatever their role there.
  const isRoleUsed = role !== undefined && !(role === 'founds' && draft.type === 'people');
  const isUsed =
    bound !== undefined ||
    isRoleUsed ||
    sort !== undefined ||
    means(piece, 'upcoming') ||
    means(
      piece,
      'not',
      'in',
      'from',
      'to',
      'on',
      'by',
      'and',
      'or',
      'raised',
      'lastRound',
      'held',
      'updated',
      'employees',
      'investments',
      'orMore',
      'orLess',
      'common',
    ) ||
    (nounOf(piece) !== undefined && nounOf(piece) === draft.type);
  if (!isUsed) draft.ignored.push(...piece.tokens.map(({ raw }) => raw));
}

/** Future events begin today or later. */
function readUpcoming(draft: SentenceDraft, piece: Piece): void {
  const today = draft.request.today.toISOString().slice(0, 10);
  keepAll(draft, periodFilters(draft.types, draft.subject ?? 'held', { from: today }), draft.pieces.indexOf(piece), 1);
}

const SORTS: Readonly<Partial<Record<RecordType, Readonly<Record<'largest' | 'latest', SortedField>>>>> = {
  companies: { largest: 'total_funding_usd', latest: 'last_round_date' },
  rounds: { largest: 'amount_usd', latest: 'announced_date' },
  investors: { largest: 'investments_count', latest: 'updated_at' },
  people: { largest: 'angel_investments', latest: 'updated_at' },
};

function sortFor({ types: [type, ...others], pieces }: SentenceDraft, piece: Piece): string | undefined {
  const isLedAsked = pieces.some((each) => means(each, 'led'));
  const fields = type === undefined || others.length > 0 ? undefined : SORTS[type];
  const order = (['largest', 'latest'] as const).find((each) => means(piece, each));
  if (type === 'people' && means(piece, 'angels')) return '-angel_investments';
  if (type === 'investors' && order === 'largest' && isLedAsked) return '-lead_count';
  return fields && order && `-${fields[order]}`;
}
