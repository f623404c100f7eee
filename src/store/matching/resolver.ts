import { foldName, webDomain } from '../../contract/names.ts';

/** Ownership of web addresses: registrable domains, and hosts shared by many owners. */

/** Hosts without information about ownership: app stores, shorteners, social networks, code, documents and news. */
const SHARED = new Set(
  `github.com gitlab.com medium.com twitter.com x.com t.me telegram.me telegram.org discord.gg discord.com youtube.com
  youtu.be facebook.com instagram.com linkedin.com reddit.com google.com docs.google.com sites.google.com goo.gl bit.ly
  linktr.ee notion.so notion.site figma.com apple.com apps.apple.com play.google.com chrome.google.com
  chromewebstore.google.com mozilla.org amazon.com amazonaws.com opensea.io rarible.com etherscan.io bscscan.com
  polygonscan.com coingecko.com coinmarketcap.com mirror.xyz substack.com lu.ma luma.com eventbrite.com meetup.com
  npmjs.com pypi.org crates.io arxiv.org iacr.org wikipedia.org archive.org typeform.com airtable.com hackmd.io
  tinyurl.com taplink.cc beacons.ai allmylinks.com zealy.io galxe.com gitcoin.co giveth.io businessinsider.com
  yahoo.com bloomberg.com forbes.com coindesk.com cointelegraph.com microsoft.com iohk.io iohkdev.io cardano.org
  emurgo.io adalink.io catalystexplorer.com ideascale.com warpcast.com farcaster.xyz snapshot.org tally.xyz
  explorer.com geckoterminal.com dexscreener.com dextools.io galactictalk.org solana.com tokensets.com tryroll.com
  coopcrowd.com filecoin.io ethereum.org starknet.io base.org optimism.io polygon.technology near.org stellar.org
  devpost.com dorahacks.io ethglobal.com buidlguidl.com nouns.build charmverse.io paragraph.xyz hackernoon.com
  dev.to okex.com wixsite.com weebly.com wordpress.com blogspot.com tumblr.com docsend.com dropbox.com ipfs.io
  cloudflare.com infura.io fandom.com producthunt.com pse.dev`.split(/\s+/),
);

/** Projects whose own site is one of these hosts. */
const OWN_SHARED: Readonly<Record<string, readonly string[]>> = {
  'github.com': [],
  'opensea.io': ['opensea'],
  'rarible.com': ['rarible'],
  'etherscan.io': ['etherscan'],
  'coingecko.com': ['coingecko'],
  'coinmarketcap.com': ['coinmarketcap'],
  'mirror.xyz': ['mirror'],
  'galxe.com': ['galxe'],
  'zealy.io': ['zealy'],
  'gitcoin.co': ['gitcoin', 'gitcoingrants'],
  'giveth.io': ['giveth'],
  'snapshot.org': ['snapshot'],
  'tally.xyz': ['tally'],
  'solana.com': ['solana'],
  'cardano.org': ['cardano'],
  'emurgo.io': ['emurgo'],
  'filecoin.io': ['filecoin'],
  'ethereum.org': ['ethereum', 'ethereumfoundation'],
  'starknet.io': ['starknet'],
  'base.org': ['base'],
  'optimism.io': ['optimism', 'opmainnet'],
  'polygon.technology': ['polygon', 'polygonpos', 'polygonlabs'],
  'near.org': ['near', 'nearprotocol'],
  'stellar.org': ['stellar'],
  'dexscreener.com': ['dexscreener'],
  'dextools.io': ['dextools'],
  'dorahacks.io': ['dorahacks'],
  'ethglobal.com': ['ethglobal'],
  'nouns.build': ['nounsbuilder'],
  'lens.xyz': ['lens', 'lensprotocol'],
  'caldera.xyz': ['caldera'],
  'conduit.xyz': ['conduit'],
  'charmverse.io': ['charmverse'],
  'paragraph.xyz': ['paragraph'],
  'tokensets.com': ['tokensets'],
  'tryroll.com': ['roll'],
  'infura.io': ['infura'],
  'farcaster.xyz': ['farcaster'],
  'warpcast.com': ['warpcast'],
  'coindesk.com': ['coindesk'],
  'cointelegraph.com': ['cointelegraph'],
  'iohk.io': ['iohk', 'inputoutput'],
  'pse.dev': ['privacyscalingexplorations', 'privacystewardsofethereum', 'privacyscalingexplorationspse', 'pse'],
};

