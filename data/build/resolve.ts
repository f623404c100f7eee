import { foldName } from '../../src/contract/names.ts';
import { DIFFERENT_PROJECTS, SAME_PROJECTS } from './decisions.ts';
import { isSharedHost, type Site, siteOf } from './hosts.ts';
import { isNamedLike, isSimilar, plainName } from './names.ts';
import { type Entry, entryId } from './raw.ts';

/**
 * Which entries of the raw facts are one project. An entry joins a group that is there already, by the first of four
 * rules that applies, and keeps the rule as its reason; the better source comes first, so the same facts give the same
 * groups. Nothing joins by a domain alone: foundations, launchpads and exchanges host many projects.
 */

type JoinRule = 'first' | 'decided' | 'domain' | 'handle' | 'organisation' | 'name and chain' | 'name and ticker';

export interface Member {
  readonly entry: Entry;
  readonly site: Site | null;
  readonly rule: JoinRule;
}

export interface Group {
  readonly members: readonly Member[];
}

/** An organisation on GitHub with more projects than this is a landlord: names must be equal then. */
const TENANTS_MAX = 6;

/** What only repeats what others say: it corroborates, and never makes a project. */
const TOKEN_LISTS = new Set([
  'trustwallet-assets',
  'ethereum-lists-tokens',
  'solana-token-list',
  'optimism-token-list',
]);

/** Companies of announced rounds; which project each is was decided by a reader, or it stands alone. */
export const ANNOUNCED = 'announcements';

export const isTokenList = (source: string): boolean => TOKEN_LISTS.has(source);

/** The groups of all entries, which come in the order of trust. */
export function resolveProjects(entries: readonly Entry[]): Group[] {
  const index = createIndex(entries);
  const candidates = entries.map((entry) => ({ entry, site: ownSite(entry) }));
  const firms = candidates.filter(({ entry }) => !isTokenList(entry.source));
  for (const candidate of firms.filter(({ site }) => site !== null)) index.place(candidate);
  for (const candidate of firms.filter(({ site }) => site === null)) index.place(candidate);
  for (const candidate of candidates.filter(({ entry }) => isTokenList(entry.source))) index.placeToken(candidate);
  return index.groups;
}

/** The site that an entry gives, unless it is a host of everybody's or a page below somebody else's site. */
function ownSite({ name, website, aliases }: Entry): Site | null {
  const site = website === null ? null : siteOf(website);
  if (site === null) return null;
  const names = [name, ...aliases];
  if (names.every((known) => isSharedHost(site, foldName(known)))) return null;
  const isDeep = site.path.split('/').length > 2 || /\.(html?|pdf|md|php)$/.test(site.path);
  return isDeep && !names.some((known) => isOfHost(known, site)) ? null : site;
}

/** Whether a name is that of the host: by its label, or with its ending as in lens.xyz. */
export function isOfHost(name: string, { stem, domain, isTenant }: Site): boolean {
  return isNamedLike(name, stem) || (!isTenant && foldName(domain) === foldName(name));
}

interface Candidate {
  readonly entry: Entry;
  readonly site: Site | null;
}

/** A group while entries still join it. */
interface OpenGroup extends Group {
  readonly members: Member[];
}

