/** What a reader decided by hand, each with its reason; a script cannot see that two firms share a name. */

/** Entries that are one project although no rule says so: [entry, other entry, reason]. */
export const SAME_PROJECTS: readonly (readonly [entry: string, other: string, reason: string])[] = [
  ['base-ecosystem:0xSplits', 'oss-directory:0x-splits', 'the former address of Splits'],
  ['base-ecosystem:JokeRace', 'oss-directory:jokerace-jk-labs-inc', 'jokerace.xyz is its former address'],
  ['base-ecosystem:0x', 'oss-directory:0xproject', 'the protocol and the API have one maker, 0x Labs'],
  ['base-ecosystem:Contango', 'oss-directory:contango-xyz', 'contango.xyz is also its account on GitHub'],
  ['valora-dapp-list:curve', 'oss-directory:curve', 'curve.fi moved to curve.finance'],
  ['ccxt:dydx', 'oss-directory:dydx', 'dYdX has both addresses'],
  ['berachain-metadata:Frax Finance', 'oss-directory:fraxfinance', 'frax.finance moved to frax.com'],
  ['base-ecosystem:KyberSwap', 'oss-directory:kyber-swap', 'the exchange of Kyber Network'],
  ['base-ecosystem:Moralis', 'oss-directory:moralisweb3', 'moralis.io moved to moralis.com'],
  ['base-ecosystem:Morpho', 'oss-directory:morpho-org', 'morpho.xyz moved to morpho.org'],
  ['base-ecosystem:Ormi Labs', 'oss-directory:ormi-labs', 'one name that nobody else bears'],
  ['chain-registry:routerchain', 'oss-directory:router-protocol', 'the chain of Router Protocol'],
  ['base-ecosystem:Uniswap', 'oss-directory:uniswap', 'uniswap.org and uniswap.com are both its own'],
  ['base-ecosystem:Valora', 'oss-directory:valora-inc', 'the wallet and its maker'],
  ['yc-directory:cointracker', 'base-ecosystem:CoinTracker', 'cointracker.io and cointracker.com are both its own'],
  ['polkadot-apps-config:phala', 'web3privacy-list:https://phala.com/', 'phala.network moved to phala.com'],
  ['yc-directory:stackup', 'oss-directory:stackup', 'its account on X is stackup_fi, its other address stackup.fi'],
  ['ethereum-lists-chains:eip155:13396', 'base-ecosystem:Masa', 'masa.finance moved to masa.ai'],
  ['web3privacy-list:https://masq.ai', 'base-ecosystem:MASQ Network', 'the browser of the MASQ network'],
  ['ethereum-lists-chains:eip155:5555555', 'chain-registry:imversed', 'the EVM side of the same chain'],
  ['starknet-ecosystem:c41a169e-7158-46ac-855f-6ddb43ece9ba', 'oss-directory:arkham-ex', 'Arkham Intel is its product'],
  ['base-ecosystem:Rabby Wallet', 'oss-directory:rabbyhub', 'one site and one wallet'],
  ['base-ecosystem:QuestN', 'oss-directory:quest-3', 'Quest3 renamed itself QuestN'],
  ['base-ecosystem:Mint.fun', 'oss-directory:mintdotfun', 'one site; the other name is misspelt'],
  ['web3privacy-list:https://rarimo.com//', 'oss-directory:rarimo', 'one site and one account; Rarify Labs makes it'],
  ['l2beat:cyber', 'oss-directory:cyberconnecthq', 'CyberConnect renamed itself Cyber; one account'],
  ['ethereum-lists-chains:eip155:7560', 'oss-directory:cyberconnecthq', 'the chain of Cyber'],
  ['base-ecosystem:Exodus', 'oss-directory:exodusmovement', 'one site; Exodus Movement is the firm'],
  [
    'essential-cardano:https://www.exodus.com/',
    'oss-directory:exodusmovement',
    'one site; Exodus Movement is the firm',
  ],
  ['base-ecosystem:Common', 'oss-directory:hicommonwealth', 'Commonwealth renamed itself Common; one site'],
  ['l2beat:optimism', 'oss-directory:optimism', 'OP Mainnet is the chain of Optimism; one site and account'],
  ['l2beat:zklighter', 'oss-directory:lighter-dex', 'one site; the exchange and its rollup'],
  ['ethereum-lists-chains:eip155:70700', 'l2beat:popapex', 'the chain Apex of Proof of Play'],
  ['announcements:civic', 'base-ecosystem:Civic', 'one name that nobody else bears'],
  ['oss-directory:crossmint', 'base-ecosystem:Crossmint', 'one name that nobody else bears'],
  ['oss-directory:dimo-network', 'base-ecosystem:DIMO', 'one name that nobody else bears'],
  ['announcements:goldsky', 'base-ecosystem:Goldsky', 'one name that nobody else bears'],
  ['base-ecosystem:UMA', 'oss-directory:umaprotocol', 'umaproject.org moved to uma.xyz'],
  ['announcements:backpack', 'ccxt:backpack', 'the exchange of the wallet'],
  [
    'web3privacy-list:https://www.manta.network',
    'oss-directory:manta-network',
    'Manta Pacific is the rollup of Manta Network',
  ],
  ['base-ecosystem:HERE Wallet', 'oss-directory:here-wallet', 'HOT is the later name of the wallet'],
  ['base-ecosystem:Thales', 'oss-directory:thales', 'thalesmarket.io moved to thales.io'],
  ['ethereum-lists-chains:eip155:163', 'web3privacy-list:https://lightstreams.network', 'the explorer of its chain'],
  ['l2beat:lyra', 'oss-directory:derivexyz', 'Lyra renamed itself Derive; Lyra Chain is its rollup'],
  ['chain-registry:dungeon1', 'chain-registry:dungeon', 'one chain under two identifiers'],
  ['base-ecosystem:Overtime', 'oss-directory:thales', 'Thales renamed itself Overtime'],
  [
    'web3privacy-list:https://www.privasea.ai',
    'web3privacy-list:https://www.privasea.tech',
    'one project; the list has both of its sites',
  ],
  ['web3privacy-list:https://blog.xmtp.com/lens-dms-with-xmtp', 'base-ecosystem:XMTP', 'its messages in Lens'],
  ['w3f-grants:applications/new-order.md', 'oss-directory:standardweb3', 'standard.tech moved to standardweb3.com'],
  [
    'berachain-metadata:TWIN Finance',
    'oss-directory:twin-finance',
    'shares as tokens on Berachain; twinfinance.io is its app',
  ],
  ['base-ecosystem:tide protocol', 'oss-directory:tide-protocol-fiveelementslabs', 'fiveelementslabs.com is its maker'],
];

