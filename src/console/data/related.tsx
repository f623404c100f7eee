import type { VNode } from 'preact';
import { type RecordData, type RecordType, recordNoun } from '../../contract/entities/index.ts';
import { isOfFounder, type PersonRole, roleAt } from '../../contract/person-roles.ts';
import { amountText, dayOf, leadsMark } from '../../contract/record-texts.ts';
import { listNamed, listsOf, type RelatedList, relatedLists, relationOf } from '../../contract/relations.ts';
import { countsText, isLedBy, kindsOf, type NamedReference } from '../../contract/rounds.ts';
import { DAGGER, isOfEditors, isUnsourced, UNSOURCED } from '../../contract/unsourced.ts';
import { markedText } from '../../contract/unsourced-texts.ts';
import { counted, countText, isBlank, joinTexts } from '../../contract/value-text.ts';
import { isFinal, labelOf, vocabularyLabel } from '../../contract/vocabulary.ts';
import type { Records, Window } from '../../store/port/records.ts';
import { Card, Folded, RecordLink, SmallLink, usePage } from '../components.tsx';
import { EventTable, newestFirst } from '../profile/event-table.tsx';
import { RoundTable, stageText } from '../profile/round-table.tsx';
import { RecordTile } from '../profile/tile.tsx';
import { basisText, byRole, isFounderOf, roleMark, titleOf } from './people-order.ts';
import { parseRecords, readFirst, readFirstRelated } from './read-records.ts';
import { type RoundStatistics, readJoinedRounds, readRoundStatistics, statisticsOf } from './round-statistics.ts';
import { fundingLine, inShort, knownFunding, List, unlinkedNames } from './values.tsx';

/** Entries per list on a record's page: full rows of three. */
export const SHOWN_MAX = 6;
/** Entries of a list without a page of its own, of which those after the first are folded; and of a person, for the timeline. */
const FOLDED_MAX = 60;
/** The chart of a company has all its rounds; counts of more rounds are aggregates. */
const ROUNDS_MAX = 1_000;
const EDITIONS_READ_MAX = 48;

/** Whether a field is shown by a related list: that of its name, or its stated count. */
export const isInList = (type: RecordData['type'], field: string): boolean =>
  listsOf(type).some(({ name, stated }) => field === name || field === stated);

export interface Related {
  readonly list: RelatedList;
  readonly records: readonly RecordData[];
  readonly total: number;
  readonly statistics?: RoundStatistics | undefined;
  /** Whether more belong to the list than were read, so that its total says nothing. */
  readonly isPart?: boolean;
  readonly note?: string;
  /** Whether the page shows the records elsewhere. */
  readonly isTold?: boolean;
}

/** The first entries of each related list, and of those that only pages show. */
export async function relatedOf(records: Records, record: RecordData): Promise<readonly Related[]> {
  const own = await Promise.all(listsOf(record.type).map((list) => readFirstOf(records, list, record)));
  const further = await FURTHER[record.type]?.(records, record, own);
  return [...own, ...(further ?? [])];
}

const readFirstOf = async (records: Records, list: RelatedList, owner: RecordData): Promise<Related> => {
  const isDrawn = list.name === 'rounds' && list.of === 'companies';
  const limit = isDrawn ? ROUNDS_MAX : list.of === 'people' ? FOLDED_MAX : SHOWN_MAX;
  return readRelated(records, { list, owner }, { offset: 0, limit });
};

export const listIn = (related: readonly Related[], name: string): readonly RecordData[] =>
  related.find(({ list }) => list.name === name)?.records ?? [];

type Further = (records: Records, record: RecordData, own: readonly Related[]) => Promise<readonly Related[]>;

