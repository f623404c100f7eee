import { hasFilter } from '../../contract/filters.ts';
import { measureOf } from '../../contract/sentence-calls.ts';
import { anyMeans, type Chunk, means, textOf } from './chunks.ts';
import { groupAt } from './groups.ts';
import { asksForValuation, namesValuation, ORDERS, type ParseRequest, type ParseState } from './parse-state.ts';

const UNICORNS = /^(?:(?:a )?unicorn|einh|licorne|独角兽)/;
/** What a unicorn is valued at, in US dollars. */
const UNICORN_MIN = 1e9;
const MOST_VALUED = /^(?:most|highest) /;

/** Whether nothing but the valuations of rounds is asked for, of which no total and no group is made. */
const isOfValuations = (chunks: readonly Chunk[], request: Pick<ParseRequest, 'lexicon'>): boolean =>
  chunks.some((chunk) => namesValuation(chunks, chunk)) &&
  !chunks.some((chunk, index) => isTotal(chunk) || groupAt(chunks, index, request));

/** Whether a word makes one figure of several: `average`, `median`, `combined`. */
function isTotal(chunk: Chunk): boolean {
  const measure = measureOf(textOf([chunk]));
  return measure !== undefined && measure !== 'max' && measure !== 'min' && !means(chunk, 'funding');
}

/** Whether the rounds of companies are listed for their valuations, by nothing that only companies state: `companies valued over $1B`. */
export const areOfValued = (chunks: readonly Chunk[], request: Pick<ParseRequest, 'lexicon'>): boolean =>
  isOfValuations(chunks, request) &&
  !anyMeans(chunks, 'founds', 'foundedBy', 'employees') &&
  !chunks.some(({ closed }) => closed && !hasFilter('rounds', closed[0]));

/** Whether a word stands for companies whose rounds are listed for their valuations: `companies valued over $1B`. */
export const isOfValued = ({ chunks, type, request }: ParseState, chunk: Chunk): boolean =>
  type === 'rounds' && means(chunk, 'companies') && isOfValuations(chunks, request);

/** The order by valuations that a word asks for: `highest valuation`, `most valuable`, `by valuation`. */
export function orderOfValuation({ chunks, type, request }: ParseState, chunk: Chunk): string | undefined {
  const index = chunks.indexOf(chunk);
  const isNamed = (at: number): boolean => chunks[at] !== undefined && namesValuation(chunks, chunks[at]);
  if (type !== 'rounds' || !isOfValuations(chunks, request)) return undefined;
  const order = isNamed(index + 1) ? ORDERS.find((each) => means(chunk, each)) : undefined;
  if (order === 'latest' || order === 'oldest') return order === 'latest' ? '-announced_date' : 'announced_date';
  if (order !== undefined) return order === 'largest' ? '-valuation_usd' : 'valuation_usd';
  if (!isNamed(index)) return undefined;
  const before = chunks[index - 1];
  if (means(before, 'smallest')) return 'valuation_usd';
  return means(before, 'largest', 'per', 'by') || MOST_VALUED.test(textOf([chunk])) ? '-valuation_usd' : undefined;
}

/**
 * Reads a word for the valuations of rounds, which alone state them: without a bound or a company they are those that state one.
 * Whether it is read.
 */
export function readValuation(state: ParseState, chunk: Chunk): boolean {
  const { chunks, type, filters, request } = state;
  if (type !== 'rounds' || !namesValuation(chunks, chunk)) return false;
  if (!isOfValuations(chunks, request)) return asksForValuation(chunks, chunk);
  if (UNICORNS.test(textOf([chunk])) && !asksForValuation(chunks, chunk)) filters.set('valuation_min', UNICORN_MIN);
  const isBound = chunks.some((_, index) => isValuationAt(state, index));
  if (!isBound && !filters.has('valuation_min') && !asksForValuation(chunks, chunk)) filters.set('valuation_min', 1);
  return true;
}

/** Whether an amount at an index is a valuation: `valued at over $1B`, `a $1B valuation`, but not `valued companies that raised $1B`. */
export function isValuationAt({ chunks, type, request }: ParseState, index: number): boolean {
  if (type !== 'rounds' || !chunks[index]?.amount?.isMoney || !isOfValuations(chunks, request)) return false;
  // `between $1B and $5B valuation`
  const isOfAmounts = (chunk: Chunk): boolean =>
    chunk.amount !== undefined || means(chunk, 'empty', 'orMore', 'orLess', 'or', 'and');
  const next = chunks.slice(index + 1).find((chunk) => !isOfAmounts(chunk));
  if (next !== undefined && namesValuation(chunks, next)) return true;
  const verb = chunks
    .slice(0, index)
    .findLast((chunk) => namesValuation(chunks, chunk) || means(chunk, 'raised', 'funding', 'rounds'));
  return verb !== undefined && namesValuation(chunks, verb);
}
