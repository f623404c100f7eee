import { asksHowMany } from '../../contract/answer-records.ts';
import { type FilterName, hasFilter } from '../../contract/filters.ts';
import { anyMeans, means, textOf } from './chunks.ts';
import { WITH } from './groups.ts';
import { isPortfolio, type ParseState } from './parse-state.ts';
import { wordsOf } from './sentence-tokens.ts';

/** Verbs of companies that raised, rather than received: `raised money`, `levé`, `融资`. */
const RAISING =
  /rais(?:e|ed|ing)\b|fund|finan[cz]|money|backed|lev[ea]|reco?lt|recaud|capt|arrecad|sammel|geld|[融募筹]/;
const OF_FUNDING = [
  'rounds_min',
  'rounds_max',
  'funding_min',
  'funding_max',
  'from',
  'to',
  'last_round_before',
  'funding_stage',
  'investor',
] as const;

/** Reads `that raised money` and `with funding`, without more, as companies of known funding. */
export function readFunded(state: ParseState): void {
  const { type, chunks, filters } = state;
  const isGrouped = state.groups.length > 0;
  const funded = chunks.find(
    (chunk, index) =>
      // `which company raised the most`
      (!isGrouped && means(chunk, 'raised') && RAISING.test(wordsOf(chunk.tokens))) ||
      // `which chain has the most funded companies`
      (isGrouped && /funded$/.test(wordsOf(chunk.tokens)) && means(chunks[index + 1], 'companies')) ||
      (means(chunk, 'funding') && WITH.has(chunks[index - 1]?.tokens[0]?.text ?? '')),
  );
  const isOther =
    OF_FUNDING.some((name) => filters.has(name)) ||
    (state.sort ?? state.period ?? state.negation ?? state.unreadNegation) !== undefined ||
    state.unstated.length + state.unknownParty.length > 0;
  if (type !== 'companies' || funded === undefined || isOther) return;
  filters.set('funding_min', 1);
  const ignored = state.ignored.indexOf(funded.tokens[0]?.raw ?? '');
  if (ignored >= 0) state.ignored.splice(ignored, 1);
}

/**
 * Reads companies that an investor backed at a stage as these rounds, because each of the two filters of companies holds for any
 * round: `which companies did A back at seed`, but not `companies backed by A that raised a Series B`.
 */
export function readBackedAtStage(state: ParseState): void {
  const { type, request, filters, groups, chunks, sort } = state;
  const isOfBoth = ['investor', 'funding_stage'].every((name) =>
    /^[^:]+$/.test(String(filters.get(name as FilterName) ?? ':')),
  );
  const areBacked =
    anyMeans(chunks, 'backs', 'backed', 'led') && !anyMeans(chunks, 'raised', 'rounds', 'founds', 'common');
  const isOfRounds = [...filters.keys()].every((name) => hasFilter('rounds', name) && name !== 'from' && name !== 'to');
  if (type !== 'companies' || request.types.length === 1 || !isOfBoth || !areBacked || !isOfRounds) return;
  if (groups.length > 0 || sort !== undefined || chunks.some(isPortfolio)) return;
  state.type = 'rounds';
  if (asksHowMany(textOf(chunks))) groups.push('company');
}
