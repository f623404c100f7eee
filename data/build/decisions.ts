/** What a reader decided by hand, each with its reason; a script cannot see that two firms share a name. */

/** Companies left out: their facts belong to different firms of one name, or to none that can be told. */
export const LEFT_OUT_COMPANIES: Readonly<Record<string, string>> = {
  abstract: 'website of a money SDK, rounds of a layer-2 network',
  catalog: 'rounds of an exchange and of a music platform',
  colony: 'account of a DAO toolkit, round of an Avalanche fund',
  convex: 'round of the database firm, name of the DeFi protocol',
  xverse: 'round of an NFT marketplace, name of a Bitcoin wallet',
};

/** One firm under two names: the second becomes an alias of the first. */
export const MERGED_COMPANIES: Readonly<Record<string, string>> = { 'provenance-blockchain': 'provenance' };

/** Rounds listed under a product go to its maker, under which sources list the same rounds. */
export const ROUND_OWNERS: Readonly<Record<string, string>> = {
  starknet: 'starkware',
  'axie-infinity': 'sky-mavis',
  ronin: 'sky-mavis',
  zksync: 'matter-labs',
  helium: 'nova-labs',
};

/** Rounds left out, as COMPANY@DATE. */
export const LEFT_OUT_ROUNDS: Readonly<Record<string, string>> = {
  'ramp@2020-08-23': 'announcement is of RAMP DeFi, another firm',
  'conduit@2022-01-13': 'announcement is of conduit.financial, another firm',
  'zodia-custody@2025-07-28': 'announcement is of Zodia Markets, another firm',
  'ledgerx@2021-06-10': 'round of Ledger, another firm',
  'ledgerx@2018-01-18': 'round of Ledger, another firm',
  'ledgerx@2017-03-30': 'round of Ledger, another firm',
  'moonpay@2025-03-20': 'a credit line, no round',
  'voyager@2022-06-17': 'a credit line, no round',
  'we-trade@2022-06-22': 'the page reports an insolvency, no round',
  'bitso@2020-09-12': 'day and month changed places; the same round is dated 2020-12-09',
  'bitso@2021-09-11': 'a first round dated after the second',
  'paxos@2021-07-29': 'the Series D of 2021-04-29 again',
  'elliptic@2022-05-27': 'the Series C of 2021-10-11 again',
  'certik@2021-01-12': 'day and month changed places; the same page is dated 2021-12-01',
  'kava@2020-08-21': 'the page is of 2020-04-21, under which the sale is listed too',
  'helium@2022-02-19': 'the Series D of Nova Labs, its later name, again',
  'espresso-systems@2022-03-08': 'the round of the day before again, under another stage',
  'nucypher@2018-04-15': 'the page is of 2019-10-07, under which the sale is listed too',
};

/** Pages that list what an investor holds and announce no round. */
export const NO_ANNOUNCEMENTS: readonly RegExp[] = [
  /ft\.com\/content\/aaa4a42c/,
  /axios\.com\/2024\/05\/14\/haun-ventures/,
];

/** Tags that plainly describe another firm or nothing, as COMPANY: tags. */
export const DOUBTFUL_TAGS: Readonly<Record<string, readonly string[]>> = {
  ripple: ['Predictions'],
  flexa: ['Gaming'],
  'zero-hash': ['NFT'],
  ledger: ['Health', 'Alternatives'],
  falconx: ['L1'],
  sentient: ['IoT'],
  rain: ['Centralized Exchange'],
  'push-protocol': ['DePIN Wireless'],
  galxe: ['DePIN Compute'],
  stepn: ['DePIN Sensors'],
  litecoin: ['Developer', 'Wallet', 'Mining'],
  tron: ['Royalty', 'Music', 'Gaming'],
  'kyber-network': ['Oracles', 'Wallet'],
  bancor: ['Wallet'],
  provenance: ['SupplyChain', 'Ag'],
  'gods-unchained': ['Currency'],
  chronicled: ['Property/RealEstate'],
  'bitcoin-cash': ['Payments'],
  wormhole: ['Blockchain', 'Layer 1', 'Cosmos SDK'],
};

/** Other fields that belong to another firm, as COMPANY: fields. */
export const DOUBTFUL_FIELDS: Readonly<Record<string, readonly string[]>> = {
  ramp: ['token_symbol'],
  'privacy-pools': ['website'],
};

/** Organisations in conference profiles that were cut off after a word, so that they name something else. */
export const CUT_OFF_ORGANIZATIONS = new Set([
  'Abend',
  'Business',
  'Eth',
  'Ethereum',
  'Her',
  'Open',
  'Raw',
  'Sigma',
  'TRU',
]);

/** Names that sources give organisations of ours. */
export const ORGANIZATION_NAMES: Readonly<Record<string, string>> = {
  'Eigen Labs (EigenLayer)': 'EigenLayer',
  'Gitcoin.co': 'Gitcoin',
};

/** Companies whose name is a common word, besides those that the facts mark: never taken for an investor of that name. */
export const COMMON_NAMES: readonly string[] = [
  'avail',
  'avalanche',
  'flow',
  'fuel',
  'harmony',
  'jupiter',
  'oasis',
  'orca',
  'pixels',
  'proof',
  'sequence',
  'threshold',
  'treasure',
];

/** Listed among people, but organisations. */
export const NO_PEOPLE = new Set(['zero-knowledge-validator']);

/** Accounts of an organisation that a profile gives for a person. */
export const NO_PERSONAL_ACCOUNTS = new Set(['ethereumonarm', 'eucinitiative', 'veridiseinc']);

/** A second name of a company in a list that already names it. */
export const PORTFOLIO_NAMES: Readonly<Record<string, string>> = { 'FTX Trading': 'FTX', 'Jumbo Exchange': 'Jumbo' };

/** Series under a second name; the record of the first carries the other as alias. */
export const SAME_SERIES: Readonly<Record<string, string>> = { 'ethereum-argentina': 'ethargentina' };

/** Websites that host pages for everybody and say nothing about whose the page is. */
export const SHARED_HOSTS = new Set(['lu.ma', 'luma.com', 'x.com', 'twitter.com', 'medium.com', 'github.com', 't.me']);
