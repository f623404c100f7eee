import { isNegated } from '../../contract/filters.ts';
import { anyMeans, isContent, means } from './chunks.ts';
import { leaveUnstated, type ParseState } from './parse-state.ts';

/**
 * Reads that nobody led, or that the investor before it joined only: `without a lead`, `A joined but did not lead`. Returns the
 * number of chunks read; 0 if it says neither.
 */
export function withoutLeadLength(state: ParseState, index: number): number {
  const { chunks, type, filters } = state;
  const next = (from: number): number => chunks.findIndex((chunk, at) => at >= from && !means(chunk, 'empty'));
  const [chunk, verb] = [chunks[index], next(index + 1)];
  const party = filters.get('investor');
  // `A did not lead but joined`
  if (means(chunk, 'backs') && filters.get('led') && isNegated(party) && type === 'rounds') {
    filters.set('investor', String(party).slice('not:'.length)).set('led', false);
    return 1;
  }
  if (type !== 'rounds' || !means(chunk, 'lacking', 'not') || !means(chunks[verb], 'led')) return 0;
  const after = chunks[verb + 1];
  if (chunks[verb] === state.backward || isContent(chunks[next(verb + 1)])) return 0;
  // `investors in A that did not lead`: its rounds state who led, and nothing can be filtered by who else took part.
  if (means(chunk, 'not') && anyMeans(chunks.slice(0, index), 'investors')) {
    const words = chunks.slice(index, verb + 1);
    leaveUnstated(state, words);
    return words.length;
  }
  filters.set('led', false);
  const isOfAnyone = means(after, 'investors') || /^any/.test(after?.tokens[0]?.text ?? '');
  return verb - index + (isOfAnyone ? 2 : 1);
}
