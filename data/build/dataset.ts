import { foldName, slugify } from '../../src/contract/names.ts';
import type { Lines } from './check.ts';
import { type Company, companyFrom, firmMembers, roundsKey } from './companies.ts';
import { companyOverview, companyTagline, type SaidCompany } from './company-text.ts';
import { eventLine, eventsFrom, seriesSlugOf } from './events.ts';
import { investorLines, withFirms } from './investor-lines.ts';
import { createLinks, type Links } from './links.ts';
import { createOwners } from './owners.ts';
import { peopleFrom } from './people.ts';
import { personLine, type ShippedPerson, shippedPeople, withFounders } from './people-lines.ts';
import { entryId, rawEntries, rawSources } from './raw.ts';
import { ANNOUNCED, EDITORS, editorsOf, type Group, resolveProjects } from './resolve.ts';
import { withOwnNames } from './round-names.ts';
import { type Announced, announcedRounds, type Grant, grantLines, grantsByGroup, roundLine } from './rounds.ts';
import { reasonToLeaveOut } from './select.ts';
import { openSlugs, type SlugBook } from './slugs.ts';
import { groupReadings, newestDate } from './sources.ts';
import { cleanText } from './text.ts';

/** The whole set: from the raw facts to the lines of every file. */

/** Sources of projects, the most trusted first: what comes first decides where two differ. */
const PROJECT_SOURCES = [
  EDITORS,
  'oss-directory',
  'chain-registry',
  'base-ecosystem',
  'starknet-ecosystem',
  'l2beat',
  'web3privacy-list',
  'yc-directory',
  'ccxt',
  'opensats',
  'valora-dapp-list',
  'berachain-metadata',
  'cardano-portal',
  'polkadot-apps-config',
  'messari-subgraphs',
  'hyperlane-registry',
  'ethereum-lists-chains',
  'w3f-grants',
  'w3f-open-grants',
  'w3f-general-grants',
  'essential-cardano',
  'crypto-ecosystems',
  'optimism-token-list',
  'trustwallet-assets',
  'ethereum-lists-tokens',
  'solana-token-list',
] as const;

/** The day of the newest facts: nothing is shipped that is dated after it. */
const TODAY = '2026-11-22';