/** Hosts that give each customer a subdomain. */
const SUBDOMAIN_HOSTS = new Set(
  `github.io gitlab.io vercel.app netlify.app herokuapp.com web.app firebaseapp.com pages.dev workers.dev gitbook.io
  readthedocs.io eth.limo eth.link on.fleek.co fleek.co surge.sh webflow.io framer.website framer.app framer.ai
  carrd.co wixsite.com substack.com mirror.xyz medium.com notion.site super.site onrender.com fly.dev glitch.me
  replit.app repl.co azurewebsites.net cloudfront.net deno.dev typedream.app softr.app bubbleapps.io my.canva.site
  ghost.io hashnode.dev hey.xyz lens.xyz nouns.build caldera.xyz conduit.xyz gelato.digital`.split(/\s+/),
);

/** Second-level domains under which countries register names. */
const SECOND_LEVEL = /^(co|com|org|net|ac|gov|edu|or|ne|gob|com)\.[a-z]{2}$/;

export interface Site {
  /** The registrable domain, or the customer's subdomain. */
  readonly domain: string;
  /** The registered label: `lido` of lido.fi. */
  readonly stem: string;
  readonly host: string;
  readonly path: string;
  readonly isHostedSubdomain: boolean;
}

/** The ownership parts of a web address; null if the text is none. */
export function siteOf(address: string): Site | null {
  const host = webDomain(address);
  if (host === null) return null;
  const path = new URL(address).pathname.replace(/\/$/, '');
  const labels = host.split('.');
  const tenant = [3, 2].map((count) => labels.slice(-count).join('.')).find((name) => SUBDOMAIN_HOSTS.has(name));
  const depth =
    tenant === undefined ? (SECOND_LEVEL.test(labels.slice(-2).join('.')) ? 3 : 2) : tenant.split('.').length + 1;
  const own = labels.slice(-depth);
  return {
    domain: own.join('.'),
    stem: own[0] ?? '',
    host,
    path,
    isHostedSubdomain: tenant !== undefined && labels.length >= depth,
  };
}

/** Whether a host is shared, unless the folded name is its owner's. */
export function isSharedHost({ domain, host, isHostedSubdomain }: Site, foldedName: string): boolean {
  if (isHostedSubdomain) return false;
  const shared = [host, domain].find((name) => SHARED.has(name));
  return (
    (shared !== undefined || SUBDOMAIN_HOSTS.has(domain)) && !(OWN_SHARED[shared ?? domain] ?? []).includes(foldedName)
  );
}

/**
 * Entity resolution of projects. An entry joins a known project by the first matching rule: domain, handle or organisation, each
 * together with a similar name; by name alone only if the name is unique and a chain or ticker agrees. A domain alone is never
 * sufficient, because foundations, launchpads and exchanges host many projects. Pure: no database, no clock.
 */

export interface Traits {
  /** The name, then aliases. */
  readonly names: readonly [string, ...string[]];
  readonly site: Site | null;
  /** Account on X, in lower case. */
  readonly handle: string | null;
  /** Organisation on GitHub, in lower case. */
  readonly organisation: string | null;
  readonly chains: readonly string[];
  readonly symbols: readonly string[];
}

export type JoinRule = 'domain' | 'handle' | 'organisation' | 'name and chain' | 'name and ticker';
/** Why two projects may be the same although no rule joins them. */
export type PossibleMatchRule =
  | 'same domain and handle'
  | 'same domain'
  | 'same handle'
  | 'same organisation'
  | 'same name'
  | 'same name, other domain';

interface Join<Project, Rule = JoinRule> {
  readonly project: Project;
  readonly rule: Rule;
}

interface KnownProject {
  readonly traits: readonly Traits[];
}

interface Census {
  projectsOf(organisation: string): number;
  /** Number of distinct domains of entries with a plain name. */
  domainsOf(name: string): number;
}

/** A GitHub organisation with more projects is treated as a host: names must then be equal. */
const OWN_PROJECTS_MAX = 6;

