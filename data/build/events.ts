import { EVENT_TYPES } from '../../src/contract/vocabulary.ts';
import type { Place } from './companies.ts';
import { websiteAddress } from './companies.ts';
import { SAME_SERIES } from './decisions.ts';
import { eventOverview, eventTagline } from './event-text.ts';
import { type EditionValue, type Fact, factValues, type Subject, shippableFacts } from './facts.ts';
import { distinct, type Links, type Reference } from './links.ts';
import type { Person } from './people.ts';
import { groupReadings, newestDate, type Reading, readingsOf, type SourceLine } from './sources.ts';
import type { Tally } from './tally.ts';
import { nameKey } from './text.ts';

/** Events: a record for each edition, or one for a series of which no edition is dated. */

/** An event before names are linked. */
export interface Event {
  name: string;
  slug: string;
  aliases: string[];
  seriesName: string;
  seriesSlug: string;
  edition: string | null;
  start: string | null;
  end: string | null;
  place: Place | null;
  venue: string | null;
  website: string | null;
  eventType: (typeof EVENT_TYPES)[number] | null;
  organizers: string[];
  isOnEthereumOrg: boolean;
  otherEditions: { name: string; place: Place | null }[];
  readings: Reading[];
}

export interface EventLine {
  name: string;
  slug: string;
  aliases?: string[];
  tagline: string;
  overview: string;
  website?: string;
  series_slug: string;
  edition?: string;
  start_date?: string;
  end_date?: string;
  venue?: string;
  location_json?: Place;
  event_type?: (typeof EVENT_TYPES)[number];
  organizers?: Reference[];
  speakers?: Reference[];
  as_of: string | null;
  sources: SourceLine[];
}

/** The events that ship. */
export function eventsFrom(subjects: readonly Subject[], tally: Tally): Event[] {
  return subjects.flatMap((series) => {
    const sameAs = SAME_SERIES[series.slug];
    const editions = shippableFacts(series, 'edition');
    const other = subjects.find((candidate) => SAME_SERIES[candidate.slug] === series.slug);
    const aliases = other === undefined ? [] : [other.name];
    if (sameAs !== undefined) tally.count('event series merged into one of another name');
    if (sameAs !== undefined) return [];
    if (editions.length > 0) return withOthers(editions.map((fact) => editionFrom(series, fact, aliases)));
    const undated = seriesFrom(series);
    if (undated === null) tally.leaveOut('event series', 'no edition, website or place with a sufficient source');
    return undated === null ? [] : [undated];
  });
}

function withOthers(editions: Event[]): Event[] {
  const dated = editions.sort((left, right) => (right.start ?? '').localeCompare(left.start ?? ''));
  return dated.map((event) => ({ ...event, otherEditions: dated.filter((other) => other !== event) }));
}

function editionFrom(series: Subject, fact: Fact, aliases: readonly string[]): Event {
  const value = factValues.edition.parse(fact.value);
  const year = value.start_date.slice(0, 4);
  const numbered = new RegExp(`^${escaped(series.name)} (\\d{1,2})\\b`).exec(value.name)?.[1];
  const roman = / ([IVX]+)$/.exec(value.name)?.[1];
  const name =
    /\d/.test(value.name.replace(/TOKEN2049|Web3\S*/, '')) || roman !== undefined
      ? value.name
      : `${value.name} ${year}`;
  const shared = sharedOf(series);
  const venue = value.venue === null ? null : venueName(value.venue);
  const place = placeOrNone({ city: value.city, country: value.country });
  return {
    ...shared,
    name,
    slug: `${series.slug}-${numbered ?? year}`,
    aliases: [...new Set([series.name, value.name, ...aliases])].filter((alias) => alias !== name),
    edition: numbered ?? roman ?? year,
    start: value.start_date,
    end: value.end_date,
    place,
    venue,
    isOnEthereumOrg: fact.source.includes('ethereum-org-website'),
    readings: [...editionFields(value, place).flatMap((field) => readingsOf(fact, field)), ...shared.readings],
  };
}

