import { foldName } from '../../src/contract/names.ts';
import type { COMPANY_STAGES, COMPANY_STATUSES } from '../../src/contract/vocabulary.ts';
import { coreName, isOfHost } from '../../src/store/matching/resolver.ts';
import { chainsFrom, chainsOfName, derivedTags, isIssuer, tagsFrom } from './labels.ts';
import { type Place, placeFrom } from './places.ts';
import { type Entry, entryId, type FirstBlock, rawFirstBlocks, type Source } from './raw.ts';
import { ANNOUNCED, EDITORS, type Group, handleOf, isTokenList, type Member, organisationOf } from './resolve.ts';
import { DERIVED_FROM_WORDS, type Reading, sourceName } from './sources.ts';

/** What the members of a group say together about a company: the better source first, and what they dispute is left out. */

/** Where a token is. */
interface TokenContract {
  readonly symbol: string;
  readonly chain: string;
  readonly address: string;
}

/** Whether a company goes on, as a source of a day says. */
interface Status {
  readonly status: (typeof COMPANY_STATUSES)[number];
  readonly source: string;
  readonly asOf: string;
}

/** A company before names are linked and slugs are given. */
export interface Company {
  name: string;
  aliases: string[];
  website: string | null;
  logo: string | null;
  tags: string[];
  /** The category that the editors put first; null where they give none. */
  mainTag: string | null;
  areTagsDerived: boolean;
  chains: string[];
  tokens: string[];
  contracts: TokenContract[];
  status: Status | null;
  /** Who acquired it, by name, and when it was acquired or closed, where the source of the status states it. */
  acquirer: string | null;
  endedAt: string | null;
  formerNames: { name: string; as_of: string }[];
  foundedDate: string | null;
  place: Place | null;
  employees: number | null;
  yearFounded: number | null;
  stage: (typeof COMPANY_STAGES)[number] | null;
  stageAsOf: string | null;
  /** How and since when the company is in that stage, where a source states it. */
  fate: Pick<Entry, 'fate' | 'since'> | null;
  twitter: string | null;
  github: string | null;
  readings: Reading[];
  members: readonly Member[];
}

/** Whose a domain, a handle or an organisation is when several groups give it. */
export interface Owners {
  isOwner(kind: 'domain' | 'handle' | 'organisation', value: string, group: Group): boolean;
}

/** A group's own members: firms, without the lists of tokens. */
export const firmMembers = (group: Group): Member[] =>
  group.members.filter((member) => !isTokenList(member.entry.source));

/** The company of announced rounds that the group is, or none. */
export const announcedKey = (group: Group): string | null => keyOfSource(group, ANNOUNCED);

/** The key by which rounds name the company that the group is, or none. */
export const roundsKey = (group: Group): string | null => announcedKey(group) ?? keyOfSource(group, EDITORS);

const keyOfSource = (group: Group, source: string): string | null =>
  group.members.find(({ entry }) => entry.source === source)?.entry.key ?? null;

/** Sources with a value of their own; an ecosystem list counts like any other. */
export const sourcesOf = (group: Group): Set<string> =>
  new Set(firmMembers(group).flatMap(({ entry }) => (entry.source === ANNOUNCED ? [] : [entry.source])));

const firstBlocks = rawFirstBlocks();

