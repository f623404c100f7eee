import { archiveOf, type Replay, sendConditionally } from './replay.ts';

/**
 * Answers of sources, modelled on their published types and on entries of their repositories; not recorded. Names of
 * projects and people are examples.
 */

export const CHAIN_REGISTRY = 'codeload.github.com/cosmos/chain-registry/tar.gz/refs/heads/master';
export const PROTOCOLS = 'api.llama.fi/protocols';

const chain = (name: string, more: object = {}): string =>
  JSON.stringify({
    ...{
      chain_name: name,
      pretty_name: `${name} Chain`,
      chain_type: 'cosmos',
      network_type: 'mainnet',
      status: 'live',
    },
    ...{ website: `https://${name}.example/`, logo_URIs: { png: `https://${name}.example/logo.png` }, ...more },
  });

export const chains = (names: readonly string[], more: object = {}): Record<string, string> =>
  Object.fromEntries(names.map((name) => [`${name}/chain.json`, chain(name, more)]));

export const protocol = (id: number, more: object = {}): object => ({
  ...{ id: String(id), name: `Protocol ${id}`, url: `https://protocol${id}.example`, symbol: `P${id}`, tvl: 1e6 },
  ...{
    category: 'Lending',
    chains: ['Ethereum'],
    twitter: `protocol${id}`,
    github: [`protocol${id}`],
    slug: `p-${id}`,
    ...more,
  },
});

export const binding = (id: number): object => ({
  item: { type: 'uri', value: `http://www.wikidata.org/entity/Q${id}` },
  itemLabel: { type: 'literal', value: `Entity ${id}` },
  modified: { type: 'literal', value: '2026-10-02T10:00:00Z' },
  industry: { type: 'uri', value: 'http://www.wikidata.org/entity/Q20514253' },
  website: { type: 'uri', value: `https://entity${id}.example` },
  inception: { type: 'literal', value: '2018-01-01T00:00:00Z' },
  employees: { type: 'literal', value: '120' },
  country: { type: 'literal', value: 'Switzerland' },
  logo: { type: 'uri', value: `http://commons.wikimedia.org/wiki/Special:FilePath/Entity%20${id}.svg` },
  ...(id === 1 && { dissolved: { type: 'literal', value: '2024-06-30T00:00:00Z' } }),
});

const filing = `<?xml version="1.0"?><edgarSubmission><primaryIssuer><entityName>Acme &amp; Sons Inc.</entityName></primaryIssuer>
  <offeringData><typeOfFiling><dateOfFirstSale><value>2026-10-01</value></dateOfFirstSale></typeOfFiling>
  <offeringSalesAmounts><totalOfferingAmount>5000000</totalOfferingAmount><totalAmountSold>2500000</totalAmountSold>
  </offeringSalesAmounts></offeringData></edgarSubmission>`;

const fund = `<?xml version="1.0"?><edgarSubmission><primaryIssuer><entityName>Example Chain Fund II, L.P.</entityName></primaryIssuer>
  <offeringData><industryGroup><industryGroupType>Pooled Investment Fund</industryGroupType><investmentFundInfo>
  <investmentFundType>Venture Capital Fund</investmentFundType></investmentFundInfo></industryGroup>
  <offeringSalesAmounts><totalOfferingAmount>250000000</totalOfferingAmount><totalAmountSold>180000000</totalAmountSold>
  </offeringSalesAmounts></offeringData></edgarSubmission>`;

const ASSETS = 'raw.githubusercontent.com/trustwallet/assets/master/blockchains';
const asset = (more: object): string =>
  JSON.stringify({
    ...{ name: 'Example Swap', type: 'ERC20', symbol: 'EXS', decimals: 18, website: 'https://exampleswap.example' },
    ...{ description: 'Example', explorer: 'https://explorer.example', status: 'active', ...more },
  });

const coin = {
  ...{ id: 'examplecoin', name: 'Example Coin', symbol: 'exc', categories: ['Decentralized Finance (DeFi)', null] },
  links: {
    homepage: ['https://examplecoin.example', ''],
    twitter_screen_name: 'examplecoin',
    repos_url: { github: [] },
  },
  ...{ image: { large: 'https://examplecoin.example/logo.png' }, last_updated: '2026-11-19T00:00:00.000Z' },
};

