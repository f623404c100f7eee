import type { NamedType } from '../../contract/entities/index.ts';
import { foldName } from '../../contract/names.ts';
import { DAY_MS } from '../../contract/periods.ts';
import {
  coreName,
  createResolver,
  type JoinRule,
  legalName,
  ownSite,
  type PossibleMatchRule,
  plainName,
  type Traits,
} from './resolver.ts';

/** Matching of records and import rows of one type by the identity rules. Pure. */

/** The fields used for matching; import rows may have values of any type. */
export type Fields = Readonly<Record<string, unknown>>;

export type MatchRule = JoinRule | PossibleMatchRule | PersonRule | 'name and day' | 'name' | 'similar name';
type PersonRule = 'account' | 'name and context' | 'same account';

/** Estimated reliability of each rule in percent, for sorting. */
const SCORES: Readonly<Record<MatchRule, number>> = {
  domain: 97,
  account: 97,
  handle: 95,
  organisation: 93,
  'name and day': 90,
  'name and ticker': 85,
  'name and context': 85,
  'name and chain': 80,
  name: 75,
  'same domain and handle': 90,
  'same handle': 60,
  'same account': 60,
  'same name': 55,
  'same organisation': 45,
  'same domain': 40,
  'same name, other domain': 35,
  'similar name': 30,
};

export interface Match<Ref> {
  readonly ref: Ref;
  readonly rule: MatchRule;
  /** In percent. */
  readonly score: number;
}

export interface Matcher<Ref> {
  /** Counts an entry without making it matchable, so that shared hosts and names are known in advance. */
  count(fields: Fields): void;
  add(ref: Ref, fields: Fields): void;
  join(fields: Fields): Match<Ref> | null;
  /** Records that an entry may match without a rule being certain, likeliest first, at most `DOUBTS_MAX`. */
  possibleMatches(fields: Fields): Match<Ref>[];
  /** Records that have the name of the entry, but for a legal form such as Inc. */
  named(fields: Fields): Ref[];
  /** Records of which the name has the same core: Labs of one may be the DAO of the other. */
  similar(fields: Fields): Match<Ref>[];
  /** Whether a record has the same identifying fields as the entry. */
  isSame(ref: Ref, fields: Fields): boolean;
  /** Whether a record and the entry both state an identifying field, and not the same. */
  contradicts(ref: Ref, fields: Fields): boolean;
}

const DOUBTS_MAX = 5;

export function createMatcher<Ref>(type: NamedType): Matcher<Ref> {
  if (type === 'people') return peopleMatcher();
  return type === 'events' ? eventMatcher() : projectMatcher();
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter((item) => text(item) !== null) : []);
export const namesOf = ({ name, aliases }: Fields): [string, ...string[]] => [text(name) ?? '', ...texts(aliases)];

/** The account in a profile URL, in lower case. */
export function accountOf(address: unknown): string | null {
  const url = text(address);
  if (url === null || !URL.canParse(url)) return null;
  return new URL(url).pathname.split('/')[1]?.replace(/^@/, '').toLowerCase() || null;
}

interface Project<Ref> {
  readonly ref: Ref;
  readonly traits: readonly Traits[];
}

const best = <Ref>(found: readonly Omit<Match<Ref>, 'score'>[]): Match<Ref>[] =>
  found
    .map((match) => ({ ...match, score: SCORES[match.rule] }))
    .sort((left, right) => right.score - left.score)
    .slice(0, DOUBTS_MAX);

// A name of signs alone is folded to nothing.
const legalKey = (name: string): string => `name ${legalName(name) || name}`;
const coreKey = (name: string): string => `core ${coreName(name) || name}`;

const differ = (one: string | null | undefined, other: string | null | undefined): boolean =>
  one != null && other != null && one !== other;

