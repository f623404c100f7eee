import type { VNode } from 'preact';
import { dayText } from '../../contract/day-text.ts';
import type { RecordData } from '../../contract/entities/index.ts';
import { amountText, dayOf, leadsOf, placeOf } from '../../contract/record-texts.ts';
import { companyOf, isGrant } from '../../contract/rounds.ts';
import { isOfEditors, isUnsourced, UNSOURCED } from '../../contract/unsourced.ts';
import { isBlank } from '../../contract/value-text.ts';
import { Card, RecordLink } from '../components.tsx';
import { isFounderOf } from '../data/people-order.ts';
import { listIn, type Related } from '../data/related.tsx';
import { TimelineEntries } from './cited-sources.tsx';
import { stageText } from './round-table.tsx';

export interface Happening {
  readonly kind: 'founded' | 'raised' | 'invested' | 'spoke';
  /** The day, or the year alone. */
  readonly date: string;
  readonly when: string;
  readonly text: VNode;
}

interface HappeningsOf {
  readonly person: RecordData;
  readonly related: readonly Related[];
  readonly raised: readonly RecordData[];
}

const SHOWN_MAX = 8;
/** Up to as many rounds or events are told by the timeline alone. */
const TOLD_MAX = 3;

/** Whether a list has no table beside the timeline. */
export const isTold = ({ list: { name }, total }: Related): boolean =>
  ['rounds', 'events'].includes(name) && total <= TOLD_MAX;

/** What a person founded, raised, invested in and spoke at; nothing if all is of one kind. */
export function happeningsOf({ person, related, raised }: HappeningsOf): readonly Happening[] {
  const all: readonly Happening[] = [
    ...listIn(related, 'companies')
      .filter((company) => isFounderOf(person, company))
      // A company may also have a record as an investor.
      .filter(({ name }, index, founded) => founded.findIndex((one) => one.name === name) === index)
      .map(foundedBy),
    ...raised.map((round) => happeningOf('raised', round)),
    ...related
      .filter(isTold)
      .flatMap(({ list: { name }, records }) =>
        name === 'events' ? records.map(spokeAt) : records.map((round) => happeningOf('invested', round)),
      ),
  ].filter(({ kind, date }) => date !== '' || kind === 'spoke');
  return new Set(all.map(({ kind }) => kind)).size < 2 ? [] : all;
}

export function Timeline({ happenings }: { happenings: readonly Happening[] }) {
  if (happenings.length === 0) return null;
  const items = happenings.toSorted((one, other) => (one.date < other.date ? 1 : -1));
  return (
    <Card title="Timeline" id="timeline">
      <TimelineEntries items={items} shownMax={SHOWN_MAX} />
    </Card>
  );
}

function foundedBy(company: RecordData): Happening {
  const field = ['founded_date', 'year_founded'].find((name) => !isBlank(company[name])) ?? '';
  const when = String(company[field] ?? '');
  const text = (
    <>
      Founded <RecordLink to={company} />
      {isOfEditors(company, field) ? <span class="muted">, {UNSOURCED}</span> : null}
    </>
  );
  return { kind: 'founded', date: when, when: dayText(when), text };
}

function happeningOf(kind: 'raised' | 'invested', round: RecordData): Happening {
  const what = isGrant(round) ? 'a grant' : isBlank(round['stage']) ? 'a round' : stageText(round);
  const text = (
    <>
      {kind === 'invested' ? 'Invested in ' : 'Funding of '}
      <RecordLink to={companyOf(round)} />
      {', '}
      <RecordLink to={round}>{what}</RecordLink>
      <span class="muted">
        {isBlank(round['amount_usd']) ? '' : `, ${amountText(round)}`}
        {leadsOf(round, ', led by ')}
        {isUnsourced(round) ? `, ${UNSOURCED}` : ''}
      </span>
    </>
  );
  return { kind, date: String(round['announced_date'] ?? ''), when: dayOf(round), text };
}

function spokeAt(event: RecordData): Happening {
  const text = (
    <>
      Spoke at <RecordLink to={event} />
      <span class="muted">{placeOf(event) === '' ? '' : `, ${placeOf(event)}`}</span>
    </>
  );
  const date = String(event['start_date'] ?? '');
  return { kind: 'spoke', date, when: date === '' ? 'No date' : dayText(date), text };
}
