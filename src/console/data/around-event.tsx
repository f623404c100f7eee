import { monthText } from '../../contract/day-text.ts';
import type { RecordData } from '../../contract/entities/index.ts';
import { DAY_MS, utcDay } from '../../contract/periods.ts';
import { isOfFounder, organisationOf, type PersonRole } from '../../contract/person-roles.ts';
import type { NamedReference } from '../../contract/rounds.ts';
import { counted, countText, isBlank, joinTexts } from '../../contract/value-text.ts';
import type { Records } from '../../store/port/records.ts';
import { Card, SmallLink, usePage } from '../components.tsx';
import { EventTable, speakersOf } from '../profile/event-table.tsx';
import type { RecordProfile } from '../profile/profile.tsx';
import { countBy } from './aggregate-page.tsx';
import { withMarkedTexts } from './marked-texts.ts';
import { basisText, roleMark } from './people-order.ts';
import { readFirst } from './read-records.ts';
import { listIn, type Order, RecordItem, type Related, RelatedRecords, SHOWN_MAX } from './related.tsx';
import { companiesNamed } from './round-statistics.ts';
import { SearchLink } from './search-link.tsx';
import { fundingLine, sentencesOf } from './values.tsx';

/** An event's profile: its place in the series, the founders among its speakers first, their organisations, and the events around it. */
export async function eventProfile(
  records: Records,
  event: RecordData,
  { related, now }: { related: readonly Related[]; now: Date },
): Promise<RecordProfile> {
  const speakers = related.find(({ list }) => list.name === 'speakers')?.total ?? 0;
  const editions = listIn(related, 'editions');
  const [founders, organisations, before, around] = await Promise.all([
    speakers === 0 ? { people: [], total: 0 } : foundersAt(records, event),
    organisationsAt(records, event, speakers),
    speakers === 0 ? speakersBefore(records, event, editions) : null,
    eventsAround(records, event),
  ]);
  const marked = withMarkedTexts(event);
  const shown = related.map((one) => (one.list.name === 'speakers' ? withFirst(one, founders) : one));
  const children = (
    <>
      {organisations}
      {before}
      {around}
    </>
  );
  return { record: { ...marked, overview: overviewOf(marked, now) }, related: shown, children };
}

/** What the overview says by lists of names, which the page lists. */
const LISTED = /^(Other editions? of|Speakers on record)/;

/** What an event's overview says beyond the line below its name; of one that is over, in the past tense. The edition of one without days may be its year. */
function overviewOf(event: RecordData, now: Date): string {
  const { name, edition, tagline, as_of: asOf } = event;
  const own = sentencesOf(event['overview']).filter(
    (sentence) => !LISTED.test(sentence) && (isBlank(tagline) || !sentence.includes(String(tagline))),
  );
  const year = /^\d{4}$/.test(String(edition)) ? `${edition}-12-31` : '';
  const last = String(event['end_date'] ?? event['start_date'] ?? year);
  const text = own.join(' ');
  if (last === '' || last >= utcDay(now)) return text;
  return text
    .replace(`${name} is `, `${name} was `)
    .replace(/announced for ([^.;]*)/, `$1 (as it was announced by ${monthText(String(asOf))})`);
}

const FOUNDERS_READ_MAX = 100;

type Founders = Awaited<ReturnType<typeof foundersAt>>;

const foundedBy = (person: RecordData): readonly PersonRole[] =>
  ((person['roles'] ?? []) as readonly PersonRole[]).filter(isOfFounder);

/** The founders among the speakers of an event, those of the companies with the most known funding first. */
async function foundersAt(records: Records, { slug }: RecordData) {
  const filters = { event: { mode: 'any', values: [slug] } } as const;
  const asked = { types: ['people'], text: 'founder', filters } as const;
  const { found: people, total, isTyped } = await readFirst(records, FOUNDERS_READ_MAX, asked);
  if (!isTyped) return { people: [], total: 0 };
  const companies = await companiesNamed(records, people.flatMap(foundedBy).map(organisationOf));
  const companyOf = (role: PersonRole | undefined) =>
    companies.find(({ slug }) => role?.organization_type === 'companies' && role.organization_slug === slug);
  const usdOf = (role: PersonRole | undefined): number => Number(companyOf(role)?.['total_funding_usd'] ?? 0);
  const mostFunded = (person: RecordData): PersonRole | undefined =>
    foundedBy(person).toSorted((one, other) => usdOf(other) - usdOf(one))[0];
  const sorted = people.toSorted((one, other) => usdOf(mostFunded(other)) - usdOf(mostFunded(one)));
  const reasonOf = (person: RecordData): string => {
    const role = mostFunded(person);
    const title = joinTexts(', ', role?.title, role?.organization) || person['headline'];
    return joinTexts(
      ' · ',
      title + basisText(null, roleMark(person, role?.as_of)),
      fundingLine(companyOf(role) ?? ({} as RecordData)),
    );
  };
  return { people: sorted.map((person) => ({ ...person, reason: reasonOf(person) })), total };
}