/** Names that a source misspells, or has a title for, by the entry. */
export const ENTRY_NAMES: Readonly<Record<string, string>> = {
  'l2beat:aptos': 'Aptos Bridge',
  'base-ecosystem:Elsa: AI Crypto Copilot': 'Elsa',
  'oss-directory:bondhive-onchain-fixed-deposit': 'BondHive',
  'oss-directory:dedge-project': 'ES4D',
  'oss-directory:defindex-paltalabs': 'DeFindex',
  'oss-directory:easya': 'EasyA',
  'oss-directory:egg-wars': 'Egg Wars',
  'oss-directory:gearup-marketplace': 'Gearup',
  'oss-directory:idunu-help-kids-thrive': 'IDUNU',
  'oss-directory:op-ai-web-asharibali': 'Optimism AI',
  'oss-directory:ora-io': 'ORA',
  'oss-directory:solarpunk-dao': 'Solarpunk DAO',
  'oss-directory:tip-me': 'tip me',
  'oss-directory:yohakuxyz': 'Yohaku',
  'starknet-ecosystem:b25c0d6d-f971-4c3c-941c-0231d0c92b49': 'Starknet Foundry',
  'ethereum-lists-chains:eip155:96': 'Bitkub Chain',
  'oss-directory:mintdotfun': 'Mint.fun',
  'oss-directory:allbridge': 'Allbridge',
  'oss-directory:basepaint': 'BasePaint',
  'oss-directory:fairblock': 'Fairblock',
  'oss-directory:growthepie': 'growthepie',
  'oss-directory:idena-network': 'Idena',
  'oss-directory:jokerace-jk-labs-inc': 'JokeRace',
  'oss-directory:phi-labs-inc': 'Phi Labs',
  'w3f-grants:applications/choko_wallet.md': 'SkyeKiwi',
  'oss-directory:blockeden-xyz': 'BlockEden.xyz',
  'oss-directory:dapplooker': 'DappLooker',
  'oss-directory:decentrio': 'Decentrio',
  'oss-directory:infrastructure-support-liquify': 'Liquify',
  'oss-directory:labdao': 'LabDAO',
  'oss-directory:lightecho-stellar-oracle': 'Lightecho',
  'oss-directory:skyhitz': 'Skyhitz',
  'oss-directory:soroban-explorer': 'Soroban Explorer',
  'oss-directory:sorosplits': 'SoroSplits',
  'polkadot-apps-config:robonomics#2': 'Robonomics',
};