/** What the group says, in the fields of a company. */
export function companyFrom(group: Group, owners: Owners, sources: ReadonlyMap<string, Source>): Company {
  const members = firmMembers(group).filter(({ entry }) => entry.source !== ANNOUNCED);
  const readings: Reading[] = [];
  const read = (field: string, entries: readonly Entry[], mark = ''): void => {
    for (const entry of entries) readings.push({ source: nameOf(entry, sources) + mark, asOf: entry.as_of, field });
  };
  const website = websiteOf(group, owners);
  const names = namesOf(firmMembers(group), website?.stem ?? null);
  const first = <Value>(field: string, pick: (entry: Entry) => Value | null): Value | null => {
    const found = members.find(({ entry }) => pick(entry) !== null)?.entry;
    if (found !== undefined) read(field, [found]);
    return found === undefined ? null : pick(found);
  };
  read('name', nameSources(members, names.name));
  if (website !== null) read('website', website.stated);
  const twitter = first('twitter', ({ twitter: handle }) =>
    handle !== null && owners.isOwner('handle', handleOf(handle) ?? '', group) ? `https://x.com/${handle}` : null,
  );
  const github = first('github', ({ github: account, source, own }) =>
    account !== null &&
    (source !== 'crypto-ecosystems' || own) &&
    owners.isOwner('organisation', organisationOf(account) ?? '', group)
      ? `https://github.com/${account}`
      : null,
  );
  const tagged = taggedBy(members);
  read('tags', tagged.stated);
  read('tags', tagged.derived, DERIVED_FROM_WORDS);
  const chained = members.filter(({ entry }) => statesChains(entry, members)).map(({ entry }) => entry);
  read('chains', chained);
  const named = chained.length === 0 && members.length > 0 ? chainsOfName(names.name) : [];
  read('chains', named.length === 0 ? [] : members.slice(0, 1).map(({ entry }) => entry), DERIVED_FROM_WORDS);
  const tokens = tokensOf(group, names.name);
  read('token_symbols', tokens.stated);
  const unordered = chainsFrom([...chained.flatMap((entry) => entry.chains), ...named]);
  const contracts = contractsOf(group, { name: names.name, tickers: tokens.tickers, chains: unordered });
  // The chain of its token first: sources list the others in no order.
  const home = contracts[0]?.contract.chain;
  const chains = unordered.toSorted((one, other) => Number(other === home) - Number(one === home));
  read(
    'token_contracts',
    contracts.map(({ entry }) => entry),
  );
  const stage = stageOf(members);
  if (stage !== null) read('company_stage', [stage.entry]);
  const going = statusOf(members, stage);
  if (going !== null) for (const field of ['status', 'status_as_of', 'status_source']) read(field, [going.entry]);
  const end = endOf(going);
  if (end.acquirer !== null && going !== null) read('acquired_by', [going.entry]);
  if (end.endedAt !== null && going !== null) read('status_since', [going.entry]);
  const former = formerNamesOf(members, names);
  read(
    'former_names',
    former.map(({ entry }) => entry),
  );
  const block = group.members.flatMap(({ entry }) => firstBlocks.get(entryId(entry)) ?? [])[0];
  const foundedDate = block === undefined ? null : new Date(block.time * 1_000).toISOString().slice(0, 10);
  if (block !== undefined) readings.push(...blockReadings(block, sources));
  return {
    ...names,
    website: website?.address ?? null,
    logo: logoOf(group, names.name, readings, sources),
    tags: tagged.tags,
    mainTag: tagsFrom(members.find(({ entry }) => entry.source === EDITORS)?.entry.tags ?? [])[0] ?? null,
    areTagsDerived: tagged.derived.length > 0,
    chains,
    tokens: tokens.tickers,
    contracts: contracts.map(({ contract }) => contract),
    status: going && { status: going.status, source: nameOf(going.entry, sources), asOf: going.entry.as_of },
    ...end,
    formerNames: former.map(({ name, entry }) => ({ name, as_of: entry.as_of })),
    foundedDate,
    place: first('location_json', ({ source, city, country }) =>
      country === null || LICENSED_IN.has(source) ? null : placeFrom(city, country),
    ),
    yearFounded:
      foundedDate === null ? first('year_founded', ({ founded }) => founded) : Number(foundedDate.slice(0, 4)),
    employees: first('total_employees', ({ employees }) => employees),
    stage: stage?.stage ?? null,
    stageAsOf: stage?.entry.as_of ?? null,
    fate: stage?.entry ?? null,
    twitter,
    github,
    readings,
    members: group.members,
  };
}

const nameOf = (entry: Entry, sources: ReadonlyMap<string, Source>): string => {
  const source = sources.get(entry.source);
  if (source === undefined) throw new Error(`${entry.source} is not in data/raw/sources.json`);
  return sourceName(source, entry.path);
};

interface Website {
  readonly address: string;
  readonly stem: string;
  readonly stated: readonly Entry[];
}

/** Lists whose country is where an exchange is licensed or serves, and not its head office. */
const LICENSED_IN = new Set(['ccxt']);

/** Directories that check what they list: a site there need not have the project's name. */
const DIRECTORIES = new Set([
  EDITORS,
  'base-ecosystem',
  'starknet-ecosystem',
  'chain-registry',
  'l2beat',
  'ccxt',
  'web3privacy-list',
  'polkadot-apps-config',
  'opensats',
]);

/** Hosts of a site's pages; the site is its domain. */
const PAGES_OF_SITE = /^(?:docs|wiki|blog|explorer|scan|bridge)\./;

