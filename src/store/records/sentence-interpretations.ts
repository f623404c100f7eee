import { LRUCache } from 'lru-cache';
import type { RecordType } from '../../contract/entities/index.ts';
import { type FilterName, filterOf, isNegated, pickFilters } from '../../contract/filters.ts';
import { utcDay } from '../../contract/periods.ts';
import { withoutPeriod } from '../../contract/sample-notes.ts';
import { aggregateAskedFor } from '../../contract/sentence-calls.ts';
import { orderOfBound, parseSort } from '../../contract/sorts.ts';
import { GRANT, NO_GRANTS } from '../../contract/vocabulary.ts';
import type { ParsedQuery, SearchRequest } from '../port/records.ts';
import type { Relaxation } from '../search/matches.ts';
import { isNameIn, phraseOf } from '../sentences/knowledge.ts';
import { type ParsedSentence, parseSentence } from '../sentences/parser.ts';
import type { Sentence } from '../sentences/sentence.ts';
import type { SqlProgram } from '../sql.ts';
import { parseCheck, parseEnd } from './end-questions.ts';
import { withoutValueTypos } from './misspelt-values.ts';
import { knowledgeOf, withWholeNames } from './sentence-knowledge.ts';

/**
 * Parses a text as a sentence with knowledge from the records; undefined if it is not one.
 * @param epoch state of the index; results are cached until it changes
 */
export type SentenceParser = (
  sentence: Sentence,
  types: readonly RecordType[],
  epoch: number | undefined,
) => SqlProgram<ParsedSentence | undefined>;

const SENTENCES_MAX = 256;

export function createSentenceCache(): SentenceParser {
  const parsed = new LRUCache<string, ParsedSentence | 'none'>({ max: SENTENCES_MAX });
  let parsedEpoch: number | undefined;
  return function* parse(sentence, types, epoch) {
    if (epoch !== parsedEpoch) parsed.clear();
    parsedEpoch = epoch;
    const key = `${utcDay(sentence.today)} ${types.join()} ${sentence.text}`;
    const cached = parsed.get(key);
    if (cached !== undefined) return cached === 'none' ? undefined : cached;
    const end = types.includes('companies') ? yield* parseEnd(sentence.tokens) : undefined;
    const asked = end ?? (yield* parseCheck(sentence.text, types));
    if (asked !== undefined) {
      parsed.set(key, asked);
      return asked;
    }
    const knowledge = yield* knowledgeOf(sentence, types);
    const tokens = yield* withoutValueTypos(sentence, knowledge);
    const isCorrected = tokens !== sentence.tokens;
    const known = isCorrected ? yield* knowledgeOf({ ...sentence, tokens }, types) : knowledge;
    const name = phraseOf(tokens);
    const read =
      isCorrected && isNameIn(known)(name)
        ? nameAlone(name)
        : parseSentence({ ...sentence, tokens, isCorrected, types, knowledge: known });
    const stated = read && (yield* withWholeNames(read));
    parsed.set(key, stated ?? 'none');
    return stated;
  };
}

/** What a sentence is read as where nobody of its name is what its filters ask for: the company of a round, the investor in it. */
export function withoutPartyFilters(read: ParsedQuery | undefined): ParsedQuery | undefined {
  const parties = Object.entries(read?.filters ?? {}).filter(([name]) => filterOf(name as FilterName).test === 'party');
  if (read === undefined || parties.length === 0) return read;
  return { ...read, filters: {}, unstated: read.unstated ?? parties.map(([name, value]) => `${name} ${value}`) };
}

/** A sentence that is a misspelt name and nothing else. */
const nameAlone = (name: string): ParsedSentence => ({
  filters: {},
  soft: new Map(),
  sparse: new Map(),
  text: name,
  ignored: [],
  isOfFunding: false,
  isCertain: false,
  isOfDeals: false,
  isAsked: false,
  isComparison: false,
  isWhole: false,
  hasUnknownPlace: false,
});

