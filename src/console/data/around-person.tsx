import type { VNode } from 'preact';
import { relatedLists } from '../../contract/relations.ts';
import { shortMoney } from '../../contract/usd.ts';
import type { Records } from '../../store/port/records.ts';
import { Card, countText, SmallLink, usePage } from '../components.tsx';
import { EMPTY_SEARCH, recordPath } from './parsed-search.ts';
import { RecordItem, type Related, RelatedRecords } from './related.tsx';
import { isBlank, type RecordData } from './values.tsx';

/** A person with more organisations, talks and rounds is told by these. */
const FEW_MAX = 3;
const SHOWN_MAX = 6;

/** What is around a person of whom little is on record: organisation, other authors, others at the event or of the field. */
export async function aroundPerson(
  records: Records,
  person: RecordData,
  related: readonly Related[],
): Promise<VNode | null> {
  const listOf = (name: string): Related | undefined => related.find(({ list }) => list.name === name);
  const founded = await foundedBy(records, person, listOf('companies')?.records ?? []);
  const known = ['companies', 'events', 'rounds'].reduce((sum, name) => sum + (listOf(name)?.total ?? 0), 0);
  if (known > FEW_MAX) return founded;
  const organisations = listOf('companies')?.records.slice(0, FEW_MAX) ?? [];
  const [event] = listOf('events')?.records ?? [];
  const [authors, speakers] = await Promise.all([
    otherAuthors(records, person),
    event === undefined ? null : otherSpeakers(records, person, event),
  ]);
  const isAlone = organisations.length === 0 && speakers === null;
  return (
    <>
      {founded}
      {organisations.length === 0 || founded !== null ? null : (
        <Card title={organisations.length === 1 ? 'The organisation' : 'The organisations'}>
          <ul class="related">
            {organisations.map((organisation) => (
              <RecordItem key={`${organisation.type} ${organisation.id}`} record={organisation}>
                {organisationText(organisation)}
              </RecordItem>
            ))}
          </ul>
        </Card>
      )}
      {authors}
      {speakers}
      {isAlone ? await othersOfField(records, person) : null}
    </>
  );
}

/** What a founder founded, with the known funding and backers of each. */
async function foundedBy(
  records: Records,
  { slug: own }: RecordData,
  organisations: readonly RecordData[],
): Promise<VNode | null> {
  const isFounded = ({ founders }: RecordData): boolean =>
    ((founders ?? []) as readonly RecordData[]).some(({ slug }) => slug === own);
  const founded = organisations.filter(isFounded).slice(0, FEW_MAX);
  if (founded.length === 0) return null;
  const backers = await Promise.all(founded.map((organisation) => backersOf(records, organisation)));
  return (
    <Card title="Founded" id="founded">
      <ul class="related">
        {founded.map((organisation, index) => (
          <RecordItem key={`${organisation.type} ${organisation.id}`} record={organisation}>
            {backers[index] || organisationText(organisation)}
          </RecordItem>
        ))}
      </ul>
    </Card>
  );
}

/** The known funding and first investors of a company; blank for other organisations. */
async function backersOf(records: Records, { type, id, total_funding_usd: usd }: RecordData): Promise<string> {
  const list = relatedLists.find(({ of, name }) => of === 'companies' && name === 'investors');
  if (type !== 'companies' || list === undefined) return '';
  const { results, total } = await records.related(list, id, { offset: 0, limit: FEW_MAX });
  const names = results.map((json) => (JSON.parse(json) as RecordData).name);
  const more = total > names.length ? ` and ${countText(total - names.length)} more` : '';
  const funding = isBlank(usd) ? '' : `${shortMoney(Number(usd))} known funding, `;
  return total === 0 ? '' : `${funding}backed by ${names.join(', ')}${more}`;
}

/** What an organisation does, and its known funding or rounds. */
function organisationText({ tagline, total_funding_usd: usd, investments_count: rounds }: RecordData): string {
  return [
    String(tagline ?? '').split(';')[0],
    isBlank(usd) ? '' : `${shortMoney(Number(usd))} known funding`,
    Number(rounds ?? 0) > 0 ? `${countText(Number(rounds))} known rounds` : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Standards are written by some people together. */
const STANDARD = /\b(?:EIP|ERC)-\d+\b/g;
const STANDARDS_MAX = 5;
const AUTHORS_READ_MAX = 12;

const standardsOf = ({ headline, overview }: RecordData): readonly string[] => [
  ...new Set(`${headline ?? ''} ${overview ?? ''}`.match(STANDARD)),
];

/** Who wrote the same standards, with those that are shared. */
async function otherAuthors(records: Records, person: RecordData): Promise<VNode | null> {
  const standards = standardsOf(person).slice(0, STANDARDS_MAX);
  const found = await Promise.all(standards.map((text) => searchPeople(records, text, AUTHORS_READ_MAX)));
  const shared = new Map<number, { record: RecordData; standards: string[] }>();
  for (const [index, people] of found.entries()) {
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
      <ul class="related">
        {most.slice(0, SHOWN_MAX).map(({ record, standards: some }) => (
          <RecordItem key={record.id} record={record}>
            {some.join(', ')}
          </RecordItem>
        ))}
      </ul>
    </Card>
  );
}

async function searchPeople(records: Records, text: string, limit: number): Promise<readonly RecordData[]> {
  const { results } = await records.search({ types: ['people'], text, window: { offset: 0, limit } });
  return results.map((json) => JSON.parse(json) as RecordData);
}

/** Some of the others who spoke at an event. */
async function otherSpeakers(records: Records, person: RecordData, event: RecordData): Promise<VNode | null> {
  const list = relatedLists.find(({ of, name }) => of === 'events' && name === 'speakers');
  if (list === undefined) return null;
  const { results, total } = await records.related(list, event.id, { offset: 0, limit: SHOWN_MAX + 1 });
  const others = results.map((json) => JSON.parse(json) as RecordData).filter(({ id }) => id !== person.id);
  if (others.length === 0) return null;
  return (
    <Card title={`Also at ${event.name}`} action={<AllSpeakers event={event} total={total} />}>
      <RelatedRecords records={others.slice(0, SHOWN_MAX)} label={`Also at ${event.name}`} />
    </Card>
  );
}

const AllSpeakers = ({ event, total }: { event: RecordData; total: number }): VNode => (
  <SmallLink to={`${usePage().recordsAt}/events/${event.slug}/speakers`}>Show all {countText(total)}</SmallLink>
);

const AllOfField = ({ tag }: { tag: string }): VNode => (
  <SmallLink to={recordPath(usePage().searchAt, EMPTY_SEARCH, { type: 'people', given: { tag } })}>Show all</SmallLink>
);

/** The best known people of a person's first subject. */
async function othersOfField(records: Records, { id, tags }: RecordData): Promise<VNode | null> {
  const [tag] = (tags ?? []) as readonly string[];
  if (tag === undefined) return null;
  const { results } = await records.search({
    types: ['people'],
    text: '',
    filters: { tag: { mode: 'any', values: [tag] } },
    window: { offset: 0, limit: SHOWN_MAX + 1 },
  });
  const others = results.map((json) => JSON.parse(json) as RecordData).filter((other) => other.id !== id);
  if (others.length === 0) return null;
  return (
    <Card title={`Known for ${tag}, too`} action={<AllOfField tag={tag} />}>
      <RelatedRecords records={others.slice(0, SHOWN_MAX)} label={`Known for ${tag}`} />
    </Card>
  );
}
