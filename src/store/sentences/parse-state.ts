import type { RecordType } from '../../contract/entities/index.ts';
import { type FilterName, hasFilter } from '../../contract/filters.ts';
import { GRANT } from '../../contract/vocabulary.ts';
import { type Chunk, isContent, means } from './chunks.ts';
import type { DateMatch } from './dates.ts';
import type { Subject } from './filters.ts';
import { closedValue, type Knowledge, phraseOf } from './knowledge.ts';
import { type Lexicon, type Meaning, NOUNS } from './lexicon.ts';
import type { Token } from './sentence-tokens.ts';

/** Input of the parser. */
export interface ParseRequest {
  readonly tokens: readonly Token[];
  readonly lexicon: Lexicon;
  readonly today: Date;
  dates(): readonly DateMatch[];
  /** Searched types. */
  readonly types: readonly RecordType[];
  readonly knowledge: Knowledge;
}

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

/** State of the parser. */
export interface ParseState {
  readonly request: ParseRequest;
  readonly chunks: readonly Chunk[];
  types: readonly RecordType[];
  type: RecordType | undefined;
  subject: Subject | undefined;
  readonly filters: Map<FilterName, string | number | boolean>;
  readonly soft: Map<FilterName, string>;
  readonly sparse: Map<FilterName, string>;
  readonly text: string[];
  readonly ignored: string[];
  /** Groups that it counts by. */
  readonly groups: string[];
  /** Words of a party that no record has as its name. */
  readonly unknownParty: string[];
  isAsked: boolean;
  bound: Bound | undefined;
  role: Role | undefined;
  /** The role of the party before it, which is no role of what follows: `A led the round of B`. */
  backward: Chunk | undefined;
  /** A pending negation. */
  negation: Chunk | undefined;
  /** Whether a part of the request cannot be expressed. */
  isPartial: boolean;
  /** Whether an unknown word is in the position of a place. */
  hasUnknownPlace: boolean;
  /** Requested sort, in request form. */
  sort: string | undefined;
}

/** Starts to parse by determining the subject. */
export function startParsing(request: ParseRequest, chunks: readonly Chunk[]): ParseState {
  const [only, ...others] = request.types;
  const isFixed = others.length === 0;
  const type = isFixed ? only : typeOf(chunks, request);
  return {
    request,
    chunks,
    type,
    types: type === undefined ? request.types : [type],
    subject: subjectOf(chunks),
    filters: new Map(),
    soft: new Map(),
    sparse: new Map(),
    text: [],
    ignored: [],
    groups: [],
    unknownParty: [],
    isAsked: chunks.some((chunk) => means(chunk, 'question', 'who', 'connected', 'versus', 'likeness')),
    bound: undefined,
    // Investors that companies have in common funded each of them.
    role: type === 'investors' && chunks.some((chunk) => means(chunk, 'common')) ? 'backs' : undefined,
    backward: undefined,
    negation: undefined,
    isPartial: false,
    hasUnknownPlace: false,
    sort: undefined,
  };
}

/** The type of the first noun, or else implied by other words. */
function typeOf(chunks: readonly Chunk[], { types, knowledge }: ParseRequest): RecordType | undefined {
  const isOfDeals = chunks.some((_, index) => areDealsAt(chunks, index));
  const named = isOfDeals ? 'rounds' : (rankedType(chunks) ?? chunks.map(nounOf).find((type) => type !== undefined));
  const implied = (): RecordType | undefined => {
    const isWho = chunks.some((chunk) => means(chunk, 'who'));
    // `最近一轮融资`
    if (chunks.some((chunk) => means(chunk, 'lastRound')) && !chunks.some(({ period }) => period)) return 'rounds';
    // Only rounds tell when an investor took part.
    if (chunks.some((chunk) => means(chunk, 'backs') && !means(chunk, 'backed'))) {
      if (chunks.some(({ period }) => period)) return 'rounds';
      return typeOfBacking(chunks, knowledge);
    }
    if (isWho && chunks.some((chunk) => means(chunk, 'founds', 'works', 'speaks'))) return 'people';
    if (chunks.some(leads) && (isWho || chunks.some(({ closed }) => closed?.[0] === 'funding_stage'))) return 'rounds';
    if (chunks.some((chunk) => means(chunk, 'led', 'backed', 'foundedBy'))) return 'companies';
    if (isWho) return undefined;
    if (isStageOfPeriod(chunks) || isRankedStage(chunks) || isNamedStage(chunks)) return 'rounds';
    if (chunks.some((chunk) => means(chunk, 'founds')) && chunks.some(({ period }) => period)) return 'companies';
    if (!chunks.some((chunk) => means(chunk, 'raised'))) return undefined;
    // `2023年最大的融资`, `最新融资`
    const isDated = chunks.some(({ period }) => period);
    if (chunks.some((chunk) => means(chunk, 'latest') || (isDated && means(chunk, 'largest')))) return 'rounds';
    return chunks.some(({ amount, period }) => amount ?? period) ? 'companies' : undefined;
  };
  const given = named ?? implied();
  // Only rounds tell who took part at a stage.
  const isOfStage = given === 'investors' && isNamedStage(chunks);
  const type = isOfStage ? 'rounds' : given;
  // Rounds are not searched with all types, but may be named.
  return type !== undefined && (types.includes(type) || (type === 'rounds' && types.length > 1)) ? type : undefined;
}

