import * as z from 'zod';
import {
  type ConnectorPage,
  type ConnectorRequest,
  defineConnector,
  githubOf,
  SyncError,
  tagsOf,
  twitterOf,
} from '../connector.ts';

const TREE = 'https://api.github.com/repos/trustwallet/assets/git/trees/master?recursive=1';
const RAW = 'https://raw.githubusercontent.com/trustwallet/assets/master/';
const PAGE_FILES = 100;

const CHAINS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    arbitrum: 'Arbitrum',
    avalanchec: 'Avalanche',
    base: 'Base',
    celo: 'Celo',
    ethereum: 'Ethereum',
    optimism: 'Optimism',
    polygon: 'Polygon',
    smartchain: 'BNB Chain',
    solana: 'Solana',
  }),
);

const COIN = /^blockchains\/[^/]+\/info\/info\.json$/;
const LIST = /^blockchains\/([^/]+)\/tokenlist\.json$/;
const TOKEN = /^blockchains\/([^/]+)\/assets\/([^/]+)\/info\.json$/;

const treeResponse = z.object({ tree: z.array(z.object({ path: z.string() })), truncated: z.literal(false) });
const tokenList = z.object({ tokens: z.array(z.object({ address: z.string().optional() })) });

/** Coins of chains, and tokens of the repository's lists; it is too large for an archive, so files are requested one by one. */
export const trustWallet = defineConnector({
  source: 'trust-wallet',
  origin: 'github.com/trustwallet/assets',
  title: 'Trust Wallet assets',
  licence: 'MIT',
  terms: 'https://github.com/trustwallet/assets',
  // Tokens of ended projects remain listed.
  trust: 'aggregator',
  joinsOnly: true,
  isRestricted: false,
  hosts: ['api.github.com', 'raw.githubusercontent.com'],
  rate: { perSecond: 5 },
  entry: z.object({
    path: z.string(),
    logo: z.string().optional(),
    content: z.object({
      name: z.string(),
      symbol: z.string(),
      status: z.string(),
      website: z.string().optional(),
      links: z.array(z.object({ name: z.string(), url: z.string() })).optional(),
      tags: z.array(z.string()).optional(),
    }),
  }),
  async *pages({ cursor, get }: ConnectorRequest): AsyncGenerator<ConnectorPage> {
    // A resumed run requests the list unconditionally.
    const response = await get(TREE, cursor === null ? 'conditional' : 'always');
    if (response === null) return;
    const parsed = treeResponse.safeParse(response.json());
    if (!parsed.success) throw new SyncError('has changed the format of its list of files, or cuts it off');
    const paths = new Set(parsed.data.tree.map(({ path }) => path));
    const chosen = [...paths].filter((path) => COIN.test(path));
    for (const path of paths) {
      const [, chain] = LIST.exec(path) ?? [];
      if (chain === undefined) continue;
      const list = tokenList.safeParse((await get(RAW + path, 'always'))?.json());
      if (!list.success) throw new SyncError(`has changed the form of ${path}`);
      const listed = list.data.tokens.map(({ address }) => `blockchains/${chain}/assets/${address}/info.json`);
      chosen.push(...listed.filter((token) => paths.has(token)));
    }
    const left = [...new Set(chosen)].sort().filter((path) => cursor === null || path > cursor);
    for (let at = 0; at < left.length; at += PAGE_FILES) {
      const files = left.slice(at, at + PAGE_FILES);
      const entries = [];
      for (const path of files) {
        const file = await get(RAW + path);
        if (file === null) continue;
        const logo = path.replace(/info\.json$/, 'logo.png');
        const value = { path, content: file.json(), ...(paths.has(logo) && { logo: RAW + logo }) };
        entries.push({ value, url: `github.com/trustwallet/assets:${path}`, day: file.day });
      }
      yield { entries, cursor: files.at(-1) ?? null };
    }
  },
  claims: ({ path, logo, content: { name, symbol, status, website, links = [], tags = [] } }) => {
    if (status !== 'active') return [];
    const [, folder = '', address] = TOKEN.exec(path) ?? [];
    const chain = CHAINS.get(folder);
    const linkOf = (...names: string[]): string | undefined => links.find((link) => names.includes(link.name))?.url;
    const fields = {
      name,
      website,
      logo,
      tags: tagsOf(...tags),
      token_symbols: [symbol],
      token_contracts: chain === undefined || address === undefined ? [] : [{ symbol, chain, address }],
      twitter: twitterOf(linkOf('x', 'twitter')),
      github: githubOf(linkOf('github')),
    };
    return [{ type: 'companies', key: path, fields }];
  },
});