/** Entries that are no project of a team: [entry, reason]. */
export const NO_COMPANIES: readonly (readonly [entry: string, reason: string])[] = [
  ['oss-directory:adaptiveresources', 'the title of a proposal, under a name that nobody bears'],
  ['oss-directory:drewpackages', 'the site of one person'],
  ['oss-directory:wp-rainbow-davisshaver', 'the site of one person, who wrote a plug-in'],
  ['w3f-grants:applications/ink-analyzer-phase-2.md', 'a person who applied for grants'],
  ['w3f-grants:applications/ink-analyzer.md', 'a person who applied for grants'],
];

/** Accounts on X of others than the one project that gives them: [account, reason]. */
export const ACCOUNTS_OF_OTHERS: ReadonlyMap<string, string> = new Map([
  ['pikefinance', 'the account of Pike, which NUTS Finance made'],
  ['celoorg', 'the account of Celo, whose bridge Optics was'],
]);

/** Entries that are two projects although a rule says otherwise: [entry, other entry, reason]. */
export const DIFFERENT_PROJECTS: readonly (readonly [entry: string, other: string, reason: string])[] = [
  [
    'oss-directory:waterfall-foundation',
    'editors:arbitrum',
    'a network of its own that is listed under the name Arbitrum',
  ],
];

/** Names under which registers of grants have a company of the set without its key: [name, entry, reason]. */
export const GRANTED_AS: readonly (readonly [name: string, entry: string, reason: string])[] = [
  ['Bankless', 'editors:bankless', 'the newsletter took part in the rounds of Gitcoin from 2020 on'],
  ['LlamaPay', 'editors:llamapay', 'the register has the directory of its makers as the project'],
];

/** What a form of applications calls a team that left the line as it was. */
export const NO_ORGANIZATIONS = new Set([
  'open',
  'exampleproject',
  'polkadotoverview',
  'projectdescription',
  'projectname',
  'team',
  'teamname',
  'individual',
  'na',
  'none',
  'general',
  'name',
]);

/** Names of events as their organisers write them, by the name of the listing. */
export const EVENT_NAMES: Readonly<Record<string, string>> = {
  'Ethereum Community Conference': 'EthCC',
  'Ethereum Community Conference 4 (EthCC) - Paris': 'EthCC 4',
  'DEV CON 0': 'Devcon 0',
  'DΞVCON 1': 'Devcon 1',
  'devcon two': 'Devcon 2',
  'devcon three': 'Devcon 3',
  'Devcon iv.': 'Devcon 4',
  'Devcon V': 'Devcon 5',
  'Devcon VI': 'Devcon 6',
  'Devcon 7 - Southeast Asia': 'Devcon 7',
  'Hong Kong (2015)': 'Scaling Bitcoin Hong Kong 2015',
  'Milan (2016)': 'Scaling Bitcoin Milan 2016',
  'Montreal (2015)': 'Scaling Bitcoin Montreal 2015',
  'Stanford (2017)': 'Scaling Bitcoin Stanford 2017',
  'Tel Aviv (2019)': 'Scaling Bitcoin Tel Aviv 2019',
  'Tokyo (2018)': 'Scaling Bitcoin Tokyo 2018',
  'Magicalcryptoconference 2019': 'Magical Crypto Conference 2019',
  '2020 Stanford': 'Coordination of Decentralized Finance Workshop 2020',
  'IACR Crypto': 'IACR Crypto 2021',
  'Sr 004': 'Satoshi Roundtable 2018',
  'Vdf Day 2019': 'VDF Day 2019',
  'Realworldcrypto 2018': 'Real World Crypto 2018',
  'Realworldcrypto 2021': 'Real World Crypto 2021',
  // A later version of the calendar has it under the other name, with the same days and city.
  ETHMexicoCity: 'ETHMexico',
};

