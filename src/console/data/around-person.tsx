import type { RecordData } from '../../contract/entities/index.ts';
import { isOfFounder, type PersonRole } from '../../contract/person-roles.ts';
import { listNamed } from '../../contract/relations.ts';
import { backersOf, namedIn } from '../../contract/rounds.ts';
import { UNSOURCED, unsourcedMark } from '../../contract/unsourced.ts';
import { markedText } from '../../contract/unsourced-texts.ts';
import { shortMoney } from '../../contract/usd.ts';
import { countText, isBlank, joinTexts } from '../../contract/value-text.ts';
import type { Records } from '../../store/port/records.ts';
import { Card } from '../components.tsx';
import { BackerList, partText } from '../profile/funding.tsx';
import type { RecordProfile } from '../profile/profile.tsx';
import { mainRole } from '../profile/roles.tsx';
import { happeningsOf, isTold, Timeline } from '../profile/timeline.tsx';
import { AllSpeakers, foundersFirst } from './around-event.tsx';
import { noteFunding } from './funding-notes.ts';
import { withMarkedTexts } from './marked-texts.ts';
import { isFounderOf } from './people-order.ts';
import { readFirst, readFirstRelated } from './read-records.ts';
import { listIn, type Related, RelatedRecords, SHOWN_MAX } from './related.tsx';
import { readFundingRounds, yearsBefore } from './round-statistics.ts';
import { SearchLink } from './search-link.tsx';
import { sentencesOf } from './values.tsx';

/** A person with more organisations, events and rounds is told by these. */
const FEW_MAX = 3;

/** A person's profile with the timeline, and of one with little on record other authors, others at the event or of the field. */
export async function personProfile(
  records: Records,
  person: RecordData,
  { related: plain, now }: { readonly related: readonly Related[]; readonly now: Date },
): Promise<RecordProfile> {
  const related = await Promise.all(
    plain.map(async (one) =>
      one.list.name === 'companies' ? { ...one, records: await noteFunding(records, one.records) } : one,
    ),
  );
  const [record, raised, around] = await Promise.all([
    withOverview(records, person, { related, now }),
    raisedBy(records, person, related),
    aroundPerson(records, person, related),
  ]);
  const happenings = happeningsOf({ person, related, raised });
  const children = (
    <>
      <Timeline happenings={happenings} />
      {around}
    </>
  );
  return {
    record,
    related: related.map((one) => ({ ...one, isTold: happenings.length > 0 && isTold(one) })),
    children,
  };
}

async function aroundPerson(records: Records, person: RecordData, related: readonly Related[]) {
  const partners = <Partners person={person} rounds={listIn(related, 'rounds')} />;
  const known = ['companies', 'events', 'rounds'].reduce((sum, name) => sum + listIn(related, name).length, 0);
  const [event] = listIn(related, 'events');
  const [authors, speakers] =
    known > FEW_MAX
      ? []
      : await Promise.all([
          otherAuthors(records, person),
          event === undefined ? null : otherSpeakers(records, person, event),
        ]);
  const isAlone = known === 0 || (listIn(related, 'companies').length === 0 && speakers === null);
  return (
    <>
      {partners}
      {authors}
      {speakers}
      {isAlone ? await othersOfField(records, person) : null}
    </>
  );
}

/** More funding rounds than the companies of a founder have. */
const RAISED_MAX = 30;

async function raisedBy(records: Records, person: RecordData, related: readonly Related[]) {
  const founded = listIn(related, 'companies').filter((one) => one.type === 'companies' && isFounderOf(person, one));
  if (founded.length === 0) return [];
  const filter = { mode: 'any', values: founded.map(({ id }) => String(id)) } as const;
  return (await readFundingRounds(records, RAISED_MAX, { company: filter })).rounds;
}

const PARTNERS_MAX = 30;