/** The site that a member gives and that is the group's own: named like it or its accounts, or given by two sources. */
function websiteOf(group: Group, owners: Owners): Website | null {
  const members = firmMembers(group).filter(
    ({ site }) => site !== null && owners.isOwner('domain', site.domain, group),
  );
  const names = firmMembers(group).flatMap(({ entry }) => [entry.name, ...entry.aliases]);
  const accounts = firmMembers(group).flatMap(({ entry }) => [entry.twitter ?? [], entry.github ?? []].flat());
  for (const { site } of members) {
    if (site === null) continue;
    const same = members.filter((other) => other.site?.domain === site.domain);
    const isNamed = [...names, ...accounts].some((name) => isOfHost(name, site));
    const isTrusted = same.some(({ entry }) => DIRECTORIES.has(entry.source));
    if (!isNamed && !isTrusted && new Set(same.map(({ entry }) => entry.source)).size < 2) continue;
    const host = same.map((other) => other.site?.host ?? '').sort((a, b) => a.length - b.length)[0] ?? site.host;
    return {
      address: `https://${PAGES_OF_SITE.test(host) ? site.domain : host}/`,
      stem: site.stem,
      stated: same.map(({ entry }) => entry),
    };
  }
  return null;
}

/** The name that the editors give, that most members use, or that the site has; the others are aliases. */
function namesOf(members: readonly Member[], stem: string | null): { name: string; aliases: string[] } {
  const names = members.flatMap(({ entry }) => [entry.name, ...entry.aliases]);
  const edited = members.find(({ entry }) => entry.source === EDITORS)?.entry.name;
  const announced = members.find(({ entry }) => entry.source === ANNOUNCED)?.entry.name ?? '';
  const score = (name: string): number =>
    names.filter((other) => foldName(other) === foldName(name)).length +
    (foldName(announced) === foldName(name) ? 1.5 : 0) +
    (stem !== null && coreName(name) === foldName(stem) ? 2 : 0) -
    (/[|:–—]| - /.test(name) || name.length > 40 ? 3 : 0) -
    (/^[a-z0-9-]+$/.test(name) || /^[A-Z]{6,}$/.test(name) ? 0.5 : 0);
  const best = [...names].sort((a, b) => score(b) - score(a) || names.indexOf(a) - names.indexOf(b))[0] ?? '';
  const name = edited ?? best;
  const others = names.filter(
    (other) => foldName(other) !== foldName(name) && other.length <= 40 && foldName(other).length > 1,
  );
  return {
    name,
    aliases: others.filter((other, index) => others.findIndex((o) => foldName(o) === foldName(other)) === index),
  };
}

function nameSources(members: readonly Member[], name: string): Entry[] {
  const same = members.filter(({ entry }) => foldName(entry.name) === foldName(name));
  return (same.length > 0 ? same : members.slice(0, 1)).map(({ entry }) => entry);
}

/** Pools of grants for a kind of project: the source itself files the project there. */
const TELLING_COLLECTIONS: Readonly<Record<string, string>> = {
  'gg22-apps-dev-tooling': 'developer-tools',
  'gg24-dev-tooling-qf': 'developer-tools',
};

const CHAIN_LISTS = new Set(['ethereum-lists-chains', 'polkadot-apps-config', 'hyperlane-registry']);

function statedTags(entry: Entry): string[] {
  return [
    // These list chains of every layer; which one, they do not say.
    ...entry.tags.map((tag) => (tag === 'layer-1' && CHAIN_LISTS.has(entry.source) ? 'blockchain' : tag)),
    ...entry.collections.flatMap((name) => TELLING_COLLECTIONS[name] ?? []),
    ...(entry.defillama ? [LISTED_AT_DEFILLAMA] : []),
  ];
}

const LISTED_AT_DEFILLAMA = 'defi (DefiLlama)';
/** DefiLlama lists the reserves of exchanges and the bridges of networks too: those are DeFi by another category only. */
const LISTED_FOR_ELSE = new Set(['centralized-exchange', 'layer-1', 'layer-2']);
const DEFI = new Set(
  'dex derivatives lending yield stablecoin liquid-staking restaking bridge prediction-market insurance'.split(' '),
);

/** Whether the listing at DefiLlama means that a project of these categories is DeFi. */
function isDefi(tags: readonly string[]): boolean {
  return tags.some((tag) => DEFI.has(tag)) || !tags.some((tag) => LISTED_FOR_ELSE.has(tag));
}

