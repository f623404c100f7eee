import { countryCode, countryNames, regionOf } from './countries.ts';
import { foldName } from './names.ts';
import { COMPANY_STATUSES, EVENT_TYPES, FUNDING_STAGES, INVESTOR_TYPES } from './vocabulary.ts';

/** How values of a field are normalized: spellings with the same key are the same value. */
export interface Facet {
  /** The key of a value given as any spelling, code, ticker or common synonym. Empty only for empty text. */
  key(text: string): string;
  /** The keys of a value that is a group, such as a region. Undefined for a single value. */
  group?(text: string): readonly string[] | undefined;
  /** Whether a key belongs to the vocabulary, even if no record has it. */
  isKnown(key: string): boolean;
  readonly closed?: readonly string[];
}

export type FacetKind = keyof typeof facets;

type Synonyms = Readonly<Record<string, readonly string[]>>;

/** Tickers and other names of chains, by folded name. */
const CHAINS: Synonyms = {
  algorand: ['algo'],
  aptos: ['apt'],
  arbitrum: ['arb', 'arbitrumone'],
  arweave: ['ar'],
  avalanche: ['avax', 'avalanchecchain'],
  base: ['basechain', 'basemainnet'],
  bitcoin: ['比特币', 'btc', 'xbt'],
  bitcoincash: ['bch'],
  bnbchain: ['bnb', 'bsc', 'bnbsmartchain', 'binancesmartchain', 'binancechain', 'bep20'],
  cardano: ['ada'],
  cosmos: ['atom', 'cosmoshub'],
  cronos: ['cro'],
  dogecoin: ['doge'],
  elrond: ['egld', 'multiversx'],
  ethereum: ['以太坊', 'eth', 'ether', 'erc20', 'ethereummainnet'],
  ethereumclassic: ['etc'],
  fantom: ['ftm'],
  filecoin: ['fil'],
  gnosis: ['gno', 'xdai', 'gnosischain'],
  harmony: ['one'],
  hedera: ['hbar'],
  helium: ['hnt'],
  injective: ['inj'],
  internetcomputer: ['icp', 'dfinity'],
  iotex: ['iotx'],
  kadena: ['kda'],
  klaytn: ['klay', 'kaia'],
  litecoin: ['ltc'],
  monero: ['xmr'],
  moonbeam: ['glmr'],
  moonriver: ['movr'],
  near: ['nearprotocol'],
  nervos: ['ckb', 'nervosnetwork'],
  optimism: ['op', 'opmainnet'],
  polkadot: ['波卡', 'dot'],
  polygon: ['matic', 'pol', 'polygonpos', 'maticnetwork'],
  ripple: ['xrp', 'xrpl', 'xrpledger'],
  secretnetwork: ['scrt', 'secret'],
  solana: ['索拉纳', 'sol'],
  stacks: ['stx'],
  starknet: ['strk'],
  stellar: ['xlm'],
  tezos: ['xtz'],
  thorchain: ['rune'],
  ton: ['toncoin', 'theopennetwork'],
  tron: ['trx'],
  vechain: ['vet'],
  zcash: ['zec'],
  zksync: ['zksyncera'],
};

export const CHAIN_NAMES: readonly string[] = Object.keys(CHAINS);

