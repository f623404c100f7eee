import { parse } from 'yaml';
import * as z from 'zod';
import { attempt } from '../../../contract/attempt.ts';
import { defineConnector, githubOf, twitterOf } from '../connector.ts';
import { gitDirectory } from '../git-directory.ts';

/** Networks of the directory as chains; others, such as test networks, are ignored. */
const CHAINS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    arbitrum_one: 'Arbitrum',
    avalanche: 'Avalanche',
    base: 'Base',
    blast: 'Blast',
    bsc: 'BNB Chain',
    celo: 'Celo',
    fantom: 'Fantom',
    gnosis: 'Gnosis',
    linea: 'Linea',
    mainnet: 'Ethereum',
    mantle: 'Mantle',
    matic: 'Polygon',
    metal: 'Metal',
    mode: 'Mode',
    optimism: 'Optimism',
    polygon: 'Polygon',
    scroll: 'Scroll',
    starknet: 'Starknet',
    zksync_era: 'zkSync Era',
    zora: 'Zora',
  }),
);

const links = z.array(z.object({ url: z.string() })).optional();

/** Open-source projects with sites, accounts and chains of their contracts. */
export const ossDirectory = defineConnector({
  ...gitDirectory({
    ...{ owner: 'opensource-observer', name: 'oss-directory', branch: 'main' },
    path: /^data\/projects\/.+\.ya?ml$/,
    read: (file) => attempt(() => parse(file.text())),
  }),
  source: 'oss-directory',
  title: 'OSS Directory',
  licence: 'Apache-2.0',
  trust: 'curated',
  entry: z.object({
    path: z.string(),
    content: z.object({
      name: z.string(),
      display_name: z.string(),
      websites: links,
      social: z.object({ twitter: links }).optional(),
      github: links,
      blockchain: z.array(z.object({ networks: z.array(z.string()) })).optional(),
    }),
  }),
  claims: ({ content: { name, display_name, websites, social, github, blockchain = [] } }) => {
    const chains = blockchain.flatMap(({ networks }) => networks.flatMap((network) => CHAINS.get(network) ?? []));
    const fields = {
      name: display_name,
      website: websites?.[0]?.url,
      twitter: twitterOf(social?.twitter?.[0]?.url),
      github: githubOf(github?.[0]?.url),
      chains: [...new Set(chains)].sort(),
    };
    return [{ type: 'companies', key: name, fields }];
  },
});