function projectMatcher<Ref>(): Matcher<Ref> {
  const index = createIndex<Ref>();
  const projectsOf = new Map<string, number>();
  const domainsOf = new Map<string, Set<string>>();
  const byRef = new Map<Ref, Project<Ref>>();
  const resolver = createResolver<Project<Ref>>({
    projectsOf: (organisation) => projectsOf.get(organisation) ?? 0,
    domainsOf: (name) => domainsOf.get(name)?.size ?? 0,
  });
  const contradicts = (ref: Ref, fields: Fields): boolean => {
    const [known] = byRef.get(ref)?.traits ?? [];
    const { site, handle, organisation } = traitsOf(fields);
    return (
      differ(known?.site?.domain, site?.domain) ||
      differ(known?.handle, handle) ||
      differ(known?.organisation, organisation)
    );
  };
  return {
    count: (fields) => {
      const { organisation, site, names } = traitsOf(fields);
      if (organisation !== null) projectsOf.set(organisation, (projectsOf.get(organisation) ?? 0) + 1);
      const name = plainName(names[0]);
      if (site !== null) domainsOf.set(name, (domainsOf.get(name) ?? new Set()).add(site.domain));
    },
    add: (ref, fields) => {
      const traits = traitsOf(fields);
      const project = { ref, traits: [traits] };
      byRef.set(ref, project);
      index.add(
        traits.names.flatMap((name) => [legalKey(name), coreKey(name)]),
        ref,
      );
      resolver.add(project, traits);
    },
    join: (fields) => {
      const found = resolver.join(traitsOf(fields));
      return found && { ref: found.project.ref, rule: found.rule, score: SCORES[found.rule] };
    },
    possibleMatches: (fields) =>
      best(resolver.possibleMatches(traitsOf(fields)).map(({ project, rule }) => ({ ref: project.ref, rule }))),
    named: (fields) => index.at([legalKey(namesOf(fields)[0])]),
    similar: (fields) => {
      const found = index.at([coreKey(namesOf(fields)[0])]).filter((ref) => !contradicts(ref, fields));
      return best(found.map((ref) => ({ ref, rule: 'similar name' })));
    },
    contradicts,
    isSame: (ref, fields) => {
      const [known] = byRef.get(ref)?.traits ?? [];
      const traits = traitsOf(fields);
      return (
        known !== undefined &&
        foldName(known.names[0]) === foldName(traits.names[0]) &&
        known.site?.domain === traits.site?.domain &&
        known.handle === traits.handle &&
        known.organisation === traits.organisation
      );
    },
  };
}

function traitsOf(fields: Fields): Traits {
  const names = namesOf(fields);
  return {
    names,
    site: ownSite(names, text(fields['website'])),
    handle: accountOf(fields['twitter']),
    organisation: accountOf(fields['github']),
    chains: texts(fields['chains']),
    symbols: texts(fields['token_symbols']),
  };
}

/** A multimap from keys to records. */
function createIndex<Ref>() {
  const index = new Map<string, Set<Ref>>();
  return {
    add: (keys: readonly string[], ref: Ref): void => {
      for (const key of keys) index.set(key, (index.get(key) ?? new Set()).add(ref));
    },
    at: (keys: readonly string[]): Ref[] => [...new Set(keys.flatMap((key) => [...(index.get(key) ?? [])]))],
  };
}

function peopleMatcher<Ref>(): Matcher<Ref> {
  const known = new Map<Ref, PersonTraits>();
  const index = createIndex<Ref>();
  const traitsAt = (ref: Ref): PersonTraits => known.get(ref) as PersonTraits;
  const namesakes = ({ names }: PersonTraits): Ref[] =>
    index.at(names.filter((name) => nameWords(name).length > 1).map((name) => `name ${foldName(name)}`));
  return {
    count: () => {},
    add: (ref, fields) => {
      const traits = personOf(fields);
      known.set(ref, traits);
      index.add([...accountKeys(traits), ...traits.names.map((name) => `name ${foldName(name)}`)], ref);
    },
    join: (fields) => {
      const traits = personOf(fields);
      const ofAccount = index.at(accountKeys(traits)).find((ref) => namesAgree(traitsAt(ref).names, traits.names));
      if (ofAccount !== undefined) return { ref: ofAccount, rule: 'account', score: SCORES.account };
      const [only, ...others] = namesakes(traits).filter(
        (ref) => accountsAgree(traitsAt(ref), traits) && sharesContext(traitsAt(ref), traits),
      );
      if (only === undefined || others.length > 0) return null;
      return { ref: only, rule: 'name and context', score: SCORES['name and context'] };
    },
    possibleMatches: (fields) => {
      const traits = personOf(fields);
      const ofAccount = index.at(accountKeys(traits)).map((ref) => ({ ref, rule: 'same account' as const }));
      const named = namesakes(traits).map((ref) => ({ ref, rule: 'same name' as const }));
      return best([...ofAccount, ...named.filter(({ ref }) => !ofAccount.some((other) => other.ref === ref))]);
    },
    named: (fields) => index.at([`name ${foldName(namesOf(fields)[0])}`]),
    similar: () => [],
    contradicts: (ref, fields) => {
      const [left, right] = [traitsAt(ref), personOf(fields)];
      const isOfOther = left.contexts.size > 0 && right.contexts.size > 0 && !sharesContext(left, right);
      return isOfOther || !accountsAgree(left, right);
    },
    isSame: (ref, fields) => {
      const [left, right] = [known.get(ref), personOf(fields)];
      return left !== undefined && traitsKey(left) === traitsKey(right);
    },
  };
}

const accountKeys = ({ githubs, handles }: PersonTraits): string[] => [
  ...[...githubs].map((github) => `github ${github}`),
  ...[...handles].map((handle) => `x ${handle}`),
];

const traitsKey = (traits: PersonTraits): string =>
  JSON.stringify([foldName(traits.names[0] ?? ''), accountKeys(traits), [...traits.contexts].sort()]);