/** Abbreviations and other names of tags, by folded singular name. */
const TAGS: Synonyms = {
  accounting: ['tax', 'taxsoftware'],
  analytic: ['数据分析', 'analitica', 'analytik', 'analytique', 'blockchainanalytic', 'onchainanalytic'],
  artificialintelligence: ['人工智能', 'ai', 'aiagent', 'decentralizedai'],
  bridge: ['跨链桥', 'puente', 'brucken', 'pont', 'crosschain', 'crosschainbridge'],
  centralizedexchange: ['中心化交易所', 'cex', 'cexe', 'centralisedexchange'],
  centralizedfinance: ['cefi'],
  compliance: ['aml', 'regtech'],
  compute: ['decentralizedcompute', 'computing'],
  dapp: ['decentralizedapp', 'decentralizedapplication'],
  decentralizedautonomousorganization: ['dao'],
  decentralizedexchange: ['去中心化交易所', 'dex', 'dexe', 'decentralisedexchange'],
  decentralizedfinance: ['去中心化金融', 'defi', 'openfinance'],
  decentralizedidentity: ['did', 'ssi', 'selfsovereignidentity'],
  depin: ['decentralizedphysicalinfrastructure', 'physicalinfrastructure'],
  derivative: ['衍生品', 'derivado', 'derivat', 'derive', 'perp', 'perpetual', 'perpetualfuture', 'perpetualswap'],
  developertool: ['devtool', 'devtooling', 'developertooling'],
  gaming: [
    '游戏',
    'juego',
    'jogo',
    'spiele',
    'jeux',
    'game',
    'gamefi',
    'web3game',
    'web3gaming',
    'blockchaingame',
    'blockchaingaming',
  ],
  infrastructure: ['基础设施', 'infraestructura', 'infrastruktur', 'infra', 'blockchaininfrastructure'],
  internetofthing: ['iot'],
  identity: ['身份', 'identidad', 'identitat', 'identite'],
  layer1: ['l1', 'l1s', 'layerone'],
  layer2: ['l2', 'l2s', 'layertwo', 'rollup', 'layer2rollup'],
  machinelearning: ['ml'],
  mining: ['miner', 'bitcoinminer', 'bitcoinmining', 'cryptomining', 'mineria', 'mineracao', 'minage'],
  nftmarketplace: ['nftmarket'],
  nonfungibletoken: ['nft'],
  onandofframp: ['onramp', 'offramp', 'onofframp', 'fiatonramp', 'fiatofframp'],
  oracle: ['预言机', 'oraculo', 'orakel'],
  realworldasset: ['rwa', 'tokenization', 'tokenisation', 'tokenizedasset', 'rwatokenization'],
  privacy: ['隐私', 'privacidad', 'datenschutz', 'confidentialite'],
  security: ['安全', 'seguridad', 'sicherheit', 'securite', 'blockchainsecurity', 'auditor', 'securityauditor'],
  social: ['社交', 'socialnetwork', 'socialmedia', 'socialfi', 'decentralizedsocialnetwork'],
  stablecoin: ['稳定币'],
  storage: ['存储', 'almacenamiento', 'speicher', 'stockage', 'decentralizedstorage'],
  wallet: ['钱包', 'monedero', 'billetera', 'carteira', 'portefeuille', 'geldborse'],
  exchange: ['交易所', 'borse', 'borsen', 'corretora', 'kryptoborse', 'kryptoborsen'],
  lending: ['借贷', 'lender', 'borrowing', 'prestamo', 'emprestimo', 'kredite', 'pret'],
  payment: ['支付', 'pago', 'pagamento', 'zahlungen', 'paiement'],
  zeroknowledge: ['零知识', 'zk', 'zkp', 'zeroknowledgeproof'],
};

const TAG_LENGTH_MAX = 12;

/** Usual tags as one word each: a long one as its abbreviation. */
export const TAG_WORDS: readonly string[] = Object.entries(TAGS).map(([tag, others]) =>
  tag.length > TAG_LENGTH_MAX ? (others.find((other) => /^[a-z]{2,4}$/.test(other)) ?? tag) : tag,
);

const TAG_GROUPS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    exchange: ['exchange', 'centralizedexchange', 'decentralizedexchange'],
  }),
);

const TAG_NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    centralizedexchange: ['Centralized Exchange', 'CEX'],
    layer1: ['Layer 1', 'L1'],
    layer2: ['Layer 2', 'L2'],
    mining: ['Mining', 'Miner'],
    realworldasset: ['RWA', 'Real-World Assets'],
    zeroknowledge: ['Zero Knowledge', 'ZK'],
  }),
);