export function createResolver<Project extends KnownProject>(census: Census) {
  const byDomain = new Map<string, Project[]>();
  const byHandle = new Map<string, Project[]>();
  const byOrganisation = new Map<string, Project[]>();
  const byName = new Map<string, Project[]>();
  const at = (index: Map<string, Project[]>, key: string | null | undefined): readonly Project[] =>
    (key == null ? undefined : index.get(key)) ?? [];
  const isHostingOrganisation = (organisation: string | null): boolean =>
    organisation !== null && census.projectsOf(organisation) > OWN_PROJECTS_MAX;

  /** Only if no project with another site has the name, and a chain or ticker agrees. */
  const joinByName = (traits: Traits, fits: (project: Project) => boolean): Join<Project> | null => {
    const name = plainName(traits.names[0]);
    const namesakes = at(byName, name);
    const only = namesakes.find((project) => project.traits.some(({ site }) => site !== null));
    if (only === undefined || namesakes.length > 1 || census.domainsOf(name) > 1 || !fits(only)) return null;
    if (shares(only, traits, 'symbols')) return { project: only, rule: 'name and ticker' };
    return shares(only, traits, 'chains') ? { project: only, rule: 'name and chain' } : null;
  };

  return {
    /** Makes an entry matchable as part of a project; the caller adds its traits to the project. */
    add: (project: Project, { names, site, handle, organisation }: Traits): void => {
      note(byDomain, site?.domain, project);
      note(byHandle, handle, project);
      note(byOrganisation, organisation, project);
      for (const name of names) note(byName, plainName(name), project);
    },
    /**
     * The known project that an entry joins, and the rule.
     * @param isAllowed excludes projects that the entry must not join
     */
    join: (traits: Traits, isAllowed: (project: Project) => boolean = () => true): Join<Project> | null => {
      const { site, handle, organisation, names } = traits;
      const fits = (project: Project): boolean => isAllowed(project) && hasSimilarName(project, traits);
      const onDomain = at(byDomain, site?.domain).find(fits);
      if (onDomain !== undefined) return { project: onDomain, rule: 'domain' };
      const ofHandle = at(byHandle, handle).find(fits);
      if (ofHandle !== undefined) return { project: ofHandle, rule: 'handle' };
      const mustBeEqual = isHostingOrganisation(organisation);
      const ofOrganisation = at(byOrganisation, organisation).find(
        (project) => fits(project) && (!mustBeEqual || hasEqualName(project, names[0])),
      );
      if (ofOrganisation !== undefined) return { project: ofOrganisation, rule: 'organisation' };
      return site === null ? joinByName(traits, fits) : null;
    },
    /** The known project with the entry's domain and a similar name, for entries too weak for the other rules. */
    onDomain: (traits: Traits): Project | undefined =>
      at(byDomain, traits.site?.domain).find((project) => hasSimilarName(project, traits)),
    /** Known projects that share an identifier or name with the entry without being joined, each once. */
    possibleMatches: (traits: Traits): Join<Project, PossibleMatchRule>[] => {
      const { site, handle, organisation, names } = traits;
      const found = new Map<Project, PossibleMatchRule>();
      const addAll = (projects: readonly Project[], ruleOf: (project: Project) => PossibleMatchRule): void => {
        for (const project of projects) if (!found.has(project)) found.set(project, ruleOf(project));
      };
      const onDomain = at(byDomain, site?.domain);
      addAll(at(byHandle, handle), (project) =>
        onDomain.includes(project) ? 'same domain and handle' : 'same handle',
      );
      if (!isHostingOrganisation(organisation)) addAll(at(byOrganisation, organisation), () => 'same organisation');
      addAll(at(byName, plainName(names[0])), (project) =>
        site !== null && project.traits.some((other) => other.site !== null && other.site.domain !== site.domain)
          ? 'same name, other domain'
          : 'same name',
      );
      addAll(onDomain, () => 'same domain');
      return [...found].map(([project, rule]) => ({ project, rule }));
    },
  };
}

/** The entry's own site; null for a shared host or a page on another project's site. */
export function ownSite(names: readonly string[], website: string | null): Site | null {
  const site = website === null ? null : siteOf(website);
  if (site === null || names.every((known) => isSharedHost(site, foldName(known)))) return null;
  const isDeep = site.path.split('/').length > 2 || /\.(html?|pdf|md|php)$/.test(site.path);
  return isDeep && !names.some((known) => isOfHost(known, site)) ? null : site;
}

/** Whether a name is that of the host: its label, or label and top-level domain as in lens.xyz. */
export const isOfHost = (name: string, { stem, domain, isHostedSubdomain }: Site): boolean =>
  isNamedLike(name, stem) || (!isHostedSubdomain && foldName(domain) === foldName(name));

