import type { RecordType } from '../../contract/entities/index.ts';
import { type FilterName, pickFilters } from '../../contract/filters.ts';
import type { SearchRequest, Understood } from '../port/records.ts';
import type { Reach } from '../search/matches.ts';
import type { Reading } from '../sentences/reader.ts';

/** One way to search for what a text may mean. */
export interface Attempt {
  readonly request: SearchRequest;
  readonly reaches?: readonly Reach[] | undefined;
  /** How the sentence was read; undefined where the text is taken as it is. */
  readonly understood?: Understood | undefined;
  /** Whether all that was asked for is in it. */
  readonly isWhole: boolean;
}

/**
 * Ways to search for a sentence, the nearest to what it says first. What is known of few records, and names that may be
 * ordinary words, become words again where nothing has them; days and amounts stay, because an answer without them would be wrong.
 * The last way is the answer where none finds anything.
 */
export function attemptsAt(request: SearchRequest, reading: Reading): readonly Attempt[] {
  const { soft, sparse, isCertain, ignored, filters } = reading;
  const entries = Object.entries(filters) as [FilterName, string | number | boolean][];
  const known = entries.filter(([name]) => !sparse.has(name));
  const hard = known.filter(([name]) => !soft.has(name));
  const words = [reading.text, ...soft.values()].filter((text) => text !== '').join(' ');
  const unknown = [...ignored, ...new Set(sparse.values())];
  const as = (given: Partial<Understood>): Understood => ({
    ...(reading.type === undefined ? {} : { type: reading.type }),
    filters,
    text: reading.text,
    ignored,
    ...given,
  });
  const read = as({});
  const dense = as({ filters: Object.fromEntries(known), ignored: unknown });
  const loose = as({ filters: Object.fromEntries(hard), text: words, ignored: unknown });
  const unfiltered = as({ filters: {}, ignored: [...unknown, ...known.map(([, value]) => String(value))] });
  const untyped: Understood = {
    filters: {},
    text: words,
    ignored: [...unknown, ...(reading.type ? [reading.type] : [])],
  };
  const attempts: Attempt[] = [];
  const add = (understood: Understood, reaches: readonly Reach[], isWhole = false): void => {
    attempts.push({ request: asRequest(request, understood), reaches, understood, isWhole });
  };
  add(read, ['typed'], true);
  if (!isCertain) attempts.push({ request, reaches: ['corrected'], isWhole: false });
  if (reading.text !== '') add(read, ['corrected', 'any']);
  if (sparse.size > 0 && (known.length > 0 || reading.text !== '')) add(dense, ['typed', 'any']);
  if (soft.size > 0) add(loose, ['typed', 'any']);
  if (hard.length > 0 && reading.text !== '') add(unfiltered, ['typed']);
  if (hard.length === 0 && words !== '') {
    if (reading.type !== undefined) add(untyped, ['typed', 'any']);
    attempts.push({ request, reaches: ['corrected', 'some'], isWhole: false });
  }
  add(read, ['typed'], true);
  return attempts;
}

/** The request that an understanding stands for; filters that were given are kept. */
function asRequest(request: SearchRequest, { type, filters, text }: Understood): SearchRequest {
  const types: readonly RecordType[] = type === undefined ? request.types : [type];
  return { ...request, types, text, filters: { ...pickFilters(filters), ...request.filters } };
}