export interface Interpretation {
  readonly request: SearchRequest;
  readonly relaxations?: readonly Relaxation[] | undefined;
  /** The parsed sentence; undefined for a verbatim search. */
  readonly understood?: ParsedQuery | undefined;
  /** Whether it contains everything that the text requires; `if named`: only if the best match has this name. */
  readonly isWhole: boolean | 'if named';
  /** Whether it is only of the record that has the text as its name. */
  readonly isOfNamed?: boolean;
}

/** Filters whose words may be searched as keywords instead, rarest first. Places never may. */
const SOFT_ORDER: readonly FilterName[] = [
  'event_type',
  'investor_type',
  'company',
  'event',
  'chain',
  'tag',
  'funding_stage',
  'city',
  'country',
];
const PLACES: ReadonlySet<FilterName> = new Set(['city', 'country']);
const ALL = 'all:';

/**
 * Interpretations of a sentence, closest first. Rare facets and ambiguous names become keywords if nothing matches;
 * dates and amounts stay, because results without them would be wrong. The last one is used if none finds anything.
 */
export function interpretationsOf(request: SearchRequest, sentence: ParsedSentence): readonly Interpretation[] {
  const read = parsedQueryOf(sentence);
  const typed = asTyped(request, read);
  // The records of others that mention words of an unknown party would be a wrong result.
  if (isUnanswerable(sentence) || sentence.unknownParty !== undefined)
    return [{ ...typed, request: { ...typed.request, text: textOfNone(request, sentence) }, isWhole: false }];
  if (isOfUnknownPlace(sentence)) return [{ ...typed, isWhole: sentence.isWhole }];
  const fact = factAskedOf(sentence);
  if (fact === undefined)
    return withRoundsJoined(
      request,
      sentence,
      withoutFirmForm(request, sentence, interpretationsOfList(request, sentence)),
    );
  const named = { ...read, filters: {}, ignored: [...sentence.ignored, fact] };
  return [
    { ...typed, isWhole: sentence.isWhole, isOfNamed: true },
    { ...asTyped(request, named), isWhole: false, isOfNamed: true },
    ...interpretationsOfList(request, { ...sentence, isWhole: false }),
  ];
}

/** Whether records of a type are asked for by nothing but a place that none is in: what is only spelled like it is in none either. */
const isOfUnknownPlace = ({ type, filters, text, hasUnknownPlace }: ParsedSentence): boolean =>
  hasUnknownPlace && type !== undefined && Object.keys(filters).length === 0 && /^(?:\p{Lu}\p{Ll}+ ?)+$/u.test(text);

/** A text that no record matches by its words apart from each other: `companies without funding`, grants to Acme by another foundation. */
const textOfNone = ({ text }: SearchRequest, { unknownParty }: ParsedSentence): string =>
  `${text} ${(unknownParty?.name ?? text).replaceAll(' ', '')}`;

const asTyped = (request: SearchRequest, read: ParsedQuery) => ({
  ...besideGiven(request, read),
  relaxations: ['typed'] as const,
});

