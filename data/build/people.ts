import { createHash } from 'node:crypto';
import { foldName } from '../../src/contract/names.ts';
import {
  accountsAgree,
  namesAgree,
  nameWords,
  type PersonTraits,
  sharesContext,
} from '../../src/store/matching/matcher.ts';
import { NO_ORGANIZATIONS } from './decisions.ts';
import {
  DIFFERENT_PEOPLE,
  FORM_WORDS,
  MERGED_PEOPLE,
  NOT_PEOPLE,
  REMOVED_PEOPLE,
  RENAMED_ACCOUNTS,
  SAME_ACCOUNTS,
  SAME_PEOPLE,
} from './people-decisions.ts';
import { rawLines, type Source } from './raw.ts';
import { type Reading, sourceName } from './sources.ts';
import { cleanText } from './text.ts';

/** People: authors of open standards, speakers, members of teams that a grant names, and investors of announced rounds. */

interface Mention {
  readonly source: string;
  readonly name: string;
  /** Other names that the editors know. */
  readonly aliases?: readonly string[];
  readonly twitter?: string;
  readonly github?: string;
  /** Number of the standard that the person wrote, such as EIP-1559. */
  readonly item?: string;
  readonly chain?: string;
  readonly events?: readonly string[];
  readonly org?: string;
  readonly title?: string;
  readonly as_of: string;
  readonly path: string;
}

/** What a source says that the person is of an organisation. */
interface Role {
  readonly organization: string;
  readonly title: string;
  /** The source's id. */
  readonly source: string;
  readonly path: string;
  readonly asOf: string;
}

export interface Person {
  /** What tells the person from others: an account, or the name within its sources. */
  readonly key: string;
  name: string;
  aliases: string[];
  twitter: string | null;
  github: string | null;
  items: string[];
  chains: string[];
  /** Those of them that the documents are of. */
  documented: string[];
  talks: string[];
  transcripts: string[];
  roles: Role[];
  readings: Reading[];
  joins: readonly PersonJoin[];
}

/** A mention that joined one of another source: by an account, or by the full name within one chain, event or team. */
interface PersonJoin {
  readonly first: string;
  readonly mention: string;
  readonly rule: 'account' | 'name';
}

/** The name of a mention within the raw facts. */
const mentionId = ({ source, path, name }: Mention): string => `${source}:${path}#${foldName(name)}`;

/** Days that documents write, some of which there are not; then the month stands. */
function dayOf(text: string): string {
  const isDay =
    /^\d{4}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(Date.parse(text)) &&
    new Date(text).toISOString().startsWith(text);
  return isDay || text.length < 8 ? text : text.slice(0, 7);
}

/** Whether the person asked to be left out: names and accounts are listed as hashes, so that the list names nobody. */
function isRemoved({ name, github, twitter }: Mention): boolean {
  return [name, github, twitter].some(
    (text) => text !== undefined && REMOVED_PEOPLE.has(createHash('sha256').update(foldName(text)).digest('hex')),
  );
}

interface Cluster extends PersonTraits {
  readonly key: string;
  readonly mentions: Mention[];
  readonly names: string[];
  readonly githubs: Set<string>;
  readonly handles: Set<string>;
  readonly contexts: Set<string>;
  /** The mentions that say its name, where others joined. */
  own?: readonly Mention[];
}

/** Speakers wrote what they liked into the field, such as three accounts. */
const X_ACCOUNT = /^\w{1,15}$/;

/** The people of the raw facts, with their talks at listed events; which of them ship is decided where it is known who is linked. */
export function peopleFrom(sources: ReadonlyMap<string, Source>, listed: ReadonlySet<string>): Person[] {
  const known = [...rawLines<Mention>('people'), ...rawLines<Mention>('person-roles')];
  const lastTalks = lastTalkDays(known);
  const mentions = known.flatMap((mention) => {
    const name = plainName(mention.name);
    const isFit = name !== null && !NOT_PEOPLE.has(foldName(name)) && !isRemoved(mention);
    const roleDay = mention.org === undefined ? undefined : lastTalks.get(mention.path);
    const { twitter, ...rest } = mention;
    const account = twitter !== undefined && X_ACCOUNT.test(twitter) ? { twitter } : {};
    return isFit ? [{ ...rest, ...account, name, as_of: roleDay ?? dayOf(mention.as_of) }] : [];
  });
  return clustersOf(mentions).map((cluster) => personFrom(cluster, sources, listed));
}

