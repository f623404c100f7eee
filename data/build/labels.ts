/** Tags, chains and tickers in one spelling each. */

const TAG_COUNT_MAX = 8;
/** A description mentions much that a project does not do: more than this is left out. */
const DERIVED_COUNT_MAX = 2;

/** The spelling of each category of the raw facts. */
const TAGS: Readonly<Record<string, string>> = {
  accelerator: 'Accelerator',
  'account-abstraction': 'Account Abstraction',
  accounting: 'Accounting',
  ai: 'AI',
  analytics: 'Analytics',
  'asset-management': 'Asset Management',
  blockchain: 'Blockchain',
  bridge: 'Bridge',
  brokerage: 'Brokerage',
  'centralized-exchange': 'Centralized Exchange',
  compliance: 'Compliance',
  compute: 'Compute',
  'creator-economy': 'Creator Economy',
  custody: 'Custody',
  dao: 'DAO',
  'data-availability': 'Data Availability',
  defi: 'DeFi',
  depin: 'DePIN',
  derivatives: 'Derivatives',
  desci: 'DeSci',
  'developer-tools': 'Developer Tools',
  dex: 'DEX',
  education: 'Education',
  gaming: 'Gaming',
  governance: 'Governance',
  identity: 'Identity',
  indexing: 'Indexing',
  insurance: 'Insurance',
  launchpad: 'Launchpad',
  'layer-1': 'Layer 1',
  'layer-2': 'Layer 2',
  lending: 'Lending',
  'liquid-staking': 'Liquid Staking',
  'market-making': 'Market Making',
  marketplace: 'Marketplace',
  media: 'Media',
  messaging: 'Messaging',
  metaverse: 'Metaverse',
  mining: 'Mining',
  nft: 'NFT',
  'nft-marketplace': 'NFT Marketplace',
  'node-infrastructure': 'Infrastructure',
  'on-off-ramp': 'On and Off Ramp',
  oracle: 'Oracle',
  payments: 'Payments',
  'prediction-market': 'Prediction Market',
  privacy: 'Privacy',
  refi: 'ReFi',
  restaking: 'Restaking',
  rwa: 'RWA',
  'security-audit': 'Security',
  social: 'Social',
  stablecoin: 'Stablecoin',
  'staking-provider': 'Staking',
  storage: 'Storage',
  'supply-chain': 'Supply Chain',
  wallet: 'Wallet',
  yield: 'Yield',
  zk: 'Zero Knowledge',
};

const UNSPELLED = (tag: string): never => {
  throw new Error(`The category ${tag} has no spelling in data/build/labels.ts`);
};

/** Categories that sources state, in one spelling each. */
export const tagsFrom = (stated: readonly string[]): string[] =>
  [...new Set(stated.map((tag) => TAGS[tag] ?? UNSPELLED(tag)))].slice(0, TAG_COUNT_MAX);

/** What a word of a name says about the category, where it can hardly mean anything else. */
const NAME_WORDS: readonly (readonly [words: RegExp, tag: string])[] = [
  [/\bwallets?\b/i, 'wallet'],
  [/(?<!\batomic )\bbridge\b/i, 'bridge'],
  [/swap\b|\bdex\b/i, 'dex'],
  [/\b(lend|lending)\b/i, 'lending'],
  [/\b(pay|payments?)\b/i, 'payments'],
  [/\bnfts?\b/i, 'nft'],
  [/\b(games?|gaming)\b/i, 'gaming'],
  [/\b(sdk|explorer)\b/i, 'developer-tools'],
  [/\b(staking)\b/i, 'staking-provider'],
  [/\bacademy\b/i, 'education'],
  [/\boracles?\b/i, 'oracle'],
  [/\baudits?\b/i, 'security-audit'],
  [/\bid\b|\bidentity\b/i, 'identity'],
  [/\bzk(?=[A-Z\s]|$)|^zk[a-z]/, 'zk'],
  [/DAO\b/, 'dao'],
  [/\bfinance$/i, 'defi'],
  [/\bAI\b/, 'ai'],
  [/\bprivacy\b/i, 'privacy'],
  [/\bperps?\b|\bperpetuals?\b|\boptions\b/i, 'derivatives'],
  [/\b(carbon|climate|regen)\b/i, 'refi'],
  [/\blaunchpad\b/i, 'launchpad'],
  [/\bprediction\b/i, 'prediction-market'],
  [/\bvalidators?\b/i, 'staking-provider'],
  [/\binsurance\b/i, 'insurance'],
  [/\b(marketplace)\b/i, 'marketplace'],
  [/\b(messenger|chat)\b/i, 'messaging'],
  [/\b(metaverse)\b/i, 'metaverse'],
];

