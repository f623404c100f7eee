import { measureOf } from '../../contract/sentence-calls.ts';
import { GRANT } from '../../contract/vocabulary.ts';
import { namesSpeakers } from './asked-fact.ts';
import { anyMeans, type Chunk, means, textOf } from './chunks.ts';
import { type ParseState, partyGroup } from './parse-state.ts';

/** The groups of rounds that an order of investors counts. */
const ACTIVITY: Readonly<Record<string, string>> = { '-investments_count': 'investor', '-lead_count': 'lead_investor' };

/**
 * The group of rounds that ranks companies in a period, or investors in a period, at a stage or in a sector, which their
 * own figures do not; or of events that ranks speakers.
 */
export function rankedGroup(state: ParseState): string | undefined {
  const { type, filters, period, sort, chunks } = state;
  const isOfSpeakers = filters.size === 0 && chunks.some(namesSpeakers);
  if (isOfSpeakers && type === 'people' && anyMeans(chunks, 'largest')) return 'speaker';
  // `which event had the most speakers`, `events by number of speakers`, `speakers per event`
  const areOfEvents = type === 'events' || (type === 'people' && anyMeans(chunks, 'events'));
  if (isOfSpeakers && areOfEvents && anyMeans(chunks, 'largest', 'per')) return 'event';
  // Total funding excludes grants.
  const isOfRounds =
    isRankedInPeriod(state) ||
    (type === 'companies' && (filters.get('funding_stage') === GRANT || raisedInStage(chunks)));
  if (isOfRounds && sort === '-total_funding_usd') return 'company';
  const isOfPart = period !== undefined || filters.has('funding_stage') || filters.has('tag');
  if (type !== 'investors' || !isOfPart) return undefined;
  if (sort !== undefined) return ACTIVITY[sort];
  // `how much did European VCs invest in 2022`
  const isOfSum = (filters.has('country') || filters.has('investor_type')) && asksForSum(chunks);
  return isOfSum ? 'year' : partyGroup(chunks);
}

/** Whether one sum is asked for, not that of each. */
const asksForSum = (chunks: readonly Chunk[]): boolean => {
  const words = textOf(chunks).split(' ');
  return (
    words.some((word) => measureOf(word) === 'sum') && !words.some((word) => /^(?:which|who|each|per|by)$/i.test(word))
  );
};

/** Whether companies are asked for by what they raised at a stage, not of all stages: `raised the most in Series A rounds`. */
const raisedInStage = (chunks: readonly Chunk[]): boolean =>
  anyMeans(chunks, 'raised') &&
  chunks.some((chunk, index) => chunk.closed?.[0] === 'funding_stage' && means(chunks[index - 1], 'in'));

/** Whether companies are ranked by an amount in a period, which only totals have. */
export const isRankedInPeriod = ({ type, subject, sort, chunks, isCompared }: ParseState): boolean =>
  type === 'companies' &&
  !isCompared &&
  subject !== 'founded' &&
  String(sort).endsWith('total_funding_usd') &&
  chunks.some(({ period }) => period);
