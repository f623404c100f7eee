import { isRaised } from '../../src/contract/entities/round.ts';
import type { Company } from './companies.ts';
import { saidTags } from './labels.ts';
import { type Round, stageWords } from './rounds.ts';
import { groupReadings, newestDate } from './sources.ts';
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
  variantOf,
  withArticle,
} from './text.ts';

/** The sentences about a company: what it is, since when and by whom, and its known rounds. */

/** What a company of a tag is called; the first tag of this list that it has decides. */
const KINDS: readonly (readonly [tag: string, kind: string])[] = [
  ['Centralized Exchange', 'centralized crypto exchange'],
  ['Stablecoin', 'stablecoin company'],
  ['Prediction Market', 'prediction market'],
  ['Liquid Staking', 'liquid staking protocol'],
  ['Oracle', 'oracle network'],
  ['Bridge', 'cross-chain bridge'],
  ['Storage', 'storage network'],
  ['DePIN Compute', 'decentralized compute network (DePIN)'],
  ['DePIN Wireless', 'decentralized wireless network (DePIN)'],
  ['DePIN Sensors', 'sensor network (DePIN)'],
  ['DePIN Energy', 'energy network (DePIN)'],
  ['DePIN Mobility', 'mobility network (DePIN)'],
  ['Layer 1', 'layer-1 blockchain'],
  ['Layer 2', 'layer-2 project'],
  ['News', 'crypto news company'],
  ['Mining', 'crypto mining company'],
  ['Custody', 'digital-asset custody company'],
  ['Smart Contract Security', 'smart contract security company'],
  ['Smart Contract Audits', 'smart contract audit company'],
  ['Gaming', 'blockchain gaming company'],
  ['Metaverse', 'metaverse project'],
  ['Real Estate', 'real-estate tokenization company'],
  ['RWA', 'real-world asset (RWA) project'],
  ['NFT', 'NFT company'],
  ['DAO', 'DAO infrastructure provider'],
  ['Compliance', 'blockchain compliance company'],
  ['Analytics', 'blockchain analytics company'],
  ['Consortium', 'blockchain consortium'],
  ['Credit', 'crypto lending company'],
  ['Supply Chain', 'blockchain supply-chain company'],
  ['Payments', 'crypto payments company'],
  ['RPC and Indexing', 'RPC and indexing provider'],
  ['Decentralized Identity', 'decentralized identity project'],
  ['Identity', 'digital identity company'],
  ['Social', 'Web3 social platform'],
  ['Tax', 'crypto tax company'],
  ['AI', 'AI project'],
  ['Privacy', 'privacy project'],
  ['DeFi', 'DeFi project'],
  ['Exchange', 'crypto exchange'],
  ['Wallet', 'crypto wallet company'],
  ['Banking', 'crypto banking company'],
  ['Trading', 'crypto trading company'],
  ['Zero Knowledge', 'zero-knowledge (ZK) project'],
  ['Scaling', 'blockchain scaling project'],
  ['VPN', 'decentralized VPN'],
  ['CeFi', 'centralized finance (CeFi) company'],
  ['Smart Contracts', 'smart contract platform'],
  ['Infrastructure', 'blockchain infrastructure company'],
  ['Blockchain', 'blockchain network'],
  ['Currency', 'cryptocurrency project'],
  ['Developer Tools', 'developer tools company'],
  ['Web3', 'Web3 company'],
];

const PLAIN_KIND = 'project';

type Said = Omit<Company, 'readings'>;

function kindOf(company: Said): { kind: string; tag: string | null } {
  const known = KINDS.find(([tag]) => company.tags.includes(tag));
  if (known?.[0] === 'Layer 1' && /\b(Foundation|Labs|Technologies)\b/.test(company.name)) {
    return { kind: 'layer-1 blockchain organisation', tag: known[0] };
  }
  if (known !== undefined) return { kind: known[1], tag: known[0] };
  if (company.chains.length > 0 || company.tokens.length > 0) return { kind: 'blockchain project', tag: null };
  if (company.rounds.length > 0) return { kind: 'crypto company', tag: null };
  return { kind: company.github === null ? PLAIN_KIND : 'project with code on GitHub', tag: null };
}

