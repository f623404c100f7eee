import type { VNode } from 'preact';
import { vocabularyLabel } from '../../contract/vocabulary.ts';
import { RecordLink, row, Table } from '../components.tsx';
import { isBlank, type RecordData } from '../data/values.tsx';
import { dayText } from '../day-text.ts';

/** The days of an event; blank if they are not known. */
export const daysOf = ({ start_date: start, end_date: end }: RecordData): string => dayText(start, end);

/** City and country of an event, or that it is online; a city state is named once. */
export function placeOf({ location_json: location, format }: RecordData): string {
  const { city, country } = (location ?? {}) as Readonly<Record<string, string | null>>;
  const place = [...new Set([city, country])].filter((part) => !isBlank(part)).join(', ');
  return place === '' && format === 'online' ? 'Online' : place;
}

export function EventTable({ events, label }: { events: readonly RecordData[]; label: string }): VNode {
  const hasKinds = events.some((event) => event['event_type']);
  return (
    <Table label={label} head={['Event', 'Date', 'Place', ...(hasKinds ? ['Kind'] : [])]}>
      {events.map((event) => {
        const kind = isBlank(event['event_type']) ? '–' : vocabularyLabel(String(event['event_type']));
        const days = <td class="nowrap">{daysOf(event) || '–'}</td>;
        return row(event.id, <RecordLink to={event} />, days, placeOf(event) || '–', ...(hasKinds ? [kind] : []));
      })}
    </Table>
  );
}
