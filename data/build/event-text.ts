import type { Event } from './events.ts';
import type { Place } from './places.ts';
import { listed, listedUpTo, periodWords, sentences, withArticle } from './text.ts';

/** The sentences about an event. */

const SPEAKERS_SAID_MAX = 8;
const EDITIONS_SAID_MAX = 8;

type Said = Event & { readonly slug: string; readonly otherEditions: readonly Event[] };

const kindOf = ({ eventType }: Said): string => (eventType === null ? 'event' : eventType.replace('_', ' '));

/** What the event is, in a line. */
export function eventTagline(event: Said): string {
  const where = event.place === null ? (event.format === 'online' ? ', online' : '') : ` in ${placeWords(event.place)}`;
  const when = event.start === null ? `, ${event.edition}` : `, ${periodWords(event.start, event.end ?? event.start)}`;
  return `Web3 ${kindOf(event)}${where}${when}`;
}

/** What is known of the event. */
export function eventOverview(event: Said, speakers: readonly string[]): string {
  return sentences([
    datedSentence(event),
    othersSentence(event),
    speakers.length === 0 ? null : `Speakers on record: ${listedUpTo(speakers, SPEAKERS_SAID_MAX)}`,
  ]);
}

function datedSentence(event: Said): string {
  const where = event.place === null ? (event.format === 'online' ? ', online' : '') : ` in ${placeWords(event.place)}`;
  const kind = kindOf(event);
  if (event.start !== null && event.toldOn < event.start)
    return `${event.name} is ${withArticle(`Web3 ${kind}`)}${where}, announced for ${periodWords(event.start, event.end ?? event.start)}`;
  if (event.start === null)
    return `${event.name} is ${withArticle(`Web3 ${kind}`)}${where}; the exact dates are not on record here`;
  return `${event.name} is ${withArticle(`Web3 ${kind}`)}${where}, ${periodWords(event.start, event.end ?? event.start)}`;
}

function othersSentence(event: Said): string | null {
  if (event.otherEditions.length === 0) return null;
  const names = event.otherEditions.map((other) => `${other.name}${other.place?.city ? ` (${other.place.city})` : ''}`);
  const start = `Other ${names.length === 1 ? 'edition' : 'editions'} of ${event.seriesName}`;
  return `${start}: ${listedUpTo(names, EDITIONS_SAID_MAX)}`;
}

function placeWords(place: Place): string {
  return listed([...new Set([place.city, place.country].filter((part) => part !== null))]).replace(' and ', ', ');
}
