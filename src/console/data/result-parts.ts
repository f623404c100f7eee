import type { RecordData } from '../../contract/entities/index.ts';
import { groupBy } from '../../contract/group-by.ts';
import { isNamed } from '../../contract/named-records.ts';
import { foldName } from '../../contract/names.ts';
import { organisationOf, type PersonRole } from '../../contract/person-roles.ts';
import { listNamed } from '../../contract/relations.ts';
import { isGrant, isLedBy, isSameRecord, type NamedReference, namedIn, partiesIn } from '../../contract/rounds.ts';
import type { Records } from '../../store/port/records.ts';
import { newestFirst } from '../profile/event-table.tsx';
import { ALL, isOfUpcoming, type ParsedSearch } from './parsed-search.ts';
import { readFirstRelated } from './read-records.ts';
import { readFundingRounds, roundsOf } from './round-statistics.ts';

export interface Part {
  /** Blank for the only or the first part. */
  readonly title: string;
  readonly records: readonly RecordData[];
  /** Whether it has rounds only, or the other matches. */
  readonly look?: 'rounds' | 'further';
}

/** The parts of a list: events by year, in their order; the editions of a named series; a named record with its own, its rounds, and other matches. */
export function partsOf(search: ParsedSearch, { results: records, backers }: NamedResults): readonly Part[] {
  const named = namedBy(search, records);
  if (named === undefined) {
    const yearOf = (record: RecordData): string => String(record['start_date'] ?? '').slice(0, YEAR_LENGTH);
    const parts = groupBy(records, (record) => (isOfUpcoming(search) ? yearOf(record) || 'No date on record' : ''));
    return [...parts].map(([title, some]) => ({ title, records: some }));
  }
  const left = new Set(records);
  const take = (test: (record: RecordData) => boolean): readonly RecordData[] => {
    const taken = [...left].filter(test);
    for (const record of taken) left.delete(record);
    return taken;
  };
  if (named.type === 'events') {
    const editions = take(isOfSeries(named)).toSorted(newestFirst);
    return [
      { title: `Editions of ${seriesOf(editions)}`, records: editions },
      { title: 'Other events', records: take(({ type }) => type === 'events').toSorted(newestFirst) },
      {
        title: 'Who spoke there',
        records: take((person) => namedIn(person, 'events').some((one) => isAmong(editions, one))),
      },
      { title: 'Other matches', records: [...left], look: 'further' as const },
    ].filter((part) => part.records.length > 0);
  }
  const title = `Rounds ${named.type === 'companies' ? 'of' : 'with'} ${named.name}`;
  return [
    { title: '', records: take((record) => isOwn(named, record)) },
    { title, records: take((record) => isRoundOf(named, record)), look: 'rounds' as const },
    {
      title: `Backers of ${named.name}`,
      records: take((record) => isAmong(backers, record)),
      look: 'further' as const,
    },
    { title: 'Other matches', records: [...left], look: 'further' as const },
  ].filter((part) => part.records.length > 0);
}

/** The name of a series: the words with which those of all its editions begin. */
export function seriesOf(editions: readonly RecordData[]): string {
  const [first = [], ...others] = editions.map(({ name }) => name.split(' '));
  const end = first.findIndex((word, index) => others.some((words) => words[index] !== word));
  return first.slice(0, end < 0 ? first.length : end).join(' ');
}

const isOfSeries =
  ({ series_slug: slug }: RecordData) =>
  (record: RecordData): boolean =>
    record.type === 'events' && record['series_slug'] === slug;

const isAmong = (records: readonly RecordData[], one: Parameters<typeof isSameRecord>[0]): boolean =>
  records.some((record) => isSameRecord(one, record));

const YEAR_LENGTH = 4;

/** The first of some results if a search of every kind, or of events, is for its name, or that of its series, and for nothing else. */
function namedBy(search: ParsedSearch, [first]: readonly RecordData[]): RecordData | undefined {
  const { type, query, page, sort, given } = search;
  const isWide = type === ALL || type === 'events';
  const isPlain = isWide && query !== '' && page === 1 && sort === undefined && Object.keys(given).length === 0;
  if (!isPlain || first === undefined || first.type === 'rounds') return undefined;
  const isCalled =
    first.type === 'events'
      ? foldName(query) === foldName(String(first['series_slug'] ?? ''))
      : isNamed(first, query, ['name', 'alias']);
  return isCalled ? first : undefined;
}

const organisationsOf = ({ roles }: RecordData): readonly NamedReference[] =>
  ((roles ?? []) as readonly PersonRole[]).map(organisationOf);

/** Whether a result is the named record, has its name in its own, or is joined to it by a role. */
const isOwn = (named: RecordData, record: RecordData): boolean =>
  record.type !== 'rounds' &&
  (foldName(record.name).includes(foldName(named.name)) ||
    organisationsOf(record).some((one) => isSameRecord(named, one)) ||
    organisationsOf(named).some((one) => isSameRecord(record, one)));

const isRoundOf = (named: RecordData, round: RecordData): boolean =>
  round.type === 'rounds' &&
  !isGrant(round) &&
  [round['company'] as NamedReference | null, ...partiesIn(round)].some(
    (party) => party != null && isSameRecord(named, party),
  );

const ROUNDS_SHOWN = 4;
/** Of the backers of a company, those who led its latest rounds first; more are shown where they match the text. */
const BACKERS_SHOWN = 8;
const BACKERS_MAX = 50;

type NamedResults = Readonly<Record<'results' | 'backers', readonly RecordData[]>>;

/** Results with the latest rounds and the backers of the record that a search names, which other records that mention it may precede. */
export async function withNamed(records: Records, search: ParsedSearch, results: readonly RecordData[]) {
  const named = namedBy(search, results);
  if (named === undefined || named.type === 'events') return { results, backers: [] };
  const list = listNamed(named.type, 'investors');
  const [{ rounds }, { found }] = await Promise.all([
    readFundingRounds(records, ROUNDS_SHOWN, roundsOf(named)),
    list === undefined ? { found: [] } : readFirstRelated(records, BACKERS_MAX, { list, id: named.id }),
  ]);
  const ledBy = (record: RecordData): number => rounds.filter((round) => isLedBy(round, record)).length;
  const backers = found.toSorted((one, other) => ledBy(other) - ledBy(one));
  const shown = backers.filter((record, index) => index < BACKERS_SHOWN || isAmong(results, record));
  const others = results.filter((record) => !isRoundOf(named, record) && !isAmong(shown, record));
  return { results: [...others, ...rounds, ...shown], backers };
}
