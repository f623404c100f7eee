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

const API = 'https://api.coingecko.com/api/v3';
const PAGE_COINS = 100;
/** Pages of coins by market value; each costs a request of the monthly quota. */
const PAGES_MAX = 5;

const market = z.array(z.object({ id: z.string() }));

/** Projects of larger coins: sites, accounts, categories and tickers. */
export const coingecko = defineConnector({
  source: 'coingecko',
  origin: 'https://www.coingecko.com/',
  title: 'CoinGecko',
  licence: 'API terms, with attribution',
  terms: 'https://www.coingecko.com/en/api_terms',
  trust: 'aggregator',
  isRestricted: true,
  hosts: ['api.coingecko.com'],
  rate: { perSecond: 0.5, perMonth: 10_000 },
  keyHeader: 'x-cg-demo-api-key',
  entry: z.object({
    id: z.string(),
    name: z.string(),
    symbol: z.string(),
    categories: z.array(z.string().nullable()),
    links: z.object({
      homepage: z.array(z.string()),
      twitter_screen_name: z.string().nullish(),
      repos_url: z.object({ github: z.array(z.string()) }).nullish(),
    }),
    image: z.object({ large: z.string().nullish() }).nullish(),
    last_updated: z.string().nullish(),
  }),
  async *pages({ cursor, get }: ConnectorRequest): AsyncGenerator<ConnectorPage> {
    const query = { vs_currency: 'usd', order: 'market_cap_desc', per_page: String(PAGE_COINS) };
    for (let page = Number(cursor ?? 1); page <= PAGES_MAX; page += 1) {
      const url = `${API}/coins/markets?${new URLSearchParams({ ...query, page: String(page) })}`;
      const coins = market.safeParse((await get(url, 'always'))?.json());
      if (!coins.success) throw new SyncError('has changed the format of its list of coins');
      const entries = [];
      for (const { id } of coins.data) {
        const url = `${API}/coins/${encodeURIComponent(id)}?localization=false&tickers=false&market_data=false`;
        const coin = await get(url);
        if (coin !== null) entries.push({ value: coin.json(), url, day: coin.day });
      }
      yield { entries, cursor: String(page + 1) };
      if (coins.data.length < PAGE_COINS) return;
    }
  },
  claims: ({ id, name, symbol, categories, links, image, last_updated }, { day }) => [
    {
      type: 'companies',
      key: id,
      as_of: last_updated?.slice(0, 10) ?? day,
      url: `https://www.coingecko.com/en/coins/${id}`,
      fields: {
        name,
        website: links.homepage.find((address) => address !== ''),
        twitter: twitterOf(links.twitter_screen_name),
        github: githubOf(links.repos_url?.github[0]),
        logo: image?.large,
        tags: tagsOf(...categories.slice(0, 5)),
        token_symbols: [symbol.toUpperCase()],
      },
    },
  ],
});