function Partners({ person, rounds }: { person: RecordData; rounds: readonly RecordData[] }) {
  const all = backersOf(rounds).filter(({ investor }) => investor.slug !== person.slug);
  const most = all.toSorted((one, other) => other.joined - one.joined || other.led - one.led).slice(0, PARTNERS_MAX);
  if (most.length === 0) return null;
  return (
    <Card title="Invested with">
      <p class="muted">Others in these rounds: how many each was in, and how many of those it led.</p>
      <BackerList backers={most} shownMax={SHOWN_MAX} total={all.length} textOf={(backer) => partText(backer, true)} />
    </Card>
  );
}

/** What the overview says by lists of names, which the page counts and lists. */
const LISTED = /^(Spoke at|Angel investor)/;

/** How a further role begins, which the overview says without a verb. */
const ROLE = /^(?:Author|Chief scientist|Co-founder|Founder|Team (?:leader|member))(?= )/;

/** The article of a role; none where an organisation has one of it. */
const articleOf = (role: string): string => (role.startsWith('Chief') ? '' : role.startsWith('Au') ? 'an ' : 'a ');

/** A person whose overview says what the first organisation is, and how much of what is on record. */
async function withOverview(
  records: Records,
  person: RecordData,
  { related, now }: { readonly related: readonly Related[]; readonly now: Date },
): Promise<RecordData> {
  const [organisation] = listIn(related, 'companies');
  const own = sentencesOf(person['overview']).filter((sentence, index) => index === 0 || !LISTED.test(sentence));
  const about =
    organisation === undefined ? [] : sentencesOf(markedText(organisation, 'overview', ` (${UNSOURCED})`)).slice(0, 1);
  const backing = organisation === undefined ? '' : await backingOf(records, organisation);
  const founded = listIn(related, 'companies').filter((one) => isOnlyFounder(person, one));
  const isOnly = (sentence: string): boolean =>
    founded.some(({ name }) => sentence.endsWith(` of ${name}.`) && sentence.split(' of ').length === 2);
  const told = own.map((sentence) => {
    const whole = sentence.replace(ROLE, (role) => `${person.name} is also ${articleOf(role)}${role.toLowerCase()}`);
    const current = inPast(whole, person, now);
    return isOnly(current) ? current.replace(/is( also)? a founder/, 'is$1 the founder') : current;
  });
  const headline = withMainRole(person, listIn(related, 'companies'));
  const marked = withMarkedTexts({ ...person, headline, overview: told.join(' ') });
  return { ...marked, overview: joinTexts(' ', marked['overview'], ...about, backing) };
}

/** Sources that are older do not say what somebody is. */
const CURRENT_YEARS = 3;

/** A sentence of a role that only an old source states, in the past, with the year; others as they are. */
function inPast(sentence: string, { roles }: RecordData, now: Date): string {
  const role = ((roles ?? []) as readonly PersonRole[]).find(({ organization, title }) =>
    sentence.toLowerCase().includes(`${title} of ${organization}`.toLowerCase()),
  );
  const asOf = role?.as_of ?? '';
  if (role === undefined || asOf === '' || isOfFounder(role) || asOf >= yearsBefore(now, CURRENT_YEARS))
    return sentence;
  return sentence
    .replace(/ is( also)? (?=an? )/, ' was$1 ')
    .replace(/(?=, according |\.$)/, ` as of ${asOf.slice(0, 4)}`);
}

/** The headline of a person, with the role of the key figures if it names another one. */
function withMainRole(person: RecordData, organisations: readonly RecordData[]): string {
  const line = String(person['headline'] ?? '');
  const { title = '', organisation } = mainRole(person, organisations) ?? {};
  if (line === '' || title === '' || organisation === undefined || line.includes(organisation.name)) return line;
  return line.replace(/;|$/, `, ${title} of ${organisation.name}$&`);
}

function isOnlyFounder({ slug }: RecordData, company: RecordData): boolean {
  const [founder, ...others] = namedIn(company, 'founders');
  return founder?.slug === slug && others.length === 0;
}

