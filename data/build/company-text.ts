import type { Company } from './companies.ts';
import { type Announced, FUNDERS, type Grant, isPage, stageWords } from './rounds.ts';
import {
  capitalized,
  counted,
  listed,
  listedSome,
  listedUpTo,
  moneyWords,
  monthWords,
  nameKey,
  sentences,
  withArticle,
} from './text.ts';

/** The sentences about a company: what it is, where, and its latest funding. Sums are in fields, which follow later rounds. */

/** What a company of a tag is called: the editors' first tag decides, or else the first tag of this list that it has. */
const KINDS: readonly (readonly [tag: string, kind: string])[] = [
  ['Centralized Exchange', 'centralized crypto exchange'],
  ['DEX', 'decentralized exchange (DEX)'],
  ['Prediction Market', 'prediction market'],
  ['Stablecoin', 'stablecoin company'],
  ['Liquid Staking', 'liquid staking protocol'],
  ['Restaking', 'restaking protocol'],
  ['Oracle', 'oracle network'],
  ['Bridge', 'cross-chain bridge'],
  ['Storage', 'storage network'],
  ['Layer 1', 'layer-1 blockchain'],
  ['Layer 2', 'layer-2 project'],
  ['Mining', 'crypto mining company'],
  ['Market Making', 'crypto market maker'],
  ['Asset Management', 'digital-asset manager'],
  ['Accounting', 'crypto accounting company'],
  ['Accelerator', 'Web3 accelerator'],
  ['Brokerage', 'digital-asset broker'],
  ['Custody', 'digital-asset custody company'],
  ['Staking', 'staking provider'],
  ['Security', 'blockchain security company'],
  ['Gaming', 'blockchain gaming company'],
  ['Metaverse', 'metaverse project'],
  ['RWA', 'real-world asset (RWA) project'],
  ['NFT Marketplace', 'NFT marketplace'],
  ['NFT', 'NFT company'],
  ['DAO', 'decentralized autonomous organisation (DAO)'],
  ['Compliance', 'blockchain compliance company'],
  ['Analytics', 'blockchain analytics company'],
  ['Supply Chain', 'blockchain supply-chain company'],
  ['Payments', 'crypto payments company'],
  ['Identity', 'digital identity company'],
  ['Social', 'Web3 social platform'],
  ['AI', 'AI project'],
  ['DeFi', 'DeFi project'],
  ['Wallet', 'crypto wallet company'],
  ['Zero Knowledge', 'zero-knowledge (ZK) project'],
  ['Infrastructure', 'blockchain infrastructure company'],
  ['Blockchain', 'blockchain network'],
  ['Lending', 'crypto lending platform'],
  ['Derivatives', 'derivatives protocol'],
  ['Yield', 'yield protocol'],
  ['DePIN', 'decentralized infrastructure (DePIN) project'],
  ['On and Off Ramp', 'crypto on- and off-ramp'],
  ['Governance', 'governance project'],
  ['Creator Economy', 'creator economy project'],
  ['Messaging', 'messaging project'],
  ['Education', 'Web3 education project'],
  ['Marketplace', 'Web3 marketplace'],
  ['Insurance', 'crypto insurance project'],
  ['Data Availability', 'data availability network'],
  ['Compute', 'decentralized compute project'],
  ['Account Abstraction', 'account abstraction project'],
  ['Launchpad', 'token launchpad'],
  ['Media', 'Web3 media company'],
  ['ReFi', 'regenerative finance (ReFi) project'],
  ['DeSci', 'decentralized science (DeSci) project'],
  ['Indexing', 'indexing project'],
  ['Developer Tools', 'developer tools company'],
  // A list of privacy projects gives it to every entry: of a wallet, "wallet" says more.
  ['Privacy', 'privacy project'],
];

/** What a reader must know of a record, by its slug. */
const REMARKS = new Map([
  ['vaulta', 'Its ICO is that of EOS, as the network was called: the firm Block.one held it and kept the proceeds'],
]);