/** What editions are called beside their number, as in the name of a listing. */
export const EVENT_ALIASES: Readonly<Record<string, readonly string[]>> = {
  'Devcon 7': ['Devcon SEA', 'Devcon Southeast Asia'],
  'ETHMexico 2022': ['ETHMexicoCity 2022'],
};

/** Listings that are no events of this field. */
export const NO_EVENTS = new Set([
  'Example Event 2023',
  // Its dates are those of the year before; the edition is listed again with its own.
  'Ethereum Community Conference 5 (EthCC)',
  'Example Event',
  'Devcon Test Event',
  'CPPcon 2017',
  'CPPcon 2020',
  'This is old, should not display',
  // Concerts and shows that a week's calendar lists beside its events.
  'I Hate Models /FR',
  'Wax Tailor /FR',
  'BassLayerz /UK',
  'Prague Quadrennial',
  'Prague Quadrennial 2023',
  'Maker Faire Prague',
  'Maker Faire Prague 2023',
]);

/** Announcements that are of no funding round: [address, reason]. */
export const NO_ROUNDS: readonly (readonly [announcement: string, reason: string])[] = [
  ['https://twitter.com/tropoFarmer/status/1632878991089475584', 'what Yuga Labs sold at an auction'],
  ['https://twitter.com/CertiKTech/status/1517893807127285768', 'the total of the rounds of CertiK until then'],
  [
    'https://www.theblockcrypto.com/post/150377/blockfi-is-raising-a-down-round-at-1-billion-valuation-sources',
    'a round that BlockFi was said to seek',
  ],
  [
    'https://fintech.global/2017/08/09/filecoin-raises-more-than-257m-in-ico/',
    'the page of the ICO of Filecoin, which announces no seed round of $120,000',
  ],
];

/** What a list says otherwise than the announcement that it names: the round by its address, what is so, and the reason. */
export const CORRECTED_ROUNDS: readonly (readonly [announcement: string, change: RoundChange, reason: string])[] = [
  [
    'https://decrypt.co/34991/parafi-invests-defi-lending-protocol',
    { leads: ['ParaFi Capital'], investors: ['ParaFi Capital'] },
    'the page is of what ParaFi bought; the two others bought a week later, which is a round of its own',
  ],
  [
    'https://www.theblock.co/post/157089/a16z-and-variant-lead-18-million-round-into-defi-lending-protocol-morpho',
    { leads: ['Andreessen Horowitz (a16z crypto)', 'Variant'], more: ['Variant'] },
    'its address names Variant beside a16z as a lead',
  ],
  [
    'https://marketexclusive.com/israeli-blockchain-startup-starkware-raises-30-million-in-series-a-round-with-funding-from-coinbase-intel-capital/2018/10/',
    { more: ['Intel Capital'] },
    'its address names Intel Capital',
  ],
  [
    'https://cointelegraph.com/news/blockchain-network-nucypher-raises-over-10m-from-bitmain-y-combinator',
    { more: ['Y Combinator'] },
    'its address names Y Combinator',
  ],
];

/** Rounds that their only announcement disclosed long after the money was raised: [address, reason]. */
export const DISCLOSED_LATER: readonly (readonly [announcement: string, reason: string])[] = [
  [
    'https://x.com/shayne_coplan/status/1975567505834840503',
    'Polymarket told of two earlier rounds on the day of the investment of Intercontinental Exchange',
  ],
];

export interface RoundChange {
  readonly leads?: readonly string[];
  readonly investors?: readonly string[];
  /** Investors beside those of the list. */
  readonly more?: readonly string[];
}

/** Investors that are also companies of the set, so that what sources state of the one is true of the other: [name, slug, reason]. */
export const INVESTING_COMPANIES: readonly (readonly [name: string, slug: string, reason: string])[] = [
  ['Animoca Brands', 'animoca-brands', 'the maker of games invests itself'],
  ['Arbitrum Foundation', 'arbitrum-foundation', 'it gives the grants of Arbitrum'],
  ['clr.fund', 'clr-fund', 'it pays out the rounds of its own protocol'],
  ['Consensys', 'consensys', 'the maker of MetaMask invests itself'],
  ['Galaxy Digital', 'galaxy-digital', 'the listed firm invests itself'],
  ['Mask Network', 'mask-network', 'the project invests itself'],
  ['Outlier Ventures', 'outlier-ventures', 'an accelerator that also publishes code'],
  ['Protocol Labs', 'protocol-labs', 'the maker of Filecoin invests itself'],
  ['Yield Guild Games', 'yield-guild-games', 'the guild invests itself'],
];

