import { Fragment } from 'preact';
import { statedText } from '../../contract/day-text.ts';
import { inWords } from '../../contract/filter-words.ts';
import { vocabularyLabel } from '../../contract/vocabulary.ts';
import { Link, usePage } from '../components.tsx';
import { yearsBefore } from './round-statistics.ts';
import type { SearchOutcome } from './search.ts';

const PITCHED_STAGES = ['seed', 'series_a', 'series_b'];

/** Who led rounds lately, at any stage and at the first ones, as whoever raises one asks. */
export function PitchLinks({ effective, newestRound }: SearchOutcome) {
  const { searchAt } = usePage();
  const { type, query, given } = effective;
  if (type !== 'investors' || query !== '' || newestRound === undefined) return null;
  const ranking = (stage: object): string =>
    `${searchAt}/aggregate?${new URLSearchParams({ of: 'rounds', group_by: 'lead_investor', from: yearsBefore(new Date(newestRound), 2), ...(given.tag && { tag: given.tag }), ...stage })}`;
  return (
    <p class="hint">
      Who led most rounds in the two years to {statedText(newestRound)}, the newest round on record
      {given.tag && `, in ${inWords('tag', given.tag)}`}: <Link to={ranking({})}>at any stage</Link>
      {PITCHED_STAGES.map((stage) => (
        <Fragment key={stage}>
          , <Link to={ranking({ funding_stage: stage })}>{vocabularyLabel(stage)}</Link>
        </Fragment>
      ))}
    </p>
  );
}