/** Other common names of a tag: L2 for Layer 2, and Layer 2 for L2. */
export const otherNamesOf = (tag: string): readonly string[] =>
  (TAG_NAMES.get(facets.tag.key(tag)) ?? []).filter((name) => name !== tag);

/** Names of cities in six languages, by folded English name. */
const CITIES: Synonyms = {
  amsterdam: ['amsterda', '阿姆斯特丹'],
  athens: ['atenas', 'athen', 'athenes', 'athina'],
  bangkok: ['曼谷'],
  barcelona: ['barcelone', '巴塞罗那'],
  beijing: ['peking', 'pekin', '北京'],
  belgrade: ['belgrado', 'belgrad', 'beograd'],
  berlin: ['berlim', '柏林'],
  brussels: ['bruselas', 'bruxelas', 'brussel', 'bruxelles', '布鲁塞尔'],
  bucharest: ['bucarest', 'bukarest', 'bucuresti'],
  cologne: ['colonia', 'koln'],
  copenhagen: ['copenhague', 'kopenhagen', 'kobenhavn'],
  denver: ['丹佛'],
  dubai: ['迪拜'],
  florence: ['florencia', 'florenz', 'firenze'],
  geneva: ['ginebra', 'genebra', 'genf', 'geneve', '日内瓦'],
  hongkong: ['香港'],
  istanbul: ['estambul', 'istambul', '伊斯坦布尔'],
  lisbon: ['lisboa', 'lissabon', 'lisbonne', '里斯本'],
  london: ['londres', '伦敦'],
  losangeles: ['la', '洛杉矶'],
  madrid: ['马德里'],
  mexicocity: ['ciudaddemexico', 'cdmx', 'mexikostadt'],
  milan: ['milano', 'milao', 'mailand', '米兰'],
  montreal: ['蒙特利尔'],
  moscow: ['moscu', 'moskau', 'moscou', 'moskva'],
  munich: ['munchen', 'munique', '慕尼黑'],
  newdelhi: ['nuevadelhi', 'neudelhi'],
  newyork: ['nyc', 'newyorkcity', 'nuevayork', 'novayork', 'novaiorque', '纽约'],
  nice: ['niza', 'nizza'],
  paris: ['巴黎'],
  prague: ['praga', 'prag', 'praha', '布拉格'],
  rome: ['roma', 'rom', '罗马'],
  sanfrancisco: ['sf', '旧金山'],
  saopaulo: ['圣保罗'],
  seoul: ['首尔'],
  shanghai: ['schanghai', '上海'],
  shenzhen: ['深圳'],
  singapore: ['singapur', 'singapura', 'singapour', '新加坡'],
  sydney: ['悉尼'],
  taipei: ['taipeh', '台北'],
  telaviv: ['telavivyafo', '特拉维夫'],
  tokyo: ['tokio', 'toquio', '东京'],
  toronto: ['多伦多'],
  turin: ['torino'],
  venice: ['venecia', 'veneza', 'venedig', 'venise', 'venezia'],
  vienna: ['viena', 'wien', 'vienne', '维也纳'],
  warsaw: ['varsovia', 'warschau', 'varsovie', 'warszawa', '华沙'],
  zurich: ['zurique', '苏黎世'],
};

const BAY_AREA =
  'sanfrancisco oakland berkeley sanmateo burlingame redwoodcity menlopark paloalto stanford mountainview losaltos losgatos sunnyvale santaclara sanjose cupertino fremont'.split(
    ' ',
  );

const CITY_GROUPS: ReadonlyMap<string, readonly string[]> = new Map(
  ['bayarea', 'sfbayarea', 'sanfranciscobayarea', 'siliconvalley'].map((name) => [name, BAY_AREA]),
);