function editionFields(value: EditionValue, place: Place | null): string[] {
  return [
    'name',
    'edition',
    'start_date',
    'end_date',
    ...(place === null ? [] : ['location_json']),
    ...(value.venue === null ? [] : ['venue']),
  ];
}

function seriesFrom(series: Subject): Event | null {
  const shared = sharedOf(series);
  const [usual] = shippableFacts(series, 'usual_location');
  const place = usual === undefined ? null : placeOrNone(factValues.place.parse(usual.value));
  if (shared.website === null && place === null) return null;
  const placed = usual === undefined || place === null ? [] : readingsOf(usual, 'location_json');
  return {
    ...shared,
    name: series.name,
    slug: series.slug,
    aliases: [],
    edition: null,
    start: null,
    end: null,
    place,
    venue: null,
    isOnEthereumOrg: false,
    readings: [...placed, ...shared.readings],
  };
}

/** What the facts say of a series as a whole. */
function sharedOf(series: Subject) {
  const [website] = shippableFacts(series, 'website');
  const [type] = shippableFacts(series, 'event_type');
  const [organizers] = shippableFacts(series, 'organizer');
  const address = website === undefined ? null : websiteAddress(String(website.value));
  return {
    seriesName: series.name,
    seriesSlug: series.slug,
    website: address,
    eventType: type === undefined ? null : (EVENT_TYPES.find((known) => known === type.value) ?? ('other' as const)),
    organizers: organizers === undefined ? [] : factValues.texts.parse(organizers.value).flatMap(splitNames),
    otherEditions: [],
    readings: [
      ...(website === undefined || address === null ? [] : readingsOf(website, 'website')),
      ...(type === undefined ? [] : readingsOf(type, 'event_type')),
      ...(organizers === undefined ? [] : readingsOf(organizers, 'organizers')),
    ],
  };
}

function placeOrNone(place: Place): Place | null {
  return place.city === null && place.country === null ? null : place;
}

/** "A x B / C" names three organisers. */
function splitNames(text: string): string[] {
  return text.split(/ x |\s*\/\s*/).filter((name) => name !== '');
}

/** A venue that the source writes as a slug, in words. */
function venueName(text: string): string {
  if (!/^[a-z-]+$/.test(text)) return text;
  return text
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** An event as it is shipped. */
export function eventLine(event: Event, links: Links, people: readonly Person[]): EventLine {
  const speakers = people.filter((person) => person.talks.includes(event.slug));
  const organizers = distinct(event.organizers.map((name) => links.refer(name, ['companies', 'investors', 'people'])));
  const talkReadings = speakers.flatMap((person) =>
    person.readings
      .filter((reading) => reading.field === 'overview')
      .map((reading) => ({ ...reading, field: 'speakers' })),
  );
  const sources = groupReadings([...event.readings, ...talkReadings]);
  const names = speakers.map((person) => person.name);
  const aliases = event.aliases.filter((alias) => nameKey(alias) !== nameKey(event.name));
  return {
    name: event.name,
    slug: event.slug,
    ...(aliases.length === 0 ? {} : { aliases }),
    tagline: eventTagline(event),
    overview: eventOverview(event, names),
    ...(event.website === null ? {} : { website: event.website }),
    series_slug: event.seriesSlug,
    ...(event.edition === null ? {} : { edition: event.edition }),
    ...(event.start === null ? {} : { start_date: event.start }),
    ...(event.end === null ? {} : { end_date: event.end }),
    ...(event.venue === null ? {} : { venue: event.venue }),
    ...(event.place === null ? {} : { location_json: event.place }),
    ...(event.eventType === null ? {} : { event_type: event.eventType }),
    ...(organizers.length === 0 ? {} : { organizers }),
    ...(speakers.length === 0 ? {} : { speakers: speakers.map(({ name, slug }) => ({ name, slug })) }),
    as_of: newestDate(sources),
    sources,
  };
}
