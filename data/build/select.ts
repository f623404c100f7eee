import { isOfHost } from '../../src/store/matching/resolver.ts';
import { type Company, firmMembers, sourcesOf } from './companies.ts';
import { NO_COMPANIES } from './decisions.ts';
import { type Entry, entryId } from './raw.ts';
import { EDITORS, type Member } from './resolve.ts';

/** Which projects are shipped. The rules are those of data/README.md; each answer is a reason that is counted. */

/** Lists that somebody keeps by hand and that one entry suffices of. */
const CURATED = new Set([
  EDITORS,
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
  'polkadot-apps-config',
  'cardano-portal',
]);

const NO_COMPANY = new Set(NO_COMPANIES.map(([entry]) => entry));

/** Facts of one source that are older than this are not shipped. */
const STALE_BEFORE = '2022-11-22';

/** A longer name is a sentence of its source. */
const NAME_WORDS_MAX = 6;

/** What else is known of a project. */
export interface Standing {
  readonly hasRounds: boolean;
  readonly hasGrants: boolean;
  /** Whether an earlier edition had a record of it. */
  readonly wasShipped: boolean;
}

/** Why a project is not shipped, or null when it is. */
export function reasonToLeaveOut(company: Company, { hasRounds, hasGrants, wasShipped }: Standing): string | null {
  if (company.members.some(({ entry }) => isNoCompany(entry))) return 'no project of a team';
  if (company.members.some(({ entry }) => isTrial(entry))) return 'a placeholder or a demonstration';
  // Addresses that people kept go on working while an open source still lists the project.
  if (hasRounds || (wasShipped && (company.chains.length > 0 || company.github !== null))) return null;
  const members = firmMembers(company);
  const sources = sourcesOf(company);
  // The site of a company that is over goes to others: what the editors know of it stands without one.
  if (company.website === null && isOver(company)) return null;
  if (company.website === null) return 'no website of its own';
  if (company.tags.length === 0 && company.chains.length === 0) return 'neither category nor chain';
  if ((company.name.match(/[\p{L}\p{N}]+/gu) ?? []).length > NAME_WORDS_MAX) return 'a sentence for a name';
  if (!/[a-z]/i.test(company.name)) return 'no name in Latin letters';
  if (sources.size > 1) return null;
  const newest =
    members
      .map(({ entry }) => entry.as_of)
      .sort()
      .at(-1) ?? '';
  if (newest < STALE_BEFORE) return 'one source, older than 48 months';
  if (hasGrants) return null;
  if ([...sources].some((source) => CURATED.has(source))) return null;
  if (sources.has('oss-directory'))
    return members.some(({ entry }) => isOfWeb3(entry)) ? null : 'no source says that it is of Web3';
  if (sources.has('ethereum-lists-chains'))
    return isNotableChain(members) ? null : 'a chain that only the open registry knows';
  return 'one source that anybody can write to';
}

/** What a reader found to be a person or the title of a proposal. */
export const isNoCompany = (entry: Entry): boolean => NO_COMPANY.has(entryId(entry));

/** What somebody entered to try a list, or runs to show a product: "Test Project", "Tanssi Demo". */
export const isTrial = ({ name, website }: Pick<Entry, 'name' | 'website'>): boolean =>
  /^(test|example|sample|demo) (project|app|company|chain)$| (demo|testnet)$/i.test(name) ||
  /^https?:\/\/(www\.)?(test|example)\.(com|org|net)\/?$/.test(website ?? '');

const isOver = ({ stage, members }: Company): boolean =>
  (stage === 'closed' || stage === 'acquired') && members.some(({ entry }) => entry.source === EDITORS);

/** Categories that there are only in this field. */
const OF_WEB3 = new Set(
  `defi dex nft nft-marketplace bridge stablecoin layer-1 layer-2 oracle liquid-staking restaking account-abstraction
  on-off-ramp staking-provider lending yield rwa wallet`.split(/\s+/),
);

function isOfWeb3(entry: Entry): boolean {
  return entry.web3 || entry.derived.some((tag) => OF_WEB3.has(tag));
}

/** Anybody can register a chain: it takes a site named like it, and no word that it is gone. */
function isNotableChain(members: readonly Member[]): boolean {
  return members.some(({ entry, site }) => site !== null && isOfHost(entry.name, site) && entry.status === null);
}