/** What is asked for beside who funds or is funded: `what did Paradigm invest in`, `did Paradigm invest in Kalshi`. */
function typeOfBacking(chunks: readonly Chunk[], { investorsNamed }: Knowledge): RecordType {
  const verb = chunks.findIndex((chunk) => means(chunk, 'backs'));
  const isNamedIn = (some: readonly Chunk[]): boolean => some.some(({ isName }) => isName);
  const isFunder = (chunk: Chunk): boolean => isContent(chunk) && investorsNamed(phraseOf(chunk.tokens)).length > 0;
  if (!isNamedIn(chunks.slice(0, verb)) && !chunks.slice(0, verb).some(isFunder)) return 'investors';
  return isNamedIn(chunks.slice(verb)) ? 'rounds' : 'companies';
}

/** Whether `investments` at an index are those of somebody or the latest ones; alone it is an empty word. */
export function areDealsAt(chunks: readonly Chunk[], index: number): boolean {
  if (!means(chunks[index], 'investments')) return false;
  const isOf = isOfDeals(chunks[index + 1]) && chunks[index + 2]?.isName === true;
  // `Paradigm 2021 deals`
  const before = chunks[index - 1]?.period ? chunks[index - 2] : chunks[index - 1];
  return before?.isName === true || means(before, 'latest') || isOf;
}

/** A word between investments and who made them. */
export const isOfDeals = (chunk: Chunk | undefined): boolean =>
  chunk?.tokens.length === 1 && ['of', 'by'].includes(chunk.tokens[0]?.text ?? '');

/** Whether a text such as `series A 2023` or `Gitcoin Grants 2023` names rounds by their stage or giver and period. */
export const isStageOfPeriod = (chunks: readonly Chunk[]): boolean =>
  chunks.some((chunk) => chunk.closed?.[0] === 'funding_stage' || endsInGrants(chunk)) &&
  chunks.some(({ period }) => period);

/** Whether a text such as `Series A of Kalshi` has a stage and a name. */
export const isNamedStage = (chunks: readonly Chunk[]): boolean =>
  chunks.some(({ closed }) => closed?.[0] === 'funding_stage' && closed[1] !== GRANT) &&
  chunks.some(({ isName }) => isName);

/** Whether a text such as `most recent Series C` or `ICOs over $100m` ranks or bounds rounds by their stage. */
const isRankedStage = (chunks: readonly Chunk[]): boolean =>
  chunks.some(({ closed }) => closed?.[0] === 'funding_stage') &&
  chunks.some((chunk) => chunk.amount?.isMoney || means(chunk, 'latest', 'largest', 'smallest', 'oldest'));

/** Whether a name ends in the word for grants. */
export const endsInGrants = ({ isName, tokens }: Chunk): boolean =>
  isName === true && closedValue(tokens.at(-1)?.text ?? '')?.[1] === GRANT;

/** The type of `who led most rounds` or `who raised the most`, whatever other noun occurs. */
function rankedType(chunks: readonly Chunk[]): RecordType | undefined {
  const some = (...meanings: readonly Meaning[]): boolean => chunks.some((chunk) => means(chunk, ...meanings));
  if (!some('who') || !some('largest') || some('people')) return undefined;
  // Rounds have amounts per period; companies only totals.
  if (some('raised')) return chunks.some(({ period }) => period) ? 'rounds' : 'companies';
  return some('led', 'backs', 'deals') ? 'investors' : undefined;
}

/** `led` of a subject; not `led by`. */
export const leads = (chunk: Chunk): boolean => means(chunk, 'led') && chunk.tokens.length === 1;

/** The role of a party. */
export const roleOf = (chunk: Chunk): Role | undefined => ROLE_WORDS.find((each) => means(chunk, each));

/** The type that a chunk names. */
export function nounOf(chunk: Chunk): RecordType | undefined {
  const words = chunk.tokens.map(({ text }) => text).join(' ');
  if (chunk.closed?.[0] === 'event_type') return 'events';
  if (chunk.closed?.[0] === 'investor_type') return 'investors';
  if (chunk.closed && /round|runde|轮|^(?:grants|subvenciones|zuschusse|subventions|资助|赠款)$/.test(words))
    return 'rounds';
  return means(chunk, 'angels', 'titles') ? 'people' : NOUNS.find((noun) => means(chunk, noun));
}

/** The subject of the sentence's periods. */
function subjectOf(chunks: readonly Chunk[]): Subject | undefined {
  if (chunks.some((chunk) => means(chunk, 'updated'))) return 'updated';
  const isBeside = (index: number): boolean =>
    [1, 2, 3, -1, -2, -3].some((offset) => chunks[index + offset]?.period !== undefined);
  if (chunks.some((chunk, index) => means(chunk, 'founds') && isBeside(index))) return 'founded';
  if (chunks.some((chunk) => means(chunk, 'lastRound'))) return 'lastRound';
  const isRaised = chunks.some(
    (chunk) =>
      means(chunk, 'raised', 'led', 'backs', 'backed', 'rounds') ||
      chunk.amount?.isMoney ||
      chunk.closed?.[0] === 'funding_stage',
  );
  return isRaised ? 'raised' : undefined;
}

/** Whether a searched type has a filter. */
export const hasFilterFor = ({ types }: ParseState, name: FilterName): boolean =>
  types.some((type) => hasFilter(type, name));
