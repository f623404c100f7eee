import type { RecordType } from '../../contract/entities/index.ts';
import { type FilterName, pickFilters } from '../../contract/filters.ts';
import { parseSort } from '../../contract/sorts.ts';
import type { SearchRequest, Understood } from '../port/records.ts';
import type { Relaxation } from '../search/matches.ts';
import type { Reading } from '../sentences/reader.ts';

/** One way to search for what a text may mean. */
export interface Attempt {
  readonly request: SearchRequest;
  readonly reaches?: readonly Relaxation[] | undefined;
  /** How the sentence was read; undefined where the text is taken as it is. */
  readonly understood?: Understood | undefined;
  /** Whether all that was asked for is in it. */
  readonly isWhole: boolean;
}

/** Filters whose words may have been meant as words, those that fewest records have first; a place is never looked for as a word. */
const SOFT_ORDER: readonly FilterName[] = [
  'event_type',
  'investor_type',
  'company',
  'chain',
  'tag',
  'funding_stage',
  'city',
  'country',
];
const PLACES: ReadonlySet<FilterName> = new Set(['city', 'country']);

/**
 * Ways to search for a sentence, the nearest to what it says first. What is known of few records, and names that may be
 * ordinary words, become words again where nothing has them; days and amounts stay, because an answer without them would be wrong.
 * The last way is the answer where none finds anything.
 */
export function attemptsAt(request: SearchRequest, reading: Reading): readonly Attempt[] {
  const { soft, sparse, isCertain, isAsked, isPartial, ignored, filters } = reading;
  const entries = Object.entries(filters) as [FilterName, string | number | boolean][];
  const known = entries.filter(([name]) => !sparse.has(name));
  // A stage that is asked for is one, though no round may have it; and where events are is known of most.
  const isSoft = (name: FilterName): boolean =>
    soft.has(name) && !(isCertain && (name === 'funding_stage' || (reading.type === 'events' && PLACES.has(name))));
  const hard = known.filter(([name]) => !isSoft(name));
  const softWords = (isPlace: boolean) =>
    [...soft].filter(([name]) => isSoft(name) && PLACES.has(name) === isPlace).map(([, text]) => text);
  const words = [reading.text, ...softWords(false)].filter((text) => text !== '').join(' ');
  const unknown = [...ignored, ...new Set(sparse.values())];
  const placeless = [...unknown, ...softWords(true)];
  const as = (given: Partial<Understood>): Understood => ({
    ...(reading.type === undefined ? {} : { type: reading.type }),
    filters,
    text: reading.text,
    ignored,
    ...(reading.sort === undefined ? {} : { sort: reading.sort }),
    ...given,
  });
  const read = as({});
  const dense = as({ filters: Object.fromEntries(known), ignored: unknown });
  const loose = as({ filters: Object.fromEntries(hard), text: words, ignored: placeless });
  const wordless = as({ text: '', ignored: [...ignored, reading.text] });
  const unfiltered = as({ filters: {}, ignored: [...unknown, ...known.map(([, value]) => String(value))] });
  const untyped: Understood = {
    filters: {},
    text: words,
    ignored: reading.type === undefined ? placeless : [...placeless, reading.type],
  };
  const attempts: Attempt[] = [];
  const add = (understood: Understood, reaches: readonly Relaxation[], isWhole = false): void => {
    // Without all that it asks for, a sentence would list everything.
    const isEmpty = understood.text === '' && Object.keys(understood.filters).length === 0;
    if (!isEmpty || entries.length === 0)
      attempts.push({ request: asRequest(request, understood), reaches, understood, isWhole });
  };
  add(read, ['typed'], !isPartial);
  // Of a text that only names a type, more are names than sentences.
  const isName = !isAsked && entries.length === 0;
  if (!isCertain) attempts.push({ request, reaches: isName ? ['corrected', 'some'] : ['corrected'], isWhole: false });
  if (reading.text !== '') add(read, ['corrected', 'any']);
  if (sparse.size > 0 && (known.length > 0 || reading.text !== '')) add(dense, ['typed', 'any']);
  if (entries.length > 1) {
    for (const name of SOFT_ORDER.filter(isSoft)) {
      const others = Object.fromEntries(known.filter(([each]) => each !== name));
      const word = soft.get(name) ?? '';
      if (!PLACES.has(name))
        add(as({ filters: others, text: `${reading.text} ${word}`.trim(), ignored: unknown }), ['typed', 'any']);
      add(as({ filters: others, ignored: [...unknown, word] }), ['typed']);
    }
  }
  // A company that is on record is no misspelt word: where nobody is known to belong to it, its own record says more.
  const isLoose = words !== reading.text;
  const isWordless = reading.hasUnknownPlace && hard.length === 0 && known.length > 0;
  if (isLoose) add(loose, ['typed']);
  if (isWordless) add(wordless, ['typed']);
  if (isLoose && !soft.has('company')) add(loose, ['any']);
  if (hard.length > 0 && reading.text !== '') add(unfiltered, ['typed']);
  if (hard.length === 0 && words !== '') {
    if (reading.type !== undefined) add(untyped, ['typed', 'any']);
    attempts.push({ request, reaches: ['corrected', 'some'], isWhole: false });
  }
  add(read, ['typed'], !isPartial);
  return attempts;
}

/** The request that an understanding stands for; filters that were given are kept. */
function asRequest(request: SearchRequest, { type, filters, text, sort }: Understood): SearchRequest {
  const types: readonly RecordType[] = type === undefined ? request.types : [type];
  return {
    ...request,
    types,
    text,
    sort: request.sort ?? parseSort(types, sort),
    filters: { ...pickFilters(filters), ...request.filters },
  };
}