function createIndex(entries: readonly Entry[]) {
  const groups: OpenGroup[] = [];
  const byDomain = new Map<string, OpenGroup[]>();
  const byHandle = new Map<string, OpenGroup[]>();
  const byOrganisation = new Map<string, OpenGroup[]>();
  const byName = new Map<string, OpenGroup[]>();
  const byEntry = new Map<string, OpenGroup>();
  const domainsOfName = domainsByName(entries);
  const projectsOf = countBy(entries, ({ github, source }) => (isTokenList(source) ? null : organisationOf(github)));
  const decided = new Map([
    ...SAME_PROJECTS.map(([entry, other]) => [entry, other] as const),
    ...entries.flatMap((entry) => (entry.same_as === null ? [] : [[entryId(entry), entry.same_as] as const])),
  ]);
  const different = new Set(DIFFERENT_PROJECTS.flatMap(([left, right]) => [`${left} ${right}`, `${right} ${left}`]));

  const isKeptApart = (group: OpenGroup, entry: Entry): boolean =>
    group.members.some((member) => different.has(`${entryId(member.entry)} ${entryId(entry)}`));
  const find = (
    index: Map<string, OpenGroup[]>,
    key: string | null,
    fits: (group: OpenGroup) => boolean,
  ): OpenGroup | undefined => (key === null ? undefined : index.get(key)?.find(fits));

  const add = (group: OpenGroup, { entry, site }: Candidate, rule: JoinRule): void => {
    group.members.push({ entry, site, rule });
    byEntry.set(entryId(entry), group);
    note(byDomain, site?.domain ?? null, group);
    note(byHandle, handleOf(entry.twitter), group);
    note(byOrganisation, ownOrganisation(entry), group);
    for (const name of [entry.name, ...entry.aliases]) note(byName, plainName(name), group);
  };

  const joined = ({ entry, site }: Candidate): [OpenGroup, JoinRule] | null => {
    const similar = (group: OpenGroup): boolean => !isKeptApart(group, entry) && hasSimilarName(group, entry);
    const other = byEntry.get(decided.get(entryId(entry)) ?? '');
    if (other !== undefined) return [other, 'decided'];
    if (entry.source === ANNOUNCED) return null;
    const onDomain = find(byDomain, site?.domain ?? null, similar);
    if (onDomain !== undefined) return [onDomain, 'domain'];
    const onHandle = find(byHandle, handleOf(entry.twitter), similar);
    if (onHandle !== undefined) return [onHandle, 'handle'];
    const organisation = ownOrganisation(entry);
    const isLandlord = (projectsOf.get(organisation ?? '') ?? 0) > TENANTS_MAX;
    const ofOrganisation = find(
      byOrganisation,
      organisation,
      (group) => similar(group) && (!isLandlord || hasEqualName(group, entry)),
    );
    if (ofOrganisation !== undefined) return [ofOrganisation, 'organisation'];
    return site === null ? byItsName(entry, similar) : null;
  };

  /** Only when nobody else bears the name with another site, and a chain or a ticker agrees. */
  const byItsName = (entry: Entry, similar: (group: OpenGroup) => boolean): [OpenGroup, JoinRule] | null => {
    const bearers = byName.get(plainName(entry.name)) ?? [];
    const [only] = bearers.filter((group) => group.members.some(({ site }) => site !== null));
    const isAmbiguous = bearers.length > 1 || (domainsOfName.get(plainName(entry.name))?.size ?? 0) > 1;
    if (only === undefined || isAmbiguous || !similar(only)) return null;
    if (shares(only, entry, 'symbols')) return [only, 'name and ticker'];
    return shares(only, entry, 'chains') ? [only, 'name and chain'] : null;
  };

  return {
    groups,
    place: (candidate: Candidate): void => {
      const found = joined(candidate);
      const group: OpenGroup = found?.[0] ?? { members: [] };
      if (found === null) groups.push(group);
      add(group, candidate, found?.[1] ?? 'first');
    },
    /** A token joins the firm of its domain when both have one core name; receipts and pairs have longer ones. */
    placeToken: ({ entry, site }: Candidate): void => {
      const group = find(byDomain, site?.domain ?? null, (known) => hasSimilarName(known, entry));
      if (group !== undefined && site !== null) group.members.push({ entry, site, rule: 'domain' });
    },
  };
}

function hasSimilarName(group: Group, entry: Entry): boolean {
  return group.members.some((member) =>
    [member.entry.name, ...member.entry.aliases].some((known) =>
      [entry.name, ...entry.aliases].some((name) => isSimilar(known, name)),
    ),
  );
}

function hasEqualName(group: Group, entry: Entry): boolean {
  return group.members.some((member) => plainName(member.entry.name) === plainName(entry.name));
}

function shares(group: Group, entry: Entry, field: 'chains' | 'symbols'): boolean {
  return group.members.some((member) => member.entry[field].some((value) => entry[field].includes(value)));
}

/** A handle on X as it is compared: case does not matter. */
export const handleOf = (twitter: string | null): string | null => twitter?.toLowerCase() ?? null;

/** An organisation on GitHub as it is compared. */
export const organisationOf = (github: string | null): string | null => github?.toLowerCase() ?? null;

/** Electric Capital lists repositories of others too; its organisation counts only when all of them are there. */
function ownOrganisation(entry: Entry): string | null {
  return entry.source === 'crypto-ecosystems' && !entry.own ? null : organisationOf(entry.github);
}

function domainsByName(entries: readonly Entry[]): Map<string, Set<string>> {
  const domains = new Map<string, Set<string>>();
  for (const entry of entries) {
    const site = ownSite(entry);
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

function note(index: Map<string, OpenGroup[]>, key: string | null, group: OpenGroup): void {
  if (key === null || key === '') return;
  const known = index.get(key) ?? [];
  if (!known.includes(group)) index.set(key, [...known, group]);
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
