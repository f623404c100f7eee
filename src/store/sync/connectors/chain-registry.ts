import * as z from 'zod';
import { defineConnector } from '../connector.ts';
import { gitDirectory, jsonOf } from '../git-directory.ts';

const repository = { owner: 'cosmos', name: 'chain-registry', branch: 'master' };

const STATUSES: ReadonlyMap<string, string> = new Map(Object.entries({ live: 'active', killed: 'closed' }));

/** Chains of the Cosmos ecosystem, as registered by their teams. */
export const chainRegistry = defineConnector({
  ...gitDirectory({ ...repository, path: /^(?!testnets\/)[^/]+\/chain\.json$/, read: jsonOf }),
  source: 'chain-registry',
  title: 'Cosmos chain registry',
  licence: 'CC-BY-4.0',
  trust: 'registry',
  entry: z.object({
    path: z.string(),
    content: z.object({
      chain_name: z.string(),
      pretty_name: z.string().optional(),
      chain_type: z.string().optional(),
      network_type: z.string().optional(),
      status: z.string().optional(),
      website: z.string().optional(),
      logo_URIs: z.object({ png: z.string().optional(), svg: z.string().optional() }).optional(),
    }),
  }),
  claims: ({ content }, { url }) => {
    const { chain_name, pretty_name = chain_name, chain_type, network_type, status, website, logo_URIs } = content;
    if (network_type !== undefined && network_type !== 'mainnet') return [];
    const fields = {
      name: pretty_name,
      website,
      logo: logo_URIs?.png ?? logo_URIs?.svg,
      tags: ['Layer 1'],
      chains: chain_type === 'cosmos' ? ['Cosmos'] : [],
      company_stage: status === 'killed' ? 'closed' : undefined,
      status: status === undefined ? undefined : STATUSES.get(status),
      status_source: status === undefined ? undefined : url,
    };
    return [{ type: 'companies', key: chain_name, fields }];
  },
});