function interpretationsOfList(request: SearchRequest, sentence: ParsedSentence): readonly Interpretation[] {
  const { soft, sparse, isCertain, isAsked, isComparison, isWhole, ignored, filters, unnamedParty } = sentence;
  const entries = Object.entries(filters) as [FilterName, string | number | boolean][];
  const known = entries.filter(([name]) => !sparse.has(name));
  const listed = sentence.type ?? (request.types.length === 1 ? request.types[0] : undefined);
  const isSoft = (name: FilterName): boolean => soft.has(name) && !(isCertain && isRequired(listed, filters, name));
  const hard = known.filter(([name]) => !isSoft(name));
  const softWords = (isPlace: boolean) =>
    [...soft].filter(([name]) => isSoft(name) && PLACES.has(name) === isPlace).map(([, text]) => text);
  const words = [sentence.text, ...softWords(false)].filter((text) => text !== '').join(' ');
  const unknown = [...ignored, ...new Set(sparse.values())];
  const placeless = [...unknown, ...softWords(true)];
  const as = (given: Partial<ParsedQuery>) => ({ ...parsedQueryOf(sentence), ...given });
  const dense = as({ filters: Object.fromEntries(known), ignored: unknown });
  const loose = as({ filters: Object.fromEntries(hard), text: words, ignored: placeless });
  const wordless = as({ text: '', ignored: [...ignored, sentence.text] });
  const unfiltered = as({ filters: {}, ignored: wordsBeyond(request.text, sentence.text) });
  const untyped: ParsedQuery = { filters: {}, text: words, ignored: placeless.concat(sentence.type ?? []) };
  const interpretations: Interpretation[] = [];
  const add = (
    understood: ParsedQuery,
    relaxations: readonly Relaxation[],
    whole: Interpretation['isWhole'] = false,
  ): void => {
    // Without any filter or keyword, a sentence would list everything.
    const isEmpty = understood.text === '' && Object.keys(understood.filters).length === 0;
    if (isEmpty && entries.length > 0 && !sparse.has('investor_type')) return;
    const read = sentence.isOfFunding ? withoutGrants(understood) : understood;
    interpretations.push({ ...besideGiven(request, read), relaxations, isWhole: whole });
  };
  add(as({}), [isComparison && entries.length === 0 ? 'any' : 'typed'], isWhole);
  for (const near of [...valuesOfAny(filters), ...roundAskedOf(sentence)]) add(as(near), ['typed']);
  // A text that only names a type is more likely a name; one with an order is not.
  const isName = !isAsked && entries.length === 0 && unnamedParty === undefined;
  if (!isCertain && sentence.sort === undefined)
    interpretations.push({ request, relaxations: isName ? ['corrected', 'some'] : ['corrected'], isWhole: false });
  const isOfName = isPartyAlone(sentence);
  if (sentence.text !== '') add(as({}), isOfName ? ['corrected'] : ['corrected', 'any']);
  if (maySpareFacts(sentence, known)) add(dense, ['typed', 'any']);
  // Rounds that mention a company are of others, `Acme raised in 2021`, and no words of a round are its stage: `Serie C`.
  const isOfOne = listed === 'rounds' && isSoft('company') && sentence.text === '';
  if (entries.length > 1) {
    for (const name of SOFT_ORDER.filter((each) => isSoft(each) && !(each === 'company' && isOfOne))) {
      const rest = Object.fromEntries(known.filter(([each]) => each !== name));
      const word = soft.get(name) ?? '';
      if (!PLACES.has(name) && !(name === 'funding_stage' && listed === 'rounds'))
        add(as({ filters: rest, text: `${sentence.text} ${word}`.trim(), ignored: unknown }), ['typed', 'any']);
      // Everything of a period is no answer to what was of one name in it.
      if (sentence.text !== '' || Object.keys(withoutPeriod(rest)).length > 0)
        add(as({ filters: rest, ignored: [...unknown, word] }), ['typed']);
    }
  }
  // An indexed company name is not a typo; if no relation to it is known, its own record is the best result.
  const isLoose = words !== sentence.text;
  const spared = as({ filters: Object.fromEntries(known), text: '', ignored: [...unknown, sentence.text] });
  const isOfPlaces = sentence.type !== undefined && hard.length < known.length;
  if (isOfPlaces && maySpareWords(sentence)) add(spared, ['typed']);
  if ((isLoose || isOfPlaces) && !isOfOne) add(loose, ['typed']);
  const isOneOfPlaces = sentence.hasUnknownPlace && ('city' in filters || 'country' in filters);
  if (isOneOfPlaces || (mayLackWords(sentence) && hard.length === 0 && known.length > 0)) add(wordless, ['typed']);
  if (isLoose && !soft.has('company')) add(loose, ['any']);
  if (hard.length > 0 && sentence.text !== '' && !isCertain) add(unfiltered, ['typed']);
  if (hard.length === 0 && words !== '') {
    if (sentence.type !== undefined && !isOfName) add(untyped, ['typed', 'any']);
    if (!unnamedParty) interpretations.push({ request, relaxations: ['corrected', 'some'], isWhole: false });
  }
  if (known.length > 0 && maySpareWords(sentence)) add(spared, ['typed']);
  // Some companies have only grants.
  const isOfGranted = !sentence.isOfFunding || sentence.text !== '' || 'company' in filters;
  interpretations.push({ ...asTyped(request, isOfGranted ? as({}) : withoutGrants(as({}))), isWhole });
  return interpretations;
}

