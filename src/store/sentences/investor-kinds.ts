import { anyMeans, type Chunk, isContent, means, textOf } from './chunks.ts';
import { isInVocabulary, isPlaceIn, phraseOf } from './knowledge.ts';
import { backsOthers, isAfterRole } from './left-values.ts';
import { ignore, leaveUnstated, type ParseState, precedesParty } from './parse-state.ts';
import { wordsOf } from './sentence-tokens.ts';

const VENTURE =
  /\bvcs?\b|venture|wagniskapital|risikokapital|capital[- ](?:d[e']? ?)?ris|capital[- ](?:de )?riesgo|风投|风险投资|创投/i;
const VENTURE_KINDS = 'venture_capital|corporate_venture_capital|exchange_arm';

const isVenture = (chunk: Chunk | undefined): chunk is Chunk =>
  means(chunk, 'investors') && VENTURE.test(textOf([chunk as Chunk]));

const OF_INVESTORS = /^(?:lead_)?investor$/;

/**
 * Restricts a list or a ranking of investors to venture capital where it asks for that: `VCs in London`, `most active VCs in 2021`,
 * `VCs that backed Acme`.
 */
export function readVentureCapital(state: ParseState, groups: readonly string[]): void {
  const { type, chunks, filters, sparse, sort, unstated } = state;
  const words = chunks.find(isVenture);
  const other = filters.get('investor_type');
  // `VCs vs hedge funds`
  if (words !== undefined && other !== undefined && type === 'investors' && anyMeans(chunks, 'versus', 'or', 'and'))
    filters.set('investor_type', `${VENTURE_KINDS}|${other}`);
  const areListed = groups.length === 0 || groups.join() === 'year';
  const isOfInvestors = areListed ? type === 'investors' : groups.every((group) => OF_INVESTORS.test(group));
  // Nothing else was read: `which VCs stopped investing`.
  const isOfNothing = filters.size === 0 && sort === undefined && unstated.length > 0;
  if (words === undefined || !isOfInvestors || isOfNothing || other !== undefined) return;
  if (groups.length === 0 && filters.has('investor')) ignore(state, [words]);
  else {
    filters.set('investor_type', VENTURE_KINDS);
    sparse.set('investor_type', phraseOf(words.tokens));
  }
}

/** Words for exchanges, of which the arms are investors. */
const EXCHANGES = /^(?:crypto )?exchanges$/i;

/** What kind of investor led or joined rounds: `led by market makers`, `with hedge funds`. Returns the number of chunks read; 0 for none. */
export function readKindOfParty(state: ParseState, index: number): number {
  const { type, chunks, filters } = state;
  const [before, chunk] = [chunks[index - 1], chunks[index]];
  if (type !== 'rounds' || chunk === undefined || filters.has('investor_type') || state.negation) return 0;
  const kind = kindAt(chunk);
  if (kind === undefined || !(isAfterRole(state, index) || precedesParty(before))) return 0;
  const isLed = means(before, 'led') || (means(before, 'empty') && means(chunks[index - 2], 'led'));
  if (isLed && filters.has('investor')) return 0;
  filters.set('investor_type', kind);
  if (isLed) filters.set('led', true);
  state.role = undefined;
  return 1;
}

/**
 * Restricts rounds to those of investors of a country or region, and of a kind: `led by European funds`, `with investors from
 * Asia`, `US VCs in Indian startups`; of companies, whose investors no filter is about, it names them. Returns the number of chunks
 * read; 0 for none.
 */
export function readPlacedInvestors(state: ParseState, index: number): number {
  const { type, chunks, filters, role } = state;
  const [first, second] = chunks.slice(index);
  const isOfRole = type === 'rounds' || (type !== 'investors' && (role === 'led' || role === 'backed'));
  const isIn = /\bin$/.test(wordsOf(first?.tokens ?? []));
  const at = isIn ? 1 : 2;
  const isOfWhere = means(first, 'investors') && (isIn || means(second, 'in', 'from'));
  // `investors in Singapore that backed gaming startups`, but not `investors in German startups`
  const backs = chunks.findIndex((chunk, each) => each > index + at && backsOthers(chunk));
  const isOfBackers = backs > 0 && !means(chunks[index + at + 1], 'companies');
  const isBehind = isOfWhere && (precedesParty(chunks[index - 1]) || isOfBackers);
  const [place, noun, length] = isBehind ? [chunks[index + at], first, at + 1] : [first, second, 2];
  if (!isOfRole || place === undefined || !means(noun, 'investors')) return 0;
  if (place.closed === undefined && !isContent(place)) return 0;
  const words = phraseOf(place.tokens);
  const country =
    place.closed?.[0] === 'country' ? place.closed[1] : isInVocabulary('country', words) ? words : undefined;
  if (country === undefined && !isPlaceIn(state.request.knowledge)(words)) return 0;
  const verb = chunks.findLastIndex((each, at) => at < index && means(each, 'led', 'backed'));
  const isLed = role === 'led' || means(chunks[verb], 'led');
  state.role = undefined;
  const isTaken = filters.has('investor_country') || (isLed && filters.has('investor'));
  if (type !== 'rounds' || isTaken || country === undefined) {
    leaveUnstated(state, chunks.slice(verb < 0 ? index : verb, index + length));
    return length;
  }
  filters.set('investor_country', `${state.negation ? 'not:' : ''}${country}`);
  const kind = noun && kindAt(noun);
  if (kind !== undefined && state.negation === undefined) filters.set('investor_type', kind);
  if (isLed && state.groups.length === 0) filters.set('led', true);
  state.negation = undefined;
  return length;
}

function kindAt(chunk: Chunk): string | undefined {
  if (chunk.closed?.[0] === 'investor_type') return chunk.closed[1];
  if (isVenture(chunk)) return VENTURE_KINDS;
  return EXCHANGES.test(textOf([chunk])) ? 'exchange_arm' : undefined;
}
