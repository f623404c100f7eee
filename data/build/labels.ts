import { nameKey } from './text.ts';

/** Tags and chains in one spelling each. */

const TAG_COUNT_MAX = 8;

/** Source labels by their canonical tag; an empty list drops a label that says nothing. */
const TAGS: Readonly<Record<string, readonly string[]>> = {
  Infrastructure: ['infrastructure', 'blockchain infrastructure'],
  DeFi: ['defi'],
  'Layer 1': ['l1', 'layer 1'],
  'Layer 2': ['l2', 'eth layer 2'],
  Scaling: ['scaling', 'scaling solution'],
  Blockchain: ['blockchain', 'l1/l2'],
  'Centralized Exchange': ['centralized exchange', 'cex'],
  'Zero Knowledge': ['zk', 'zero knowledge industry'],
  'Smart Contracts': ['smart contracts', 'smart contract platform'],
  'Liquid Staking': ['liquid staking protocol'],
  'RPC and Indexing': ['rpc/indexing'],
  'Developer Tools': ['developer', 'developer tools'],
  'Prediction Market': ['prediction market', 'predictions'],
  'Supply Chain': ['supplychain'],
  'Real Estate': ['real estate', 'property/realestate'],
  'Decentralized Identity': ['did'],
  'IT Services': ['services(it)'],
  Identity: ['identity', 'digital identity'],
  Wallet: ['wallet', 'wallets'],
  Gaming: ['game', 'gaming'],
  Social: ['social', 'social platform', 'social and communications'],
  'Smart Contract Security': ['smart contract security'],
  'Smart Contract Audits': ['smart contract audits'],
  Oracle: ['oracle', 'oracles'],
  Bridge: ['bridge', 'bridges'],
  Storage: ['storage', 'datastorage'],
  Data: ['data', 'data management'],
  DAO: ['dao infrastructure'],
  Research: ['research and development'],
  Agriculture: ['ag'],
  GPU: ['gpus'],
  Tax: ['taxes'],
  AI: ['ai'],
  VPN: ['vpn'],
  FHE: ['fhe'],
  MPC: ['mpc'],
  TEE: ['tee'],
};

const DROPPED_TAGS = new Set(
  ['platform', 'applications', 'alternatives', 'services', 'b2b', 'consumer', 'claims', 'green', 'nft community'].map(
    nameKey,
  ),
);

/** Words for the same thing that people type; added where there is room. */
const SYNONYMS: Readonly<Record<string, string>> = {
  'Centralized Exchange': 'CEX',
  'Layer 1': 'L1',
  'Layer 2': 'L2',
  'Zero Knowledge': 'ZK',
  RWA: 'Real-World Assets',
};

const canonicalTags = new Map(
  Object.entries(TAGS).flatMap(([tag, labels]) => labels.map((label) => [nameKey(label), tag] as const)),
);

/** The tags of a company: one spelling for each idea, the plainer synonym last, at most eight. */
export function tagsFrom(labels: readonly string[]): string[] {
  const known = labels
    .filter((label) => !DROPPED_TAGS.has(nameKey(label)))
    .map((label) => canonicalTags.get(nameKey(label)) ?? label.charAt(0).toUpperCase() + label.slice(1));
  const tags = [...new Set(known)].filter((tag) => !(tag === 'Exchange' && known.includes('Centralized Exchange')));
  const synonyms = tags.flatMap((tag) => SYNONYMS[tag] ?? []);
  return [...new Set([...tags, ...synonyms])].slice(0, TAG_COUNT_MAX);
}

/** Tags that are no synonym of another one in the list, for sentences. */
export function saidTags(tags: readonly string[]): string[] {
  const synonyms = new Set(tags.map((tag) => SYNONYMS[tag]));
  return tags.filter((tag) => !synonyms.has(tag));
}

const CHAINS: Readonly<Record<string, string>> = {
  bsc: 'BNB Chain',
  bnb: 'BNB Chain',
  near: 'NEAR',
  starknet: 'Starknet',
  iotex: 'IoTeX',
  vechain: 'VeChain',
  icp: 'Internet Computer',
  secret: 'Secret Network',
  zksync: 'zkSync',
  peaq: 'peaq',
};

/** Labels that name no chain. */
const NO_CHAINS = new Set(['other', 'native', 'multichain']);

/** The chains of a company, in one spelling each. */
export function chainsFrom(labels: readonly string[]): string[] {
  const named = labels.filter((label) => !NO_CHAINS.has(nameKey(label)));
  return [...new Set(named.map((label) => CHAINS[nameKey(label)] ?? label))];
}