/** Names under which announcements mention an investor that has another: [name, the other, reason]. */
export const SAME_INVESTORS: readonly (readonly [name: string, other: string, reason: string])[] = [
  ['A.Capital Ventures', 'A Capital', 'one firm; lists of one round name it both ways'],
  ['Addition', 'Addition Capital', 'one firm; a list of one round names it both ways'],
  ['Arrington XRP Capital', 'Arrington Capital', 'its name before it dropped XRP from it'],
  ['ConsenSys Ventures', 'Consensys', 'the arm through which it invested'],
  ['Divergence Ventures', 'Divergence', 'one firm; lists of two rounds name it both ways'],
  ['Finality Capital Partners', 'Finality Capital', 'with and without Partners; nobody else bears the name'],
  ['Future Perfect Venture', 'Future Perfect Ventures', 'misspelt'],
  ['GreenField One', 'Greenfield Capital', 'one firm with one site, which dropped One from its name'],
  ['GV', 'Google Ventures', 'its short name'],
  ['Hypershere', 'Hypersphere', 'misspelt'],
  ['CGV Capital', 'GGV Capital', 'misspelt in the round of Animoca Brands that GGV co-led'],
  ['Jinglian Wang', 'Jinglan Wang', 'misspelt'],
  ['Kenetic Capital', 'Kenetic', 'one firm; a list of one round names it both ways'],
  ['KR1', 'KR1 plc', 'PLC is its legal form; lists of one round name it both ways'],
  ['Kora Management LP', 'Kora Management', 'LP is its legal form'],
  ['Lattice Capital', 'Lattice Fund', 'the firm and its fund; lists of two rounds name it both ways'],
  ['Libertas Capital', 'Libertus Capital', 'misspelt'],
  ['Lightspeed Ventures', 'Lightspeed Venture Partners', 'short for it'],
  ['North Island VC', 'North Island Ventures', 'VC is short for Ventures; nobody else bears the name'],
  ['Ribit Capital', 'Ribbit Capital', 'misspelt'],
  ['Paladin Captal Group', 'Paladin Capital Group', 'misspelt'],
  ['01A', '01 Advisors', 'its short name'],
  ['Accomplice Blockchain', 'Accomplice', 'its team for blockchains'],
  ['Amex Ventures', 'American Express Ventures', 'its short name'],
  ['Bain Crypto', 'Bain Capital Crypto', 'short for it'],
  ['Bessemer Ventures', 'Bessemer Venture Partners', 'short for it'],
  ['Bond', 'Bond Capital', 'short for it'],
  ['Coingecko', 'CoinGecko', 'another case'],
  ['DCVC', 'Data Collective DCVC', 'its short name'],
  ['DST', 'DST Global', 'short for it'],
  ['Franklin Templeton Investments', 'Franklin Templeton', 'its former full name'],
  ['Greylock Partners', 'Greylock', 'with and without Partners; nobody else bears the name'],
  ['Institutional Venture Partners', 'IVP', 'its long name'],
  ['Jane Street Capital', 'Jane Street', 'with and without Capital; nobody else bears the name'],
  ['L1D', 'L1 Digital', 'its short name'],
  ['LuneX Ventures', 'Lunex', 'with and without Ventures'],
  ['Neo Global Capital', 'NGC Ventures', 'its long name'],
  ['NorthZone', 'Northzone', 'another case'],
  ['Point Nine', 'Point Nine Capital', 'short for it'],
  ['Rockaway Blockchain Fund', 'RockawayX', 'its name until 2022'],
  ['Seven Seven Six', 'Seven Seven Six Ventures', 'short for it'],
  ['Shrug VC', 'Shrug Capital', 'one firm, both ways'],
  ['SoftBanks Vision Fund 2', 'SoftBank Vision Fund 2', 'misspelt'],
  ['Woodstock', 'Woodstock Fund', 'short for it'],
  ['Binance Labs', 'YZi Labs', 'its name until January 2025'],
  ['Alameda Ventures', 'Alameda Research', 'the name under which it invested'],
  ['FTX Fund', 'FTX Ventures', 'short for it'],
  ['OKX Blockdream Ventures', 'OKX Ventures', 'its former name'],
  ['Fidelity Management', 'Fidelity Investments', 'short for its company that manages funds'],
  ['Fidelity Management and Research Company', 'Fidelity Investments', 'its company that manages funds'],
  ['SoftBank Fund', 'SoftBank Vision Fund 2', 'each of the four rounds that lists give it was one of the second fund'],
];

