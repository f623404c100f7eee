import { foldName, slugify } from '../../src/contract/names.ts';
import { type EVENT_FORMATS, EVENT_TYPES } from '../../src/contract/vocabulary.ts';
import { siteOf } from '../../src/store/matching/resolver.ts';
import { EVENT_ALIASES, EVENT_NAMES, NO_EVENTS } from './decisions.ts';
import { eventOverview, eventTagline } from './event-text.ts';
import { type Place, placeFrom } from './places.ts';
import { rawLines, type Source } from './raw.ts';
import { groupReadings, newestDate, type Reading, sourceName } from './sources.ts';
import { cleanText, nameKey } from './text.ts';

/** Events: a record for each dated edition that an open calendar lists. */

type EventType = (typeof EVENT_TYPES)[number];

interface Listing {
  readonly source: string;
  readonly key: string;
  readonly name: string;
  readonly start: string;
  readonly end: string;
  readonly website?: string;
  readonly city?: string;
  readonly country?: string;
  readonly type?: string;
  readonly format?: (typeof EVENT_FORMATS)[number];
  readonly commit?: string;
  readonly path: string;
  readonly as_of: string;
}

/** An event before names are linked and slugs are given. */
export interface Event {
  readonly key: string;
  /** The keys that speakers' talks name, such as devcon-5. */
  readonly talkKeys: readonly string[];
  name: string;
  seriesName: string;
  edition: string | null;
  start: string | null;
  end: string | null;
  website: string | null;
  place: Place | null;
  eventType: EventType | null;
  isTypeDerived: boolean;
  format: (typeof EVENT_FORMATS)[number] | null;
  readings: Reading[];
  /** The day of the newest listing. */
  readonly toldOn: string;
}

/** The events of the raw calendars; the same edition in two of them is one event. */
export function eventsFrom(sources: ReadonlyMap<string, Source>): Event[] {
  const listings = [...rawLines<Listing>('events'), ...rawLines<Listing>('editors-events')]
    .map((listing) => ({
      ...listing,
      name: EVENT_NAMES[listing.name] ?? cleanText(listing.name),
      start: paddedDay(listing.start),
      end: paddedDay(listing.end),
    }))
    .filter(({ source, name }) => !NO_EVENTS.has(name) && (source !== OF_ALL_FIELDS || OF_THIS_FIELD.test(name)))
    .filter(({ start, end }) => isDay(start) && isDay(end) && start <= end);
  const groups: Listing[][] = [];
  for (const listing of listings) {
    const group = groups.find((known) => known.some((other) => isSameEdition(other, listing)));
    if (group === undefined) groups.push([listing]);
    else group.push(listing);
  }
  const events = groups.map((group) => eventFrom(group, sources));
  return withPlacesOfNames(events).sort(byDate);
}

/** A calendar of all software, of which only events with a word for this field are taken. */
const OF_ALL_FIELDS = 'tech-conferences';
const OF_THIS_FIELD = /\b(?:[Bb]lockchain|[Bb]itcoin|[Cc]rypto|[Ww]eb ?3|ETH[A-Z])/;

/** Events of which no calendar says where with the city that their name has in it, if other events of the set are there. */
function withPlacesOfNames(events: readonly Event[]): Event[] {
  const places = new Map(
    events.flatMap(({ place }) => (place?.city == null || place.country === null ? [] : [[place.city, place]])),
  );
  const words = [...places].map(([city, place]) => ({ word: new RegExp(`(?<![a-z])${city}(?![a-z])`), place }));
  return events.map((event) => {
    const place = event.place ?? words.find(({ word }) => event.format !== 'online' && word.test(event.name))?.place;
    if (place === undefined || event.place !== null) return event;
    const { source = '', asOf = null } = event.readings[0] ?? {};
    const reading: Reading = { source: `${source} (derived from its name)`, asOf, field: 'location_json' };
    return { ...event, place, readings: [...event.readings, reading] };
  });
}

/** Some listings have the fourth of a month as 4. */
const paddedDay = (text: string): string => text.replace(/-(\d)$/, '-0$1');

/** A day of the calendar: some listings have the 31st of June. */
const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(text).toISOString().startsWith(text);

const byDate = (left: Event, right: Event): number =>
  (right.start ?? right.edition ?? '').localeCompare(left.start ?? left.edition ?? '') ||
  (left.name < right.name ? -1 : 1);