/** Lists without an endpoint: all rounds of a round's company, other editions of an event, colleagues of a person. */
const FURTHER: Readonly<Partial<Record<RecordType, Further>>> = {
  rounds: async (records, { company }) => {
    const owner = company as RecordData;
    const list = listNamed(owner.type, 'rounds');
    return list === undefined ? [] : [await readFirstOf(records, list, owner)];
  },
  events: async (records, event) => {
    const { id, series_slug: series } = event;
    if (isBlank(series)) return [];
    const text = String(series).replaceAll('-', ' ');
    const { found } = await readFirst(records, EDITIONS_READ_MAX, { types: ['events'], text });
    const others = found.filter((other) => other['series_slug'] === series && other.id !== id);
    return others.length === 0 ? [] : [pageList('events', 'editions', [event, ...others].toSorted(newestFirst))];
  },
  people: async (records, record, own) => {
    const organisations = listIn(own, 'companies').slice(0, ORGANISATIONS_MAX);
    const teams = await Promise.all(
      organisations.map((organisation) => {
        const list = listNamed(organisation.type, 'people') as RelatedList;
        return readRelated(records, { list, owner: organisation }, { offset: 0, limit: TEAM_READ_MAX });
      }),
    );
    const [founders, others] = [new Map<number, RecordData>(), new Map<number, RecordData>()];
    for (const [index, { records: team }] of teams.entries()) {
      const organisation = organisations[index] as RecordData;
      for (const person of team) {
        if (person.id === record.id || founders.has(person.id)) continue;
        const isShared = isFounderOf(record, organisation) && isFounderOf(person, organisation);
        const known = isShared ? founders : others;
        if (!known.has(person.id)) known.set(person.id, { ...person, reason: roleText(person, organisation) });
        if (isShared) others.delete(person.id);
      }
    }
    const isPart = teams.some(({ records: read, total }) => read.length < total);
    return [
      pageList('people', 'co_founders', [...founders.values()]),
      { ...pageList('people', 'colleagues', [...others.values()]), isPart },
    ];
  },
};

function roleText(person: RecordData, organisation: RecordData): string {
  const { text, basis } = roleIn(person, organisation);
  return joinTexts(', ', text, organisation.name) + basis;
}

/** The role of a person at an organisation, blank if it is not stated, and what it is based on. */
function roleIn(person: RecordData, organisation: RecordData): Readonly<Record<'text' | 'basis', string>> {
  const role: Partial<PersonRole> = roleAt(person, organisation) ?? {};
  const stated = titleOf(role);
  const former = role.is_current === false && !isOfFounder(role) ? 'Former: ' : '';
  if (stated !== '') return { text: former + stated, basis: basisText(role.as_of, roleMark(person, role.as_of)) };
  if (!isFounderOf(person, organisation)) return { text: '', basis: '' };
  return { text: 'Founder', basis: basisText(null, isOfEditors(organisation, 'founders') && UNSOURCED) };
}

/** Organisations whose people are listed as colleagues, and people read of each: more than most have. */
const ORGANISATIONS_MAX = 6;
const TEAM_READ_MAX = 100;

function pageList(of: 'people' | 'events', name: string, records: readonly RecordData[]): Related {
  return { list: { of, name, types: [of], summary: '', paths: [] }, records, total: records.length };
}

/** Puts all entries of a list of a record in an order. */
export type Order = (records: Records, owner: RecordData, all: readonly RecordData[]) => Promise<readonly RecordData[]>;

interface ListOf {
  readonly list: RelatedList;
  readonly owner: RecordData;
  /** The order, if it is not that of the store; of more entries than `ORDERED_MAX`, the store's holds. */
  readonly order?: Order | undefined;
}

/** Entries that are read to be put in an order. */
export const ORDERED_MAX = 500;

async function readEntries(records: Records, { list, owner, order }: ListOf, window: Window) {
  if (order !== undefined) {
    const { found, total } = await readFirstRelated(records, ORDERED_MAX, { list, id: owner.id });
    const { offset, limit } = window;
    if (total <= ORDERED_MAX)
      return { entries: (await order(records, owner, found)).slice(offset, offset + limit), total };
  }
  const { results, total } = await records.related(list, owner.id, window);
  return { entries: parseRecords(results), total };
}

export async function readRelated(records: Records, { list, owner, order }: ListOf, window: Window): Promise<Related> {
  const { entries, total } = await readEntries(records, { list, owner, order: order ?? USUAL[list.name] }, window);
  if (list.name === 'portfolio') return { list, total, records: await withJoinedRounds(records, owner, entries) };
  if (list.name === 'people') return { list, total, records: entries.map((person) => withRoleAt(person, owner)) };
  if (list.name !== 'rounds') return { list, records: entries, total };
  const statistics =
    entries.length === total ? statisticsOf(entries, owner) : await readRoundStatistics(records, owner);
  return { list, records: entries, total, statistics };
}

/** A person with the role at an organisation as the reason, unless that is not stated or the headline tells it and more. */
function withRoleAt(person: RecordData, organisation: RecordData): RecordData {
  const { text, basis } = roleIn(person, organisation);
  const about = aboutOf(person);
  const isTold = about.includes(organisation.name) && !about.startsWith(`${text}, ${organisation.name}`);
  return text === '' || isTold ? person : { ...person, reason: text + basis };
}

