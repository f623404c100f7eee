import type { Endpoint } from '../../contract/endpoints.ts';
import { entityOf, RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { newBodies } from '../../contract/input.ts';

/** Records of the examples in the OpenAPI document, from the shipped data. */

export type Data = Readonly<Record<string, unknown>>;

export const NOW = '2026-11-21T12:00:00.000Z';
export const ANNOUNCEMENT =
  'https://www.coindesk.com/business/2022/10/13/crypto-exchange-uniswap-labs-raises-165m-in-polychain-capital-led-round/';
export const ROUND = { type: 'rounds', slug: 'uniswap-series-b-2022-10-13', name: 'Uniswap Series B (2022)' } as const;
export const UNISWAP = { name: 'Uniswap', type: 'companies', id: 2, slug: 'uniswap' } as const;
export const PARADIGM = { name: 'Paradigm', type: 'investors', id: 3, slug: 'paradigm' } as const;
const HAYDEN = { name: 'Hayden Adams', type: 'people', id: 344, slug: 'hayden-adams' } as const;
const DEVCON = { name: 'Devcon 5', type: 'events', id: 379, slug: 'devcon-5' } as const;

const KNOWN: Readonly<Partial<Record<RecordType, Data>>> = {
  companies: {
    ...UNISWAP,
    tagline: 'Decentralized exchange (DEX) on Base, World Chain, Ink, Arbitrum and 4 others',
    website: 'https://uniswap.org/',
    tags: ['DeFi', 'DEX'],
    chains: ['Base', 'Arbitrum', 'Ethereum', 'Optimism'],
    token_symbols: ['UNI'],
    token_contracts: [{ symbol: 'UNI', chain: 'Ethereum', address: '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984' }],
    funding_stage: 'series_b',
    funding_stage_date: '2022-10-13',
    funding_stages: ['series_a', 'series_b'],
    last_round_date: '2022-10-13',
    known_rounds: 3,
    disclosed_rounds: 2,
    investors_count: 11,
    total_funding_usd: '177800000.00',
    twitter: 'https://x.com/uniswap',
    github: 'https://github.com/uniswap',
    as_of: '2026-03-19',
    sources: [
      {
        source: 'github.com/opensource-observer/oss-directory@c174b9a55f3c:data/projects/u/uniswap.yaml',
        as_of: '2026-03-19',
        fields: ['github', 'name', 'website'],
      },
    ],
  },
  people: {
    ...HAYDEN,
    headline: 'Investor in 1 known funding round; speaker at Devcon 5',
    events: [DEVCON],
    angel_investments: 1,
    as_of: '2024-04-02',
  },
  investors: {
    ...PARADIGM,
    tagline: 'Web3 and crypto investor: 64 announced funding rounds since 2018, 35 of them led',
    focus: ['DeFi', 'Governance'],
    funding_stages: ['seed', 'series_a', 'series_b'],
    investments_count: 64,
    lead_count: 35,
    portfolio_count: 44,
    first_investment_date: '2018-10-31',
    last_investment_date: '2026-06-09',
    portfolio: [UNISWAP],
    as_of: '2026-06-09',
  },
  events: {
    ...DEVCON,
    tagline: 'Web3 conference in Osaka, 8 to 11 October 2019',
    start_date: '2019-10-08',
    end_date: '2019-10-11',
    location_json: { city: 'Osaka', country: 'Japan' },
    event_type: 'conference',
    speakers: [HAYDEN],
    as_of: '2024-04-02',
  },
  rounds: {
    ...ROUND,
    id: 15,
    company: UNISWAP,
    announced_date: '2022-10-13',
    stage: 'series_b',
    amount_usd: '165000000.00',
    investors: [PARADIGM],
    announcement: ANNOUNCEMENT,
    as_of: '2022-10-13',
  },
};

const knownOf = (type: RecordType): Data => KNOWN[type] ?? { type, id: 1, name: 'Example', slug: 'example' };

/** Complete example records: unknown fields are null or empty. */
export const RECORDS = Object.fromEntries(
  RECORD_TYPES.map((type) => {
    const known: Data = { is_verified: false, created_at: NOW, updated_at: NOW, ...knownOf(type) };
    const fields = Object.entries(entityOf(type).record.shape).map(([field, schema]) => [
      field,
      known[field] ?? (schema.safeParse(null).success ? null : []),
    ]);
    return [type, Object.fromEntries(fields)];
  }),
) as Readonly<Record<RecordType, Data>>;

export const slugOf = (type: RecordType): string => String(knownOf(type)['slug']);

/** Body of a write example: the known, writable fields. */
export function bodyExample({ operation, type }: Endpoint): Data | undefined {
  if (type === undefined) return undefined;
  const known = knownOf(type);
  if (operation === 'merge') return { aliases: [`${known['name']} (formerly)`] };
  const accepted = Object.keys(newBodies.get(type)?.shape ?? {}).filter((field) => known[field] !== undefined);
  return Object.fromEntries(accepted.map((field) => [field, known[field]]));
}