/** The last day of the last edition that a speaker's profile lists: what it says of roles is of then, whatever day it was copied. */
function lastTalkDays(mentions: readonly Mention[]): Map<string, string> {
  const listings = rawLines<{ source: string; key: string; end: string }>('events');
  const days = new Map(listings.flatMap(({ source, key, end }) => (source === SPEAKERS ? [[key, end]] : [])));
  return new Map(
    mentions.flatMap(({ source, path, events = [] }) => {
      const last = events
        .flatMap((event) => days.get(event) ?? [])
        .sort()
        .at(-1);
      return source === SPEAKERS && last !== undefined ? [[path, last]] : [];
    }),
  );
}

/** The source of the conference's speakers. */
const SPEAKERS = 'devcon';

/** By account first; by full name only where a chain, an event or a team is shared and no account speaks against it. */
function clustersOf(mentions: readonly Mention[]): Cluster[] {
  const clusters: Cluster[] = [];
  const byAccount = new Map<string, Cluster>();
  const byName = new Map<string, Cluster[]>();
  const ordered = [...mentions.filter(hasAccount), ...mentions.filter((mention) => !hasAccount(mention))];
  for (const mention of ordered) {
    const accounts = accountsOf(mention);
    const same = (byName.get(foldName(mention.name)) ?? []).filter((cluster) => isSamePerson(cluster, mention));
    const known = accounts
      .filter((account) => hasTwoNames(account) || namesAgree(byAccount.get(account)?.names ?? [], [mention.name]))
      .map((account) => byAccount.get(account))
      .find((cluster) => cluster !== undefined);
    const cluster = known ?? (same.length === 1 ? same[0] : undefined) ?? newCluster(mention, clusters);
    if (!clusters.includes(cluster)) clusters.push(cluster);
    addTo(cluster, mention);
    for (const account of accounts) if (!byAccount.has(account)) byAccount.set(account, cluster);
    const named = byName.get(foldName(mention.name)) ?? [];
    if (!named.includes(cluster)) byName.set(foldName(mention.name), [...named, cluster]);
  }
  return mergedByReader(clusters);
}

/** The clusters with those joined of which a reader found that they are one person. */
function mergedByReader(clusters: readonly Cluster[]): Cluster[] {
  const byKey = new Map(clusters.map((cluster) => [cluster.key, cluster]));
  const lost = MERGED_PEOPLE.flatMap(([key, into]) => [key, into].filter((one) => !byKey.has(one)));
  if (lost.length > 0) throw new Error(`MERGED_PEOPLE names nobody by ${lost.join(', ')}`);
  for (const [key, into] of MERGED_PEOPLE) {
    const kept = byKey.get(into) as Cluster;
    kept.own ??= [...kept.mentions];
    for (const mention of byKey.get(key)?.mentions ?? []) addTo(kept, mention);
    byKey.delete(key);
  }
  return [...byKey.values()];
}

const hasTwoNames = (account: string): boolean => RENAMED_ACCOUNTS.some(([renamed]) => renamed === account);

const hasAccount = (mention: Mention): boolean => accountsOf(mention).length > 0;

function accountsOf({ github, twitter }: Mention): string[] {
  const accounts = [
    ...(github === undefined ? [] : [`github:${github.toLowerCase()}`]),
    ...(twitter === undefined ? [] : [`x:${twitter.toLowerCase()}`]),
  ];
  return accounts.map((account) => SAME_ACCOUNTS.find(([second]) => second === account)?.[1] ?? account);
}

function newCluster(mention: Mention, others: readonly Cluster[]): Cluster {
  const plain = accountsOf(mention)[0] ?? `${mention.source}:${foldName(mention.name)}`;
  const count = others.filter(({ key }) => key === plain || key.startsWith(`${plain}#`)).length;
  const key = count === 0 ? plain : `${plain}#${count + 1}`;
  return { key, mentions: [], names: [], githubs: new Set(), handles: new Set(), contexts: new Set() };
}

function addTo(cluster: Cluster, mention: Mention): void {
  const { names, githubs, handles, contexts } = traitsOf(mention);
  cluster.mentions.push(mention);
  cluster.names.push(...names);
  for (const github of githubs) cluster.githubs.add(github);
  for (const handle of handles) cluster.handles.add(handle);
  for (const context of contexts) cluster.contexts.add(context);
}

const traitsOf = (mention: Mention): PersonTraits => ({
  names: [mention.name],
  githubs: new Set(mention.github === undefined ? [] : [mention.github.toLowerCase()]),
  handles: new Set(mention.twitter === undefined ? [] : [mention.twitter.toLowerCase()]),
  contexts: new Set(contextsOf(mention)),
});