/** Companies with what became of them, their known funding, and the rounds in which an investor took part. */
async function withJoinedRounds(records: Records, investor: RecordData, companies: readonly RecordData[]) {
  const joined = await readJoinedRounds(records, investor, companies);
  return companies.map((company) => {
    const exit = [company['company_stage'], company['status']].find(isFinal);
    const rounds = joined.get(company.slug);
    const isOfRound = rounds?.[0] !== undefined && amountText(rounds[0]) === knownFunding(company);
    const reason = joinTexts(
      ' · ',
      exit && vocabularyLabel(String(exit)),
      joinedText(rounds, investor),
      !isOfRound && fundingLine(company),
    );
    return reason === '' ? company : { ...company, reason };
  });
}

/** The latest round of a company in which an investor took part, and the number of the others. */
function joinedText([latest, ...others]: readonly RecordData[] = [], investor: RecordData): string | undefined {
  if (latest === undefined) return undefined;
  const led = others.filter((round) => isLedBy(round, investor)).length;
  const ledText = led === 0 ? '' : led === others.length ? ' (led)' : ` (${led} led)`;
  const round = joinTexts(
    ', ',
    isBlank(latest['stage']) ? 'Round' : stageText(latest),
    amountText(latest),
    isBlank(latest['announced_date']) ? '' : dayOf(latest),
    isLedBy(latest, investor) && `led${leadsMark(latest)}`,
    isUnsourced(latest) && UNSOURCED,
  );
  return others.length === 0 ? round : `${round} · ${counted(others.length, 'more rounds')}${ledText}`;
}

interface ListProps {
  readonly record: RecordData;
  readonly related: Related;
}

/** Titles that differ from the list's name. */
const TITLES: Readonly<Record<string, string>> = {
  'companies similar': 'Similar companies',
  'investors co_investors': 'Co-investors',
  'people co_founders': 'Co-founders',
  'people events': 'Events spoken at',
  'events editions': 'Editions by year',
};
export function listTitle({ list: { of, name }, statistics }: Related): string {
  const title = statistics === undefined ? (TITLES[`${of} ${name}`] ?? labelOf(name)) : kindsOf(statistics);
  return of === 'people' && title === 'Rounds' ? 'Angel rounds' : title;
}

export const FUNDED_FIRST = 'Those with the most known funding first.';

/** Companies with the most known funding first: their latest rounds are a list of their own. */
const byFunding: Order = async (_records, _owner, companies) => {
  const usdOf = (company: RecordData): number => Number(company['total_funding_usd'] ?? 0);
  return companies.toSorted((one, other) => usdOf(other) - usdOf(one));
};

/** Orders of lists that the store has in another. */
const USUAL: Readonly<Record<string, Order>> = { people: byRole, portfolio: byFunding };

interface RelatedCardProps extends ListProps {
  /** Companies of the rounds of an investor, for its portfolio. */
  readonly funded?: number | undefined;
}

/** A related list on its record's page; nothing if it is empty. */
export function RelatedCard({ record, related, funded = 0 }: RelatedCardProps) {
  const { list, total } = related;
  const { recordsAt } = usePage();
  const relation = relationOf(record.type, list.name);
  const names = relation === undefined ? [] : unlinkedNames(relation, record[list.name]);
  if (total === 0 && names.length === 0 && statedBy(record, list) === undefined) return null;
  const isOfPage = !relatedLists.includes(list);
  const isByFunding = list.name === 'portfolio' && total > 1 && total <= ORDERED_MAX;
  const shownMax = isOfPage ? FOLDED_MAX : SHOWN_MAX;
  const records = related.records.slice(0, shownMax);
  const all =
    total > records.length && !isOfPage ? (
      <SmallLink to={`${recordsAt}/${record.type}/${record.slug}/${list.name}`}>
        Show all {countText(total)}
        <span class="sr"> of {listTitle(related)}</span>
      </SmallLink>
    ) : undefined;
  return (
    <Card id={list.name} title={listTitle(related)} {...(all && { action: all })}>
      {funded > total ? (
        <p class="muted">
          {countText(total)} of the {countText(funded)} companies funded have a record here.
          {isByFunding ? ` ${FUNDED_FIRST}` : ''}
        </p>
      ) : related.note !== undefined ? (
        <p class="muted">{related.note}</p>
      ) : hasBasis(record, related) ? (
        <p class="muted">{countsOf(record, related)}</p>
      ) : isByFunding ? (
        <p class="muted">{FUNDED_FIRST}</p>
      ) : null}
      {records.length === 0 ? null : (
        <Folded
          items={records}
          shownMax={SHOWN_MAX}
          summary={() => `Show ${total > shownMax ? `${countText(shownMax)} of` : 'all'} ${countText(total)}`}
          look="behind"
        >
          {(some, isFolded) => (
            <RelatedRecords
              records={some}
              label={isFolded ? `More: ${listTitle(related)}` : listTitle(related)}
              owner={record}
            />
          )}
        </Folded>
      )}
      {names.length === 0 ? null : (
        <>
          <p class="muted">Named in sources, without a record here:</p>
          <List kind="tags" items={names} />
        </>
      )}
    </Card>
  );
}