export interface DataSet {
  readonly lines: Lines;
  readonly groups: readonly Group[];
  /** The group of each shipped company, by its slug. */
  readonly groupOfSlug: ReadonlyMap<string, Group>;
  readonly people: readonly ShippedPerson[];
  readonly slugs: Readonly<Record<string, SlugBook>>;
  /** How many projects were left out, by reason. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/** Every entry that a project can be made of. */
const projectEntries = () => [
  ...PROJECT_SOURCES.flatMap((source) => rawEntries(source)),
  ...rawEntries(ANNOUNCED, 'announced-companies'),
];

/** Builds the set. The same raw facts and slugs give the same lines. */
export function buildDataSet(): DataSet {
  const sources = rawSources();
  const groups = resolveProjects(projectEntries());
  const slugs = {
    companies: openSlugs('companies'),
    investors: openSlugs('investors'),
    people: openSlugs('people'),
    events: openSlugs('events'),
  };
  const leftOut = new Map<string, number>();
  const grants = grantsByGroup(groups, TODAY);
  const said = saidCompanies(groups, { slugs: slugs.companies, grants, leftOut });
  const events = eventsFrom(sources);
  const spokenOf = new Set(events.flatMap(({ talkKeys }) => talkKeys));
  const people = shippedPeople(peopleFrom(sources, spokenOf), slugs.people);
  const eventSlugs = slugs.events.assign(events.map((event) => ({ key: event.key, name: event.name })));
  const unlinked = unlinkedGrants(grants, said);
  const { investors, lines: investorRecords } = investorLines([...said, ...unlinked], sources, slugs.investors, people);
  const links = createLinks({ companies: said, investors, people }, new Set());
  const guarded = createLinks({ companies: said, investors, people }, commonNames(said));
  const slugOfTalk = new Map(
    events.flatMap(({ talkKeys }, index) => talkKeys.map((key) => [key, eventSlugs[index] ?? ''] as const)),
  );
  const nameOfSlug = new Map(events.map(({ name }, index) => [eventSlugs[index] ?? '', name]));
  const roundSlugs = new Set<string>();
  const editors = editorsOf(sources);
  const context = { links, slugOfTalk, nameOfSlug, sources };
  const companies = withFounders('companies', said.map(lineWithin(said, links)), people, context);
  const lines: Lines = {
    companies,
    people: people.map((person) => personLine(person, context)),
    investors: withFounders('investors', withFirms(investorRecords, companies), people, context),
    events: events.map((event, index) =>
      eventLine(event, {
        slug: eventSlugs[index] ?? '',
        seriesSlug: seriesSlugOf(event),
        others: events.filter((other) => other !== event && seriesSlugOf(other) === seriesSlugOf(event)),
        speakers: people
          .filter(({ talks }) => talks.some((talk) => event.talkKeys.includes(talk)))
          .map(({ name, slug, readings }) => ({
            name,
            slug,
            readings: readings.filter(
              ({ field, source }) => field === 'events' && event.talkKeys.some((key) => statesTalk(source, key)),
            ),
          })),
      }),
    ),
    rounds: withOwnNames([
      ...said.flatMap((company) => [
        ...company.rounds.map((round) => roundLine(round, company, { links: guarded, editors })),
        ...grantLines(company.grants, company, sources, { links, slugs: roundSlugs }),
      ]),
      ...unlinked.flatMap((project) => grantLines(project.grants, project, sources, { links, slugs: roundSlugs })),
    ]),
  };
  const groupOfSlug = new Map(said.map((company) => [company.slug, company.group]));
  return { lines, groups, groupOfSlug, people, slugs, leftOut };
}

/** Whether a source states a talk: a transcript of the event, or the profile of a speaker at Devcon. */
const statesTalk = (source: string, key: string): boolean =>
  source.includes(key.startsWith('devcon-') ? ':data/speakers/' : `:${key}/`);

/** A grant to a project without a record is shipped from this size on. */
const UNLINKED_USD_MIN = 5_000;

/** A funded project that has no record. */
export interface UnlinkedProject {
  readonly name: string;
  readonly slug: null;
  readonly tags: readonly string[];
  readonly rounds: readonly Announced[];
  readonly grants: readonly Grant[];
}

/** Grants to projects that have no record here, by the project's name; a name that a record bears might be another's. */
function unlinkedGrants(
  all: ReadonlyMap<Group | null, readonly Grant[]>,
  said: readonly ShippedCompany[],
): UnlinkedProject[] {
  const shipped = new Set<Group | null>(said.map(({ group }) => group));
  const taken = new Set(said.flatMap(({ name, aliases }) => [name, ...aliases].map(foldName)));
  const byName = new Map<string, UnlinkedProject & { readonly grants: Grant[] }>();
  for (const [group, grants] of all) {
    if (shipped.has(group)) continue;
    for (const grant of grants) {
      const name = projectName(grant.name ?? '');
      if (grant.amount < UNLINKED_USD_MIN || name === null || taken.has(foldName(name))) continue;
      const known = byName.get(foldName(name)) ?? { name, slug: null, tags: [], rounds: [], grants: [] };
      known.grants.push(grant);
      byName.set(foldName(name), known);
    }
  }
  return [...byName.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** The name of a project as an application for a grant gives it; null where it is a sentence or no name. */
function projectName(text: string): string | null {
  const name = cleanText(text.replace(/\p{Extended_Pictographic}|\uFE0F/gu, ' ')).replace(/\s+([,.;:])(?!\w)/g, '$1');
  const isName = name.length >= 3 && name.length <= 48 && name.split(' ').length <= 6 && /[a-z]/i.test(name);
  return isName && !/\.\.|\(\s*\)|&[a-z]+;/.test(name) ? name : null;
}

interface Given {
  readonly slugs: SlugBook;
  readonly grants: ReadonlyMap<Group | null, Grant[]>;
  readonly leftOut: Map<string, number>;
}

export interface ShippedCompany extends SaidCompany {
  readonly group: Group;
}

/** What needs no site to be thought of as a company. */
const DECISIVE = new Set([ANNOUNCED, EDITORS]);

function saidCompanies(groups: readonly Group[], { slugs, grants, leftOut }: Given): ShippedCompany[] {
  const sources = rawSources();
  const owners = createOwners(groups);
  const rounds = announcedRounds();
  const kept: (Company & Pick<ShippedCompany, 'group' | 'rounds' | 'grants'>)[] = [];
  for (const group of groups) {
    if (
      !group.members.some(({ site, entry }) => site !== null || DECISIVE.has(entry.source) || slugs.has(entryId(entry)))
    )
      continue;
    const company = companyFrom(group, owners, sources);
    const own = rounds.get(roundsKey(group) ?? '') ?? [];
    const given = grants.get(group) ?? [];
    const wasShipped = group.members.some(({ entry }) => slugs.has(entryId(entry)));
    const reason = reasonToLeaveOut(company, { hasRounds: own.length > 0, hasGrants: given.length > 0, wasShipped });
    if (reason === null) kept.push({ ...company, group, rounds: own, grants: given });
    else leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
  }
  const ordered = kept.sort((left, right) => fameOf(right) - fameOf(left) || (left.name < right.name ? -1 : 1));
  const given = slugs.assign(
    ordered.map((company) => {
      const keys = firmMembers(company.group).map(({ entry }) => entryId(entry));
      const described = company.group.members.flatMap(({ entry }) => entry.describes);
      // What the editors name may have had a record in the first edition: the same slug goes on.
      const before = keys.some((key) => key.startsWith(`${EDITORS}:`)) ? [`v1:${slugify(company.name)}`] : [];
      // A slug belongs to the company of announced rounds first: those were there before.
      const all = [...keys.filter((key) => key.startsWith(`${ANNOUNCED}:`)), ...described, ...keys, ...before];
      return { key: keys[0] ?? '', keys: all, name: company.name, hint: hintOf(company) };
    }),
  );
  return ordered.map((company, index) => ({ ...company, slug: given[index] ?? '' }));
}

/** What tells a company from another of its name: its domain. */
const hintOf = ({ website, name }: Company): string =>
  website === null ? name : `${new URL(website).host.replace(/^(www|app)\./, '')}`;

/** The better known first: by sources, rounds and grants, which also orders equal matches of a search. */
function fameOf({ group, rounds, grants }: Pick<ShippedCompany, 'group' | 'rounds' | 'grants'>): number {
  return (
    new Set(group.members.map(({ entry }) => entry.source)).size * 2 + rounds.length * 3 + Math.min(grants.length, 8)
  );
}

/** Companies whose name is a common word are never taken for an investor of that name. */
function commonNames(companies: readonly ShippedCompany[]): Set<string> {
  return new Set(
    companies
      .filter(({ name, rounds }) => !/\s/.test(name) && foldName(name).length <= 8 && rounds.length === 0)
      .map(({ slug }) => slug),
  );
}

/** Makes the line of a company, which lists the others of its name. */
function lineWithin(all: readonly ShippedCompany[], links: Links) {
  const slugsOf = new Map<string, string[]>();
  for (const { name, slug } of all) slugsOf.set(foldName(name), [...(slugsOf.get(foldName(name)) ?? []), slug]);
  return (company: ShippedCompany) =>
    companyLine(
      company,
      (slugsOf.get(foldName(company.name)) ?? []).filter((slug) => slug !== company.slug),
      links,
    );
}

function companyLine(company: ShippedCompany, namesakes: readonly string[], links: Links) {
  const announced = company.rounds.map(({ source, asOf }) => ({
    source,
    asOf,
    field: company.readings.length === 0 ? 'name' : 'overview',
  }));
  const sources = groupReadings([...company.readings, ...announced.slice(0, 3)]);
  return {
    name: company.name,
    slug: company.slug,
    ...(company.aliases.length === 0 ? {} : { aliases: company.aliases }),
    ...(company.logo === null ? {} : { logo: company.logo }),
    tagline: companyTagline(company),
    overview: companyOverview(company),
    ...(company.website === null ? {} : { website: company.website }),
    ...(company.tags.length === 0 ? {} : { tags: company.tags }),
    ...(company.chains.length === 0 ? {} : { chains: company.chains }),
    ...(company.tokens.length === 0 ? {} : { token_symbols: company.tokens }),
    ...(company.contracts.length === 0 ? {} : { token_contracts: company.contracts }),
    ...(company.status === null ? {} : statusLine(company.status)),
    ...(company.endedAt === null ? {} : { status_since: company.endedAt }),
    ...(company.acquirer === null ? {} : { acquired_by: links.refer(company.acquirer, ['companies', 'investors']) }),
    ...(company.formerNames.length === 0 ? {} : { former_names: company.formerNames }),
    ...(namesakes.length === 0 ? {} : { see_also: namesakes }),
    ...(company.foundedDate === null ? {} : { founded_date: company.foundedDate }),
    ...(company.place === null ? {} : { location_json: company.place }),
    ...(company.yearFounded === null ? {} : { year_founded: company.yearFounded }),
    ...(company.employees === null ? {} : { total_employees: company.employees }),
    ...(company.stage === null ? {} : { company_stage: company.stage }),
    ...(company.twitter === null ? {} : { twitter: company.twitter }),
    ...(company.github === null ? {} : { github: company.github }),
    as_of: newestDate(
      sources,
      company.rounds.map(({ date }) => date),
    ),
    sources,
  };
}

const statusLine = ({ status, asOf, source }: NonNullable<Company['status']>) => ({
  status,
  status_as_of: asOf,
  status_source: source,
});