/** The known funding and first investors of a company in a sentence; blank for other organisations. */
async function backingOf(records: Records, organisation: RecordData): Promise<string> {
  const { type, id, name, total_funding_usd: usd } = organisation;
  const mark = unsourcedMark(organisation);
  const list = listNamed(type, 'investors');
  if (type !== 'companies' || list === undefined || isBlank(usd)) return '';
  const { found } = await readFirstRelated(records, FEW_MAX, { list, id });
  const names = found.map((backer) => backer.name);
  // Also those without a record, as on the page of the company.
  const total = Number(organisation['investors_count'] ?? names.length);
  const more = total > names.length ? ` and ${countText(total - names.length)} more` : '';
  const from = names.length === 0 ? '' : `; its backers include ${names.join(', ')}${more}`;
  return `The known funding of ${name} is ${shortMoney(Number(usd))}${mark && ` (${mark})`}${from}.`;
}

/** Standards are written by some people together. */
const STANDARD = /\b(?:EIP|ERC)-\d+\b/g;
const STANDARDS_MAX = 5;
const AUTHORS_READ_MAX = 12;

const standardsOf = ({ headline, overview }: RecordData): readonly string[] => [
  ...new Set(`${headline ?? ''} ${overview ?? ''}`.match(STANDARD)),
];

/** Who wrote the same standards, with those that are shared. */
async function otherAuthors(records: Records, person: RecordData) {
  const standards = standardsOf(person).slice(0, STANDARDS_MAX);
  const pages = await Promise.all(
    standards.map((text) => readFirst(records, AUTHORS_READ_MAX, { types: ['people'], text })),
  );
  const shared = new Map<number, { record: RecordData; standards: string[] }>();
  for (const [index, { found: people }] of pages.entries()) {
    const standard = standards[index] as string;
    for (const record of people.filter((other) => other.id !== person.id && standardsOf(other).includes(standard))) {
      if (!shared.has(record.id)) shared.set(record.id, { record, standards: [] });
      shared.get(record.id)?.standards.push(standard);
    }
  }
  if (shared.size === 0) return null;
  const most = [...shared.values()].toSorted((one, other) => other.standards.length - one.standards.length);
  return (
    <Card title="Authors of the same standards">
      <RelatedRecords
        records={most
          .slice(0, SHOWN_MAX)
          .map(({ record, standards: some }) => ({ ...record, reason: some.join(', ') }))}
        label="Authors of the same standards"
      />
    </Card>
  );
}

async function otherSpeakers(records: Records, person: RecordData, event: RecordData) {
  const list = listNamed('events', 'speakers');
  if (list === undefined) return null;
  const { found, total } = await readFirstRelated(records, SHOWN_MAX + 1, { list, id: event.id });
  const others = (await foundersFirst(records, event, found)).filter(({ id }) => id !== person.id);
  if (others.length === 0) return null;
  return (
    <Card title={`Others at ${event.name}`} action={<AllSpeakers event={event} total={total} />}>
      <RelatedRecords records={others.slice(0, SHOWN_MAX)} label={`Others at ${event.name}`} />
    </Card>
  );
}

async function othersOfField(records: Records, { id, tags }: RecordData) {
  const [tag] = (tags ?? []) as readonly string[];
  if (tag === undefined) return null;
  const filters = { tag: { mode: 'any', values: [tag] } } as const;
  const { found } = await readFirst(records, SHOWN_MAX + 1, { types: ['people'], filters });
  const others = found.filter((other) => other.id !== id);
  if (others.length === 0) return null;
  return (
    <Card
      title={`Others with the tag ${tag}`}
      action={<SearchLink search={{ type: 'people', given: { tag } }}>Show all</SearchLink>}
    >
      <RelatedRecords records={others.slice(0, SHOWN_MAX)} label={`Others with the tag ${tag}`} />
    </Card>
  );
}
