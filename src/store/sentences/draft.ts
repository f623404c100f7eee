import type { RecordType } from '../../contract/entities/index.ts';
import { type FilterName, hasFilter } from '../../contract/filters.ts';
import type { DatedPart } from './dates.ts';
import type { Subject } from './filters.ts';
import type { Knowledge } from './knowledge.ts';
import type { Lexicon, Meaning } from './lexicon.ts';
import { means, type Piece } from './pieces.ts';
import type { Token } from './sentence-tokens.ts';

/** What a sentence is read with. */
export interface ReadingRequest {
  readonly tokens: readonly Token[];
  readonly lexicon: Lexicon;
  readonly today: Date;
  dates(): readonly DatedPart[];
  /** Types that are searched. */
  readonly types: readonly RecordType[];
  readonly knowledge: Knowledge;
}

/** Nouns that name a type. */
export const NOUNS = ['companies', 'people', 'investors', 'events', 'rounds'] as const;
/** Bounds of periods and amounts; `over` and `under` leave the bound itself out. */
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
/** Words that say how somebody has to do with what is searched. */
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

/** What has been read so far. */
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
  /** A word that negates what comes next, and has not met it yet. */
  negation: Piece | undefined;
  /** Whether something that was asked for is left out. */
  isPartial: boolean;
  /** Whether a word stands where a place does, and nobody knows it. */
  hasUnknownPlace: boolean;
  /** The order that was asked for, as a request gives it. */
  sort: string | undefined;
}

/** The beginning of a reading: what the sentence is about. */
export function begin(request: ReadingRequest, pieces: readonly Piece[]): SentenceDraft {
  const [only, ...others] = request.types;
  const isFixed = others.length === 0;
  const isRanked = pieces.some((piece) => means(piece, 'largest'));
  const isOfOne = !isRanked && pieces.some((piece, place) => means(piece, 'backs') && pieces[place + 1]?.isName);
  // Who funded somebody is told by that one's own record.
  const type = isFixed ? only : isOfOne ? undefined : typeOf(pieces, request);
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
    // Whoever companies have in common has funded each of them.
    role: type === 'investors' && pieces.some((piece) => means(piece, 'common')) ? 'backs' : undefined,
    negation: undefined,
    isPartial: false,
    hasUnknownPlace: false,
    sort: undefined,
  };
}

/** The type that the first noun names, or else what is told of the records that are meant. */
function typeOf(pieces: readonly Piece[], { types }: ReadingRequest): RecordType | undefined {
  const named = rankedType(pieces) ?? pieces.map(nounOf).find((type) => type !== undefined);
  const implied = (): RecordType | undefined => {
    const isWho = pieces.some((piece) => means(piece, 'who'));
    if (pieces.some((piece) => means(piece, 'backs') && !means(piece, 'backed'))) return 'investors';
    if (isWho && pieces.some((piece) => means(piece, 'founds', 'works'))) return 'people';
    if (isWho && pieces.some(leads)) return 'rounds';
    if (pieces.some((piece) => means(piece, 'led', 'backed', 'foundedBy'))) return 'companies';
    if (isWho) return undefined;
    return pieces.some((piece) => means(piece, 'raised')) && pieces.some(({ amount, period }) => amount ?? period)
      ? 'companies'
      : undefined;
  };
  const type = named ?? implied();
  // Rounds are no part of a search of all types, and are meant all the same.
  return type !== undefined && (types.includes(type) || (type === 'rounds' && types.length > 1)) ? type : undefined;
}

/** `who led most rounds`, `who raised the most`: who is asked for, though another noun may be named. */
function rankedType(pieces: readonly Piece[]): RecordType | undefined {
  const some = (...meanings: readonly Meaning[]): boolean => pieces.some((piece) => means(piece, ...meanings));
  if (!some('who') || !some('largest') || some('people')) return undefined;
  // What was raised in a period is told by the rounds; of a company only the sum of all.
  if (some('raised')) return pieces.some(({ period }) => period) ? 'rounds' : 'companies';
  return some('led', 'backs', 'deals') ? 'investors' : undefined;
}

/** `led`, of whom it may be asked; not `led by`. */
export const leads = (piece: Piece): boolean => means(piece, 'led') && piece.tokens.length === 1;

/** How somebody is said to have to do with what is searched. */
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

/** What the periods of a sentence are about. */
function subjectOf(pieces: readonly Piece[]): Subject | undefined {
  if (pieces.some((piece) => means(piece, 'updated'))) return 'updated';
  const isBeside = (place: number): boolean =>
    [1, 2, 3, -1, -2, -3].some((offset) => pieces[place + offset]?.period !== undefined);
  if (pieces.some((piece, place) => means(piece, 'founds') && isBeside(place))) return 'founded';
  const isRaised = pieces.some((piece) => means(piece, 'raised', 'led', 'backed', 'rounds') || piece.amount?.isMoney);
  return isRaised ? 'raised' : undefined;
}

/** Whether a searched type has a filter. */
export const has = ({ types }: SentenceDraft, name: FilterName): boolean => types.some((type) => hasFilter(type, name));
