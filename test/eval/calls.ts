/** A tool call. */
export interface Call {
  readonly name: 'search' | 'get_entity' | 'aggregate' | 'connect';
  readonly arguments: Readonly<Record<string, unknown>>;
}

const search = (args: Call['arguments']): Call => ({ name: 'search', arguments: args });
const get = (args: Call['arguments']): Call => ({ name: 'get_entity', arguments: args });
const aggregate = (args: Call['arguments']): Call => ({ name: 'aggregate', arguments: args });
const connect = (args: Call['arguments']): Call => ({ name: 'connect', arguments: args });

/** The calls by which an agent that has read the tool list answers the questions of a folder, by the number of the question. */
export const CALLS: Readonly<Record<string, readonly Call[]>> = {
  aq03: [search({ query: 'LDO' })],
  aq06: [search({ query: 'Base' })],
  aq09: [get({ type: 'companies', id: 'Fireblocks', include: ['people'] })],
  aq12: [search({ type: 'companies', tag: 'gaming', chain: 'Polygon', funding_min: 50_000_000 })],
  aq15: [search({ type: 'companies', country: 'US', founded_from: 2018, founded_to: 2018, funding_min: 100_000_000 })],
  aq18: [search({ type: 'companies', tag: 'stablecoin', country: 'not:US' })],
  aq21: [search({ type: 'rounds', tag: 'infrastructure', from: '2024-01-01', to: '2024-12-31', sort: '-amount_usd' })],
  aq24: [aggregate({ of: 'rounds', group_by: ['year'], measure: ['count', 'sum', 'median'], tag: 'ZK' })],
  aq27: [search({ type: 'rounds', company: 'Celestia|Aptos', funding_stage: 'series_a' })],
  aq30: [
    search({ type: 'companies', funding_stage: 'all:seed|series_a', detail: 'csv', fields: ['name'] }),
    search({
      type: 'rounds',
      funding_stage: 'seed|series_a',
      detail: 'csv',
      fields: ['company', 'stage', 'announced_date'],
    }),
  ],
  aq33: [search({ type: 'investors', company: 'all:Optimism|Arbitrum' })],
  aq36: [
    get({ type: 'investors', id: 'Pantera Capital', include: ['portfolio'] }),
    aggregate({ of: 'companies', group_by: ['tag'], investor: 'Pantera Capital' }),
  ],
  aq39: [search({ type: 'investors', country: 'Singapore', sort: '-investments_count' })],
  aq42: [get({ type: 'companies', id: 'Chainalysis', include: ['similar'] })],
  aq45: [search({ type: 'people', sort: '-angel_investments' })],
  aq48: [search({ type: 'rounds', funding_stage: 'series_a', from: '2022-01-01', to: '2022-12-31', detail: 'csv' })],
  aq51: [search({ type: 'events', event_type: 'hackathon', country: 'Europe', from: '2026-11-23' })],
  aq54: [search({ type: 'events', city: 'Istanbul', from: '2023-11-01', to: '2023-11-30' })],
  aq57: [connect({ from: 'people/vitalik-buterin', to: 'investors/pantera-capital' })],
  aq60: [search({ type: 'rounds', company: 'StarkWare', funding_stage: 'series_d', detail: 'full' })],
};
