import * as z from 'zod';
import { defineConnector, githubOf, singlePage, tagsOf, twitterOf } from '../connector.ts';

/** Common properties of DefiLlama's connectors. */
export const DEFILLAMA = {
  licence: 'none stated',
  terms: 'https://defillama.com/terms',
  trust: 'aggregator',
  isRestricted: true,
  origin: 'https://defillama.com/',
  hosts: ['api.llama.fi'],
  rate: { perSecond: 1 },
} as const;

/** Protocols with their sites, categories, chains and accounts. */
export const defillamaProtocols = defineConnector({
  ...DEFILLAMA,
  source: 'defillama-protocols',
  title: 'DefiLlama protocols',
  entry: z.object({
    id: z.string(),
    name: z.string(),
    url: z.string().nullish(),
    symbol: z.string().nullish(),
    logo: z.string().nullish(),
    category: z.string(),
    chains: z.array(z.string()),
    twitter: z.string().nullish(),
    github: z.array(z.string()).nullish(),
    slug: z.string().nullish(),
  }),
  pages: singlePage('https://api.llama.fi/protocols'),
  claims: ({ id, name, url, symbol, logo, category, chains, twitter, github, slug }) => [
    {
      type: 'companies',
      key: id,
      url: `https://defillama.com/protocol/${slug ?? id}`,
      fields: {
        name,
        website: url,
        logo,
        tags: tagsOf(category),
        chains,
        token_symbols: symbol == null || symbol === '-' ? [] : [symbol],
        twitter: twitterOf(twitter),
        github: githubOf(github?.[0]),
      },
    },
  ],
});