function personOf(fields: Fields): PersonTraits {
  const named = (field: string, key: string): string[] =>
    (Array.isArray(fields[field]) ? fields[field] : []).flatMap((item) => {
      const name = text(typeof item === 'string' ? item : (item as Fields | null)?.[key]);
      return name === null ? [] : foldName(name);
    });
  const [github, handle] = [accountOf(fields['github']), accountOf(fields['twitter'])];
  return {
    names: namesOf(fields),
    githubs: new Set(github === null ? [] : [github]),
    handles: new Set(handle === null ? [] : [handle]),
    contexts: new Set([
      ...named('roles', 'organization').map((name) => `team ${name}`),
      ...named('events', 'name').map((name) => `event ${name}`),
    ]),
  };
}

function eventMatcher<Ref>(): Matcher<Ref> {
  const editions = new Map<Ref, Edition>();
  const index = createIndex<Ref>();
  const sameName = (fields: Fields): Ref[] => index.at(namesOf(fields).map(foldName));
  const dayOf = (ref: Ref): string | null => editions.get(ref)?.day ?? null;
  return {
    count: () => {},
    add: (ref, fields) => {
      editions.set(ref, editionOf(fields));
      index.add(namesOf(fields).map(foldName), ref);
    },
    join: (fields) => {
      const { day } = editionOf(fields);
      const found = day === null ? undefined : sameName(fields).find((ref) => dayOf(ref) === day);
      return found === undefined ? null : { ref: found, rule: 'name and day', score: SCORES['name and day'] };
    },
    possibleMatches: (fields) => {
      const edition = editionOf(fields);
      const near = sameName(fields).filter((ref) => isNear(editions.get(ref), edition));
      return best(near.map((ref) => ({ ref, rule: 'same name' })));
    },
    named: (fields) => index.at([foldName(namesOf(fields)[0])]),
    similar: () => [],
    contradicts: (ref, fields) => differ(dayOf(ref), editionOf(fields).day),
    isSame: (ref, fields) => sameName(fields).includes(ref) && dayOf(ref) === editionOf(fields).day,
  };
}

type Edition = ReturnType<typeof editionOf>;

const editionOf = (fields: Fields) => ({ day: text(fields['start_date']), edition: text(fields['edition']) });

const MOVED_DAYS_MAX = 10;

/** Whether two events of one name can be one: editions of a series share their name, so only a moved or unknown date leaves a doubt. */
function isNear(left: Edition | undefined, right: Edition): boolean {
  if (left === undefined) return false;
  if (left.day !== null && right.day !== null)
    return Math.abs(Date.parse(left.day) - Date.parse(right.day)) <= MOVED_DAYS_MAX * DAY_MS;
  return left.edition === null || right.edition === null || left.edition === right.edition;
}

/** Entity resolution of people: by account, or by full name within one chain, event or organisation. */

/** Identifying traits of a person; accounts in lower case. */
export interface PersonTraits {
  readonly names: readonly string[];
  readonly githubs: ReadonlySet<string>;
  readonly handles: ReadonlySet<string>;
  /** Chains, events and organisations of the person, such as `event devcon-5`. */
  readonly contexts: ReadonlySet<string>;
}

/** Whether two entries of one account share a word of the name; otherwise the account may be a team's. */
export function namesAgree(known: readonly string[], names: readonly string[]): boolean {
  return names.some((name) => {
    const own = nameWords(name);
    return known.some((other) => {
      const words = nameWords(other);
      return own.some((word) => words.includes(word)) || own.length === 1 || words.length === 1;
    });
  });
}

export const nameWords = (name: string): string[] =>
  name
    .split(/[\s.'’-]+/)
    .map(foldName)
    .filter((word) => word.length > 1);

/** Whether the accounts of two entries with one full name do not contradict each other. */
export function accountsAgree(known: PersonTraits, other: PersonTraits): boolean {
  const githubs = [...other.githubs];
  const handles = [...other.handles];
  const isOtherGithub =
    githubs.length > 0 &&
    known.githubs.size > 0 &&
    !githubs.some((github) => [...known.githubs].some((own) => isLikeHandle(own, github)));
  const isOtherHandle =
    handles.length > 0 && known.handles.size > 0 && !handles.some((handle) => known.handles.has(handle));
  return !isOtherGithub && !isOtherHandle;
}

export const sharesContext = (known: PersonTraits, other: PersonTraits): boolean =>
  [...other.contexts].some((context) => known.contexts.has(context));

/** Two accounts of one person mostly share a prefix: raulk and raulkr. */
function isLikeHandle(left: string, right: string): boolean {
  const parts = Array.from({ length: Math.max(0, left.length - 3) }, (_, index) => left.slice(index, index + 4));
  return left === right || parts.some((part) => right.includes(part));
}
