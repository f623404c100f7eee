import type { Place } from './companies.ts';
import type { Event } from './events.ts';
import { capitalized, listed, listedUpTo, periodWords, sentences, variantOf, withArticle } from './text.ts';

/** The sentences about an event. */

const SPEAKERS_SAID_MAX = 8;

/** What the event is, in a line. */
export function eventTagline(event: Event): string {
  const kind =
    event.eventType === null || event.eventType === 'other'
      ? 'Web3 event'
      : `Web3 ${event.eventType.replace('_', ' ')}`;
  const by = event.organizers.length === 0 ? '' : ` by ${listed(event.organizers)}`;
  const where = event.place === null ? '' : ` in ${placeWords(event.place)}`;
  return `${kind}${by}${where}${event.start === null ? '' : `, ${periodWords(event.start, event.end ?? event.start)}`}`;
}

/** What is known of the event. */
export function eventOverview(event: Event, speakers: readonly string[]): string {
  return sentences([
    event.start === null ? seriesSentence(event) : datedSentence(event, event.start),
    event.organizers.length === 0
      ? null
      : `The organiser${event.organizers.length === 1 ? ' is' : 's are'} ${listed(event.organizers)}`,
    othersSentence(event),
    speakers.length === 0 ? null : `Speakers on record: ${listedUpTo(speakers, SPEAKERS_SAID_MAX)}`,
    event.isOnEthereumOrg ? 'It is one of the community events listed on ethereum.org' : null,
  ]);
}

function seriesSentence(event: Event): string {
  const where = event.place === null ? '' : ` held in ${placeWords(event.place)}`;
  return `${event.name} is a Web3 event${where}; the exact dates are not on record here`;
}

function datedSentence(event: Event, start: string): string {
  const period = periodWords(start, event.end ?? start);
  const where = event.place === null ? '' : ` in ${placeWords(event.place)}`;
  const venue = event.venue === null ? '' : ` at the venue ${event.venue}`;
  const kind = event.eventType === null || event.eventType === 'other' ? 'event' : event.eventType.replace('_', ' ');
  return variantOf(event.slug, [
    `${event.name} is ${withArticle(`Web3 ${kind}`)} dated ${period}${where}${venue}`,
    `The Web3 ${kind} ${event.name} is listed for ${period}${where}${venue}`,
  ]);
}

function othersSentence(event: Event): string | null {
  if (event.otherEditions.length === 0) return null;
  const names = event.otherEditions.map((other) => `${other.name}${other.place?.city ? ` (${other.place.city})` : ''}`);
  const start = `Other known ${names.length === 1 ? 'edition' : 'editions'} of ${event.seriesName}`;
  return capitalized(`${start}: ${listed(names)}`);
}

function placeWords(place: Place): string {
  return [...new Set([place.city, place.country].filter((part) => part !== null))].join(', ');
}