const hasSimilarName = ({ traits }: KnownProject, { names }: Traits): boolean =>
  traits.some((own) => own.names.some((known) => names.some((name) => isSimilar(known, name))));

const hasEqualName = ({ traits }: KnownProject, name: string): boolean =>
  traits.some(({ names }) => plainName(names[0]) === plainName(name));

const shares = (project: KnownProject, traits: Traits, field: 'chains' | 'symbols'): boolean =>
  project.traits.some((own) => own[field].some((value) => traits[field].includes(value)));

function note<Project>(index: Map<string, Project[]>, key: string | null | undefined, project: Project): void {
  if (key == null || key === '') return;
  const known = index.get(key);
  if (known === undefined) index.set(key, [project]);
  else if (!known.includes(project)) known.push(project);
}

/** Comparison of project names for entity resolution. */

/** Legal forms of an organisation, which its name has or lacks. */
const LEGAL_FORMS = 'inc incorporated ltd limited llc corp corporation gmbh ag plc pte pty'.split(' ');
const LEGAL_WORDS = new Set(LEGAL_FORMS);

/** Words that projects add or omit, so that they do not distinguish projects. */
const FORM_WORDS = new Set([
  ...LEGAL_FORMS,
  ...`protocol protocols finance network networks labs lab dao foundation exchange dex app xyz org com io fi mainnet
  official project the ecosystem dapp technologies technology team v1 v2 v3 v4`.split(/\s+/),
]);

/** Words that distinguish products of one name, unless domain and account are equal. */
const MILD_WORDS = new Set([...LEGAL_FORMS, 'protocol', 'network', 'the', 'mainnet']);

const words = (name: string): string[] =>
  name
    .replace(/\(.*?\)/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Removes words at the end and an article at the start only: Protocol Guild is not Guild. */
function without(name: string, dropped: ReadonlySet<string>): string {
  const remaining = words(name);
  if (remaining.length > 1 && remaining[0]?.toLowerCase() === 'the') remaining.shift();
  while (remaining.length > 1 && dropped.has(remaining.at(-1)?.toLowerCase() ?? '')) remaining.pop();
  return foldName(remaining.join(' ') || name);
}

/** The name without form words: `Lido Finance`, `Lido DAO` and `lido` have the same core. */
export const coreName = (name: string): string => without(name, FORM_WORDS);

/** Like coreName, without the legal form only: `Acme` of Acme Inc. */
export const legalName = (name: string): string => without(name, LEGAL_WORDS);

/** Like coreName, without the mild words only. */
export const plainName = (name: string): string => without(name, MILD_WORDS);

/** Whether names are similar enough for one project, given an equal domain or account. */
export const isSimilar = (left: string, right: string): boolean =>
  foldName(left) === foldName(right) || coreName(left) === coreName(right);

/** Affixes that projects use to get a free host or handle. */
const HOST_FORM =
  /^(get|go|try|use|join|the|my|play|hello|official|weare)|(app|labs?|hq|xyz|finance|fi|protocol|dao|network|chain|swap|wallet|io|org|games?|nft|defi|dex|exchange|token|foundation|tech|eth|web3)$/;

/** Whether a name corresponds to a host or account: `Lido Finance` of lido.fi, `Trust Wallet` of trustwallet.com. */
export function isNamedLike(name: string, stem: string): boolean {
  const whole = foldName(name);
  const core = coreName(name);
  const plain = foldName(stem);
  if (whole === plain || core === plain) return true;
  if (core.length < 3 || plain.length < 3) return false;
  const bare = plain.replace(HOST_FORM, '');
  return bare === core || bare === whole || isPart(core, plain) || initialsOf(name) === plain;
}

/** Whether a word occurs in a host and is no coincidence: `noble` in `nobleassets`, but not `one` in `money`. */
function isPart(core: string, stem: string): boolean {
  const [short, long] = core.length < stem.length ? [core, stem] : [stem, core];
  return (short.length >= 4 && long.startsWith(short)) || (short.length >= 6 && long.includes(short));
}

/** Initials such as `eff` of Electronic Frontier Foundation; two letters are too ambiguous. */
function initialsOf(name: string): string {
  const initials = words(name).map((word) => word.charAt(0).toLowerCase());
  return initials.length < 3 ? '' : initials.join('');
}