const PLAIN_KIND = 'project';
const CHAINS_SAID_MAX = 4;

export interface SaidCompany extends Company {
  readonly slug: string;
  readonly rounds: readonly Announced[];
  readonly grants: readonly Grant[];
}

interface Kind {
  readonly kind: string;
  readonly tag: string | null;
}

function kindOf(company: SaidCompany): Kind {
  // The bridge of a chain is listed under the name of the chain.
  const isChain = company.chains.some((chain) => nameKey(chain) === nameKey(company.name));
  const known =
    KINDS.find(([tag]) => tag === company.mainTag) ??
    KINDS.find(([tag]) => company.tags.includes(tag) && !(isChain && tag === 'Bridge'));
  if (known?.[0] === 'Layer 1' && /\b(Foundation|Labs|Technologies)\b/.test(company.name))
    return { kind: 'layer-1 blockchain organisation', tag: known[0] };
  if (known !== undefined) return { kind: known[1], tag: known[0] };
  if (company.chains.length > 0 || company.tokens.length > 0) return { kind: 'blockchain project', tag: null };
  return { kind: company.rounds.length > 0 ? 'crypto company' : PLAIN_KIND, tag: null };
}

/** The chains that a company is on; a firm is active there, and a chain of its own is linked with others. */
function onChains(company: SaidCompany): string {
  const own = nameKey(company.name);
  const others = company.chains.filter((chain) => !own.startsWith(nameKey(chain)));
  if (others.length === 0) return '';
  const { kind, tag } = kindOf(company);
  const isFirm = /(company|provider|exchange|organisation)$/.test(kind);
  const relation = tag === 'Layer 1' || tag === 'Blockchain' ? 'linked with' : isFirm ? 'active on' : 'on';
  return ` ${relation} ${listedUpTo(others, CHAINS_SAID_MAX)}`;
}

/** What the company is, in a line. */
export function companyTagline(company: SaidCompany): string {
  const { kind } = kindOf(company);
  const end = isOver(company) ? ` (${STAGE_WORDS[company.stage ?? '']})` : '';
  const start = `${capitalized(kind)}${onChains(company)}${end}`;
  const also = otherTags(company).slice(0, 2);
  const place = placeWords(company);
  const latest = latestOf(company);
  if (place !== null) return `${start}, based in ${place}`;
  if (latest !== undefined) return `${start}; announced: ${briefRoundWords(latest)}`;
  if (also.length > 0) return `${start}; also ${listed(also)}`;
  if (company.tokens.length > 0) return `${start}; token ${listedUpTo(company.tokens, 3)}`;
  return start;
}

function otherTags(company: SaidCompany): string[] {
  const { tag } = kindOf(company);
  return company.tags.filter((other) => other !== tag);
}

/** What is known of the company, in one to six sentences. */
export function companyOverview(company: SaidCompany): string {
  return sentences([
    identitySentence(company),
    labelSentence(company),
    company.yearFounded === null ? null : `It was founded in ${company.yearFounded}`,
    placeSentence(company),
    staffSentence(company),
    fundingSentence(company),
    REMARKS.get(company.slug) ?? null,
    grantSentence(company),
  ]);
}

function identitySentence(company: SaidCompany): string {
  const { kind } = kindOf(company);
  const tokens = company.tokens.slice(0, 4);
  const comma = onChains(company) === '' ? '' : ',';
  const token = tokens.length === 0 ? '' : `${comma} with the ${listed(tokens)} token${tokens.length === 1 ? '' : 's'}`;
  const named =
    company.aliases.length === 0 ? company.name : `${company.name} (also ${listedUpTo(company.aliases, 3)})`;
  return `${named} is ${withArticle(kind)}${onChains(company)}${token}${fateWords(company)}`;
}

/** Whether rounds say no more of its stage: it is listed, or no company of its own any more. */
const isOver = ({ stage }: SaidCompany): boolean => stage === 'closed' || stage === 'acquired' || stage === 'public';

