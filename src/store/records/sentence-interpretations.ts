import type { RecordType } from '../../contract/entities/index.ts';
import { type FilterName, pickFilters } from '../../contract/filters.ts';
import { parseSort } from '../../contract/sorts.ts';
import type { ParsedQuery, SearchRequest } from '../port/records.ts';
import type { Relaxation } from '../search/matches.ts';
import type { ParsedSentence } from '../sentences/parser.ts';

/** One interpretation of a text. */
export interface Interpretation {
  readonly request: SearchRequest;
  readonly relaxations?: readonly Relaxation[] | undefined;
  /** The parsed sentence; undefined for a verbatim search. */
  readonly understood?: ParsedQuery | undefined;
  /** Whether it contains everything that the text requires; `if named`: only if the best match has this name. */
  readonly isWhole: boolean | 'if named';
}

/** Filters whose words may be searched as keywords instead, rarest first. Places never are. */
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

/**
 * Interpretations of a sentence, closest first. Rare facets and ambiguous names become keywords if nothing matches;
 * dates and amounts stay, because results without them would be wrong. The last one is used if none finds anything.
 */
export function interpretationsOf(request: SearchRequest, sentence: ParsedSentence): readonly Interpretation[] {
  const { soft, sparse, isCertain, isAsked, isComparison, isWhole, ignored, filters } = sentence;
  const entries = Object.entries(filters) as [FilterName, string | number | boolean][];
  const known = entries.filter(([name]) => !sparse.has(name));
  const isSoft = (name: FilterName): boolean => soft.has(name) && !(isCertain && isRequired(sentence, name));
  const hard = known.filter(([name]) => !isSoft(name));
  const softWords = (isPlace: boolean) =>
    [...soft].filter(([name]) => isSoft(name) && PLACES.has(name) === isPlace).map(([, text]) => text);
  const words = [sentence.text, ...softWords(false)].filter((text) => text !== '').join(' ');
  const unknown = [...ignored, ...new Set(sparse.values())];
  const placeless = [...unknown, ...softWords(true)];
  const as = (given: Partial<ParsedQuery>): ParsedQuery => ({
    ...(sentence.type === undefined ? {} : { type: sentence.type }),
    filters,
    text: sentence.text,
    ignored,
    ...(sentence.sort === undefined ? {} : { sort: sentence.sort }),
    ...given,
  });
  const read = as({});
  const dense = as({ filters: Object.fromEntries(known), ignored: unknown });
  const loose = as({ filters: Object.fromEntries(hard), text: words, ignored: placeless });
  const wordless = as({ text: '', ignored: [...ignored, sentence.text] });
  const unfiltered = as({ filters: {}, ignored: [...unknown, ...known.map(([, value]) => String(value))] });
  const untyped: ParsedQuery = {
    filters: {},
    text: words,
    ignored: sentence.type === undefined ? placeless : [...placeless, sentence.type],
  };
  const interpretations: Interpretation[] = [];
  const add = (
    understood: ParsedQuery,
    relaxations: readonly Relaxation[],
    whole: Interpretation['isWhole'] = false,
  ): void => {
    // Without any filter or keyword, a sentence would list everything.
    const isEmpty = understood.text === '' && Object.keys(understood.filters).length === 0;
    if (!isEmpty || entries.length === 0)
      interpretations.push({ request: asRequest(request, understood), relaxations, understood, isWhole: whole });
  };
  add(read, [isComparison && entries.length === 0 ? 'any' : 'typed'], isWhole);
  // A text that only names a type is more likely a name.
  const isName = !isAsked && entries.length === 0;
  if (!isCertain)
    interpretations.push({ request, relaxations: isName ? ['corrected', 'some'] : ['corrected'], isWhole: false });
  if (sentence.text !== '') add(read, ['corrected', 'any']);
  if (sparse.size > 0 && (known.length > 0 || sentence.text !== '')) add(dense, ['typed', 'any']);
  if (entries.length > 1) {
    for (const name of SOFT_ORDER.filter(isSoft)) {
      const others = Object.fromEntries(known.filter(([each]) => each !== name));
      const word = soft.get(name) ?? '';
      if (!PLACES.has(name))
        add(as({ filters: others, text: `${sentence.text} ${word}`.trim(), ignored: unknown }), ['typed', 'any']);
      add(as({ filters: others, ignored: [...unknown, word] }), ['typed']);
    }
  }
  // An indexed company name is not a typo; if no relation to it is known, its own record is the best result.
  const isLoose = words !== sentence.text;
  if (isLoose) add(loose, ['typed']);
  if (mayLackWords(sentence) && hard.length === 0 && known.length > 0) add(wordless, ['typed']);
  if (isLoose && !soft.has('company')) add(loose, ['any']);
  if (hard.length > 0 && sentence.text !== '') add(unfiltered, ['typed']);
  if (hard.length === 0 && words !== '') {
    if (sentence.type !== undefined) add(untyped, ['typed', 'any']);
    interpretations.push({ request, relaxations: ['corrected', 'some'], isWhole: false });
  }
  if (known.length > 0 && maySpareWords(sentence))
    add(as({ filters: Object.fromEntries(known), text: '', ignored: [...unknown, sentence.text] }), ['typed']);
  add(read, ['typed'], isWhole);
  return interpretations;
}

/**
 * Whether a filter of a certain sentence stays, even if nothing passes: the company of rounds, or else their stage. Most
 * events have a place.
 */
function isRequired({ type, filters }: ParsedSentence, name: FilterName): boolean {
  const isOfCompany = type === 'rounds' && 'company' in filters;
  if (name === 'funding_stage') return !isOfCompany;
  return name === 'company' ? isOfCompany : type === 'events' && PLACES.has(name);
}

/** Whether the keywords, which no record has beside the filters, may be ordinary words: a name or a place is required. */
const maySpareWords = ({ text, hasUnknownPlace, isWhole }: ParsedSentence): boolean =>
  isWhole === true && text !== '' && !hasUnknownPlace && !/\p{Lu}|\p{Script=Han}|\d/u.test(text);

/** Whether the keywords are a place without records, or the title of people whose company is known. */
const mayLackWords = ({ type, filters, text, hasUnknownPlace }: ParsedSentence): boolean =>
  hasUnknownPlace || (type === 'people' && 'company' in filters && text !== '');

/** The search request of an interpretation; explicit filters are kept. */
function asRequest(request: SearchRequest, { type, filters, text, sort }: ParsedQuery): SearchRequest {
  const types: readonly RecordType[] = type === undefined ? request.types : [type];
  return {
    ...request,
    types,
    text,
    sort: request.sort ?? parseSort(types, sort),
    filters: { ...pickFilters(filters), ...request.filters },
  };
}