const CHAINS_SAID_MAX = 4;
const FOUNDERS_SAID_MAX = 4;

/** The chains that a company is on; a firm is active there, and a chain of its own is linked with others. */
function onChains(company: Said): string {
  const own = nameKey(company.name);
  const others = company.chains.filter((chain) => !own.startsWith(nameKey(chain)));
  if (others.length === 0) return '';
  const { kind, tag } = kindOf(company);
  const relation =
    tag === 'Layer 1' ? 'linked with' : /(company|provider|exchange|organisation)$/.test(kind) ? 'active on' : 'on';
  return ` ${relation} ${listedUpTo(others, CHAINS_SAID_MAX)}`;
}

/** What the company is, in a line. */
export function companyTagline(company: Said): string {
  const { kind } = kindOf(company);
  const start = `${capitalized(kind)}${onChains(company)}`;
  const also = otherTags(company).slice(0, 2);
  const details = [
    ...(company.yearFounded === null ? [] : [`founded in ${company.yearFounded}`]),
    ...(company.founders.length === 0
      ? []
      : [`${company.yearFounded === null ? 'founded ' : ''}by ${listedUpTo(company.founders, 2)}`]),
  ].join(' ');
  const place = placeWords(company);
  const latest = company.rounds[0];
  if (details !== '') return `${start}, ${details}${place === null ? '' : `; based in ${place}`}`;
  if (place !== null) return `${start}, based in ${place}`;
  if (latest !== undefined) return `${start}; latest known round: ${briefRoundWords(latest)}`;
  if (also.length > 0) return `${start}; also ${listed(also)}`;
  if (company.tokens.length > 0) return `${start}; token ${listed(company.tokens)}`;
  return isPlain(company) ? `${start}; website ${siteOf(company)}` : start;
}

/** Whether no fact says what the company does. */
function isPlain(company: Said): boolean {
  return kindOf(company).kind.startsWith(PLAIN_KIND) && company.website !== null;
}

function siteOf(company: Said): string {
  return new URL(company.website ?? '').host.replace(/^www\./, '');
}

const GENERAL_TAGS = new Set(['Blockchain', 'Cosmos SDK']);

function otherTags(company: Said): string[] {
  const { tag } = kindOf(company);
  const others = saidTags(company.tags).filter((other) => other !== tag);
  return tag === 'Layer 1' ? others.filter((other) => !GENERAL_TAGS.has(other)) : others;
}

/** What is known of the company, in one to five sentences. */
export function companyOverview(company: Said): string {
  return sentences([
    identitySentence(company),
    labelSentence(company),
    originSentence(company),
    ...fundingSentences(company),
  ]);
}

function identitySentence(company: Said): string {
  const { kind } = kindOf(company);
  const token =
    company.tokens.length === 0
      ? ''
      : `${onChains(company) === '' ? '' : ','} with the ${listed(company.tokens)} token${company.tokens.length === 1 ? '' : 's'}`;
  const named = company.aliases.length === 0 ? company.name : `${company.name} (also ${listed(company.aliases)})`;
  const stage = company.stage === null || company.stageAsOf === null ? '' : `, ${stageOfCompany(company)}`;
  const site = isPlain(company) ? `; its website is ${siteOf(company)}` : '';
  return `${named} is ${withArticle(kind)}${onChains(company)}${token}${stage}${site}`;
}

function stageOfCompany(company: Said): string {
  const state = company.stage === 'public' ? 'publicly listed' : 'acquired by another company';
  return `${state} as of ${monthWords(company.stageAsOf ?? '')}`;
}