/** Categories of descriptions that judged samples found wrong too often to stand on one description. */
const LOOSE = new Set(
  `compliance grants governance custody meme marketplace creator-economy supply-chain layer-1 layer-2 media launchpad
  metaverse compute mining data-availability node-infrastructure security-audit bridge analytics staking-provider`.split(
    /\s+/,
  ),
);

/** The categories that names and descriptions suggest, the surest first: the name, two descriptions, one description. */
export function derivedTags(names: readonly string[], descriptions: readonly (readonly string[])[]): string[] {
  const byName = NAME_WORDS.filter(([words]) => names.some((name) => words.test(name))).map(([, tag]) => tag);
  const all = descriptions.flatMap((tags) => [...new Set(tags)]);
  const twice = all.filter((tag, index) => all.indexOf(tag) !== index);
  const plain = all.filter((tag) => !LOOSE.has(tag));
  const known = [...new Set([...byName, ...twice, ...plain])].filter((tag) => TAGS[tag] !== undefined);
  return known.slice(0, DERIVED_COUNT_MAX);
}

/** Labels that name no chain. */
const NO_CHAINS = new Set(['other', 'native', 'multichain']);

/** What a registry adds to the name of a chain: "Harmony Mainnet Shard 0", "Dexalot Subnet". */
const NETWORK_WORDS = /\s+(?:Mainnets?\b.*|Subnet|Prenet)$/i;

/** The chains of a project, each once. */
export const chainsFrom = (stated: readonly string[]): string[] => [
  ...new Set(
    stated.map((chain) => chain.replace(NETWORK_WORDS, '')).filter((chain) => !NO_CHAINS.has(chain.toLowerCase())),
  ),
];

/** Chains whose name can hardly mean anything else in the name of a project. */
const CHAIN_WORDS: readonly (readonly [words: RegExp, chain: string])[] = [
  [/\bethereum\b/i, 'Ethereum'],
  [/\bbitcoin\b|\blightning network\b/i, 'Bitcoin'],
  [/\bsolana\b/i, 'Solana'],
  [/\bcardano\b/i, 'Cardano'],
  [/\bpolkadot\b/i, 'Polkadot'],
  [/\bstarknet\b/i, 'Starknet'],
  [/\bstellar\b|\bsoroban\b/i, 'Stellar'],
  [/\bfilecoin\b/i, 'Filecoin'],
  [/\bmonero\b|\bmonerujo\b|\bmonero[a-z]+\b/i, 'Monero'],
  [/\bzcash\b/i, 'Zcash'],
  [/\btezos\b/i, 'Tezos'],
  [/\barbitrum\b/i, 'Arbitrum'],
];

/** The chains that a name has in it: only where no source states one. */
export const chainsOfName = (name: string): string[] =>
  CHAIN_WORDS.filter(([words]) => words.test(name)).map(([, chain]) => chain);

/** Tickers that others pay with: a chain or a firm that lists one of them has not issued it. */
const COMMON_TICKERS = new Set(
  `ETH WETH BTC WBTC RBTC USD USDC USDT DAI USDE BNB MATIC POL TIA SOL AVAX DOT ATOM FIL FTM SFUEL STETH EURE EURC XDAI
  XRP TRX DOGE BCH LTC OAS QKC ONE FLOW CRO METIS IMX CHZ OKB GT SATS APE PI`.split(/\s+/),
);
/** Names under which the issuer of such a ticker is known. */
const ISSUERS: Readonly<Record<string, string>> = {
  BNB: 'bnb',
  POL: 'polygon',
  MATIC: 'polygon',
  TIA: 'celestia',
  SOL: 'solana',
  AVAX: 'avalanche',
  DOT: 'polkadot',
  ATOM: 'cosmos',
  FIL: 'filecoin',
  FTM: 'fantom',
  OAS: 'oasys',
  QKC: 'quarkchain',
  ONE: 'harmony',
  FLOW: 'flow',
  CRO: 'cronos',
  METIS: 'metis',
  IMX: 'immutable',
  CHZ: 'chiliz',
  OKB: 'ok',
  GT: 'gate',
  XRP: 'xrp',
  TRX: 'tron',
  ETH: 'ethereum',
  USDC: 'circle',
  USDT: 'tether',
  DAI: 'maker',
  APE: 'ape',
};

/** Whether a project of this name can have issued the ticker. */
export function isIssuer(ticker: string, foldedName: string): boolean {
  const upper = ticker.toUpperCase();
  return !COMMON_TICKERS.has(upper) || foldedName.startsWith(ISSUERS[upper] ?? '-');
}
