import type { Aggregate } from '../../contract/aggregate.ts';
import { dayText, shownValue } from '../../contract/day-text.ts';
import { RECORD_TYPES, type RecordData, type RecordType } from '../../contract/entities/index.ts';
import type { Filters } from '../../contract/filters.ts';
import { groupBy } from '../../contract/group-by.ts';
import { statedValue, utcDay, yearsBetween } from '../../contract/periods.ts';
import { organisationOf, type PersonRole } from '../../contract/person-roles.ts';
import type { RelatedList } from '../../contract/relations.ts';
import {
  isGrant,
  isLedBy,
  isSameRecord,
  type NamedReference,
  partiesIn,
  type RoundCounts,
} from '../../contract/rounds.ts';
import { joinTexts } from '../../contract/value-text.ts';
import { GRANT } from '../../contract/vocabulary.ts';
import type { Records, Window } from '../../store/port/records.ts';
import { countMatches, parseRecords, readFirst, readFirstRelated, readRecords } from './read-records.ts';
import { fundingLine } from './values.tsx';

export type RoundStatistics = ReturnType<typeof countDeals>;

/** Number of rounds of one year and stage, and their amount if it is known. */
type Row = readonly [year: string | null, stage: string | null, rounds: number, amountUsd: unknown];

interface RoundRows extends Record<'all' | 'led', readonly Row[]> {
  /** Companies of the rounds and grants, with or without a record. */
  readonly companies: number;
}

export function statisticsOf(rounds: readonly RecordData[], owner: RecordData): RoundStatistics {
  const rowOf = ({ announced_date: date, stage, amount_usd }: RecordData): Row => [
    typeof date === 'string' ? date.slice(0, 4) : null,
    typeof stage === 'string' ? stage : null,
    1,
    amount_usd,
  ];
  const led = rounds.filter((round) => isLedBy(round, owner));
  const companies = new Set(rounds.map(({ company }) => (company as RecordData | null)?.name));
  return countDeals({ all: rounds.map(rowOf), led: led.map(rowOf), companies: companies.size });
}

/** More than the stages of all years, and than the givers of the grants of a page. */
const ROWS_MAX = 1_000;

/** Counts of all rounds of a company, an investor or a person, without reading them. */
export async function readRoundStatistics(records: Records, owner: RecordData): Promise<RoundStatistics> {
  const { type } = owner;
  const filters = roundsOf(owner);
  const count = (groups: readonly string[], more: Filters = {}) =>
    records.aggregate({
      ...{ of: 'rounds', groups, measures: ['count', 'sum'], top: ROWS_MAX, filters: { ...filters, ...more } },
      order: { by: 'group', column: 0, isDescending: false },
    });
  const [all, led, companies] = await Promise.all([
    count(['year', 'stage']),
    type === 'companies' ? { rows: [] } : count(['year', 'stage'], { led: true }),
    count(['company']),
  ]);
  const rowsOf = ({ rows }: { readonly rows: readonly unknown[] }) => rows as readonly Row[];
  return countDeals({ all: rowsOf(all), led: rowsOf(led), companies: companies.groups });
}

/** Number of records by type, with grants apart from funding rounds. */
export async function countByKind(records: Records): Promise<Readonly<Record<RecordType | 'grants', number>>> {
  const [{ totals }, grants] = await Promise.all([
    records.search({ types: RECORD_TYPES, text: '', window: { offset: 0, limit: 0 } }),
    countMatches(records, { types: ['rounds'], filters: ONLY_GRANTS }),
  ]);
  const counts = Object.fromEntries(RECORD_TYPES.map((type) => [type, totals[type] ?? 0])) as Record<
    RecordType,
    number
  >;
  return { ...counts, rounds: counts.rounds - grants, grants };
}

export function roundsOf({ type, id, slug }: RecordData): Filters {
  // Numbers are ids of companies and investors only.
  const filter = { mode: 'any', values: [type === 'people' ? slug : String(id)] } as const;
  return type === 'companies' ? { company: filter } : { investor: filter };
}

/** More rounds than one investor takes part in of the companies of a page. */
const JOINED_MAX = 200;

/** The funding rounds of these companies in which an investor took part, by company, newest first. */
export async function readJoinedRounds(
  records: Records,
  investor: RecordData,
  companies: readonly RecordData[],
): Promise<ReadonlyMap<string, readonly RecordData[]>> {
  if (companies.length === 0) return new Map();
  const ids = companies.map(({ id }) => String(id));
  const { rounds } = await readFundingRounds(records, JOINED_MAX, {
    ...roundsOf(investor),
    company: { mode: 'any', values: ids },
  });
  return groupBy(rounds, ({ company }) => (company as Partial<RecordData> | null)?.slug ?? '');
}