/** Responses of each source, by prefix of host, path and query. */
const FIXTURES: Readonly<Record<string, Readonly<Record<string, string | Buffer>>>> = {
  'chain-registry': {
    [CHAIN_REGISTRY]: archiveOf({ ...chains(['alpha', 'beta', 'gamma']), 'testnets/beta/chain.json': '{}' }),
  },
  'oss-directory': {
    'codeload.github.com/opensource-observer/oss-directory/tar.gz/refs/heads/main': archiveOf({
      'data/projects/e/example-dao.yaml': `version: 7
name: example-dao
display_name: Example DAO
websites:
  - url: https://exampledao.example
social:
  twitter:
    - url: https://twitter.com/ExampleDAO
github:
  - url: https://github.com/example-dao
blockchain:
  - address: "0x0000000000000000000000000000000000000001"
    networks:
      - optimism
      - base
`,
    }),
  },
  'base-ecosystem': {
    'codeload.github.com/base/web/tar.gz/refs/heads/master': archiveOf({
      'apps/web/src/data/ecosystem/example/metadata.json': JSON.stringify({
        ...{ name: 'Example', url: 'https://example-app.example', category: 'defi', subcategory: 'lending/borrowing' },
      }),
    }),
  },
  'trust-wallet': {
    'api.github.com/repos/trustwallet/assets/git/trees/master?recursive=1': JSON.stringify({
      truncated: false,
      tree: [
        ...['info/info.json', 'info/logo.png', 'tokenlist.json'].map((path) => `blockchains/ethereum/${path}`),
        ...['0xA1', '0xB2', '0xC3'].flatMap((address) => [
          `blockchains/ethereum/assets/${address}/info.json`,
          `blockchains/ethereum/assets/${address}/logo.png`,
        ]),
      ].map((path) => ({ path, mode: '100644', type: 'blob', sha: 'a'.repeat(40) })),
    }),
    [`${ASSETS}/ethereum/tokenlist.json`]: JSON.stringify({
      tokens: [
        { asset: 'c60_t0xA1', type: 'ERC20', address: '0xA1', name: 'Example Swap', symbol: 'EXS', decimals: 18 },
        { asset: 'c60_t0xB2', type: 'ERC20', address: '0xB2', name: 'Gone', symbol: 'GON', decimals: 18 },
      ],
    }),
    [`${ASSETS}/ethereum/info/info.json`]: asset({ name: 'Unknown Chain', website: 'https://unknown.example' }),
    [`${ASSETS}/ethereum/assets/0xA1/info.json`]: asset({
      ...{ tags: ['defi', 'governance'], links: [{ name: 'x', url: 'https://x.com/example_swap' }], id: '0xA1' },
    }),
    [`${ASSETS}/ethereum/assets/0xB2/info.json`]: asset({ status: 'abandoned', id: '0xB2' }),
  },
  eips: {
    'codeload.github.com/ethereum/EIPs/tar.gz/refs/heads/master': archiveOf({
      'EIPS/eip-9000.md': '---\neip: 9000\ncategory: ERC\nstatus: Moved\n---\n',
      'EIPS/eip-9001.md': `---\neip: 9001\nauthor: Ada Example (@ada-example), Bob Example <bob@mail.example>\ncreated: 2026-01-02\n---\ntext`,
    }),
  },
  wikidata: {
    'query.wikidata.org/sparql': JSON.stringify({
      head: { vars: [] },
      results: { bindings: [binding(1), binding(2)] },
    }),
  },
  'sec-form-d': {
    'efts.sec.gov/LATEST/search-index': JSON.stringify({
      hits: {
        hits: [
          { _source: { ciks: ['0001234567'], adsh: '0001234567-26-000001', file_date: '2026-10-05' } },
          { _source: { ciks: ['0001234568'], adsh: '0001234568-26-000002', file_date: '2026-10-06' } },
        ],
      },
    }),
    'www.sec.gov/Archives/edgar/data/1234568/000123456826000002/primary_doc.xml': fund,
    'www.sec.gov/Archives/edgar/data/1234567/000123456726000001/primary_doc.xml': filing,
  },
  'defillama-protocols': { [PROTOCOLS]: JSON.stringify([1, 2, 3].map((id) => protocol(id))) },
  'defillama-raises': {
    'api.llama.fi/raises': JSON.stringify({
      raises: [
        {
          date: 1_790_000_000,
          name: 'Acme',
          round: 'Seed',
          amount: 2.5,
          leadInvestors: ['Example Capital'],
          otherInvestors: [],
        },
        {
          date: 1_790_000_000,
          name: 'Other',
          round: 'Strategic',
          amount: null,
          leadInvestors: [],
          otherInvestors: ['Example Capital'],
        },
      ],
    }),
  },
  coingecko: {
    'api.coingecko.com/api/v3/coins/markets': JSON.stringify([{ id: 'examplecoin' }]),
    'api.coingecko.com/api/v3/coins/examplecoin': JSON.stringify(coin),
  },
  devcon: {
    'api.devcon.org/speakers': JSON.stringify({
      status: 200,
      data: {
        total: 1,
        items: [{ id: 'ada-example', name: 'Ada Example', twitter: '@ada_example', github: 'ada-example' }],
      },
    }),
  },
};