const FIRM_FORM = /^(?:labs|foundation|inc|ltd|limited|llc|corp|gmbh|holdings)$/i;

/**
 * Interpretations with the one of a company without the form of a firm at the end of its name, which its record may lack: first
 * if the form is beside the name of a record, `Acme Labs`; or else after all others.
 */
function withoutFirmForm(
  request: SearchRequest,
  sentence: ParsedSentence,
  others: readonly Interpretation[],
): readonly Interpretation[] {
  const { filters, text, ignored, isOfFunding } = sentence;
  const name = String(filters.company ?? '').split(' ');
  const form = text || (name.length > 1 ? name.pop() : '');
  if (filters.company === undefined || !FIRM_FORM.test(form ?? '')) return others;
  const query = {
    ...parsedQueryOf(sentence),
    filters: { ...filters, company: name.join(' ') },
    text: '',
    ignored: [...ignored, form ?? ''],
  };
  const formless = { ...asTyped(request, isOfFunding ? withoutGrants(query) : query), isWhole: false };
  return text === '' ? [...others, formless, ...others.slice(-1)] : [formless, ...others];
}

/** Interpretations with the rounds in which a company took part, where it raised none such: `Acme rounds under $10M`. */
function withRoundsJoined(
  request: SearchRequest,
  sentence: ParsedSentence,
  others: readonly Interpretation[],
): readonly Interpretation[] {
  const { type, filters, text, isAsked, isWhole } = sentence;
  const { company, investor, ...rest } = filters;
  const isOfEither = type === 'rounds' && text === '' && !isAsked && !/\b(?:rais|fund)/i.test(request.text);
  if (!isOfEither || company === undefined || investor !== undefined || /:/.test(String(company))) return others;
  const joined = asTyped(request, { ...parsedQueryOf(sentence), filters: { ...rest, investor: company } });
  return [...others.slice(0, -1), { ...joined, isWhole }, ...others.slice(-1)];
}

/** The words of a text that another one lacks. */
const wordsBeyond = (text: string, other: string): string[] =>
  text.split(/\s+/).filter((word) => word !== '' && !other.split(' ').includes(word));

/** Whether the keywords are a name, of which a word alone is another: the rounds of Manta Network are none of Mixin Network. */
const isPartyAlone = ({ unnamedParty, text }: ParsedSentence): boolean =>
  unnamedParty?.name === text && text.split(' ').every((word) => /^\p{Lu}/u.test(word));

/**
 * The word for a status or place that is asked of the record named beside it: `is Acme bankrupt`, `is Acme in Malta`.
 * Undefined for a list.
 */
function factAskedOf({ type, filters, soft, text, isAsked }: ParsedSentence): string | undefined {
  const others = Object.keys(filters).filter((name) => name !== 'status_from' && name !== 'status_to');
  if (type !== undefined || text === '' || others.length > 1) return undefined;
  return soft.get('status') ?? (isAsked ? (soft.get('city') ?? soft.get('country')) : undefined);
}

/** A sentence with any of several tags or chains, for when no record has all that are required. */
const valuesOfAny = (filters: ParsedSentence['filters']): readonly Partial<ParsedQuery>[] =>
  (['tag', 'chain'] as const)
    .map((name) => [name, String(filters[name])] as const)
    .filter(([, value]) => value.startsWith(ALL))
    .map(([name, value]) => ({ filters: { ...filters, [name]: value.slice(ALL.length) } }));

/** A sentence about who took part in a round, without them: the round of `was Acme the lead in Bolt's Series B` shows who did. */
function roundAskedOf({ filters, ignored }: ParsedSentence): readonly Partial<ParsedQuery>[] {
  const { investor, led, ...others } = filters;
  const isOfRound = investor !== undefined && 'company' in others && 'funding_stage' in others;
  return isOfRound ? [{ filters: others, ignored: [...ignored, String(investor)] }] : [];
}