/** The company of a round, or of the first role of a person. */
function companyIn({ company, roles }: RecordData): NamedReference | undefined {
  const [role] = (roles ?? []) as readonly PersonRole[];
  return role === undefined ? ((company ?? undefined) as NamedReference | undefined) : organisationOf(role);
}

/** The companies of rounds and people, each once, in their order; those without a record are left out. */
export const companiesOf = (records: Records, found: readonly RecordData[]): Promise<readonly RecordData[]> =>
  companiesNamed(
    records,
    found.flatMap((one) => companyIn(one) ?? []),
  );

/** The companies among some references, each once, in their order; those without a record are left out. */
export async function companiesNamed(
  records: Records,
  references: readonly NamedReference[],
): Promise<readonly RecordData[]> {
  const slugs = [...new Set(references.flatMap(({ type, slug }) => (type === 'companies' && slug ? [slug] : [])))];
  return readRecords(
    records,
    slugs.map((slug) => ({ type: 'companies', slug })),
  );
}

/** Several chains on which a company is active. */
const CHAINS = / (?:active )?on \p{Lu}[^,;]*(?:,| and ).*$/u;

/** What a company does, in a line without its last round, place and chains; blank if it is not known. */
export function businessIn({ tagline }: Readonly<Record<string, unknown>>): string {
  const [business = ''] = String(tagline ?? '').split('; ');
  return business.replace(/, based in .*$/, '').replace(CHAINS, '');
}

/** What the company of a round does; of a person also its known funding. */
export function businessOf(record: RecordData, companies: readonly RecordData[]): string {
  const company = companies.find((one) => one.slug === companyIn(record)?.slug);
  return joinTexts(', ', businessIn(company ?? {}), record.type === 'people' && company && fundingLine(company));
}

/** More than any person took part in. */
const ANGEL_ROUNDS_MAX = 1_000;

/** A window of the rounds of a record: the funding rounds first, then the grants, each the newest first. */
export async function readRoundList(
  records: Records,
  { list, owner }: { readonly list: RelatedList; readonly owner: RecordData },
  { offset, limit }: Window,
): Promise<{ readonly rounds: readonly RecordData[]; readonly totals: RoundCounts }> {
  // The filter finds people by slug, which others may have.
  if (owner.type === 'people') {
    const { found } = await readFirstRelated(records, ANGEL_ROUNDS_MAX, { list, id: owner.id });
    const [funding, grants] = [found.filter((round) => !isGrant(round)), found.filter(isGrant)];
    const rounds = [...funding, ...grants].slice(offset, offset + limit);
    return { rounds, totals: { rounds: funding.length, grants: grants.length } };
  }
  const read = (stage: Filters, window: Window) =>
    records.search({
      types: ['rounds'],
      text: '',
      filters: { ...roundsOf(owner), ...stage },
      sort: { field: 'announced_date', isDescending: true },
      window,
    });
  const funding = await read(WITHOUT_GRANTS, { offset, limit });
  const left = { offset: Math.max(offset - funding.total, 0), limit: limit - funding.results.length };
  const grants = await read(ONLY_GRANTS, left);
  const rounds = parseRecords([...funding.results, ...grants.results]);
  return { rounds, totals: { rounds: funding.total, grants: grants.total } };
}

export async function readGrants(
  records: Records,
  investors: readonly RecordData[],
): Promise<ReadonlyMap<string, number>> {
  const ids = investors.map(({ id }) => String(id));
  const grants = await figuresOf(records, ids, { measures: ['count'], filters: ONLY_GRANTS });
  return new Map([...grants].map(([slug, [count]]) => [slug, Number(count)]));
}

export const ONLY_GRANTS: Filters = { funding_stage: { mode: 'any', values: [GRANT] } };
export const WITHOUT_GRANTS: Filters = { funding_stage: { mode: 'except', values: [GRANT] } };

/** More parties than the investors of an export share rounds with. */
const PARTIES_MAX = 10_000;

/** Figures of rounds that pass some filters, by the slug of each of some investors; other parties of them are groups too. */
async function figuresOf(
  records: Records,
  ids: readonly string[],
  { measures, filters }: Pick<Aggregate, 'measures'> & { readonly filters: Filters },
): Promise<ReadonlyMap<string, readonly unknown[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await records.aggregate({
    ...{ of: 'rounds', groups: ['investor'], measures, top: PARTIES_MAX },
    order: { by: 'measure', column: 0, isDescending: true },
    filters: { investor: { mode: 'any', values: ids }, ...filters },
  });
  return new Map(
    rows.flatMap(([party, ...figures]) =>
      party !== null && typeof party === 'object' && party.type === 'investors' ? [[party.slug ?? '', figures]] : [],
    ),
  );
}

