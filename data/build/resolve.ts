import {
  createResolver,
  type JoinRule as KnownRule,
  ownSite,
  plainName,
  type Site,
  type Traits,
} from '../../src/store/matching/resolver.ts';
import { DIFFERENT_PROJECTS, SAME_PROJECTS } from './decisions.ts';
import { type Entry, entryId, type Source } from './raw.ts';

/**
 * Which entries of the raw facts are one project. An entry joins a group that is there already, by what a reader decided
 * or by the service's own rules (src/store/matching), and keeps the rule as its reason; the better source comes first, so
 * the same facts give the same groups.
 */

type JoinRule = 'first' | 'decided' | KnownRule;

export interface Member {
  readonly entry: Entry;
  readonly site: Site | null;
  readonly rule: JoinRule;
}

export interface Group {
  readonly members: readonly Member[];
}

/** What only repeats what others say: it corroborates, and never makes a project. */
const TOKEN_LISTS = new Set([
  'trustwallet-assets',
  'ethereum-lists-tokens',
  'solana-token-list',
  'optimism-token-list',
]);

/** Companies of announced rounds; which project each is was decided by a reader, or it stands alone. */
export const ANNOUNCED = 'announcements';

/** What the editors of this set state of well-known companies; each entry names the entries that it describes. */
export const EDITORS = 'editors';

/** The editors among the sources of the set. */
export function editorsOf(sources: ReadonlyMap<string, Source>): Source {
  const editors = sources.get(EDITORS);
  if (editors === undefined) throw new Error(`${EDITORS} is not in data/raw/sources.json`);
  return editors;
}

export const isTokenList = (source: string): boolean => TOKEN_LISTS.has(source);

/** The groups of all entries, which come in the order of trust. */
export function resolveProjects(entries: readonly Entry[]): Group[] {
  const index = createIndex(entries);
  const candidates = entries.map((entry) => ({ entry, site: siteOfEntry(entry) }));
  const firms = candidates.filter(({ entry }) => !isTokenList(entry.source) && entry.source !== EDITORS);
  // First, because the entries that they describe join them.
  for (const candidate of candidates.filter(({ entry }) => entry.source === EDITORS)) index.place(candidate);
  for (const candidate of firms.filter(({ site }) => site !== null)) index.place(candidate);
  for (const candidate of firms.filter(({ site }) => site === null)) index.place(candidate);
  for (const candidate of candidates.filter(({ entry }) => isTokenList(entry.source))) index.placeToken(candidate);
  return index.groups;
}

interface Candidate {
  readonly entry: Entry;
  readonly site: Site | null;
}

/** A group while entries still join it. */
interface OpenGroup extends Group {
  readonly members: Member[];
  readonly traits: Traits[];
}

function createIndex(entries: readonly Entry[]) {
  const groups: OpenGroup[] = [];
  const byEntry = new Map<string, OpenGroup>();
  const domainsOfName = domainsByName(entries);
  const projectsOf = countBy(entries, ({ github, source }) => (isTokenList(source) ? null : organisationOf(github)));
  const resolver = createResolver<OpenGroup>({
    projectsOf: (organisation) => projectsOf.get(organisation) ?? 0,
    domainsOf: (name) => domainsOfName.get(name)?.size ?? 0,
  });
  const decided = new Map([
    ...SAME_PROJECTS.map(([entry, other]) => [entry, other] as const),
    ...entries.flatMap((entry) => (entry.same_as === null ? [] : [[entryId(entry), entry.same_as] as const])),
    ...entries.flatMap((entry) => entry.describes.map((other) => [other, entryId(entry)] as const)),
  ]);
  const different = new Set(DIFFERENT_PROJECTS.flatMap(([left, right]) => [`${left} ${right}`, `${right} ${left}`]));

  const isKeptApart = (group: OpenGroup, entry: Entry): boolean =>
    group.members.some((member) => different.has(`${entryId(member.entry)} ${entryId(entry)}`));

  const joined = (candidate: Candidate): [OpenGroup, JoinRule] | null => {
    const { entry } = candidate;
    const other = byEntry.get(decided.get(entryId(entry)) ?? '');
    if (other !== undefined) return [other, 'decided'];
    if (entry.source === ANNOUNCED) return null;
    const found = resolver.join(traitsOf(candidate), (group) => !isKeptApart(group, entry));
    return found === null ? null : [found.project, found.rule];
  };

  return {
    groups,
    place: (candidate: Candidate): void => {
      const found = joined(candidate);
      const group: OpenGroup = found?.[0] ?? { members: [], traits: [] };
      if (found === null) groups.push(group);
      const traits = traitsOf(candidate);
      group.members.push({ ...candidate, rule: found?.[1] ?? 'first' });
      group.traits.push(traits);
      byEntry.set(entryId(candidate.entry), group);
      resolver.add(group, traits);
    },
    /** A token joins the firm of its domain when both have one core name; receipts and pairs have longer ones. */
    placeToken: (candidate: Candidate): void => {
      const group = resolver.onDomain(traitsOf(candidate));
      if (group === undefined) return;
      group.members.push({ ...candidate, rule: 'domain' });
      group.traits.push(traitsOf(candidate));
    },
  };
}

const traitsOf = ({ entry, site }: Candidate): Traits => ({
  names: [entry.name, ...entry.aliases],
  site,
  handle: handleOf(entry.twitter),
  organisation: ownOrganisation(entry),
  chains: entry.chains,
  symbols: entry.symbols,
});

/** A handle on X as it is compared: case does not matter. */
export const handleOf = (twitter: string | null): string | null => twitter?.toLowerCase() ?? null;

/** An organisation on GitHub as it is compared. */
export const organisationOf = (github: string | null): string | null => github?.toLowerCase() ?? null;

/** Electric Capital lists repositories of others too; its organisation counts only when all of them are there. */
function ownOrganisation(entry: Entry): string | null {
  return entry.source === 'crypto-ecosystems' && !entry.own ? null : organisationOf(entry.github);
}

const siteOfEntry = ({ name, website, aliases }: Entry): Site | null => ownSite([name, ...aliases], website);

function domainsByName(entries: readonly Entry[]): Map<string, Set<string>> {
  const domains = new Map<string, Set<string>>();
  for (const entry of entries) {
    const site = siteOfEntry(entry);
    const name = plainName(entry.name);
    if (site !== null) domains.set(name, (domains.get(name) ?? new Set()).add(site.domain));
  }
  return domains;
}

function countBy(entries: readonly Entry[], keyOf: (entry: Entry) => string | null): Map<string, number> {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** The entry that a grant's register names its project by: the register and the directory have one maker. */
export function resolveKey({
  source,
  project,
  path,
}: {
  source: string;
  project?: string;
  path: string;
}): string | null {
  if (source.startsWith('w3f-')) return `${source}:${path}`;
  return project === undefined ? null : `oss-directory:${project}`;
}