/** Investors with like names that are two: [name, the other, reason]. */
export const DIFFERENT_INVESTORS: readonly (readonly [name: string, other: string, reason: string])[] = [
  ['Bain Capital Crypto', 'Bain Capital Ventures', 'two funds of one house, each with its own team and money'],
  ['D1 Ventures', 'D1 Capital Partners', 'a crypto fund and a hedge fund of New York'],
  ['Delphi Digital', 'Delphi Ventures', 'the research firm, and the fund that its founders run apart from it'],
  ['Galaxy Digital', 'Galaxy Interactive', 'the bank, and the fund for games that it manages for others'],
  ['Galaxy Digital', 'Galaxy Ventures', 'the bank, and the fund that it manages for others'],
  ['Gate Labs', 'Gate Ventures', 'two arms of one exchange; no list names both in one round'],
  ['Jump Crypto', 'Jump Capital', 'the trading arm for crypto, and the venture fund'],
  ['Jump Crypto', 'Jump Trading', 'the arm, and the house, which invested before there was the arm'],
  ['Matrix Partners', 'Matrix Capital Management', 'a venture firm and a hedge fund of Boston without a link'],
  ['Morgan Creek Capital', 'Morgan Creek Digital', 'the house, and its fund for digital assets'],
  ['SoftBank', 'SoftBank Vision Fund 2', 'the house, and one of its funds'],
  ['Protocol Labs', 'Protocol Ventures', 'the maker of Filecoin, and a fund of funds without a link to it'],
];

/**
 * Investors that announcements name like a company or person of the set, which they are not: [name, their name here, reason, the company of
 * the only round meant, if not of all].
 */
export const NAMESAKES: readonly (readonly [name: string, other: string, reason: string, company?: string])[] = [
  ['Apollo', 'Apollo Global Management', 'the manager of funds in New York, not the DeFi project of Bengaluru'],
  ['Backed', 'Backed (investor)', 'the lender against NFTs was founded after the first of these rounds'],
  ['Bill Lee', 'Bill Lee (investor)', 'one who funded BitGo in 2014, not the member of the team of Keystone'],
  ['Compound', 'Compound VC', 'the venture firm of New York, not the lending protocol'],
  ['Immutable', 'Immutable Capital', 'the fund, not the maker of games', 'alchemix'],
  ['Manifold', 'Manifold Trading', 'the trading firm, not the studio for NFTs'],
];

/** Rounds that say otherwise than the address of their announcement, as it should be: [slug, reason]. */
export const AS_ANNOUNCED_OTHERWISE: readonly (readonly [slug: string, reason: string])[] = [
  ['layerzero-seed-2021-04-01', 'the page of its Series A, which names the seed round before it'],
  [
    'eclipse-pre-seed-2022-09-01',
    'the page gives the sum of the pre-seed round of $6 million and the seed round of $9 million',
  ],
  ['m-0-seed-2023-03-31', 'the page of its Series A, which names the seed round before it'],
  ['matter-labs-series-a-2021-03-01', 'the page of its Series C, which names the rounds before it'],
  ['coin-metrics-seed-2019-02-01', 'the page of its Series A, which names the seed round before it'],
  ['merkle-science-series-a-2022-08-09', 'the address gives the whole Series A, of which the round is the extension'],
  ['bvnk-series-b-2024-12-01', 'the address gives the valuation'],
  ['bitpay-round-2013-01-07', 'the address rounds $510,000'],
  ['zora-round-2022-05-05', 'Katie Haun’s fund is Haun Ventures'],
  ['quicknode-seed-2021-05-27', 'Alexis Ohanian’s firm is Seven Seven Six'],
  ['sorare-seed-2020-07-16', 'e.ventures renamed itself Headline'],
  ['dappradar-seed-2019-09-05', 'Naspers Ventures is the arm of Prosus and Naspers'],
];
