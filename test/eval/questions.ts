/** A question of a person, with the call that should be made first. */
export interface Question {
  readonly ask: string;
  readonly tool: 'search' | 'get_entity' | 'aggregate' | 'connect' | 'health' | 'usage';
  /** What the call must have among its arguments. */
  readonly args: Readonly<Record<string, unknown>>;
}

const search = (ask: string, args: Question['args'] = {}): Question => ({ ask, tool: 'search', args });
const get = (ask: string, args: Question['args']): Question => ({ ask, tool: 'get_entity', args });

const aggregate = (ask: string, args: Question['args']): Question => ({ ask, tool: 'aggregate', args });
const connect = (ask: string, args: Question['args']): Question => ({ ask, tool: 'connect', args });

/** Questions as people ask them, over all tools and types. Names are of the shipped data. */
export const questions: readonly Question[] = [
  search('Which DeFi companies are based in Switzerland?', { type: 'companies', tag: 'DeFi', country: 'Switzerland' }),
  search('Find me dex projects on Arbitrum', { type: 'companies', query: 'dex', chain: 'Arbitrum' }),
  search('List the best funded companies in the data', { type: 'companies', sort: '-total_funding_usd' }),
  search('Companies founded in 2021 or later with more than 100 employees', {
    type: 'companies',
    founded_from: 2021,
    employees_min: 100,
  }),
  search('Which startups raised at least 50 million dollars and work on zero knowledge?', {
    type: 'companies',
    query: 'zero knowledge',
    funding_min: 50_000_000,
  }),
  search('Show seed stage gaming companies', { type: 'companies', funding_stage: 'seed', query: 'gaming' }),
  search('NFT marketplaces, please', { type: 'companies', query: 'NFT marketplace' }),
  search('Who builds wallets?', { type: 'companies', query: 'wallet' }),
  search('Find companies in Berlin', { type: 'companies', city: 'Berlin' }),
  search('What came before 2015 in this industry?', { type: 'companies', founded_to: 2014 }),
  search('What is the token UNI?', { query: 'UNI' }),
  search('Look for stablecoin issuers', { type: 'companies', query: 'stablecoin' }),
  search('Small teams, under 20 people, on Solana', { type: 'companies', chain: 'Solana', employees_max: 20 }),
  search('Which venture capital firms are active in crypto?', { type: 'investors', investor_type: 'venture_capital' }),
  search('Find accelerators for web3 startups', { type: 'investors', investor_type: 'accelerator' }),
  search('Investors with the most investments', { type: 'investors', sort: '-investments_count' }),
  search('Investors that do pre seed deals', { type: 'investors', funding_stage: 'pre_seed' }),
  search('VC firms in Singapore', { type: 'investors', country: 'Singapore' }),
  search('Who invests in infrastructure?', { type: 'investors', tag: 'infrastructure' }),
  search('Are there exchange owned funds?', { type: 'investors', investor_type: 'exchange_arm' }),
  search('Find people who work on Ethereum research', { type: 'people', query: 'Ethereum research' }),
  search('Which founders have a background at Google?', { type: 'people', query: 'Google founder' }),
  search('Search for angel investors among people', { type: 'people', query: 'angel investor' }),
  search('Which hackathons are coming up after 1 December 2026?', {
    type: 'events',
    event_type: 'hackathon',
    starts_after: '2026-12-01',
  }),
  search('Conferences in Europe in spring 2026', { type: 'events', event_type: 'conference' }),
  search('Events in Lisbon', { type: 'events', city: 'Lisbon' }),
  search('What happens in March 2026?', { type: 'events', starts_after: '2026-03-01', starts_before: '2026-03-31' }),
  search('Anything about rollups?', { query: 'rollups' }),
  search('Give me page 2 of exchanges', { type: 'companies', query: 'exchange', page: 2 }),
  search('Only names and websites of lending protocols', { type: 'companies', query: 'lending', fields: ['website'] }),
  search('Everything you have on oracle networks, with sources', {
    type: 'companies',
    query: 'oracle',
    detail: 'full',
  }),
  get('Tell me about the company Uniswap', { type: 'companies', id: 'Uniswap' }),
  get('Who invested in Coinbase?', { type: 'companies', id: 'Coinbase', include: ['investors'] }),
  get('What funding rounds did OpenSea have?', { type: 'companies', id: 'OpenSea', include: ['rounds'] }),
  get('Who works at Chainlink?', { type: 'companies', id: 'Chainlink', include: ['people'] }),
  get('Which company is behind aave.com?', { type: 'companies', id: 'aave.com' }),
  get('Show the portfolio of Paradigm', { type: 'investors', id: 'Paradigm', include: ['portfolio'] }),
  get('Who are the partners of Pantera Capital?', { type: 'investors', id: 'Pantera Capital', include: ['people'] }),
  get('Where has Vitalik Buterin worked?', { type: 'people', id: 'Vitalik Buterin', include: ['companies'] }),
  get('Who speaks at Devcon 7?', { type: 'events', id: 'Devcon 7', include: ['speakers'] }),
  get('Who sponsors ETHDenver 2025?', { type: 'events', id: 'ETHDenver 2025', include: ['sponsors'] }),
  get('Look up company number 46', { type: 'companies', id: 46 }),
  get('Compare the records of Uniswap, Aave and Compound', {
    items: [
      { type: 'companies', id: 'Uniswap' },
      { type: 'companies', id: 'Aave' },
      { type: 'companies', id: 'Compound' },
    ],
  }),
  get('Give me the full record of Kraken with sources', { type: 'companies', id: 'Kraken', detail: 'full' }),
  get('At which events does Hayden Adams speak?', { type: 'people', id: 'Hayden Adams', include: ['events'] }),
  search('Which rounds did Paradigm lead in 2022?', { type: 'rounds', investor: 'Paradigm', led: true }),
  aggregate('How much money went into web3 each year?', { of: 'rounds', group_by: ['year'], measure: ['sum'] }),
  aggregate('Which investors took part in most rounds since 2022?', {
    of: 'rounds',
    group_by: ['investor'],
    from: '2022-01-01',
  }),
  aggregate('Median seed round by quarter', {
    of: 'rounds',
    group_by: ['quarter'],
    measure: ['median'],
    funding_stage: 'seed',
  }),
  connect('How is Hayden Adams connected with Paradigm?', { from: 'people/hayden-adams', to: 'Paradigm' }),
  connect('Who could introduce me from Uniswap to Coinbase?', { from: 'companies/uniswap', to: 'companies/coinbase' }),
  { ask: 'Is the service up?', tool: 'health', args: {} },
  { ask: 'Search keeps failing; is something broken behind it?', tool: 'health', args: {} },
  { ask: 'Check every API route of the service in detail', tool: 'health', args: { detailed: true } },
  { ask: 'How many requests have I left today?', tool: 'usage', args: {} },
  { ask: 'When does my monthly quota reset?', tool: 'usage', args: {} },
  { ask: 'Which plan and limits does my API key have?', tool: 'usage', args: {} },
];