function contextsOf({ chain, events, org, source }: Mention): string[] {
  return [
    `source ${source}`,
    ...(chain === undefined ? [] : [`chain ${chain}`]),
    ...(source === 'devcon' ? ['chain Ethereum'] : []),
    ...(events ?? []).map((event) => `event ${event}`),
    ...(org === undefined ? [] : [`team ${foldName(org)}`]),
  ];
}

function isSamePerson(cluster: Cluster, mention: Mention): boolean {
  if (nameWords(mention.name).length < 2 || DIFFERENT_PEOPLE.has(foldName(mention.name))) return false;
  // The editors speak of the well-known bearer of a name.
  if (mention.source === 'editors' || SAME_PEOPLE.has(foldName(mention.name))) return true;
  const traits = traitsOf(mention);
  return accountsAgree(cluster, traits) && sharesContext(cluster, traits);
}

const FORM =
  /\b(foundation|association|labs?|team|protocol|network|dao|inc|ltd|llc|gmbh|group|community|collective|core devs?|contributors|authors?|various|others|anonymous|unknown|manager|developer|engineer|designer|founder|ceo|cto|lead|member)\b/i;

/** A person's name without what stands around it in a document; null for what is no name. */
function plainName(text: string): string | null {
  const name = cleanText(text)
    .replace(/[([<|].*$/, '')
    .replace(/\s+[-–—]\s.*$|,.*$/, '')
    .replace(/\s+(linkedin|github|twitter)\b.*$/i, '')
    .replace(/^(by|for|and|with|dr\.?|prof\.?|mr\.?|mrs\.?|ms\.?|msc|eng|ing)\s+/i, '')
    .replace(/^(\S+) \1(?= )|^(\S*\d\S*) \2$/, '$1$2')
    .replace(/^(\w+ )?(developer|engineer|designer|manager|lead)\s+(?=\S+ \S)/i, '')
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}.]+$/gu, '');
  const words = name.split(' ');
  const isForm = words.every((word) => FORM_WORDS.has(word.toLowerCase()));
  const isName =
    !isForm && name.length >= 3 && name.length <= 40 && words.length <= 4 && !/[@/:&+=]|\d{4}|https?/.test(name);
  return isName && !FORM.test(name) && /\p{L}/u.test(name) ? name : null;
}

function personFrom(cluster: Cluster, sources: ReadonlyMap<string, Source>, listed: ReadonlySet<string>): Person {
  const { mentions, key } = cluster;
  const readings: Reading[] = [];
  const read = (field: string, among: readonly Mention[]): void => {
    for (const mention of among) {
      const source = sources.get(mention.source);
      if (source === undefined) throw new Error(`${mention.source} is not in data/raw/sources.json`);
      readings.push({ source: sourceName(source, mention.path), asOf: mention.as_of, field });
    }
  };
  const name = bestName(cluster.own ?? mentions);
  const first = (pick: (mention: Mention) => string | undefined, field: string): string | null => {
    const found = mentions.find((mention) => pick(mention) !== undefined);
    if (found !== undefined) read(field, [found]);
    return found === undefined ? null : (pick(found) ?? null);
  };
  const github = first((mention) => mention.github, 'github');
  const twitter = first((mention) => mention.twitter, 'twitter');
  const authored = mentions.filter(({ item }) => item !== undefined && !item.endsWith('?'));
  const isListed = (event: string): boolean => listed.has(event);
  const talking = mentions.filter(({ events = [] }) => events.some(isListed));
  const transcribed = mentions.filter(({ events = [] }) => events.length > 0 && !events.some(isListed));
  const teamed = mentions.filter(({ org, title }) => org !== undefined && title !== undefined && org !== title);
  const copied = copiedChains(authored);
  const chained = mentions.filter(({ chain }) => chain !== undefined && !copied.has(chain));
  read('name', mentions.filter((mention) => mention.name === name).slice(0, 3));
  read(
    'aliases',
    mentions.filter(({ aliases = [] }) => aliases.length > 0),
  );
  read('overview', [...authored.slice(0, 6), ...transcribed.slice(0, 3)]);
  read('events', talking);
  read('roles', teamed);
  read('tags', chained.slice(0, 3));
  return {
    key,
    name,
    aliases: aliasesOf(mentions, name),
    twitter: twitter === null ? null : `https://x.com/${twitter}`,
    github: github === null ? null : `https://github.com/${github}`,
    items: byNumber(distinct(authored.map(({ item }) => item ?? ''))),
    chains: distinct(chained.map(({ chain }) => chain ?? '')),
    documented: distinct(chained.flatMap(({ chain = '', item }) => (item === undefined ? [] : [chain]))),
    talks: distinct(talking.flatMap(({ events = [] }) => events.filter(isListed))),
    transcripts: distinct(transcribed.flatMap(({ events }) => events ?? [])).sort(),
    roles: rolesOf(teamed),
    readings,
    joins: joinsOf(mentions),
  };
}

