import type { RecordData } from '../../contract/entities/index.ts';
import { DAY_MS } from '../../contract/periods.ts';
import { daysOf, placeOf } from '../../contract/record-texts.ts';
import { counted, countText, isBlank } from '../../contract/value-text.ts';
import { vocabularyLabel } from '../../contract/vocabulary.ts';
import { RecordLink, Table } from '../components.tsx';

/** Orders events, the newest first: of some only the year is known, as the edition or in the name. */
export const newestFirst = (one: RecordData, other: RecordData): number =>
  whenOf(other).localeCompare(whenOf(one)) || other.name.localeCompare(one.name);

const whenOf = ({ start_date: start, edition }: RecordData): string => String(start ?? edition ?? '');

interface EventTableProps {
  readonly events: readonly RecordData[];
  readonly label: string;
  /** The one whose page this is. */
  readonly current?: RecordData | undefined;
  /** The event from which the others are some days away. */
  readonly beside?: RecordData;
}

export const speakersOf = ({ speakers }: RecordData): number => ((speakers ?? []) as readonly unknown[]).length;

/** Events with their days and places, and what not all of them have in common. */
export function EventTable({ events, label, current, beside }: EventTableProps) {
  const hasKinds = new Set(events.map((event) => event['event_type'])).size > 1;
  const hasSpeakers = events.some((event) => speakersOf(event) > 0);
  const further = [...(beside ? ['When'] : []), ...(hasKinds ? ['Kind'] : []), ...(hasSpeakers ? [SPEAKERS] : [])];
  return (
    <Table label={label} head={['Event', 'Date', 'Place', ...further]} numbers={[SPEAKERS]}>
      {events.map((event) => (
        <tr key={event.id} aria-current={event.type === current?.type && event.id === current.id ? 'true' : undefined}>
          <td>
            <RecordLink to={event} />
          </td>
          <td class="nowrap">{daysOf(event) || '–'}</td>
          <td>{placeOf(event) || '–'}</td>
          {beside === undefined ? null : <td class="nowrap">{daysBetween(beside, event)}</td>}
          {hasKinds ? (
            <td>{isBlank(event['event_type']) ? '–' : vocabularyLabel(String(event['event_type']))}</td>
          ) : null}
          {hasSpeakers ? <td class="number">{speakersOf(event) === 0 ? '–' : countText(speakersOf(event))}</td> : null}
        </tr>
      ))}
    </Table>
  );
}

const SPEAKERS = 'Speakers';

/** How long after or before an event another begins. */
function daysBetween({ start_date: from }: RecordData, { start_date: to }: RecordData): string {
  const days = Math.round((Date.parse(String(to)) - Date.parse(String(from))) / DAY_MS);
  if (days === 0) return 'the same day';
  return `${counted(Math.abs(days), 'days')} ${days > 0 ? 'later' : 'earlier'}`;
}