/** Stated categories; only where there are none, those that names and descriptions suggest. */
function taggedBy(members: readonly Member[]): { tags: string[]; stated: Entry[]; derived: Entry[] } {
  const entries = members.map(({ entry }) => entry);
  const stating = entries.filter((entry) => statedTags(entry).length > 0);
  if (stating.length > 0) {
    const tags = stating.flatMap(statedTags);
    const hasLayer = tags.some((tag) => tag === 'layer-1' || tag === 'layer-2');
    const telling = tags.flatMap((tag) => {
      if (tag === LISTED_AT_DEFILLAMA) return isDefi(tags) ? ['defi'] : [];
      return tag === 'blockchain' && hasLayer ? [] : [tag];
    });
    return { tags: tagsFrom(telling), stated: stating, derived: [] };
  }
  const derived = derivedTags(
    entries.map((entry) => entry.name),
    entries.map((entry) => entry.derived),
  );
  const from =
    derived.length === 0 ? [] : entries.filter((entry) => entry.derived.some((tag) => derived.includes(tag)));
  return {
    tags: tagsFrom(derived),
    stated: [],
    derived: derived.length > 0 && from.length === 0 ? entries.slice(0, 1) : from,
  };
}

/** A list of one chain's ecosystem has the exchanges that trade its coin too, which are not built on it. */
function statesChains(entry: Entry, members: readonly Member[]): boolean {
  const isTrade = entry.source === 'essential-cardano' && members.some((other) => other.entry.source === 'ccxt');
  return !isTrade && chainsFrom(entry.chains).length > 0;
}

/** Tickers of the firm's own tokens: those of token lists with its name, and the first of a chain's registry. */
function tokensOf(group: Group, name: string): { tickers: string[]; stated: Entry[] } {
  const folded = foldName(name);
  const own = (entry: Entry): string[] =>
    (entry.source === 'chain-registry' ? entry.symbols.slice(0, 1) : entry.symbols).filter(
      (ticker) => entry.source === EDITORS || (/^[\w$-]{2,12}$/.test(ticker) && isIssuer(ticker, folded)),
    );
  const stated = group.members
    .map(({ entry }) => entry)
    .filter((entry) => own(entry).length > 0 && entry.source !== 'hyperlane-registry');
  const tickers = stated.flatMap(own);
  return {
    tickers: tickers.filter(
      (ticker, index) => tickers.findIndex((other) => foldName(other) === foldName(ticker)) === index,
    ),
    stated,
  };
}

/** Where a company's own tokens are, as lists have them that call a token like it; on a chain of others it is another's copy. */
function contractsOf(
  group: Group,
  { name, tickers, chains }: { name: string; tickers: readonly string[]; chains: readonly string[] },
): { contract: TokenContract; entry: Entry }[] {
  const found = group.members.flatMap(({ entry }) => {
    const [symbol, chain, address] = [entry.symbols[0], entry.chains[0], addressOf(entry)];
    const isOwn = symbol !== undefined && tickers.includes(symbol) && coreName(entry.name) === coreName(name);
    const isHere = chains.length === 0 || chains.includes(chain ?? '');
    if (!isOwn || !isHere || chain === undefined || address === null || entry.status === 'abandoned') return [];
    return [{ contract: { symbol, chain, address }, entry }];
  });
  const keyOf = ({ contract }: (typeof found)[number]): string => `${contract.chain} ${contract.address.toLowerCase()}`;
  return found.filter((one, index) => found.findIndex((other) => keyOf(other) === keyOf(one)) === index);
}

/** The address of a token's contract: the key of an entry, or a part of its path. */
function addressOf({ source, key, path }: Entry): string | null {
  if (source === 'trustwallet-assets') return /assets\/([^/]+)\/info\.json$/.exec(path)?.[1] ?? null;
  return source === 'ethereum-lists-tokens' || source === 'solana-token-list' ? key : null;
}

/** Names that a source calls former ones, and that the company does not bear now. */
function formerNamesOf(
  members: readonly Member[],
  { name, aliases }: { name: string; aliases: readonly string[] },
): { name: string; entry: Entry }[] {
  const known = new Set(aliases.map(foldName));
  const former = members.flatMap(({ entry }) => entry.former.map((other) => ({ name: other, entry })));
  return former.filter(
    (one, index) =>
      foldName(one.name) !== foldName(name) &&
      known.has(foldName(one.name)) &&
      former.findIndex((other) => foldName(other.name) === foldName(one.name)) === index,
  );
}