/** A name without its year and edition, which the calendars write in many ways. */
function seriesName(name: string): string {
  const bare = name
    .replace(/\s*[([]?\b(19|20)\d{2}\b[)\]]?\s*/g, ' ')
    .replace(/\s['’]\d{2}\b/g, '')
    .replace(/\s+(\d{1,2}|[IVX]{1,4})$/, '')
    .replace(/[\s:–-]+$/, '');
  return cleanText(bare) === '' ? name : cleanText(bare);
}

const seriesKey = (name: string): string =>
  foldName(seriesName(name)).replace(/(conference|conf|hackathon|summit)$/, '');

const DAY_MS = 86_400_000;
const daysApart = (left: string, right: string): number => Math.abs(Date.parse(left) - Date.parse(right)) / DAY_MS;

/** One series and nearly one date, or one own site and the same days or the same city: calendars correct dates and names. */
function isSameEdition(left: Listing, right: Listing): boolean {
  // Every two listings are compared: what is slow to compute comes last.
  const isOneSeries = (): boolean => seriesKey(left.name) === seriesKey(right.name);
  if (daysApart(left.start, right.start) <= 10 && isOneSeries()) return true;
  // A collection of transcripts may be dated by when they were written.
  const isTranscribed = left.source !== right.source && [left, right].some(({ source }) => source === TRANSCRIPTS);
  if (isTranscribed && left.name === right.name && left.website === right.website) return true;
  const isOneYear = left.start.slice(0, 4) === right.start.slice(0, 4);
  if (isOneYear && left.website === right.website && isOneSeries())
    return left.city === right.city && left.website !== undefined && left.source === right.source;
  const isOneTime = left.start === right.start && left.end === right.end && left.source !== right.source;
  const isOnePlace =
    left.city !== undefined && left.city === right.city && left.start <= right.end && right.start <= left.end;
  if (!isOneTime && !isOnePlace) return false;
  const sites = [left, right].map(({ website }) => (website === undefined ? null : siteOf(website)));
  return sites[0]?.domain === sites[1]?.domain && sites[0]?.path === sites[1]?.path && sites[0] != null;
}

const DAYS_MAX = 60;
const TRANSCRIPTS = 'bitcointranscripts';
/** Sources whose talks name the events that they list. */
const SPOKEN_OF: ReadonlySet<string> = new Set(['devcon', TRANSCRIPTS]);

/** Transcripts are dated by their talk: only days that follow each other are those of the event. */
function hasDates({ source, start, end }: Listing): boolean {
  const days = daysApart(start, end);
  return source === TRANSCRIPTS ? days >= 1 && days <= 4 : days <= DAYS_MAX;
}

const ONLINE = /^(online|remote|virtual|worldwide|global)\b/i;

function eventFrom(group: readonly Listing[], sources: ReadonlyMap<string, Source>): Event {
  // A calendar's last version has what was corrected.
  const newest = [...group].sort((left, right) => right.as_of.localeCompare(left.as_of));
  const readings: Reading[] = [];
  const first = <Value>(field: string, pick: (listing: Listing) => Value | undefined): Value | null => {
    const found = newest.find((listing) => pick(listing) !== undefined);
    if (found !== undefined) readings.push({ source: nameOf(found, sources), asOf: found.as_of, field });
    return found === undefined ? null : (pick(found) ?? null);
  };
  const given = first('name', ({ name }) => name) ?? '';
  const year = (newest[0]?.start ?? '').slice(0, 4);
  const start = first('start_date', (listing) => (hasDates(listing) ? listing.start : undefined));
  const end = first('end_date', (listing) => (hasDates(listing) ? listing.end : undefined));
  const series = seriesName(given);
  const numbered = /\s(\d{1,2}|[IVX]{2,4}|0)$/.exec(given)?.[1] ?? null;
  const isNamedWithYear = given.includes(year) || numbered !== null;
  const stated = first('event_type', ({ type }) => EVENT_TYPES.find((known) => known === type && known !== 'other'));
  const website = first('website', ({ website: address }) =>
    address === undefined || isCalendarPage(address) ? undefined : address,
  );
  return {
    key: `${foldName(series)} ${start ?? year}`,
    talkKeys: group.filter(({ source }) => SPOKEN_OF.has(source)).map(({ key }) => key),
    name: isNamedWithYear ? given : `${given} ${year}`,
    seriesName: series,
    edition: numbered ?? year,
    start,
    end,
    website,
    place: first('location_json', placeOf),
    eventType: stated ?? typeOf(given),
    isTypeDerived: stated === null,
    format: first('format', (listing) => listing.format ?? (ONLINE.test(listing.city ?? '') ? 'online' : undefined)),
    readings,
    toldOn: newest[0]?.as_of ?? '',
  };
}

function nameOf(listing: Listing, sources: ReadonlyMap<string, Source>): string {
  const source = sources.get(listing.source);
  if (source === undefined) throw new Error(`${listing.source} is not in data/raw/sources.json`);
  return sourceName(source, listing.path, listing.commit);
}

/** A page of a calendar or a ticket shop is not the event's own site, but it is where the event is found. */
const isCalendarPage = (address: string): boolean =>
  /^https?:\/\/(www\.)?(example\.org|docs\.google\.com|t\.me|airtable\.com|forms\.gle)\b/.test(address);

const CITY_NOTES = /\s*\(.*\)$|,\s*[A-Z]{2}$/;

function placeOf({ city, country }: Listing): Place | undefined {
  if (city === undefined && country === undefined) return undefined;
  if (ONLINE.test(city ?? '') || ONLINE.test(country ?? '')) return undefined;
  const name = cleanText(city?.replace(CITY_NOTES, '') ?? '')
    .replace(/ +/g, ' ')
    .replace('Nairobi Kilifi', 'Nairobi and Kilifi');
  return placeFrom(name === '' ? null : name, country ?? null) ?? undefined;
}

/** The kind that a word of the name states, or that all editions of its series are. */
const TYPE_WORDS: readonly (readonly [word: RegExp, type: EventType])[] = [
  [/hackathon|hackerhouse|hacker house|buidlathon|\bhack\b/i, 'hackathon'],
  [/\bmeetup\b/i, 'meetup'],
  [/\bworkshop\b/i, 'workshop'],
  [/\bsummit\b/i, 'summit'],
  [/\bweek\b/i, 'week'],
  [/\bfestival\b|\bfest\b/i, 'festival'],
  [/\bexpo\b/i, 'expo'],
  [/demo day/i, 'demo_day'],
  [/conference|\bconf\b|con\b|symposium|congress/i, 'conference'],
  [
    /^(ETHGlobal (?!Pragma)|ETHOnline|HackFS|HackMoney|Scaling Ethereum|ETHIndia|ETHBerlin|ETHOxford|zkHack|Zorathon)/i,
    'hackathon',
  ],
  [
    /^(Pragma|ETHGlobal Pragma|EthCC|TOKEN2049|Consensus|Permissionless|ETHDenver|ETHConf|ETH Belgrade|NapulETH)\b/,
    'conference',
  ],
  [
    /^(Protocol Berg|BUIDL (Asia|Europe)|BlockSplit|bitcoin\+\+|NFT[. ]NYC|NFT (Paris|Berlin)|Ethereum ?Z[uü]ri)/,
    'conference',
  ],
  [/^Devconnect/i, 'week'],
];

function typeOf(name: string): EventType | null {
  return TYPE_WORDS.find(([word]) => word.test(name))?.[1] ?? null;
}

/** What an event is linked with. */
export interface EventContext {
  readonly slug: string;
  readonly seriesSlug: string;
  readonly others: readonly Event[];
  readonly speakers: readonly { name: string; slug: string; readings: readonly Reading[] }[];
}

/** An event as it is shipped. */
export function eventLine(event: Event, { slug, seriesSlug, others, speakers }: EventContext) {
  const typed: Reading[] =
    event.eventType === null || !event.isTypeDerived
      ? []
      : [
          {
            source: `${event.readings[0]?.source} (derived from its name)`,
            asOf: event.readings[0]?.asOf ?? null,
            field: 'event_type',
          },
        ];
  const talks = speakers.flatMap(({ readings }) => readings.slice(0, 1)).slice(0, 10);
  const sources = groupReadings([
    ...event.readings,
    ...typed,
    ...talks.map((reading) => ({ ...reading, field: 'speakers' })),
  ]);
  const said = { ...event, slug, otherEditions: others };
  const year = event.start?.slice(0, 4) ?? '';
  // Of an edition that is known by its number, the year is asked for.
  const dated = year === '' || event.name.includes(year) ? [] : [`${event.seriesName} ${year}`];
  const own = EVENT_ALIASES[event.name] ?? [];
  const aliases = [event.seriesName, ...dated, ...own].filter((name) => nameKey(name) !== nameKey(event.name));
  return {
    name: event.name,
    slug,
    ...(aliases.length === 0 ? {} : { aliases }),
    tagline: eventTagline(said),
    overview: eventOverview(
      said,
      speakers.map(({ name }) => name),
    ),
    ...(event.website === null ? {} : { website: event.website }),
    series_slug: seriesSlug,
    ...(event.edition === null ? {} : { edition: event.edition }),
    ...(event.start === null ? {} : { start_date: event.start }),
    ...(event.end === null ? {} : { end_date: event.end }),
    ...(event.place === null ? {} : { location_json: event.place }),
    ...(event.format === null ? {} : { format: event.format }),
    ...(event.eventType === null ? {} : { event_type: event.eventType }),
    ...(speakers.length === 0
      ? {}
      : { speakers: speakers.map((speaker) => ({ name: speaker.name, slug: speaker.slug })) }),
    as_of: newestDate(sources),
    sources,
  };
}

/** The series' slug: the same for every edition, whatever its year. */
export const seriesSlugOf = (event: Event): string => slugify(event.seriesName) || slugify(event.name) || 'event';