function withFirst(list: Related, { people, total }: Founders): Related {
  if (people.length === 0) return list;
  const note = `Founders (${countText(total)}) come first, by the known funding of their organisation.`;
  return { ...list, records: beforeOthers(people, list.records), note };
}

/** Orders the speakers of an event like the first of them on its page. */
export const foundersFirst: Order = async (records, event, speakers) =>
  beforeOthers((await foundersAt(records, event)).people, speakers);

const beforeOthers = (founders: readonly RecordData[], all: readonly RecordData[]): readonly RecordData[] => [
  ...founders,
  ...all.filter(({ id }) => founders.every((founder) => founder.id !== id)),
];

/** The founders who spoke at the last edition before an event whose speakers are on record. */
async function speakersBefore(records: Records, event: RecordData, editions: readonly RecordData[]) {
  const earlier = editions.slice(editions.findIndex(({ id }) => id === event.id) + 1);
  const last = earlier.find((edition) => speakersOf(edition) > 0);
  const people = last === undefined ? [] : (await foundersAt(records, last)).people.slice(0, SHOWN_MAX);
  if (last === undefined || people.length === 0) return null;
  return (
    <Card title={`Founders who spoke at ${last.name}`} action={<AllSpeakers event={last} total={speakersOf(last)} />}>
      <p class="muted">
        Of earlier editions, this is the last with speakers on record. Founders of the organisations with the most known
        funding come first.
      </p>
      <RelatedRecords records={people} label={`Founders who spoke at ${last.name}`} />
    </Card>
  );
}

export const AllSpeakers = ({ event, total }: { event: RecordData; total: number }) => (
  <SmallLink to={`${usePage().recordsAt}/events/${event.slug}/speakers`}>All {countText(total)} speakers</SmallLink>
);

/** Fewer say nothing about where speakers come from. */
const ORGANISATIONS_MIN = 3;

async function organisationsAt(records: Records, { slug }: RecordData, speakers: number) {
  if (speakers === 0) return null;
  const query = { of: 'people', group_by: 'organization', event: slug, top: String(SHOWN_MAX + 1) };
  const { rows, groups, covered } = await countBy(records, query);
  const organisations = rows.flatMap(([cell = null, count]) => {
    if (cell === null) return [];
    const organisation: NamedReference = typeof cell === 'object' ? cell : { name: String(cell) };
    return [{ organisation, count: Number(count) }];
  });
  if (organisations.length < ORGANISATIONS_MIN) return null;
  const companies = await companiesNamed(
    records,
    organisations.map(({ organisation }) => organisation),
  );
  const all = groups - (covered.unknown > 0 ? 1 : 0);
  const search = { type: 'people', given: { event: slug }, values: 'organization' } as const;
  const further = all > SHOWN_MAX && <SearchLink search={search}>Show all {countText(all)}</SearchLink>;
  return (
    <Card title="Organisations and projects of the speakers" {...(further && { action: further })}>
      <p class="muted">
        {countText(all)} organisations and projects, known of {countText(covered.known)} of the {countText(speakers)}{' '}
        speakers.
      </p>
      <ul class="related">
        {organisations.slice(0, SHOWN_MAX).map(({ organisation, count }) => {
          const company = companies.find((one) => one.slug === organisation.slug);
          return (
            <RecordItem key={`${organisation.type} ${organisation.slug ?? organisation.name}`} record={organisation}>
              {joinTexts(' · ', counted(count, 'speakers'), company && fundingLine(company))}
            </RecordItem>
          );
        })}
      </ul>
    </Card>
  );
}

const AROUND_DAYS = 30;
const AROUND_READ_MAX = 50;

/** The events that begin nearest in time to an event, other editions left out. */
async function eventsAround(records: Records, event: RecordData) {
  const start = Date.parse(String(event['start_date'] ?? ''));
  if (Number.isNaN(start)) return null;
  const dayAt = (days: number): string => utcDay(new Date(start + days * DAY_MS));
  const { found } = await readFirst(records, AROUND_READ_MAX, {
    types: ['events'],
    filters: { starts_after: dayAt(-AROUND_DAYS), starts_before: dayAt(AROUND_DAYS) },
    sort: { field: 'start_date', isDescending: false },
  });
  const distanceOf = (other: RecordData): number => Math.abs(Date.parse(String(other['start_date'])) - start);
  const others = found.filter(
    ({ id, series_slug: series }) => id !== event.id && (isBlank(series) || series !== event['series_slug']),
  );
  const nearest = others.toSorted((one, other) => distanceOf(one) - distanceOf(other)).slice(0, SHOWN_MAX);
  if (nearest.length === 0) return null;
  return (
    <Card title="Around the same time">
      <p class="muted">Other events on record that begin within {AROUND_DAYS} days of it, the nearest first.</p>
      <EventTable events={nearest} label="Around the same time" beside={event} />
    </Card>
  );
}