/** Records, of which the investors have the figures that no record states: rounds of the year before the newest round, median amount. */
export async function withRoundFigures(records: Records, found: readonly RecordData[], newest: string | undefined) {
  const ids = found.flatMap(({ type, id }) => (type === 'investors' ? [String(id)] : []));
  const count = (more: Filters = {}) =>
    figuresOf(records, ids, { measures: ['count', 'median'], filters: { ...WITHOUT_GRANTS, ...more } });
  const since = newest === undefined ? undefined : yearsBefore(new Date(newest), 1);
  const [all, lately] = await Promise.all([
    count(),
    since === undefined ? new Map<string, readonly unknown[]>() : count({ from: since }),
  ]);
  return found.map((record) => {
    const { type, slug } = record;
    if (type !== 'investors' || !all.has(slug)) return record;
    const [rounds = 0] = lately.get(slug) ?? [];
    const [, median = null] = all.get(slug) ?? [];
    return { ...record, rounds_last_year: rounds, rounds_since: since, median_round_usd: median };
  });
}

const BACKED_SHOWN = 3;

/** Records, of which the people who invested have in words the companies that they backed last. */
export async function withBackedCompanies(
  records: Records,
  found: readonly RecordData[],
): Promise<readonly RecordData[]> {
  const angels = found.filter(({ angel_investments: rounds }) => Number(rounds ?? 0) > 0);
  if (angels.length === 0) return found;
  const investor = { mode: 'any', values: angels.map(({ slug }) => slug) } as const;
  const { rounds } = await readFundingRounds(records, JOINED_MAX, { investor });
  return found.map((record) => {
    const joined = rounds.filter((round) => takesPart(record, round));
    const names = joined.flatMap(({ company }) => (company as NamedReference | null)?.name ?? []);
    const [last, ...others] = [...new Set(names)].slice(0, BACKED_SHOWN);
    const day = dayText(joined[0] && shownValue(joined[0], 'announced_date'));
    return last === undefined
      ? record
      : { ...record, backed: `Last backed ${[`${last} (${day || 'undated'})`, ...others].join(', ')}` };
  });
}

const takesPart = (record: RecordData, round: RecordData): boolean =>
  record.type === 'people' && partiesIn(round).some((party) => isSameRecord(record, party));

export function yearsBefore(now: Date, years: number): string {
  const day = new Date(now);
  day.setUTCFullYear(day.getUTCFullYear() - years);
  return utcDay(day);
}

/** The newest funding rounds that pass some filters, without grants, and the number of all. */
export async function readFundingRounds(records: Records, limit: number, filters: Filters = {}) {
  const { found, total } = await readFirst(records, limit, {
    types: ['rounds'],
    filters: { ...filters, ...WITHOUT_GRANTS },
    sort: { field: 'announced_date', isDescending: true },
  });
  return { rounds: found, total };
}

/** Date of the newest funding round, or grant, which says how recent the records are: `2021-03` if only the month is known. */
export async function newestRoundDate(records: Records, stage: Filters = WITHOUT_GRANTS): Promise<string | undefined> {
  const sort = { field: 'announced_date', isDescending: true } as const;
  const { found } = await readFirst(records, 1, { types: ['rounds'], filters: stage, sort });
  const date = found[0] && statedValue(found[0], 'announced_date');
  return typeof date === 'string' ? date : undefined;
}

const sumOf = (rows: readonly Row[]): number => rows.reduce((sum, [, , rounds]) => sum + rounds, 0);
const inYear = (rows: readonly Row[], year: number): number => sumOf(rows.filter(([of]) => Number(of) === year));

/** Counts of funding rounds and grants: of every year from the first to the last one, and of stages the most frequent first. */
function countDeals({ all, led: ledOfAll, companies }: RoundRows) {
  const isRound = ([, stage]: Row): boolean => stage !== GRANT;
  const [rounds, led, grants] = [all.filter(isRound), ledOfAll.filter(isRound), all.filter((row) => !isRound(row))];
  const known = all.flatMap(([year]) => (year === null ? [] : Number(year)));
  const years = yearsBetween(Math.min(...known), Math.max(...known)).map((year) => ({
    year,
    led: inYear(led, year),
    /** In rounds that others led. */
    joined: inYear(rounds, year) - inYear(led, year),
    grants: inYear(grants, year),
  }));
  const stages = [...new Set(rounds.flatMap(([, stage]) => stage ?? []))]
    .map((stage) => [stage, sumOf(rounds.filter(([, of]) => of === stage))] as const)
    .toSorted(([, one], [, other]) => other - one);
  const grantedUsd = grants.reduce((sum, [, , , amount]) => sum + Number(amount ?? 0), 0);
  return { rounds: sumOf(rounds), grants: sumOf(grants), grantedUsd, led: sumOf(led), companies, years, stages };
}
