import type { RecordType } from '../../contract/entities/index.ts';
import { type FilterName, hasFilter } from '../../contract/filters.ts';
import type { DatedPart } from './dates.ts';
import type { Subject } from './filters.ts';
import type { Knowledge } from './knowledge.ts';
import type { Lexicon, Meaning } from './lexicon.ts';
import { means, type Piece } from './pieces.ts';
import type { Token } from './sentence-tokens.ts';

/** Input of a reading. */
export interface ReadingRequest {
  readonly tokens: readonly Token[];
  readonly lexicon: Lexicon;
  readonly today: Date;
  dates(): readonly DatedPart[];
  /** Searched types. */
  readonly types: readonly RecordType[];
  readonly knowledge: Knowledge;
}

/** Nouns that name a type. */
export const NOUNS = ['companies', 'people', 'investors', 'events', 'rounds'] as const;
/** Bounds of periods and amounts; `over` and `under` are exclusive. */
export const BOUNDS = [
  'over',
  'min',
  'under',
  'max',
  'between',
  'after',
  'since',
  'before',
  'until',
] as const satisfies readonly Meaning[];
/** Words for the role of a party. */
export const ROLE_WORDS = [
  'led',
  'backed',
  'backs',
  'founds',
  'foundedBy',
  'works',
  'speaks',
] as const satisfies readonly Meaning[];
type Role = (typeof ROLE_WORDS)[number];
export type Bound = (typeof BOUNDS)[number];

/** State of a reading. */
export interface SentenceDraft {
  readonly request: ReadingRequest;
  readonly pieces: readonly Piece[];
  types: readonly RecordType[];
  type: RecordType | undefined;
  subject: Subject | undefined;
  readonly filters: Map<FilterName, string | number | boolean>;
  readonly soft: Map<FilterName, string>;
  readonly sparse: Map<FilterName, string>;
  readonly text: string[];
  readonly ignored: string[];
  isAsked: boolean;
  bound: Bound | undefined;
  role: Role | undefined;
  /** A pending negation. */
  negation: Piece | undefined;
  /** Whether a part of the request cannot be expressed. */
  isPartial: boolean;
  /** Whether an unknown word is in the position of a place. */
  hasUnknownPlace: boolean;
  /** Requested sort, in request form. */
  sort: string | undefined;
}

/** Starts a reading by determining the subject. */
export function begin(request: ReadingRequest, pieces: readonly Piece[]): SentenceDraft {
  const [only, ...others] = request.types;
  const isFixed = others.length === 0;
  const type = isFixed ? only : typeOf(pieces, request);
  return {
    request,
    pieces,
    type,
    types: type === undefined ? request.types : [type],
    subject: subjectOf(pieces),
    filters: new Map(),
    soft: new Map(),
    sparse: new Map(),
    text: [],
    ignored: [],
    isAsked: pieces.some((piece) => means(piece, 'question', 'who')),
    bound: undefined,
    // Investors that companies have in common funded each of them.
    role: type === 'investors' && pieces.some((piece) => means(piece, 'common')) ? 'backs' : undefined,
    negation: undefined,
    isPartial: false,
    hasUnknownPlace: false,
    sort: undefined,
  };
}

/** The type of the first noun, or else implied by other words. */
function typeOf(pieces: readonly Piece[], { types }: ReadingRequest): RecordType | undefined {
  const named = rankedType(pieces) ?? pieces.map(nounOf).find((type) => type !== undefined);
  const implied = (): RecordType | undefined => {
    const isWho = pieces.some((piece) => means(piece, 'who'));
    // Only rounds tell when an investor took part.
    if (pieces.some((piece) => means(piece, 'backs') && !means(piece, 'backed')))
      return pieces.some(({ period }) => period) ? 'rounds' : 'investors';
    if (isWho && pieces.some((piece) => means(piece, 'founds', 'works'))) return 'people';
    if (isWho && pieces.some(leads)) return 'rounds';
    if (pieces.some((piece) => means(piece, 'led', 'backed', 'foundedBy'))) return 'companies';
    if (isWho) return undefined;
    return pieces.some((piece) => means(piece, 'raised')) && pieces.some(({ amount, period }) => amount ?? period)
      ? 'companies'
      : undefined;
  };
  const type = named ?? implied();
  // Rounds are not searched with all types, but may be named.
  return type !== undefined && (types.includes(type) || (type === 'rounds' && types.length > 1)) ? type : undefined;
}

/** The type of `who led most rounds` or `who raised the most`, whatever other noun occurs. */
function rankedType(pieces: readonly Piece[]): RecordType | undefined {
  const some = (...meanings: readonly Meaning[]): boolean => pieces.some((piece) => means(piece, ...meanings));
  if (!some('who') || !some('largest') || some('people')) return undefined;
  // Rounds have amounts per period; companies only totals.
  if (some('raised')) return pieces.some(({ period }) => period) ? 'rounds' : 'companies';
  return some('led', 'backs', 'deals') ? 'investors' : undefined;
}

/** `led` of a subject; not `led by`. */
export const leads = (piece: Piece): boolean => means(piece, 'led') && piece.tokens.length === 1;

/** The role of a party. */
export const roleOf = (piece: Piece): Role | undefined => ROLE_WORDS.find((each) => means(piece, each));

/** The type that a piece names. */
export function nounOf(piece: Piece): RecordType | undefined {
  const words = piece.tokens.map(({ text }) => text).join(' ');
  if (piece.closed?.[0] === 'event_type') return 'events';
  if (piece.closed?.[0] === 'investor_type') return 'investors';
  if (piece.closed && /round|runde|轮/.test(words)) return 'rounds';
  // `founders of X` names people too.
  if (
    means(piece, 'founds') &&
    /^(?:founder|co|fundador|grunder|mitgrunder|fondateur|cofond)/.test(words) &&
    words.includes(' ')
  )
    return 'people';
  if (means(piece, 'backs') && /^(?:investor|inversor|backer|geldgeber|investisseur)/.test(words)) return 'investors';
  return means(piece, 'angels') ? 'people' : NOUNS.find((noun) => means(piece, noun));
}

/** The subject of the sentence's periods. */
function subjectOf(pieces: readonly Piece[]): Subject | undefined {
  if (pieces.some((piece) => means(piece, 'updated'))) return 'updated';
  const isBeside = (place: number): boolean =>
    [1, 2, 3, -1, -2, -3].some((offset) => pieces[place + offset]?.period !== undefined);
  if (pieces.some((piece, place) => means(piece, 'founds') && isBeside(place))) return 'founded';
  if (pieces.some((piece) => means(piece, 'lastRound'))) return 'lastRound';
  const isRaised = pieces.some(
    (piece) =>
      means(piece, 'raised', 'led', 'backed', 'rounds') ||
      piece.amount?.isMoney ||
      piece.closed?.[0] === 'funding_stage',
  );
  return isRaised ? 'raised' : undefined;
}

/** Whether a searched type has a filter. */
export const has = ({ types }: SentenceDraft, name: FilterName): boolean => types.some((type) => hasFilter(type, name));
