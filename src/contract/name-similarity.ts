import { foldName } from './names.ts';

/** The three values most similar to the text, by shared character bigrams. */
export function suggestValues(text: string, values: readonly string[]): string[] {
  const folded = foldName(text);
  const scored = [...new Set(values)].map((value) => ({ value, score: similarity(folded, foldName(value)) }));
  return scored
    .sort((one, other) => other.score - one.score)
    .slice(0, NEAREST_MAX)
    .map(({ value }) => value);
}

const NEAREST_MAX = 3;

/** Similarity of two folded texts from 0 to 1: the Dice coefficient of their bigrams. */
function similarity(one: string, other: string): number {
  if (one === other) return 1;
  const pairs = pairsOf(one);
  const others = pairsOf(other);
  const left = new Map<string, number>();
  for (const pair of pairs) left.set(pair, (left.get(pair) ?? 0) + 1);
  let shared = 0;
  for (const pair of others) {
    const count = left.get(pair) ?? 0;
    if (count === 0) continue;
    left.set(pair, count - 1);
    shared += 1;
  }
  return (2 * shared) / Math.max(1, pairs.length + others.length);
}

/** Below this similarity a name is no near miss; random names reach it. */
const NEAR_MISS_MIN = 0.45;

/** Whether a text may mean a record's name: it is similar, or the name begins with it. */
export function isNearMiss(name: string, text: string): boolean {
  const [folded, sought] = [foldName(name), foldName(text)];
  return (sought !== '' && folded.startsWith(sought)) || similarity(folded, sought) >= NEAR_MISS_MIN;
}

/** Bigrams, with the first letter as one of its own, because a common beginning is stronger evidence. */
const pairsOf = (text: string): string[] =>
  Array.from({ length: text.length }, (_, index) => (index === 0 ? `^${text[0]}` : text.slice(index - 1, index + 1)));

/** Other names that a parameter is accepted by, because the field of some types has them. */
export const OTHER_NAMES: Readonly<Record<string, string>> = { stage: 'funding_stage' };

/** Names of parameters in other services, by ours. */
const SYNONYMS: readonly (readonly [other: string, name: string])[] = Object.entries({
  tag: 'sector category industry vertical',
  country: 'region continent location',
  chain: 'blockchain network',
  funding_stage: 'stage round',
  from: 'since after year date date_from start_date source',
  to: 'until before date_to end_date target',
  founded_from: 'founded year_founded founded_after',
  acquirer: 'acquired_by bought_by buyer',
  funding_min: 'min_funding amount_min min_amount raised_min',
  funding_max: 'max_funding amount_max max_amount raised_max',
  query: 'q text term search name keyword keywords role title',
  limit: 'per_page size',
  top: 'limit rows',
  of: 'type',
  group_by: 'by dimension',
  measure: 'metric',
  page: 'offset limit',
  hops_max: 'depth hops max_hops',
  include: 'related relations expand',
  sort: 'order order_by sort_by',
  total_funding_usd: 'funding raised',
  amount_usd: 'amount raised',
  announced_date: 'date',
  investments_count: 'deals',
  year: 'yr annual',
  items: 'ids records',
  location_json: 'city country',
  people: 'founders founder team employees',
  similar: 'competitors alternatives peers',
}).flatMap(([name, others]) => others.split(' ').map((other) => [other, name] as const));

/** Names by which the leads of rounds are asked for elsewhere, and the two parameters that ask for them here. */
const OF_LEADS = /^(?:led_by|leads?(?:_investors?)?)$/i;
const BY_LEAD = ['investor', 'led'];

/** Less similar names are unrelated. Short ones are similar by chance: `foo` begins as `format` does. */
const NAME_SIMILARITY_MIN = 0.4;
const SHORT_NAME_SIMILARITY_MIN = 0.5;
/** Shorter names, such as `t` or `to`, resemble too many; longer ones resemble none and are slow to compare. */
const COMPARED_LENGTH_MIN = 3;
const COMPARED_LENGTH_MAX = 50;
const SHORT_NAME_LENGTH_MAX = 3;

/** The known name that other services have another one for, or the two that mean it together, of which the second is a flag. */
export function synonymsOf(unknown: string, known: readonly string[]): readonly string[] {
  const synonym = SYNONYMS.find(([other, name]) => other === unknown.toLowerCase() && known.includes(name));
  if (synonym !== undefined) return [synonym[1]];
  return OF_LEADS.test(unknown) && known.includes('led') ? BY_LEAD : [];
}

/** The known names that an unknown one may mean: its synonym, or at most three spelt like it, most likely first. */
export function similarNames(unknown: string, known: readonly string[]): string[] {
  if (unknown.length > COMPARED_LENGTH_MAX) return [];
  const name = foldName(unknown);
  const [synonym, flag] = synonymsOf(unknown, known);
  if (synonym !== undefined) return [flag === undefined ? synonym : `${synonym} with ${flag}=true`];
  if (name.length < COMPARED_LENGTH_MIN) return [];
  const long = known.filter((each) => each.length >= COMPARED_LENGTH_MIN);
  const least = name.length > SHORT_NAME_LENGTH_MAX ? NAME_SIMILARITY_MIN : SHORT_NAME_SIMILARITY_MIN;
  return suggestValues(unknown, long).filter((each) => similarity(name, foldName(each)) >= least);
}