/** Makes a source serve its fixtures. */
export function replaySource({ pages }: Replay, source: string): void {
  for (const [start, body] of Object.entries(FIXTURES[source] ?? {})) pages.set(start, body);
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const part = (page: number, size: number): number[] => numbers(size + 1).slice(page * size, (page + 1) * size);

/** A page selected by a number in the query. */
function pageBy({ pages, asked }: Replay, start: string, number: RegExp, bodyAt: (at: number) => string): void {
  pages.set(start, (response, headers) =>
    sendConditionally(response, headers, bodyAt(Number(number.exec(asked.at(-1) ?? '')?.[1] ?? 0))),
  );
}

/** Paged sources, with one entry more than a page holds. */
export const PAGED: Readonly<Record<string, (replay: Replay) => void>> = {
  wikidata: (replay) =>
    pageBy(replay, 'query.wikidata.org/sparql', /OFFSET\+(\d+)/, (offset) =>
      JSON.stringify({ results: { bindings: part(offset / 500, 500).map(binding) } }),
    ),
  'sec-form-d': (replay) => {
    const number = (id: number): string => `0009${String(id).padStart(6, '0')}`;
    pageBy(replay, 'efts.sec.gov/LATEST/search-index', /&from=(\d+)/, (from) => {
      const hits = part(from / 100, 100).map((id) => ({
        _source: { ciks: [number(id)], adsh: `${number(id)}-26-000001`, file_date: '2026-10-05' },
      }));
      return JSON.stringify({ hits: { hits } });
    });
    for (const id of numbers(101))
      replay.pages.set(
        `www.sec.gov/Archives/edgar/data/${Number(number(id))}/`,
        filing.replace('Acme &amp; Sons', `Issuer ${id}`),
      );
  },
  coingecko: (replay) => {
    pageBy(replay, 'api.coingecko.com/api/v3/coins/markets', /&page=(\d+)/, (page) =>
      JSON.stringify(part(page - 1, 100).map((id) => ({ id: `coin-${id}` }))),
    );
    for (const id of numbers(101)) {
      const links = { ...coin.links, homepage: [`https://coin${id}.example`], twitter_screen_name: null };
      const body = { ...coin, id: `coin-${id}`, name: `Coin ${id}`, symbol: `c${id}`, links };
      replay.pages.set(`api.coingecko.com/api/v3/coins/coin-${id}?`, JSON.stringify(body));
    }
  },
  devcon: (replay) =>
    pageBy(replay, 'api.devcon.org/speakers', /from=(\d+)/, (from) => {
      const items = part(from / 500, 500).map((id) => ({
        id: `speaker-${id}`,
        name: `Ada ${id}`,
        github: `ada-${id}`,
      }));
      return JSON.stringify({ status: 200, data: { total: 501, items } });
    }),
  'trust-wallet': (replay) => {
    const paths = numbers(101).map((id) => `blockchains/chain${id}/info/info.json`);
    replay.pages.set(
      'api.github.com/repos/trustwallet/assets/git/trees/master?recursive=1',
      JSON.stringify({ truncated: false, tree: paths.map((path) => ({ path })) }),
    );
    for (const id of numbers(101))
      replay.pages.set(
        `${ASSETS}/chain${id}/`,
        asset({ name: `Chain ${id}`, website: `https://chain${id}.example`, symbol: `C${id}` }),
      );
  },
};

/** Makes a source serve its fixtures, in two pages if it is paged. */
export function replayWhole(replay: Replay, source: string): void {
  (PAGED[source] ?? ((at) => replaySource(at, source)))(replay);
}