const STAGES: Synonyms = {
  initial_coin_offering: ['ico'],
  public_token_sale: ['ido', 'ieo', 'publicsale', 'tokensale'],
  private_token_sale: ['privatesale', 'presale'],
  m_and_a: ['ma', 'acquisition', 'merger', 'mergersandacquisitions'],
  debt_financing: ['debt', 'loan'],
  private_equity: ['pe'],
  convertible_note: ['convertible'],
  corporate_round: ['corporate'],
  secondary_market: ['secondary'],
  angel: ['angelround'],
  seed: ['seedround'],
  strategic: ['strategicround'],
};

const INVESTORS: Synonyms = {
  venture_capital: ['vc', 'venture', 'venturefund', 'venturecapitalfirm'],
  corporate_venture_capital: ['cvc', 'corporateventure'],
  angel: ['angelinvestor'],
  private_equity: ['pe'],
  government: ['public'],
};

const STATUSES: Synonyms = {
  active: ['live', 'operating'],
  acquired: ['bought', 'merged'],
  closed: ['dead', 'defunct', 'inactive', 'shutdown'],
};

/** A tag without case, hyphens and plural. */
export const tagStem = (text: string): string => singular(folded(text));

const tags = open(TAGS, tagStem);

export const facets = {
  country: {
    // `at a` is not ATA.
    key: (text) => countryCode(text) ?? (countryCode(folded(text)) === undefined ? folded(text) : text),
    group: regionOf,
    isKnown: (key) => countryCode(key) !== undefined,
  },
  city: { ...open(CITIES, folded), group: (text) => CITY_GROUPS.get(folded(text)) },
  tag: { ...tags, group: (text) => TAG_GROUPS.get(tags.key(text)) },
  chain: open(CHAINS, folded),
  funding_stage: closed(FUNDING_STAGES, STAGES),
  investor_type: closed(INVESTOR_TYPES, INVESTORS),
  event_type: closed(EVENT_TYPES, {}),
  status: closed(COMPANY_STATUSES, STATUSES),
  flag: { key: (text) => text, isKnown: () => true },
} as const satisfies Record<string, Facet>;

/** Text without case, accents and punctuation. Text of punctuation alone is returned unchanged. */
function folded(text: string): string {
  return foldName(text) || text;
}

const SINGULAR_LENGTH_MIN = 4;

/** The folded English singular. A wrong singular is harmless, because all spellings of the word fold to it. */
function singular(word: string): string {
  if (word.length < SINGULAR_LENGTH_MIN || !/[^s]s$/.test(word)) return word;
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}

function invert(synonyms: Synonyms): Map<string, string> {
  return new Map(Object.entries(synonyms).flatMap(([key, others]) => others.map((other) => [other, key] as const)));
}

function open(synonyms: Synonyms, spell: (text: string) => string): Facet {
  const known = invert(synonyms);
  return {
    key: (text) => known.get(spell(text)) ?? spell(text),
    isKnown: (key) => Object.hasOwn(synonyms, key),
  };
}

function closed(values: readonly string[], synonyms: Synonyms): Facet {
  const known = invert(synonyms);
  for (const value of values) known.set(foldName(value), value);
  return {
    key: (text) => known.get(folded(text)) ?? known.get(singular(folded(text))) ?? folded(text),
    isKnown: (key) => values.includes(key),
    closed: values,
  };
}

/** Everything that the keys of a kind depend on. Stored keys are recomputed when it changes. */
export const facetDefinition = (kind: FacetKind): unknown =>
  ({
    country: 'ISO 3166 with numeric codes, in six languages',
    tag: TAGS,
    chain: CHAINS,
    city: CITIES,
    funding_stage: STAGES,
    investor_type: INVESTORS,
    event_type: EVENT_TYPES,
    status: STATUSES,
    flag: '',
  })[kind];

export const valuesInHan = (): readonly string[] => [
  ...countryNames('zh'),
  ...[CITIES, CHAINS, TAGS]
    .flatMap((synonyms) => Object.values(synonyms).flat())
    .filter((name) => /\p{Script=Han}/u.test(name)),
];