/** The day of a network's first block counts as that of its foundation. */
function blockReadings(block: FirstBlock, sources: ReadonlyMap<string, Source>): Reading[] {
  const source = sources.get(block.source);
  if (source === undefined) throw new Error(`${block.source} is not in data/raw/sources.json`);
  const text = `${sourceName(source, block.path)} (derived from the time of the first block)`;
  return ['founded_date', 'year_founded'].map((field) => ({ source: text, asOf: block.as_of, field }));
}

const TRUSTWALLET_LOGOS = 'https://raw.githubusercontent.com/trustwallet/assets/master/';

/** The address of a logo that a source states, or where the token list keeps that of the token of this name. */
function logoOf(group: Group, name: string, readings: Reading[], sources: ReadonlyMap<string, Source>): string | null {
  const stated = firmMembers(group).find(({ entry }) => /^https:/.test(entry.logo ?? ''))?.entry;
  const token = group.members.find(
    ({ entry }) => entry.source === 'trustwallet-assets' && coreName(entry.name) === coreName(name),
  )?.entry;
  const from = stated ?? token;
  if (from === undefined) return null;
  const mark = stated === undefined ? ' (derived from the path)' : '';
  readings.push({ source: nameOf(from, sources) + mark, asOf: from.as_of, field: 'logo' });
  return stated?.logo ?? TRUSTWALLET_LOGOS + from.path.replace(/info\.json$/, 'logo.png');
}

const CHAINS = 'chain-registry';
/** Sources about the firm itself, whose word on its end counts. */
const STAGE_SOURCES = new Set(['yc-directory', CHAINS, 'l2beat', EDITORS]);

/** Closed, acquired, public or early: the newest word of a source about the firm, unless a later one lists it still; the editors' word stands. */
function stageOf(members: readonly Member[]): { stage: NonNullable<Company['stage']>; entry: Entry } | null {
  for (const { entry } of members) {
    if (!STAGE_SOURCES.has(entry.source)) continue;
    const isEdited = entry.source === EDITORS;
    // A chain that ended is the end of a company only if nothing but its chain is known: others go on elsewhere.
    if (entry.source === CHAINS && entry.status === 'closed' && members.some((other) => other.entry.source !== CHAINS))
      continue;
    if (entry.status === 'closed' && !isEdited && members.some((other) => isLater(other.entry, entry))) continue;
    if (entry.status === 'closed' || entry.status === 'acquired' || entry.status === 'public')
      return { stage: entry.status, entry };
    if (entry.stage === 'Early' || entry.stage === 'Growth')
      return { stage: entry.stage === 'Early' ? 'early' : 'growth', entry };
  }
  return null;
}

/** What lists of firms and projects say of those that go on; the accelerator's says nothing, or that one is listed. */
const LISTS_OF_ACTIVE: Readonly<Record<string, readonly (string | null)[]>> = {
  'yc-directory': [null, 'public'],
  'starknet-ecosystem': ['live'],
};

/** Closed, acquired or listed by the word that the stage stands on; active by a list that says so. */
function statusOf(
  members: readonly Member[],
  stage: ReturnType<typeof stageOf>,
): { status: Status['status']; entry: Entry } | null {
  if (stage?.stage === 'closed' || stage?.stage === 'acquired') return { status: stage.stage, entry: stage.entry };
  const active = members.find(({ entry }) => LISTS_OF_ACTIVE[entry.source]?.includes(entry.status) === true);
  const entry = active?.entry ?? (stage?.stage === 'public' ? stage.entry : null);
  return entry === null ? null : { status: 'active', entry };
}

const NO_END = { acquirer: null, endedAt: null };

/** Who acquired a company and when it was acquired or closed, as the source of its status says. */
function endOf(going: ReturnType<typeof statusOf>): Pick<Company, 'acquirer' | 'endedAt'> {
  if (going === null || going.status === 'active') return NO_END;
  const { fate, since } = going.entry;
  const acquirer = going.status === 'acquired' ? /^by (.+)$/.exec(fate ?? '')?.[1] : undefined;
  return { acquirer: acquirer ?? null, endedAt: since };
}

function isLater(other: Entry, entry: Entry): boolean {
  return other.as_of > entry.as_of && entryId(other) !== entryId(entry) && other.status !== 'closed';
}