const withoutGrants = (query: ParsedQuery): ParsedQuery => ({
  ...query,
  filters: {
    funding_stage: NO_GRANTS,
    ...query.filters,
    // `rounds excluding seed`
    ...(isNegated(query.filters.funding_stage) && { funding_stage: `${query.filters.funding_stage}|${GRANT}` }),
  },
});

/**
 * Whether a filter is kept even if nothing passes it: an event, a kind of investor, the company of rounds or investors, or else
 * their stage. Only companies, and investors of any kind, may lose their place.
 */
function isRequired(type: RecordType | undefined, filters: ParsedSentence['filters'], name: FilterName): boolean {
  const isOfCompany = type === 'rounds' && 'company' in filters;
  const isOfKind = type === 'investors' && 'investor_type' in filters;
  if (name === 'event') return true;
  if (name === 'investor_type') return isOfKind;
  if (name === 'funding_stage') return !isOfCompany || filters.funding_stage === GRANT;
  if (name === 'company') return isOfCompany || type === 'investors';
  return PLACES.has(name) || name === 'tag';
}

/** Whether facts that few records state may be dropped, because something else remains required; a kind of investor always may. */
const maySpareFacts = ({ sparse, text }: ParsedSentence, known: readonly unknown[]): boolean =>
  sparse.size > 0 && (known.length > 0 || text !== '' || sparse.has('investor_type'));

/** Whether keywords that no record has beside the filters may be dropped, because a name or a place remains required. */
const maySpareWords = ({ text, hasUnknownPlace, isWhole }: ParsedSentence): boolean =>
  isWhole === true && text !== '' && !hasUnknownPlace && !/\p{Lu}|\p{Script=Han}|\d/u.test(text);

/** Whether the keywords are a place without records, or the title of people whose company is known. */
const mayLackWords = ({ type, filters, text, hasUnknownPlace }: ParsedSentence): boolean =>
  hasUnknownPlace || (type === 'people' && 'company' in filters && text !== '');

/** Whether a sentence is only about a fact that no filter is about, so that everything of its type would be listed. */
const isUnanswerable = (sentence: ParsedSentence): boolean =>
  sentence.unstated !== undefined &&
  Object.keys(sentence.filters).length === 0 &&
  sentence.text === '' &&
  sentence.sort === undefined &&
  (sentence.group_by === undefined || aggregateAskedFor(sentence) === undefined);

const STATED = [
  ...(['type', 'filters', 'text', 'ignored', 'sort', 'group_by'] as const),
  ...(['order', 'period', 'compared', 'share', 'periods', 'connect', 'unstated'] as const),
] as const;

/** A sentence as the answer states it. */
const parsedQueryOf = (sentence: ParsedSentence): ParsedQuery => {
  const stated = STATED.filter((part) => sentence[part] !== undefined).map((part) => [part, sentence[part]]);
  // Parts of the sentence, which is a query itself.
  return Object.fromEntries(stated) as ParsedQuery;
};

/** The request of a parsed sentence, and the sentence as stated: explicit filters and an explicit sort replace those it contains. */
function besideGiven(request: SearchRequest, query: ParsedQuery) {
  const isList = query.text === '' && aggregateAskedFor(query) === undefined;
  const { sort = isList ? orderOfBound(query.type, query.filters) : undefined, ...read } = query;
  const types: readonly RecordType[] = read.type === undefined ? request.types : [read.type];
  const parsed = pickFilters(read.filters);
  const filters = { ...parsed, ...request.filters };
  const isKept = ([name]: readonly [string, unknown]): boolean =>
    JSON.stringify(filters[name as FilterName]) === JSON.stringify(parsed[name as FilterName]);
  const stated = Object.entries(read.filters);
  const replaced = stated.filter((entry) => !isKept(entry)).map(([, value]) => String(value));
  const understood: ParsedQuery = {
    ...read,
    ...(sort !== undefined && request.sort === undefined && { sort }),
    filters: Object.fromEntries(stated.filter(isKept)),
    ignored: [...read.ignored, ...replaced.filter((value) => value !== NO_GRANTS)],
  };
  return {
    request: { ...request, types, text: read.text, sort: request.sort ?? parseSort(types, sort), filters },
    understood,
  };
}