function statedBy(record: RecordData, { stated }: RelatedList): number | undefined {
  const value = stated === undefined ? undefined : record[stated];
  return typeof value === 'number' ? value : undefined;
}

/** Whether a count says more than the list and its button. */
const hasBasis = (record: RecordData, { list, total, statistics }: Related): boolean =>
  list.computed !== undefined ||
  !relatedLists.includes(list) ||
  (statedBy(record, list) ?? 0) > (statistics?.rounds ?? total);

export function countsOf(record: RecordData, { list, total, statistics, isPart = false }: Related): string {
  const stated = statedBy(record, list);
  if (list.computed === 'similar')
    return 'By what they share: tags weigh most, the first above all, then investors and chains.';
  if (list.computed === 'coInvestors') return `${counted(total, 'others')} took part in the same rounds.`;
  if (list.name === 'co_founders') return 'Founders of the same organisations.';
  if (list.name === 'colleagues')
    return `${isPart ? 'Some of those at' : 'At'} the same organisations, as of the year in brackets.`;
  if (list.name === 'editions') return 'Of the same series on record, the newest first.';
  const [type, ...others] = list.types;
  const nouns = type === undefined || others.length > 0 ? 'linked records' : type;
  const linked = statistics === undefined ? counted(total, nouns) : countsText(statistics);
  const isLess = stated !== undefined && stated > (statistics?.rounds ?? total);
  return isLess ? `${linked}. Sources state ${countText(stated)}.` : `${linked}.`;
}

export function RelatedRecords(props: Pick<Related, 'records'> & { label: string; owner?: RecordData }) {
  const { records, label, owner } = props;
  if (records.every(({ type }) => type === 'rounds'))
    return (
      <RoundTable rounds={records} label={label} isOfDeals={owner?.type !== 'companies'} giver={owner?.name} isShort />
    );
  if (records.every(({ type }) => type === 'events'))
    return <EventTable events={records} label={label} current={owner} />;
  return (
    <ul class="related">
      {records.map((record) => (
        <RecordItem key={`${record.type} ${record.id}`} record={record}>
          {reasonOf(record) ?? aboutOf(record)}
        </RecordItem>
      ))}
    </ul>
  );
}

interface RecordItemProps {
  readonly record: NamedReference;
  readonly link?: VNode;
  readonly children?: string;
}

/** A record, or a name without one, with a line of text. */
export function RecordItem({ record, link = <RecordLink to={record} />, children }: RecordItemProps) {
  return (
    <li>
      <RecordTile record={record} />
      <div>
        {link}
        <span class="muted">{children}</span>
      </div>
    </li>
  );
}

interface Reasons {
  readonly tags: readonly string[];
  readonly chains: readonly string[];
  readonly investors: readonly { readonly name: string }[];
}

const REASONS_MAX = 4;

function reasonOf({ reasons, latest_round, count: rounds, reason }: RecordData): string | undefined {
  if (reason !== undefined) return String(reason);
  if (latest_round !== undefined) {
    const { name } = latest_round as { name: string };
    return `${countsText({ rounds: Number(rounds), grants: 0 })} together, last ${name}`;
  }
  if (reasons === undefined) return undefined;
  const { tags, chains, investors } = reasons as Reasons;
  const shared = [...tags, ...investors.map(({ name }) => name), ...chains];
  const more = shared.length > REASONS_MAX ? ` and ${shared.length - REASONS_MAX} more` : '';
  return `Shared: ${shared.slice(0, REASONS_MAX).join(', ')}${more}`;
}

const ABOUT_LENGTH = 110;

function aboutOf(record: RecordData): string {
  const { headline, tagline, roles } = record;
  const field = isBlank(headline) ? 'tagline' : 'headline';
  const line = String(headline ?? tagline ?? recordNoun(record));
  const text = inShort(line.split(';')[0] ?? line, ABOUT_LENGTH);
  const [role] = (roles ?? []) as readonly PersonRole[];
  const asOf = isBlank(headline) || LASTING.test(text) ? null : role?.as_of;
  return text + basisText(asOf, markedText({ ...record, [field]: text }, field, DAGGER) !== text && UNSOURCED);
}

/** What a person remains. */
const LASTING = /founder|author|speaker|former|investor/i;