/** A prolific author's one document on another chain is a copy of his work there. */
const DOCUMENTS_MANY = 10;

function copiedChains(authored: readonly Mention[]): Set<string | undefined> {
  const counts = new Map<string | undefined, number>();
  for (const { chain } of authored) counts.set(chain, (counts.get(chain) ?? 0) + 1);
  const isProlific = [...counts.values()].some((count) => count >= DOCUMENTS_MANY);
  return new Set([...counts].flatMap(([chain, count]) => (isProlific && count === 1 ? [chain] : [])));
}

/** The joins across sources, one for each further source. */
function joinsOf(mentions: readonly Mention[]): PersonJoin[] {
  const [first, ...others] = mentions;
  if (first === undefined) return [];
  const further = others.filter(
    ({ source }, index) => source !== first.source && others.findIndex((other) => other.source === source) === index,
  );
  return further.map((mention) => {
    const earlier = mentions.slice(0, mentions.indexOf(mention)).flatMap(accountsOf);
    const rule = accountsOf(mention).some((account) => earlier.includes(account)) ? 'account' : 'name';
    return { first: mentionId(first), mention: mentionId(mention), rule };
  });
}

const distinct = (values: readonly string[]): string[] => [...new Set(values)];

/** Standards by number within each kind, the kinds in their order: EIP-2 before EIP-100. */
function byNumber(items: readonly string[]): string[] {
  const kinds = distinct(items.map((item) => item.replace(/\d.*$/, '')));
  return kinds.flatMap((kind) => items.filter((item) => item.replace(/\d.*$/, '') === kind).sort(numeric.compare));
}

const numeric = new Intl.Collator('en', { numeric: true });

/** The fullest of the names that are used most. */
function bestName(mentions: readonly Mention[]): string {
  const names = mentions.map(({ name }) => name);
  const score = (name: string): number =>
    names.filter((other) => other === name).length +
    (nameWords(name).length >= 2 ? 100 : 0) +
    (/[A-Z]/.test(name) ? 10 : 0);
  return [...names].sort((a, b) => score(b) - score(a) || names.indexOf(a) - names.indexOf(b))[0] ?? '';
}

function aliasesOf(mentions: readonly Mention[], name: string): string[] {
  const names = [...mentions.map((mention) => mention.name), ...mentions.flatMap(({ aliases = [] }) => aliases)];
  const others = names.filter((other) => foldName(other) !== foldName(name));
  return others
    .filter((other, index) => others.findIndex((known) => foldName(known) === foldName(other)) === index)
    .slice(0, 5);
}

function rolesOf(mentions: readonly Mention[]): Person['roles'] {
  const roles = mentions.map(({ source, org, title, as_of, path }) => ({
    organization: organizationName(org ?? ''),
    title: title ?? '',
    source,
    path,
    asOf: as_of,
  }));
  const usable = roles.filter(
    ({ organization }) =>
      organization.length > 1 &&
      organization.length <= 60 &&
      organization.split(' ').length <= 6 &&
      !NO_ORGANIZATIONS.has(foldName(organization)),
  );
  return usable.filter(
    (role, index) =>
      usable.findIndex((other) => foldName(other.organization) === foldName(role.organization)) === index,
  );
}

/** The team's name without its legal form of words, its maker and what stands in brackets. */
function organizationName(text: string): string {
  return cleanText(text.replace(/\p{Extended_Pictographic}|\uFE0F/gu, ' '))
    .replace(/\s*\([^)]*\)/g, '')
    .replace(/\s+(?:by|from)\s.*$/, '')
    .replace(/\s+Team$/, '')
    .replace(/:\w+:/g, '')
    .replace(/^Project Overview\b.*$/i, '')
    .replace(/^https?:\/\/github\.com\/([\w-]+).*$/i, '$1')
    .replace(/, based in .*$/i, '')
    .replace(/(?<!\b(?:Inc|Ltd|S|Corp|Co))\.$/, '')
    .trim();
}

/** Two names or an account, and something that the person did. */
export function isKnown(person: Person): boolean {
  const isNamed = nameWords(person.name).length >= 2 || person.github !== null || person.twitter !== null;
  const { github, twitter, items, roles, talks, transcripts } = person;
  const isSpeaker = talks.some((talk) => talk.startsWith('devcon-'));
  const isTold = github !== null || twitter !== null || roles.length > 0 || isSpeaker;
  const deeds = items.length + roles.length + talks.length + transcripts.length;
  return isNamed && deeds >= (isTold ? 1 : 2);
}