const STAGE_WORDS: Readonly<Record<string, string>> = {
  public: 'publicly listed',
  acquired: 'acquired',
  closed: 'closed',
};

/** "publicly listed on Nasdaq as COIN since April 2021", or of when it is known. */
function fateWords(company: SaidCompany): string {
  const { stage, stageAsOf, fate } = company;
  if (!isOver(company) || stageAsOf === null) return '';
  const how = fate?.fate == null ? '' : ` ${fate.fate}`;
  const since = fate?.since ?? null;
  const when =
    since === null ? `as of ${monthWords(stageAsOf)}` : `${stage === 'public' ? 'since' : 'in'} ${monthWords(since)}`;
  return `, ${STAGE_WORDS[stage ?? '']}${how} ${when}`;
}

function labelSentence(company: SaidCompany): string | null {
  const others = otherTags(company);
  if (others.length === 0) return null;
  return `It is also listed under ${listed(others)}`;
}

function placeSentence(company: SaidCompany): string | null {
  const place = placeWords(company);
  return place === null ? null : `Its head office is in ${place}`;
}

function staffSentence({ employees }: SaidCompany): string | null {
  return employees === null
    ? null
    : `Its team has ${counted(employees, 'member')}, according to the directory that lists it`;
}

function placeWords({ place }: SaidCompany): string | null {
  if (place?.city == null) return place?.country == null ? null : withItsArticle(place.country);
  return [...new Set([place.city, ...(place.country === null ? [] : [place.country])])].join(', ');
}

const withItsArticle = (country: string): string =>
  /^United |Islands$|^(Bahamas|Netherlands|Philippines|Czech Republic|Dominican Republic)$/.test(country)
    ? `the ${country}`
    : country;

const latestOf = ({ rounds }: SaidCompany): Announced | undefined =>
  [...rounds].sort(
    (left, right) => right.date.localeCompare(left.date) || right.slugDate.localeCompare(left.slugDate),
  )[0];

/** The latest round as an event of its month, which another round does not make wrong. */
function fundingSentence(company: SaidCompany): string | null {
  const latest = latestOf(company);
  if (latest === undefined) return null;
  const leads = latest.leads ?? [];
  const backers = (latest.investors ?? []).filter((name) => !leads.includes(name));
  const by = leads.length === 0 ? '' : `, led by ${listedUpTo(leads, 2)}`;
  const joined = leads.length === 0 ? ` from ${listedSome(backers, 3)}` : `, with ${listedSome(backers, 3)}`;
  const announced = `it announced ${withArticle(roundWords(latest))}${by}${backers.length === 0 ? '' : joined}`;
  return isPage(latest.source) ? capitalized(announced) : `The editors state, without a page, that ${announced}`;
}

/** "Series B of $8 million in March 2021". */
function roundWords({ stage, stage_raw: raw, amount_usd: amount, date }: Announced): string {
  const size = amount === undefined ? ' of undisclosed size' : ` of ${moneyWords(Number(amount))}`;
  return `${stageWords(stage ?? null, raw ?? null)}${size} in ${monthWords(date.slice(0, 7))}`;
}

/** "seed round, $4.1 million, December 2021". */
function briefRoundWords({ stage, stage_raw: raw, amount_usd: amount, date, source }: Announced): string {
  const size = amount === undefined ? [] : [moneyWords(Number(amount))];
  const unsourced = isPage(source) ? [] : ['unsourced'];
  return [stageWords(stage ?? null, raw ?? null), ...size, monthWords(date.slice(0, 7)), ...unsourced].join(', ');
}

function grantSentence({ grants }: SaidCompany): string | null {
  if (grants.length === 0) return null;
  const givers = [...new Set(grants.map(({ funder }) => FUNDERS[funder]?.name ?? funder))];
  return `Public registers list grants to it from ${listedUpTo(givers, 3)}`;
}