function labelSentence(company: Said): string | null {
  const others = otherTags(company);
  if (others.length === 0) return null;
  return variantOf(`${company.slug} labels`, [
    `It is also filed under ${listed(others)}`,
    `Sources also describe it with the ${others.length === 1 ? 'label' : 'labels'} ${listed(others)}`,
    `Further subjects: ${listed(others)}`,
  ]);
}

function originSentence(company: Said): string | null {
  const founders = company.founders.length === 0 ? '' : ` by ${listedUpTo(company.founders, FOUNDERS_SAID_MAX)}`;
  const place = placeWords(company);
  const seat = place === null ? '' : `its head office is in ${place}`;
  if (company.yearFounded === null && founders === '') return seat === '' ? null : capitalized(seat);
  const founded =
    company.yearFounded === null ? `It was founded${founders}` : `It was founded in ${company.yearFounded}${founders}`;
  return seat === '' ? founded : `${founded}, and ${seat}`;
}

function placeWords(company: Said): string | null {
  const { city, country } = company.place ?? { city: null, country: null };
  const parts = [city, country].filter((part) => part !== null);
  return parts.length === 0 ? null : [...new Set(parts)].join(', ');
}

function fundingSentences(company: Said): string[] {
  const [latest] = company.rounds;
  if (latest === undefined) return [];
  const backers = [...new Set(latest.investors.filter((name) => !latest.leads.includes(name)))];
  const by = latest.leads.length === 0 ? '' : `, led by ${listedUpTo(latest.leads, 2)}`;
  const joined = latest.leads.length === 0 ? ` from ${listedSome(backers, 3)}` : `, with ${listedSome(backers, 3)}`;
  const start = company.rounds.length === 1 ? 'Its one known round is' : 'The latest known round is';
  const one = `${start} ${withArticle(roundWords(latest))}${by}${backers.length === 0 ? '' : joined}`;
  return company.rounds.length === 1 ? [one] : [totalSentence(company), one];
}

/** The known disclosed rounds and their sum, as of the newest list that names them. */
function totalSentence(company: Said): string {
  const raised = company.rounds.filter((round) => isRaised(round.stage));
  const amounts = raised.flatMap((round) => round.amount ?? []);
  if (amounts.length === 0) return `${counted(company.rounds.length, 'round')} are known ${yearsWords(company.rounds)}`;
  if (amounts.length === 1)
    return `Of ${counted(company.rounds.length, 'known round')} ${yearsWords(company.rounds)}, one has a disclosed size: ${moneyWords(amounts[0] ?? 0)}`;
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  const rounds = `${counted(amounts.length, 'known disclosed round')} ${yearsWords(raised.filter((round) => round.amount !== null))}`;
  const asOf = newestDate(groupReadings(company.rounds.flatMap((round) => round.readings)));
  return variantOf(`${company.slug} total`, [
    `${rounds} add up to ${moneyWords(total)}`,
    `Its ${rounds} come to ${moneyWords(total)}`,
    `${asOf === null ? 'By the lists' : `As of ${monthWords(asOf)}`}, ${rounds} add up to ${moneyWords(total)}`,
  ]);
}

function yearsWords(rounds: readonly Round[]): string {
  const years = rounds.map((round) => round.date.slice(0, 4)).sort();
  return years[0] === years.at(-1) ? `in ${years[0]}` : `from ${years[0]} to ${years.at(-1)}`;
}

/** "Series B of $8 million in March 2021". */
function roundWords(round: Round): string {
  const amount = round.amount === null ? ' of undisclosed size' : ` of ${moneyWords(round.amount)}`;
  return `${stageWords(round.stage, round.stageRaw)}${amount} in ${monthWords(round.date.slice(0, 7))}`;
}

/** "seed round of $4.1 million, December 2021", with no word where nothing is known. */
function briefRoundWords(round: Round): string {
  const stage = round.stage === null && round.stageRaw === null ? [] : [stageWords(round.stage, round.stageRaw)];
  const amount = round.amount === null ? [] : [moneyWords(round.amount)];
  return [...stage, ...amount, monthWords(round.date.slice(0, 7))].join(', ');
}
