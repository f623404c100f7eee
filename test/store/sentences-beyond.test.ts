import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NAMED_TYPES, type RecordType } from '../../src/contract/entities/index.ts';
import { aggregateAskedFor, unstatedText } from '../../src/contract/sentence-calls.ts';
import { openStore } from '../../src/store/open.ts';
import type { ParsedQuery, SearchRequest } from '../../src/store/port/records.ts';
import type { Store } from '../../src/store/store.ts';
import { aCompany, anEvent, anInvestor, aPerson, aRound } from '../support/builders.ts';
import { engine } from '../support/databases.ts';

const TODAY = new Date('2026-11-21T12:00:00.000Z');

type Row = [text: string, understood: Partial<ParsedQuery>];

describe(`sentences about several values, and about what records do not state, on ${engine.name}`, () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore((await engine.newDatabase()).url, () => TODAY);
    const berlin = { city: 'Berlin', country: 'Germany' };
    await store.records.putAll([
      aCompany({ name: 'Bothlo', tags: ['DEX', 'Derivatives'], chains: ['Solana', 'Ethereum'] }),
      aCompany({
        name: 'Solo',
        year_founded: 2019,
        tags: ['DEX', 'Lending', 'Yield'],
        chains: ['Solana'],
        location_json: berlin,
      }),
      aCompany({ name: 'Etheria', tags: ['Lending', 'Zero Knowledge', 'Layer 2'], chains: ['Ethereum'] }),
      aCompany({ name: 'Lendora', tags: ['Lending', 'Yield'], location_json: { city: 'Paris', country: 'France' } }),
      aCompany({ name: 'Lendberg', tags: ['Lending', 'Yield'], location_json: berlin }),
      aCompany({ name: 'Lendfar', tags: ['Lending', 'Yield'], chains: ['NEAR'] }),
      aCompany({ name: 'Foresay', tags: ['Prediction Markets'], location_json: { city: 'San Francisco' } }),
      aCompany({ name: 'Sharevale', tags: ['Mining'], tagline: 'Crypto mining company (publicly listed)' }),
      aCompany({ name: 'Toolora', tags: ['Developer Tools'], year_founded: 2015 }),
      aCompany({ name: 'Spanora', tags: ['Bridge'] }),
      aCompany({ name: 'Ownedvale' }),
      aCompany({ name: 'Gonevale', status: 'acquired', overview: 'Gonevale was acquired by Sharevale.' }),
      aInvestorNamed('Firstcap', ['FC Ventures']),
      aInvestorNamed('Secondcap'),
      anInvestor({ name: 'Lendora Foundation', investor_type: 'ecosystem_fund' }),
      aCompany({ name: 'Wordvale', overview: 'Lends to companies without any funding.' }),
      anInvestor({ name: 'Vala', investor_type: 'venture_capital', location_json: { country: 'Norway' } }),
      anInvestor({ name: 'Norda', investor_type: 'hedge_fund', location_json: { country: 'Norway' } }),
      anInvestor({ name: 'Tidefall', location_json: { country: 'Iceland' } }),
      anEvent({ name: 'Zorbweek Lisbon 2025', start_date: '2025-03-10' }),
      anEvent({ name: 'Zorbweek Austin 2026', start_date: '2026-06-01' }),
      anEvent({ name: 'Otherweek', start_date: '2026-06-02' }),
      anEvent({
        ...{ name: 'Norvalk Days', start_date: '2012-05-01', event_type: 'conference' },
        location_json: { city: 'Tallinn', country: 'Estonia' },
      }),
      aCompany({ name: 'Polkadot', tags: ['Blockchain'], chains: ['Polkadot'] }),
      anInvestor({ name: 'Mandrel Capital', focus: ['DEX', 'Lending'] }),
      aCompany({ name: 'Source' }),
      aCompany({ name: 'PROOF' }),
      aCompany({ name: 'Status', chains: ['ONE'] }),
      aPerson({ name: 'Dot Quill', tags: ['Polkadot'], roles: [{ organization: 'Polkadot', title: 'Founder' }] }),
      aPerson({ name: 'Ida Spoke', events: ['Zorbweek Lisbon 2025'] }),
      aPerson({ name: 'Uma Spoke', events: ['Zorbweek Austin 2026'] }),
      aPerson({ name: 'Nevin Backer', angel_investments: 1 }),
      aPerson({ name: 'Mandrel' }),
      anInvestor({ name: 'Near Foundation', investor_type: 'ecosystem_fund' }),
      aCompany({ name: 'Endlend', tags: ['Lending', 'Wallet', 'Ownedvale'], status: 'closed' }),
      aPerson({ name: 'Eli Other', events: ['Otherweek'] }),
      aPerson({
        name: 'Lee Left',
        headline: 'Former engineer of Solo',
        roles: [{ organization: 'Solo', title: 'Former engineer' }],
      }),
      aRound({
        name: 'Solo Seed',
        company: 'Solo',
        stage: 'seed',
        amount_usd: '4000000.00',
        announced_date: '2025-02-01',
        investors: ['Firstcap', 'Secondcap', 'Nevin Backer'],
      }),
      anInvestor({ name: 'Founders Fund' }),
      aCompany({ name: 'Dualhold' }),
      anInvestor({ name: 'Dualhold' }),
      aRound({
        name: 'Gonevale Bridge 2013',
        company: 'Gonevale',
        announced_date: '2013-04-02',
        investors: ['Dualhold'],
      }),
      // A letter from `Serie A`.
      aCompany({ name: 'Serica' }),
    ]);
  });
  afterAll(() => store.close());

  const aInvestorNamed = (name: string, aliases: readonly string[] = []) => anInvestor({ name, aliases });

  const read = async (text: string, types: readonly RecordType[] = NAMED_TYPES, more: Partial<SearchRequest> = {}) => {
    const found = await store.records.search({ types, text, window: { offset: 0, limit: 10 }, ...more });
    return { ...found, names: found.results.map((json) => (JSON.parse(json) as { name: string }).name) };
  };

  test.each<[text: string, chain: string, names: readonly string[]]>([
    ['companies on Solana and Ethereum', 'all:Solana|Ethereum', ['Bothlo']],
    ['companies on Solana and on Ethereum', 'all:Solana|Ethereum', ['Bothlo']],
    ['DEXs on Solana and Ethereum', 'all:Solana|Ethereum', ['Bothlo']],
    ['Firmen auf Solana und Ethereum', 'all:Solana|Ethereum', ['Bothlo']],
    ['entreprises sur Solana et Ethereum', 'all:Solana|Ethereum', ['Bothlo']],
    ['empresas en Solana y Ethereum', 'all:Solana|Ethereum', ['Bothlo']],
    ['empresas em Solana e Ethereum', 'all:Solana|Ethereum', ['Bothlo']],
    ['Solana和Ethereum上的公司', 'all:Solana|Ethereum', ['Bothlo']],
    ['companies on Solana or Ethereum', 'Solana|Ethereum', ['Bothlo', 'Solo', 'Etheria']],
    ['Solana and Ethereum projects', 'Solana|Ethereum', ['Bothlo', 'Solo', 'Etheria']],
  ])('requires each of the chains that companies are on, any of those that describe them: %s', async (...asked) => {
    const [text, chain, names] = asked;
    const found = await read(text);
    expect(found.understood?.filters).toMatchObject({ chain });
    expect([found.isTyped, found.names.toSorted()]).toEqual([true, names.toSorted()]);
  });

  test('lists those on any of the chains where none is on each, and says so', async () => {
    expect(await read('lending companies on Solana and Ethereum')).toMatchObject({
      names: expect.arrayContaining(['Solo', 'Etheria']),
      isTyped: false,
      understood: { filters: { tag: 'lending', chain: 'Solana|Ethereum' } },
    });
  });

  test.each([
    ['how many dev tools companies are there', 'dev tools', ['Toolora']],
    ['developer tooling companies', 'developer tooling', ['Toolora']],
    ['cross-chain companies', 'cross chain', ['Spanora']],
    ['how many bitcoin miners are there', 'bitcoin miners', ['Sharevale']],
  ])('finds a sector by its other usual names: %s', async (text, tag, names) => {
    const found = await read(text);
    expect(found.understood).toMatchObject({ type: 'companies', filters: { tag }, text: '' });
    expect(found.names).toEqual(names);
  });

  test('reads the name of a chain beside an investor as the chain of its rounds', async () => {
    for (const text of ['Vala Solana', 'Vala Solana deals', 'Vala Solana 2021'])
      expect((await read(text)).understood, text).toMatchObject({ type: 'rounds', filters: { chain: 'Solana' } });
  });

  test('lists the rounds in which a company took part where it raised none, unless what it raised is asked for', async () => {
    expect(await read('Dualhold rounds in 2013')).toMatchObject({
      names: ['Gonevale Bridge 2013'],
      isTyped: true,
      understood: { type: 'rounds', filters: { investor: 'Dualhold' } },
    });
    for (const text of ['Dualhold raised in 2013', 'did Dualhold raise in 2013', 'rounds of Gonevale in 2014'])
      expect((await read(text)).total, text).toBe(0);
  });

  test('no record that states another year is listed without the year that is asked for', async () => {
    const found = await read('developer tools companies founded after 2020');
    expect(found.names).toEqual([]);
    expect(found.understood).toMatchObject({ filters: { tag: 'developer tools', founded_from: 2021 }, ignored: [] });
  });

  test.each([
    ['private equity firms in Norway', { type: 'investors', filters: { investor_type: 'private_equity' } }],
    ['PE funds', { type: 'investors', filters: { investor_type: 'private_equity' } }],
    ['micro VCs in Norway', { type: 'investors', filters: { investor_type: 'micro_vc' } }],
  ])('%s are investors', async (text, understood) => expect((await read(text)).understood).toMatchObject(understood));

  test('no company on another chain is listed for those on one', async () => {
    const found = await read('lending companies on Polkadot');
    expect([found.names, found.understood?.filters]).toEqual([[], { tag: 'lending', chain: 'Polkadot' }]);
  });

  test('a miner is found under Mining', async () => expect((await read('miners')).names).toEqual(['Sharevale']));

  test('of news about a record, the record is found', async () => {
    expect((await read('latest news about Toolora')).names).toEqual(['Toolora']);
  });

  test('whether any was founded in a year is no question about one', async () =>
    expect((await read('was any developer tool founded in 2015')).understood?.filters).toMatchObject({
      founded_from: 2015,
      founded_to: 2015,
    }));

  test('no event of another kind is listed for the kind that is asked for', async () => {
    expect((await read('conferences in Tallinn')).names).toEqual(['Norvalk Days']);
    const found = await read('hackathons in Tallinn');
    expect(found.names).toEqual([]);
    expect(found.understood?.filters).toEqual({ event_type: 'hackathon', city: 'Tallinn' });
  });

  test.each<[text: string, tag: string, names: readonly string[]]>([
    ['zk rollups', 'all:zk|rollups', ['Etheria']],
    ['perp DEXs', 'all:perp|DEXs', ['Bothlo']],
    ['DEXs and rollups', 'DEXs|rollups', ['Bothlo', 'Solo', 'Etheria']],
  ])('reads a text of nothing but sectors as companies: %s', async (text, tag, names) => {
    const found = await read(text);
    expect(found.understood).toMatchObject({ type: 'companies', filters: { tag }, text: '' });
    expect(found.names.toSorted()).toEqual(names.toSorted());
  });

  test.each<[text: string, filters: ParsedQuery['filters'], others: readonly string[]]>([
    ['alternatives to Lendora in Germany', { country: 'Germany' }, ['Lendberg', 'Solo']],
    ['Wettbewerber von Lendora in Deutschland', { country: 'Deutschland' }, ['Lendberg', 'Solo']],
    ['Alternativen zu Lendora in Deutschland', { country: 'Deutschland' }, ['Lendberg', 'Solo']],
    ['concurrents de Lendora en Allemagne', { country: 'Allemagne' }, ['Lendberg', 'Solo']],
    ['alternativas a Lendora en Alemania', { country: 'Alemania' }, ['Lendberg', 'Solo']],
    ['concorrentes da Lendora na Alemanha', { country: 'Alemanha' }, ['Lendberg', 'Solo']],
    ['alternatives to Lendora on Solana', { chain: 'Solana' }, ['Solo']],
    ['alternatives to Lendora backed by Firstcap', { investor: 'Firstcap' }, ['Solo']],
  ])('lists the companies similar to one that pass the filters: %s', async (text, filters, others) => {
    const found = await read(text);
    expect(found).toMatchObject({ isTyped: true, understood: { filters, text: 'Lendora', list: 'similar' } });
    expect(found.understood?.list_of).toMatchObject({ type: 'companies', name: 'Lendora' });
    expect(found.names).toEqual(others);
    expect(Object.values(found.unknown)[0]).toBeGreaterThan(0);
  });

  test('lists similar companies in another order without the one that they are like', async () => {
    const text = 'alternatives to Lendora in Germany';
    const byName = (isDescending: boolean) => read(text, ['companies'], { sort: { field: 'name', isDescending } });
    expect([(await byName(true)).names, (await byName(false)).names]).toEqual([
      ['Solo', 'Lendberg'],
      ['Lendberg', 'Solo'],
    ]);
    const second = await read(text, ['companies'], {
      ...{ sort: { field: 'name', isDescending: true }, window: { offset: 1, limit: 1 } },
    });
    expect(second).toMatchObject({ names: ['Lendberg'], total: 2, understood: { list: 'similar' } });
  });

  test('ignores a place without similar companies, and says so', async () => {
    expect(await read('alternatives to Lendora in Japan')).toMatchObject({
      names: [expect.anything(), expect.anything(), expect.anything()],
      isTyped: false,
      understood: { filters: {}, ignored: expect.arrayContaining(['Japan']), list: 'similar' },
    });
  });

  test('names the investor whose co-investors are counted as its record does', async () => {
    for (const name of ['Firstcap', 'FC Ventures'])
      expect((await read(`who co-invests with ${name}`)).understood).toMatchObject({
        type: 'rounds',
        filters: { investor: 'Firstcap' },
        group_by: ['investor'],
      });
  });

  test.each([
    'speakers at Zorbweek',
    'who spoke at Zorbweek',
    'Zorbweek speakers',
    'Redner auf der Zorbweek',
    'ponentes de Zorbweek',
    'intervenants à Zorbweek',
    'palestrantes da Zorbweek',
  ])('finds the speakers of every edition of an event: %s', async (text) => {
    const found = await read(text);
    expect(found.understood).toMatchObject({
      type: 'people',
      filters: { event: 'Zorbweek Austin 2026|Zorbweek Lisbon 2025' },
      text: '',
    });
    expect(found.names.toSorted()).toEqual(['Ida Spoke', 'Uma Spoke']);
  });

  test('lists no other investor for a company of which none is known', async () => {
    expect(await read('who invested in Lendora')).toMatchObject({
      total: 0,
      understood: { type: 'investors', filters: { company: 'Lendora' } },
    });
  });

  test.each<[text: string, understood: Partial<ParsedQuery>, names: readonly string[]]>([
    ['youngest layer 2s', { filters: { tag: 'layer 2s' }, sort: '-year_founded' }, ['Etheria']],
    ['DEXs that support Solana', { filters: { tag: 'DEXs', chain: 'Solana' } }, ['Bothlo', 'Solo']],
    [
      'lenders in Berlin & Paris',
      { filters: { tag: 'lenders', city: 'Berlin|Paris' } },
      ['Lendberg', 'Lendora', 'Solo'],
    ],
    ['lenders in Berlin', { filters: { tag: 'lenders', city: 'Berlin' } }, ['Lendberg', 'Solo']],
    ['wer hat Polkadot gegründet', { type: 'people', filters: { company: 'Polkadot' } }, ['Dot Quill']],
    ['blockchain companies in Berlin', { filters: { city: 'Berlin' }, ignored: ['blockchain'] }, ['Lendberg', 'Solo']],
    ['blockchain companies', { filters: { tag: 'blockchain' } }, ['Polkadot']],
    ['谁创立了波卡', { type: 'people', filters: { company: 'polkadot' } }, ['Dot Quill']],
    [
      'which VCs invest in Germany',
      { type: 'rounds', filters: { country: 'Germany', funding_stage: 'except:grant' }, group_by: ['investor'] },
      ['Solo Seed'],
    ],
    ['how many rounds are recorded', { type: 'rounds', text: '' }, ['Gonevale Bridge 2013', 'Solo Seed']],
    [
      'Hedgefonds in Deutschland',
      { type: 'investors', filters: { investor_type: 'hedge_fund', country: 'Deutschland' } },
      [],
    ],
  ])('reads sectors, chains and places in other words: %s', async (text, understood, names) => {
    const found = await read(text);
    expect(found).toMatchObject({ understood });
    expect(found.names.toSorted()).toEqual(names.toSorted());
  });

  test.each([
    'companies that went public',
    'public companies',
    'IPOs in mining',
    'börsennotierte Firmen',
    'empresas que cotizan en bolsa',
    'entreprises cotées en bourse',
    'empresas de capital aberto',
    '上市公司',
  ])('finds the companies that descriptions call listed: %s', async (text) => {
    const found = await read(text);
    expect(found.names).toEqual(['Sharevale']);
    expect(found.understood).toMatchObject({ type: 'companies', text: expect.stringContaining('publicly listed') });
  });

  test.each<[text: string, unstated: string, names: readonly string[]]>([
    ['average valuation', 'valuation', []],
    ['valuations by year', 'valuations', []],
    ['which sector has the highest valuation', 'valuation', []],
    ['investors in unicorns', 'unicorns', []],
    ['down rounds', 'down rounds', []],
    ['upcoming IPOs', 'upcoming IPOs', []],
    ['people who studied at MIT', 'who studied at MIT', []],
    ['DEX companies by ex-Acme engineers', 'ex Acme engineers', ['Solo', 'Bothlo']],
    ['events organised by Acme Foundation', 'organised by Acme Foundation', []],
    ['Veranstaltungen organisiert von Acme', 'organisiert von Acme', []],
    ['eventos organizados por Acme', 'organizados por Acme', []],
    ['événements organisés par Acme', 'organisés par Acme', []],
    ['who organises Otherweek', 'who organises', ['Otherweek', 'Eli Other']],
    ['sponsors of Otherweek', 'sponsors', ['Otherweek', 'Eli Other']],
    ['biggest acquisitions', 'biggest acquisitions', ['Gonevale']],
    ['who founded the most companies', 'founded the most', []],
    ['companies backed by German VCs', 'backed by German VCs', []],
    ['new funds in 2025', 'new funds', []],
    ['who left Solo to start a company', 'start company', ['Lee Left']],
  ])('names what nothing can be filtered by, and lists what the rest finds: %s', async (text, unstated, names) => {
    const found = await read(text);
    expect(found).toMatchObject({ isTyped: false, understood: { unstated: [unstated] } });
    expect(found.names.toSorted()).toEqual(names.toSorted());
    expect(unstatedText([unstated])).toMatch(/^Nothing can be filtered, ordered or counted by "/);
  });

  test('lists no record for the words of what no filter expresses', async () => {
    expect(await read('companies without funding')).toMatchObject({
      total: 0,
      understood: { unstated: ['without funding'] },
    });
  });

  test('lists nobody that is only spelled like a place where no record is', async () => {
    for (const text of ['companies in Solono', 'events in Zorbwek'])
      expect(await read(text), text).toMatchObject({ total: 0, understood: { text: text.split(' ').at(-1) } });
    // A place by its usual name is known, and one that is misspelt as well.
    expect((await read('companies in Berln')).names).toContain('Solo');
  });

  test('lists venture capital alone where it is asked for, unless no kind is known', async () => {
    for (const text of [
      'VCs in Norway',
      'how many venture capital firms are in Norway',
      'Wagniskapitalgeber aus Norwegen',
    ])
      expect(await read(text), text).toMatchObject({
        names: ['Vala'],
        understood: { filters: { investor_type: 'venture_capital|corporate_venture_capital|exchange_arm' } },
      });
    const relaxed = await read('VCs in Iceland');
    expect(relaxed).toMatchObject({ names: ['Tidefall'], isTyped: false, understood: { ignored: ['VCs'] } });
    // Who took part in rounds is asked, whatever they are called.
    expect((await read('what VCs are behind Solo')).understood?.filters).toEqual({ company: 'Solo' });
  });

  const ABOVE_1B = { valuation_min: 1_000_000_001 };
  const BY_VALUATION = { filters: { valuation_min: 1 }, sort: '-valuation_usd' };
  test.each<[text: string, understood: ParsedQuery | { readonly filters: object; readonly sort?: string }]>([
    ['companies valued above $1 billion', { filters: ABOVE_1B, sort: '-valuation_usd' }],
    ['rounds with a valuation over 1B', { filters: ABOVE_1B, sort: '-valuation_usd' }],
    ['lending companies worth more than $1B', { filters: { ...ABOVE_1B, tag: 'lending' } }],
    ['Unternehmen mit einer Bewertung über 1 Milliarde', { filters: ABOVE_1B }],
    ['估值超过10亿美元的公司', { filters: ABOVE_1B }],
    ['rounds between $1B and $5B valuation', { filters: { valuation_min: 1e9, valuation_max: 5e9 } }],
    ['raised over $100M at a valuation above $1B', { filters: { ...ABOVE_1B, funding_min: 100_000_001 } }],
    ['how many unicorns are there', { filters: { valuation_min: 1e9 } }],
    ['lending unicorns', { filters: { valuation_min: 1e9, tag: 'lending' } }],
    ['独角兽', { filters: { valuation_min: 1e9 } }],
    ['most valuable lending companies', { ...BY_VALUATION, filters: { valuation_min: 1, tag: 'lending' } }],
    ['what are the highest valuations', BY_VALUATION],
    ['top companies by valuation', BY_VALUATION],
    ['lowest valuation', { filters: { valuation_min: 1 }, sort: 'valuation_usd' }],
    ['latest valuations', { filters: { valuation_min: 1 }, sort: '-announced_date' }],
  ])('reads valuations, which rounds state: %s', async (text, understood) => {
    const found = await read(text);
    expect(found.understood).toMatchObject({ type: 'rounds', text: '', ...understood });
    expect(found.understood).not.toHaveProperty('unstated');
  });

  test('filters no company by a valuation beside what rounds do not state', async () => {
    for (const text of ['closed companies valued over $1B', 'unicorns founded in 2015'])
      expect((await read(text)).understood, text).toMatchObject({ type: 'companies', unstated: [expect.any(String)] });
  });

  test('says what is on record of valuations', () => {
    for (const word of ['unicorns', 'most valuable', '独角兽'])
      expect(unstatedText([word])).toContain('Only some rounds state a valuation');
  });

  test.each([
    'average check size of Firstcap',
    'Firstcap check size',
    'ticket medio de Firstcap',
    'ticket moyen de Firstcap',
  ])('averages rounds for what an investor pays, which no record states: %s', async (text) => {
    const { understood, names, isTyped } = await read(text);
    expect([names, isTyped]).toEqual([['Solo Seed'], false]);
    expect(understood && aggregateAskedFor(understood)).toMatchObject({
      of: 'rounds',
      measure: 'average',
      filters: { investor: 'Firstcap' },
    });
    expect(unstatedText(understood?.unstated ?? [])).toBe(
      'What one investor paid is on no record: amounts are those of whole rounds.',
    );
  });

  test.each<[text: string, unstated: string, filters: ParsedQuery['filters']]>([
    ['funding since the Acme collapse', 'since the Acme collapse', {}],
    ['deals before the pandemic', 'before the pandemic', {}],
    ['rounds during the bull market', 'during the bull market', {}],
    ['seed deals since the last Bitcoin halving', 'since the last Bitcoin halving', { funding_stage: 'seed' }],
    ['rounds since the collapse of Terra led by Firstcap', 'since the collapse of Terra', { investor: 'Firstcap' }],
    ['lending companies founded before Solo', 'before Solo', { tag: 'lending' }],
    ['percentage of lending companies in Germany', 'percentage', { tag: 'lending', country: 'Germany' }],
    ['founders of wallets', 'wallets', {}],
    ['bootstrapped lending companies', 'bootstrapped', { tag: 'lending' }],
    ['companies founded by former Solo engineers', 'former Solo engineers', {}],
    ['companies with more than 2 founders', 'with more than 2 founders', {}],
    ['lending companies that raised twice in 2025', 'twice', { tag: 'lending' }],
    ['bull run lending rounds', 'bull run', { tag: 'lending' }],
    ['DEX revenue', 'revenue', { tag: 'DEX' }],
    ['IPO candidates', 'IPO candidates', {}],
    ['companies backed by Firstcap or in Berlin', 'or in Berlin', { investor: 'Firstcap' }],
    ['lending companies in Berlin or on Solana', 'or on Solana', { tag: 'lending', city: 'Berlin' }],
  ])('says that no record states when, by whom or of which share: %s', async (text, unstated, filters) => {
    expect(await read(text)).toMatchObject({ isTyped: false, understood: { filters, unstated: [unstated] } });
  });

  test.each<Row>([
    ['rounds of $1m+ in 2025', { filters: { funding_min: 1_000_000, from: '2025-01-01', to: '2025-12-31' } }],
    ['rounds in FY2025', { filters: { from: '2025-01-01', to: '2025-12-31' } }],
    ['1H25 rounds', { filters: { from: '2025-01-01', to: '2025-06-30' } }],
    ['3Q 2025 rounds', { filters: { from: '2025-07-01', to: '2025-09-30' } }],
    ['rounds YTD 2026', { filters: { from: '2026-01-01', to: '2026-11-21' } }],
    ['2025 YTD rounds', { filters: { from: '2025-01-01', to: '2025-12-31' } }],
    ['rounds YTD 2030', { filters: { from: '2030-01-01', to: '2030-12-31' } }],
    ['founded in 2019, raised a seed', { type: 'companies', filters: { founded_from: 2019, funding_stage: 'seed' } }],
    ['teams with fewer than 20 people', { type: 'companies', filters: { employees_max: 19 } }],
    ['no round since 2025', { type: 'companies', filters: { last_round_before: '2024-12-31' } }],
    ['companies with no funding since 2025', { filters: { last_round_before: '2024-12-31' } }],
    ['companies whose last raise was before 2026', { filters: { last_round_before: '2025-12-31' } }],
    ['who put money into Solo', { type: 'investors', filters: { company: 'Solo' } }],
    ['when did Firstcap first invest', { type: 'rounds', filters: { investor: 'Firstcap' }, sort: 'announced_date' }],
    ['what did Firstcap last invest in', { filters: { investor: 'Firstcap' }, sort: '-announced_date' }],
    ['how has lending funding changed since 2025', { type: 'rounds', filters: { tag: 'lending', from: '2025-01-01' } }],
    ['who co-leads with Firstcap', { filters: { investor: 'Firstcap', led: true }, group_by: ['lead_investor'] }],
    [
      'Solo or Bothlo: who raised more',
      { filters: { company: 'Solo|Bothlo' }, group_by: ['company'], sort: '-amount_usd' },
    ],
    ['rounds between 15 March and 30 April 2022', { filters: { from: '2022-03-15', to: '2022-04-30' } }],
    ['rounds zwischen 15. März und 30. April 2022', { filters: { from: '2022-03-15', to: '2022-04-30' } }],
    ['rounds between 20 December 2021 and 10 January', { filters: { from: '2021-12-20', to: '2022-01-10' } }],
    ['rounds between 1 and 15 March 2022', { filters: { from: '2022-03-01', to: '2022-03-15' } }],
    ['rounds since 1 December', { filters: { from: '2025-12-01' } }],
    ['how much did funding fall from 2022 to 2023', { text: '', filters: { from: '2022-01-01', to: '2023-12-31' } }],
    ['growth of seed funding from 2022 to 2023', { text: '', filters: { funding_stage: 'seed', from: '2022-01-01' } }],
    [
      'did deal counts drop in 2023',
      { text: '', filters: { from: '2022-01-01', to: '2023-12-31' }, group_by: ['year'] },
    ],
    ['deals fall 2022', { filters: { from: '2022-09-01', to: '2022-11-30' } }],
    [
      'H1 2024 vs H1 2023 funding',
      {
        ...{ group_by: ['quarter'], filters: { funding_stage: 'except:grant', from: '2023-01-01', to: '2024-06-30' } },
        periods: [
          { from: '2023-01-01', to: '2023-06-30' },
          { from: '2024-01-01', to: '2024-06-30' },
        ],
      },
    ],
    [
      '2022 vs Q1 2022 funding',
      {
        ...{ group_by: ['quarter'], filters: { funding_stage: 'except:grant', from: '2022-01-01', to: '2022-12-31' } },
        periods: [
          { from: '2022-01-01', to: '2022-12-31' },
          { from: '2022-01-01', to: '2022-03-31' },
        ],
      },
    ],
    ['2021 vs May 2022 funding', { group_by: ['month'], filters: { from: '2021-01-01', to: '2022-05-31' } }],
    ['companies that just raised $5m', { filters: { funding_min: 5_000_000 }, sort: '-last_round_date' }],
    ['founders working in Berlin', { type: 'people', filters: { city: 'Berlin' }, text: 'founder' }],
    ['did funding fall in 2023 compared with 2022', { group_by: ['year'], sort: '-amount_usd' }],
    ['has Solo raised more than Bothlo', { filters: { company: 'Solo|Bothlo' }, group_by: ['company'], text: '' }],
    ['is Solo better funded than Bothlo', { filters: { company: 'Solo|Bothlo' }, group_by: ['company'], text: '' }],
    ['Solo funding compared to Bothlo', { filters: { company: 'Solo|Bothlo' }, group_by: ['company'], text: '' }],
    ['which VCs co-invest with Firstcap', { filters: { investor: 'Firstcap' }, group_by: ['investor'] }],
    [
      'companies whose last round was more than three years ago',
      { type: 'companies', text: '', filters: { last_round_before: '2023-11-20' } },
    ],
    ['rounds less than two years ago', { filters: { from: '2024-11-21' } }],
    ['rounds three years ago', { filters: { from: '2023-01-01', to: '2023-12-31' } }],
    ['rounds two months ago', { filters: { from: '2026-09-01', to: '2026-09-30' } }],
    ['companies on near', { type: 'companies', text: '', filters: { chain: 'near' } }],
    ['compnaies that rasied a sereis A in 2025', { text: '', filters: { funding_stage: 'series_a' } }],
    ['public crypto companies', { text: 'publicly listed' }],
    ['what happened in web3 funding last month', { type: 'rounds', text: '' }],
    ['who invested in the most rounds above $1M', { filters: { funding_min: 1_000_001 }, group_by: ['investor'] }],
    ['which investors led the most rounds above $1M', { type: 'rounds', group_by: ['lead_investor'] }],
    ['did funding go up in 2025', { text: '', filters: { from: '2024-01-01', to: '2025-12-31' }, group_by: ['year'] }],
    ['trend of lending rounds by quarter', { type: 'rounds', text: '', group_by: ['quarter'] }],
    ['Firstcap vs Secondcap in 2025', { filters: { investor: 'Firstcap|Secondcap' }, compared: true }],
    ['which city has the most companies', { type: 'companies', group_by: ['city'] }],
    ['funding Q1 2025 vs Q1 2024', { filters: { from: '2024-01-01', to: '2025-03-31' }, group_by: ['quarter'] }],
    ['blockchain events in 2026', { type: 'events', text: '', filters: { from: '2026-01-01', to: '2026-12-31' } }],
    ['blockchain hackathons', { type: 'events', text: '', filters: { event_type: 'hackathon' } }],
    ['which company raised the biggest single round in 2025', { type: 'rounds', text: '', sort: '-amount_usd' }],
    ['companies with the largest seed rounds', { type: 'rounds', filters: { funding_stage: 'seed' } }],
    ['which startup raised the most in one round', { type: 'rounds', text: '', sort: '-amount_usd' }],
    ['companies that raised more than $1m in a single round', { type: 'rounds', filters: { funding_min: 1_000_001 } }],
    ['one of the biggest DEX companies', { type: 'companies', text: '', filters: { tag: 'DEX' } }],
    ['who are the angel investors with the most deals', { type: 'people', sort: '-angel_investments' }],
    // The round shows who led it.
    ["did Nevin lead Solo's seed round", { type: 'rounds', filters: { company: 'Solo', funding_stage: 'seed' } }],
    ['did Solo or Bothlo raise more', { type: 'rounds', filters: { company: 'Solo|Bothlo' }, group_by: ['company'] }],
    ['Solo or Bothlo: who has more employees', { text: 'Solo Bothlo', filters: {} }],
    ['last 2 deals of Firstcap', { type: 'rounds', filters: { investor: 'Firstcap' }, sort: '-announced_date' }],
    ['what did Nevin invest in', { type: 'companies', filters: { investor: 'Nevin Backer' } }],
    ['who invented Solo', { type: 'people', filters: { company: 'Solo' } }],
    ['head of growth at Solo', { type: 'people', filters: { company: 'Solo' } }],
    ["who are Solo's shareholders", { type: 'investors', filters: { company: 'Solo' } }],
    ['which stage does Firstcap prefer', { type: 'rounds', filters: { investor: 'Firstcap' }, group_by: ['stage'] }],
    ['first ever seed', { type: 'rounds', filters: { funding_stage: 'seed' }, sort: 'announced_date' }],
    ['who received the largest grant', { type: 'rounds', filters: { funding_stage: 'grant' }, sort: '-amount_usd' }],
    ['distribution of rounds by stage', { type: 'rounds', text: '', group_by: ['stage'] }],
    ['people by company', { type: 'people', group_by: ['organization'] }],
    ['speakers of Zorbweek 2025', { type: 'people', filters: { event: 'Zorbweek Lisbon 2025' }, text: '' }],
    ['devs at Solo', { type: 'people', filters: { company: 'Solo' } }],
    ['what has Firstcap been investing in', { type: 'companies', filters: { investor: 'Firstcap' } }],
    ['what VCs are behind Solo', { type: 'investors', filters: { company: 'Solo' } }],
    ['firms that invest in Germany', { type: 'investors', filters: { country: 'Germany' } }],
    ['who raised money in 2025', { type: 'companies', filters: { from: '2025-01-01', to: '2025-12-31' } }],
    // A chain after `on` is no investor, though a company has its name.
    ...[
      'Mandrel portfolio companies on Polkadot',
      "Mandrel's portfolio companies on Polkadot",
      'Mandrel backed startups on Polkadot',
      'Mandrel-backed projects in Polkadot',
    ].map((text): Row => [text, { type: 'companies', filters: { investor: 'Mandrel Capital', chain: 'Polkadot' } }]),
    ['Firstcap portfolio companies on Solana', { filters: { investor: 'Firstcap', chain: 'Solana' }, ignored: [] }],
    ['Mandrel investments on Solana', { type: 'rounds', filters: { investor: 'Mandrel Capital', chain: 'Solana' } }],
    ["mandrel's deals in 2021", { filters: { investor: 'Mandrel Capital', from: '2021-01-01', to: '2021-12-31' } }],
    ['Firstcap portfolio on Solana', { type: 'companies', filters: { investor: 'Firstcap', chain: 'Solana' } }],
    ...["Firstcap's Solana portfolio", 'Firstcap Solana portfolio companies'].map(
      (text): Row => [text, { type: 'companies', filters: { investor: 'Firstcap', chain: 'Solana' }, ignored: [] }],
    ),
    ['Mandrel Polkadot portfolio', { filters: { investor: 'Mandrel Capital', chain: 'Polkadot' }, text: '' }],
    ['companies founded in 2019 on Solana', { filters: { founded_from: 2019, founded_to: 2019, chain: 'Solana' } }],
    [
      'rounds where Firstcap and Secondcap were lead investors',
      { filters: { investor: 'all:Firstcap|Secondcap', led: true } },
    ],
    ['lowest funded DEX', { type: 'companies', filters: { tag: 'DEX' }, sort: 'total_funding_usd' }],
    ['well-funded DEXs', { type: 'companies', filters: { tag: 'DEXs', funding_min: 1 }, text: '' }],
    ['Series F or higher rounds', { filters: { funding_stage: 'series_f|series_g|series_h' } }],
    ['Mandrel led Polkadot', { filters: { investor: 'Mandrel Capital', led: true, company: 'Polkadot' } }],
    ['lending investments', { type: 'companies', filters: { tag: 'lending' } }],
    [
      'when did Firstcap last lead a seed',
      { filters: { investor: 'Firstcap', led: true, funding_stage: 'seed' }, sort: '-announced_date' },
    ],
    ...[
      'rounds where Firstcap is lead',
      'rounds with Firstcap as lead investor',
      'rounds in which Firstcap acted as co-lead',
      'deals where Firstcap was the lead investor',
      'where is Firstcap lead investor?',
    ].map((text): Row => [text, { type: 'rounds', filters: { investor: 'Firstcap', led: true } }]),
    [
      'who was the lead investor of Solo',
      { type: 'rounds', filters: { company: 'Solo' }, group_by: ['lead_investor'] },
    ],
    [
      'VCs that invest in Germany and lead rounds',
      { type: 'rounds', filters: { country: 'Germany' }, group_by: ['lead_investor'] },
    ],
    ...['highest funded DEX', 'which DEX is the best-funded', 'top-funded DEX'].map(
      (text): Row => [text, { type: 'companies', filters: { tag: 'DEX' }, sort: '-total_funding_usd' }],
    ),
    ['top funded in Germany', { type: 'companies', filters: { country: 'Germany' }, sort: '-total_funding_usd' }],
    ...[
      'which company raised the largest seed ever?',
      'company with the highest seed',
      'companies by largest seed',
      'startups by size of seed',
    ].map((text): Row => [text, { type: 'rounds', filters: { funding_stage: 'seed' }, sort: '-amount_usd' }]),
    ['largest seed-stage companies', { filters: { funding_stage: 'seed' }, sort: '-total_funding_usd' }],
    [
      'Nevin Backer angel deals in 2025',
      { type: 'rounds', filters: { investor: 'Nevin Backer', from: '2025-01-01', to: '2025-12-31' }, text: '' },
    ],
    ['Nevin Backer angel portfolio', { type: 'companies', filters: { investor: 'Nevin Backer' } }],
    ["Nevin's largest angel investment", { filters: { investor: 'Nevin Backer' }, sort: '-amount_usd' }],
    ['who made the most angel deals', { type: 'people', text: '', sort: '-angel_investments' }],
    // A source or proof of a round is its announcement, whatever a company is named.
    ...[
      'source for the Solo seed',
      "where is the source for Solo's seed?",
      'announcement link of Solo seed',
      'link to the announcement of the Solo seed',
    ].map((text): Row => [text, { type: 'rounds', filters: { company: 'Solo', funding_stage: 'seed' }, text: '' }]),
    ['proof that Firstcap invested in Solo', { filters: { investor: 'Firstcap', company: 'Solo' }, text: '' }],
    ['Source investors', { type: 'investors', filters: { company: 'Source' } }],
    ...['startups with series a or b', 'startups with Series A/B', 'startups w/ series a, b'].map(
      (text): Row => [text, { type: 'companies', filters: { funding_stage: 'series_a|series_b' }, text: '' }],
    ),
    ['rounds series a/b 2025', { filters: { funding_stage: 'series_a|series_b' }, text: '' }],
    ['Series A, B and C rounds', { filters: { funding_stage: 'series_a|series_b|series_c' }, text: '' }],
    ['companies that raised a Series A and a seed', { filters: { funding_stage: 'all:series_a|seed' } }],
    ['investors with at least one DEX deal', { type: 'investors', filters: { tag: 'DEX' }, text: '' }],
    ['companies on ONE', { type: 'companies', filters: { chain: 'ONE' } }],
    ['startups with exactly one round', { type: 'companies', filters: { rounds_min: 1, rounds_max: 1 } }],
    ['most lending companies after Germany', { filters: { tag: 'lending' }, unstated: ['after Germany'] }],
    ['who acquired Ownedvale', { filters: {}, text: 'Ownedvale', ignored: [] }],
    ['quién compró Ownedvale', { filters: {}, text: 'Ownedvale', ignored: [] }],
    ['Series A to C rounds', { filters: { funding_stage: 'series_a|series_b|series_c' } }],
    [
      'Series A through C in 2025',
      { filters: { funding_stage: 'series_a|series_b|series_c', from: '2025-01-01', to: '2025-12-31' } },
    ],
    ['seed - Series A rounds', { filters: { funding_stage: 'seed|pre_series_a|series_a' } }],
    ['companies that raised 3 times', { type: 'companies', filters: { rounds_min: 3, rounds_max: 3 } }],
    ['companies that raised at least 2 rounds', { filters: { rounds_min: 2 } }],
    ['companies with more than two rounds', { filters: { rounds_min: 3 } }],
    ['companies with only one round', { filters: { rounds_min: 1, rounds_max: 1 } }],
    ['companies with at most 3 rounds', { filters: { rounds_max: 3 } }],
    ['companies that raised twice in 2025', { filters: { from: '2025-01-01' }, unstated: ['twice'] }],
    ['investors that led at least 2 rounds', { type: 'investors', filters: { led_min: 2 }, sort: '-lead_count' }],
    ['investors that led at least 2 rounds in 2025', { filters: expect.not.objectContaining({ led_min: 2 }) }],
    [
      'Hat Firstcap in Solo investiert?',
      { type: 'rounds', filters: { investor: 'Firstcap', company: 'Solo' }, text: '' },
    ],
    [
      'Wann hat Firstcap 2025 in Solo investiert',
      { type: 'rounds', filters: { investor: 'Firstcap', company: 'Solo', from: '2025-01-01' } },
    ],
    [
      '¿Ha invertido Firstcap en Solo?',
      { type: 'rounds', filters: { investor: 'Firstcap', company: 'Solo' }, text: '' },
    ],
    ['¿Invirtió Firstcap en Solo?', { type: 'rounds', filters: { investor: 'Firstcap', company: 'Solo' }, text: '' }],
    ['Investierte Firstcap in Solo?', { type: 'rounds', filters: { investor: 'Firstcap', company: 'Solo' }, text: '' }],
    ['Hat Firstcap in Solo und Etheria investiert?', { filters: { investor: 'Firstcap', company: 'Solo|Etheria' } }],
    ['In welche Firmen hat Firstcap investiert', { type: 'companies', filters: { investor: 'Firstcap' }, text: '' }],
    ['media de las rondas semilla', { type: 'rounds', filters: { funding_stage: 'seed' }, text: '' }],
    ['average grant of Lendora', { filters: { funding_stage: 'grant', investor: 'Lendora|Lendora Foundation' } }],
    ['grants of Solo', { filters: { funding_stage: 'grant', company: 'Solo' } }],
    ['Near Foundation portfolio', { type: 'companies', filters: { investor: 'Near Foundation' } }],
    ['quién recaudó más, Solo o Etheria', { filters: { company: 'Solo|Etheria' }, group_by: ['company'] }],
    ['wer hat mehr eingesammelt, Solo oder Etheria', { filters: { company: 'Solo|Etheria' }, group_by: ['company'] }],
    ['qui a levé plus, Solo ou Etheria', { filters: { company: 'Solo|Etheria' }, group_by: ['company'] }],
    ['quem captou mais, Solo ou Etheria', { filters: { company: 'Solo|Etheria' }, group_by: ['company'] }],
    [
      'Firstcap or Secondcap: who did most deals in 2025',
      { type: 'rounds', filters: { investor: 'Firstcap|Secondcap' }, group_by: ['investor'], compared: true },
    ],
    [
      'Mandrel or Firstcap: who did more deals',
      { filters: { investor: 'Mandrel Capital|Firstcap' }, group_by: ['investor'] },
    ],
    [
      'who leads most rounds in Solana companies',
      { type: 'rounds', filters: { chain: 'Solana' }, group_by: ['lead_investor'] },
    ],
    ['companies by number of rounds', { type: 'companies', group_by: ['company'] }],
    ['empresas por número de rondas', { type: 'companies', group_by: ['company'] }],
    ['investors by number of rounds', { type: 'investors', sort: '-investments_count' }],
    ['number of employees of Solo', { filters: {}, text: 'Solo' }],
    ['Anzahl der Mitarbeiter von Solo', { filters: {}, text: 'Solo' }],
    ["Combien d'employés a Solo ?", { filters: {}, text: 'Solo', ignored: [] }],
    ['which angel backed most companies', { type: 'people', sort: '-angel_investments', text: '' }],
    ['wallets with more than 3 rounds', { type: 'companies', filters: { tag: 'wallets', rounds_min: 4 } }],
    ['lending with 2-4 rounds', { type: 'companies', filters: { tag: 'lending', rounds_min: 2, rounds_max: 4 } }],
    [
      'companies that raised both a seed and a Series A in 2025',
      { filters: { funding_stage: 'all:seed|series_a' }, unstated: ['seed and a Series A in 2025'] },
    ],
    [
      'investors that led at least 3 seed rounds',
      { type: 'investors', filters: { funding_stage: 'seed' }, unstated: ['at least 3'] },
    ],
    ['founders who worked at Solo', { type: 'people', filters: { company: 'Solo' }, text: '' }],
    [
      'Wer hat die letzte Runde von Solo angeführt?',
      { type: 'rounds', filters: { company: 'Solo' }, sort: '-announced_date', text: '' },
    ],
    ['dans quelles entreprises Firstcap a investi', { type: 'companies', filters: { investor: 'Firstcap' }, text: '' }],
    ['en qué empresas invirtió Firstcap', { type: 'companies', filters: { investor: 'Firstcap' }, text: '' }],
    ['em quais empresas Firstcap investiu', { type: 'companies', filters: { investor: 'Firstcap' }, text: '' }],
    ['how many investments has Firstcap made', { type: 'rounds', filters: { investor: 'Firstcap' }, text: '' }],
    ['how many deals were done in 2025', { type: 'rounds', filters: { from: '2025-01-01' }, text: '' }],
    [
      'companies that raised a seed and then a Series A within 18 months',
      { filters: { funding_stage: 'all:seed|series_a' }, text: '', unstated: ['within 18 months'] },
    ],
    ['every round of 2025 with date and amount as CSV', { filters: { from: '2025-01-01' }, text: '' }],
    ['the whole portfolio of Firstcap', { filters: { investor: 'Firstcap' }, text: '' }],
    ['hottest sectors of 2025', { type: 'rounds', filters: { from: '2025-01-01' }, group_by: ['tag'] }],
    ['megarounds in 2025', { type: 'rounds', filters: { from: '2025-01-01' }, text: '' }],
    ['number of deals Firstcap vs Secondcap', { filters: { investor: 'Firstcap|Secondcap' }, compared: true }],
    ['Firstcap领投了多少轮', { type: 'rounds', filters: { investor: 'Firstcap', led: true }, text: '' }],
    ['wieviele Seedrunden', { type: 'rounds', filters: { funding_stage: 'seed' }, text: '' }],
    ["combien d'investisseurs a Solo", { type: 'investors', filters: { company: 'Solo' }, text: '', ignored: [] }],
    ['quantos investidores tem a Solo', { type: 'investors', filters: { company: 'Solo' }, text: '' }],
    ['which companies did Firstcap back twice', { filters: { investor: 'Firstcap' }, unstated: ['twice'] }],
    ['companies with at least 2 rounds led by Firstcap', { filters: { investor: 'Firstcap', led: true } }],
    [
      'Firstcap portfolio companies that raised twice',
      { filters: { investor: 'Firstcap', rounds_min: 2, rounds_max: 2 } },
    ],
    ['Unternehmen nach Anzahl der Mitarbeiter', { type: 'companies', sort: '-total_employees' }],
    ['Quelle entreprise a levé le plus en 2025 ?', { sort: '-total_funding_usd', group_by: ['company'] }],
    ['¿Qué empresa es la que más recaudó en 2025?', { sort: '-total_funding_usd', group_by: ['company'] }],
    ['empresa que mais captou em 2025', { sort: '-total_funding_usd', group_by: ['company'] }],
    [
      'Firstcap a-t-il mené la série A de Solo ?',
      { type: 'rounds', filters: { company: 'Solo', funding_stage: 'series_a' } },
    ],
    ['startups founded by women', { type: 'companies', text: '', unstated: ['women'] }],
    [
      'how much did Lendora grant in 2024',
      { filters: { investor: 'Lendora|Lendora Foundation', funding_stage: 'grant' } },
    ],
    ['companies that raised only once', { type: 'companies', text: '', filters: { rounds_min: 1, rounds_max: 1 } }],
    ['lending companies that raised twice', { filters: { tag: 'lending', rounds_min: 2, rounds_max: 2 } }],
    ['companies that raised more than once', { filters: { rounds_min: 2 } }],
    ['companies that raised several times', { filters: { rounds_min: 2 } }],
    ['Unternehmen, die dreimal Geld eingesammelt haben', { filters: { rounds_min: 3, rounds_max: 3 } }],
    ['empresas que recaudaron tres veces', { filters: { rounds_min: 3, rounds_max: 3 } }],
    ['companies with 5 rounds or more', { filters: { rounds_min: 5 } }],
    ['Unternehmen mit 5 Runden oder mehr', { filters: { rounds_min: 5 } }],
    ['entreprises avec 5 tours ou plus', { filters: { rounds_min: 5 } }],
    ['investors that led 5 rounds or more', { filters: { led_min: 5 }, sort: '-lead_count' }],
    ['investors with 20 deals or fewer', { filters: { investments_max: 20 } }],
    ['investors that led exactly one round', { filters: { led_min: 1, led_max: 1 }, ignored: ['that'] }],
    ['empresas con al menos tres rondas', { filters: { rounds_min: 3 }, text: '' }],
    ['empresas con una ronda', { filters: { rounds_min: 1, rounds_max: 1 } }],
    ['empresas con solo una ronda', { filters: { rounds_min: 1, rounds_max: 1 }, text: '' }],
    ['empresas con cuatro rondas', { filters: { rounds_min: 4, rounds_max: 4 }, text: '' }],
    ['empresas com três rodadas', { filters: { rounds_min: 3, rounds_max: 3 }, text: '' }],
    ['Unternehmen mit nur einer Finanzierungsrunde', { filters: { rounds_min: 1, rounds_max: 1 } }],
    ['Unternehmen mit einer Runde über 100 Millionen', { filters: { funding_min: 100_000_001 } }],
    ['entreprises avec deux levées', { filters: { rounds_min: 2, rounds_max: 2 }, text: '' }],
    ['rondas de los últimos tres meses', { type: 'rounds', filters: { from: expect.any(String) }, text: '' }],
    ['investors with more than 20 deals', { filters: { investments_min: 21 }, sort: '-investments_count' }],
    ['companies that raised more than $100M', { filters: { funding_min: 100_000_001 }, sort: '-total_funding_usd' }],
    ['rounds over $100M', { filters: { funding_min: 100_000_001 }, sort: '-amount_usd' }],
    ['cities with most companies after Berlin', { filters: { city: 'not:Berlin' }, group_by: ['city'] }],
    [
      'who has invested in both a DEX and lending',
      { type: 'investors', filters: { tag: 'DEX|lending' }, unstated: ['both a DEX and lending'] },
    ],
    [
      'who has invested in both a DEX and a lending company',
      { type: 'rounds', filters: { tag: 'DEX|lending' }, unstated: ['both a DEX and a lending'] },
    ],
    ['how many seeds did Firstcap lead in 2025', { type: 'rounds', filters: { funding_stage: 'seed', led: true } }],
    ['companies by status', { type: 'companies', filters: {}, text: '', group_by: ['status'] }],
    ['average time between seed and series A', { filters: {}, text: '', unstated: ['time between seed and series A'] }],
    ["what's new in the data since September 2026?", { filters: { updated_since: '2026-09-01' }, text: '' }],
    ['L2 chains that raised over $1m', { type: 'companies', filters: { tag: 'L2', funding_min: 1_000_001 }, text: '' }],
    ['wie viele Unternehmen wurden geschlossen', { type: 'companies', filters: { status: 'closed' }, text: '' }],
    ['who co-led rounds with Firstcap', { filters: { investor: 'Firstcap', led: true }, group_by: ['lead_investor'] }],
    ['which investors first invested in 2021', { type: 'investors', unstated: ['first invested in'] }],
    ['companies last funded before 2020', { filters: { last_round_before: '2019-12-31' } }],
    ['how many closed lending companies', { type: 'companies', filters: { status: 'closed', tag: 'lending' } }],
    ['number of closed wallets', { type: 'companies', filters: { status: 'closed', tag: 'wallets' } }],
    ['how many lending companies on Ethereum closed', { filters: { status: 'closed', tag: 'lending' } }],
    ['how many closed lending rounds', { type: 'rounds', filters: { tag: 'lending' } }],
    ['closed lending companies', { type: 'companies', filters: { status: 'closed', tag: 'lending' } }],
    ['grants received by Lendora', { filters: { funding_stage: 'grant', company: 'Lendora' } }],
    [
      'how many grants did Lendora give in 2025',
      { filters: { funding_stage: 'grant', investor: 'Lendora|Lendora Foundation' } },
    ],
    ['grants that Lendora Foundation awarded', { filters: { funding_stage: 'grant', investor: 'Lendora Foundation' } }],
    [
      'Förderungen von Lendora Foundation',
      { type: 'rounds', filters: { funding_stage: 'grant', investor: 'Lendora Foundation' } },
    ],
    ['grants given by Lendora', { filters: { funding_stage: 'grant', investor: 'Lendora|Lendora Foundation' } }],
    [
      'how much did Lendora Foundation give in 2025',
      {
        type: 'rounds',
        filters: {
          funding_stage: 'grant',
          investor: 'Lendora Foundation',
          from: '2025-01-01',
          to: '2025-12-31',
        },
      },
    ],
    ['how much has Lendora given', { filters: { funding_stage: 'grant', investor: 'Lendora|Lendora Foundation' } }],
    ['who gives the most grants', { type: 'investors', filters: { funding_stage: 'grant' }, group_by: ['investor'] }],
    [
      'who was awarded the most grants',
      { type: 'companies', filters: { funding_stage: 'grant' }, group_by: ['company'] },
    ],
    ['who gave the largest grant', { type: 'rounds', filters: { funding_stage: 'grant' }, sort: '-amount_usd' }],
    [
      'top grant recipients',
      {
        type: 'companies',
        filters: { funding_stage: 'grant' },
        group_by: ['company'],
        sort: '-total_funding_usd',
      },
    ],
    ['how much was granted each year', { type: 'rounds', filters: { funding_stage: 'grant' }, group_by: ['year'] }],
    ['grants by giver', { type: 'rounds', filters: { funding_stage: 'grant' }, group_by: ['investor'] }],
    [
      'top investors by amount invested',
      { type: 'rounds', filters: { funding_stage: 'except:grant' }, group_by: ['investor'], sort: '-amount_usd' },
    ],
    ['upcoming events in 2026', { type: 'events', filters: { from: '2026-11-21', to: '2026-12-31' } }],
    ['upcoming events in 2027', { type: 'events', filters: { from: '2027-01-01', to: '2027-12-31' } }],
    ['2027 events still to come', { type: 'events', filters: { from: '2027-01-01', to: '2027-12-31' } }],
    ['upcoming events in March', { type: 'events', filters: { from: '2027-03-01', to: '2027-03-31' } }],
    ['upcoming events in 2021', { type: 'events', filters: { from: '2026-11-21' }, unstated: ['in 2021'] }],
    [
      'who led more, Firstcap or Secondcap',
      {
        type: 'rounds',
        filters: { investor: 'Firstcap|Secondcap', led: true },
        group_by: ['lead_investor'],
        compared: true,
      },
    ],
    [
      'Firstcap vs Secondcap deals in 2025',
      { type: 'rounds', filters: { investor: 'Firstcap|Secondcap' }, group_by: ['investor'], compared: true },
    ],
    [
      'top investors in Germany by amount invested',
      { type: 'investors', filters: { country: 'Germany' }, unstated: ['by amount'] },
    ],
  ])('reads periods, staff, last rounds and orders in other words: %s', async (text, understood) => {
    expect(await read(text)).toMatchObject({ understood });
  });

  test('compares nobody where an amount is exceeded', async () => {
    const { understood } = await read('rounds led by Firstcap or Secondcap of more than $1m');
    expect(understood).toMatchObject({ filters: { investor: 'Firstcap|Secondcap', funding_min: 1_000_001 } });
    expect(understood).not.toHaveProperty('group_by');
  });

  test.each<Row>([
    ['DEXs w/ seed', { type: 'companies', filters: { tag: 'DEXs', funding_stage: 'seed' }, text: '' }],
    ['companies w/o funding', { unstated: ['w/o funding'] }],
    ['rounds btw 5m and 10m', { filters: { funding_min: 5_000_000, funding_max: 10_000_000 }, text: '' }],
    ['rounds b/w $5m and $10m', { filters: { funding_min: 5_000_000, funding_max: 10_000_000 }, text: '' }],
    ['big lending companies', { filters: { tag: 'lending' }, sort: '-total_funding_usd' }],
    ['large crypto firms', { type: 'companies', filters: {}, text: '', sort: '-total_funding_usd' }],
    ['small investors', { type: 'investors', sort: 'investments_count' }],
    ['Firstcap crypto investments', { type: 'rounds', filters: { investor: 'Firstcap' }, text: '' }],
    ['Firstcap web3 companies', { type: 'companies', filters: { investor: 'Firstcap' }, text: '' }],
    ['recent crypto deals', { type: 'rounds', sort: '-announced_date' }],
    ['latest crypto funding', { type: 'rounds', sort: '-announced_date' }],
    ['how many funded companies are on Solana', { filters: { chain: 'Solana', funding_min: 1 }, text: '' }],
    ['which chain has the most funded companies', { filters: { funding_min: 1 }, group_by: ['chain'] }],
    ['which chain has the most companies with funding', { filters: { funding_min: 1 }, group_by: ['chain'] }],
    ['rounds in 2025 led by lenders', { unstated: ['led by lenders'] }],
    ['companies backed by hedge funds', { unstated: ['backed by hedge funds'] }],
    [
      'investors in Norway that are most active in Iceland',
      { filters: { country: 'Norway' }, unstated: ['in Iceland'] },
    ],
    [
      'investors in Norway that invest in Iceland',
      { type: 'rounds', filters: { country: 'Iceland', investor_country: 'Norway' }, group_by: ['investor'] },
    ],
    [
      'funds that invest in lending in Germany since 2024',
      {
        type: 'rounds',
        filters: { tag: 'lending', country: 'Germany', from: '2024-01-01' },
        ignored: ['that'],
        group_by: ['investor'],
      },
    ],
    ['which investors led at least 5 rounds in 2025', { unstated: ['at least 5 rounds'] }],
    ['which VCs led more than five rounds in 2025', { unstated: ['more than five rounds'] }],
    ['which VCs backed Solo', { filters: { company: 'Solo' }, ignored: ['which', 'VCs'] }],
    ['how much was raised in ICOs', { type: 'rounds', filters: { funding_stage: 'initial_coin_offering' } }],
    ['fifth largest round ever', { type: 'rounds', sort: '-amount_usd', text: '' }],
    ['what percentage of 2025 funding went to nowhere', { unstated: ['percentage'] }],
    ['investors that led more than half of their rounds', { unstated: ['more than half'] }],
    ['top investors by number of portfolio companies', { unstated: ['by number portfolio companies'] }],
    ['which stage attracted the most money in 2025', { type: 'rounds', group_by: ['stage'] }],
    ['Polish companies', { type: 'companies', filters: { country: 'Poland' }, text: '' }],
    ['Danish investors', { type: 'investors', filters: { country: 'Denmark' }, text: '' }],
    ['who raised a seed in 2021 and is now closed', { filters: { funding_stage: 'seed', status: 'closed' } }],
    ['how many companies raised their first round in 2022', { unstated: ['first round'] }],
    ['largest round without Solo and Lendora', { filters: { company: 'not:Solo|Lendora' } }],
    ["how big is Firstcap's fund", { type: 'investors', unstated: ['Firstcap'] }],
    ['companies founded by Solo alumni', { unstated: ['Solo', 'alumni'] }],
    ['how many founders does Polkadot have', { type: 'people', filters: { company: 'Polkadot' }, text: 'founder' }],
    ['DEXs on Solana raised over $10M', { filters: { tag: 'DEXs', chain: 'Solana', funding_min: 10_000_001 } }],
    ['how much venture money flowed into crypto in 2025', { type: 'rounds', text: '' }],
    ['wie viele finanzierte Unternehmen gibt es auf Solana', { filters: { chain: 'Solana', funding_min: 1 } }],
    ["combien d'entreprises ont fermé", { filters: { status: 'closed' }, text: '' }],
    ['which company raised most in Series A rounds', { filters: { funding_stage: 'series_a' }, group_by: ['company'] }],
    ['entreprises similaires à Solo', { list: 'similar' }],
    ['which investors backed most closed companies', { type: 'investors', unstated: ['closed companies'] }],
    ['investors in Polkadot lending companies', { type: 'investors', unstated: ['Polkadot'] }],
    ['did anyone lead the seed round of Solo', { type: 'rounds', filters: { company: 'Solo' } }],
    ['first ICO', { type: 'rounds', sort: 'announced_date' }],
    ['funded DEXs on Solana', { type: 'companies', filters: { tag: 'DEXs', chain: 'Solana', funding_min: 1 } }],
    ['venture-backed lenders', { type: 'companies', filters: { tag: 'lenders', funding_min: 1 } }],
    ['backed startups in Berlin', { type: 'companies', filters: { city: 'Berlin', funding_min: 1 } }],
    ['startups raising money in Germany', { type: 'companies', filters: { country: 'Germany', funding_min: 1 } }],
    ['list of market makers', { type: 'investors', filters: { investor_type: 'market_maker' }, text: '' }],
    ['prediction market startups', { filters: { tag: 'prediction market' } }],
    ['sf companies', { type: 'companies', filters: { city: 'sf' } }],
    ['lenders Nigeria', { type: 'companies', filters: { tag: 'lenders', country: 'Nigeria' }, text: '' }],
    ['Solana ecosystem', { type: 'companies', filters: { chain: 'Solana' }, text: '' }],
    ['companies in the NEAR ecosystem', { type: 'companies', filters: { chain: 'NEAR' }, text: '' }],
    ['COMPANIES NEAR BERLIN', { type: 'companies', filters: { city: 'BERLIN' }, text: '' }],
    ['Solana ecosystem investors', { type: 'rounds', filters: { chain: 'Solana' }, group_by: ['investor'] }],
    ['who is raising right now', { filters: {}, text: '', unstated: ['raising right now'] }],
    ['Solo investors or Bothlo investors', { type: 'investors', filters: { company: 'Solo|Bothlo' } }],
    ['companies backed by Firstcap or backed by Secondcap', { filters: { investor: 'Firstcap|Secondcap' } }],
    ['companies backed by Firstcap or by Secondcap', { filters: { investor: 'Firstcap|Secondcap' }, text: '' }],
    ['rounds led by Firstcap or by Secondcap', { filters: { investor: 'Firstcap|Secondcap', led: true } }],
    ['people at Solo or at Bothlo', { type: 'people', filters: { company: 'Solo|Bothlo' } }],
    ['who else invested with Firstcap in Solo', { filters: { investor: 'Firstcap', company: 'Solo' } }],
    ['newest investors', { type: 'investors', sort: '-year_founded' }],
    ['oldest funds', { type: 'investors', sort: 'year_founded' }],
    ['companies with unknown country', { filters: {}, unstated: ['unknown country'] }],
  ])('reads what is typed in short: %s', async (text, understood) => {
    expect(await read(text)).toMatchObject({ understood });
  });

  test('reads the largest round of each group, and the groups in the order of their figures', async () => {
    for (const [text, measure, order] of [
      ['largest seed round per year', 'max', undefined],
      ['smallest seed round per year', 'min', undefined],
      ['top sectors by funding', 'sum', undefined],
      ['monthly funding in 2024', 'sum', undefined],
      ['which month of 2024 had the most rounds', undefined, 'largest'],
      ['which month of 2024 raised the most money', 'sum', 'largest'],
      ['in which year was the least capital raised', 'sum', 'smallest'],
      ['year with the highest average', 'average', 'largest'],
      ['welches Jahr hatte die meisten Runden', undefined, 'largest'],
      ['least active month in 2024', undefined, 'smallest'],
      ['which stage had the fewest rounds', undefined, 'smallest'],
      ['which country has the fewest companies', undefined, 'smallest'],
    ] as const) {
      const { understood } = await read(text);
      const asked = understood && aggregateAskedFor(understood);
      expect([text, asked?.measure, asked?.order]).toEqual([text, measure, order]);
    }
  });

  test('states how many records have the one fact by which nothing is found', async () => {
    expect(await read('people in Berlin')).toMatchObject({ total: 0, coverage: { city: { known: 0, records: 7 } } });
    expect((await read('companies in Berlin')).coverage).toBeUndefined();
  });

  test.each<[text: string, asked: object]>([
    ['German vs French funding in 2025', { of: 'rounds', group_by: ['country'], measure: 'sum' }],
    ['seed vs Series A rounds', { of: 'rounds', group_by: ['stage'], measure: undefined }],
    ['lending companies in Germany vs France', { of: 'companies', group_by: ['country'], measure: undefined }],
    ['seed rounds 2023 vs 2024 vs 2025', { group_by: ['year'], filters: { from: '2023-01-01', to: '2025-12-31' } }],
    ['is 2025 funding higher than 2024?', { group_by: ['year'], measure: 'sum', filters: { from: '2024-01-01' } }],
    ['compare Q1 2024 with Q1 2025 funding', { group_by: ['quarter'], filters: { to: '2025-03-31' } }],
    ['were there more rounds in 2024 or in 2025', { group_by: ['year'], measure: undefined }],
    ['which year had more rounds, 2024 or 2025', { group_by: ['year'], filters: { from: '2024-01-01' } }],
    ['are there more lending companies in Berlin or Paris', { group_by: ['city'], filters: { city: 'Berlin|Paris' } }],
    ['which was bigger in 2025, DEX or Lending funding', { group_by: ['tag'], isComparison: true, measure: 'sum' }],
    [
      'did DEX companies raise more than Lending companies in 2025',
      { of: 'rounds', group_by: ['tag'], measure: 'sum' },
    ],
    ['did Germany raise more than France', { of: 'rounds', group_by: ['country'], measure: 'sum' }],
    ['are there more DEX companies than Lending companies', { of: 'companies', group_by: ['tag'], measure: undefined }],
    ['H1 vs H2 2025', { group_by: ['quarter'], filters: { from: '2025-01-01', to: '2025-12-31' } }],
    ['which raised more in 2025, DEX or Lending?', { of: 'rounds', group_by: ['tag'], measure: 'sum' }],
    ['which stage is most common', { of: 'rounds', group_by: ['stage'], measure: undefined }],
    ['which month of 2025 had the most Series A', { group_by: ['month'], measure: undefined }],
    ['which month of 2025 had the most Series A funding', { group_by: ['month'], measure: 'sum' }],
    ['top companies by number of rounds', { of: 'rounds', group_by: ['company'], measure: undefined }],
    ['Solana vs Ethereum number of companies', { of: 'companies', group_by: ['chain'], isComparison: true }],
    [
      'which country has the most lending companies after Germany',
      { group_by: ['country'], filters: { country: 'not:Germany' } },
    ],
    ['did Firstcap do more deals than Secondcap in 2025', { group_by: ['investor'], isComparison: true }],
    ['Firstcap or Secondcap: who did more seed rounds', { group_by: ['investor'], filters: { funding_stage: 'seed' } }],
    ['Germany vs France funding', { group_by: ['country'], filters: { country: 'Germany|France' } }],
    ['funding in France vs Germany', { of: 'rounds', group_by: ['country'], measure: 'sum' }],
    ['Firstcap vs Secondcap deals in 2025', { of: 'rounds', filters: { investor: 'Firstcap|Secondcap' } }],
    [
      'compare Firstcap and Secondcap deals in 2025',
      { group_by: ['investor'], filters: { investor: 'Firstcap|Secondcap' } },
    ],
    ['Firstcap vs Secondcap number of deals in 2025', { group_by: ['investor'], isComparison: true }],
    [
      'how many companies are on Solana vs Ethereum',
      { of: 'companies', group_by: ['chain'], filters: { chain: 'Solana|Ethereum' }, isComparison: true },
    ],
    ['DEX vs Lending companies', { group_by: ['tag'], filters: { tag: 'DEX|Lending' }, isComparison: true }],
    ['what stage does Firstcap usually invest at', { group_by: ['stage'], filters: { investor: 'Firstcap' } }],
    ['which organisations gave the largest grants', { of: 'rounds', group_by: ['investor'], measure: 'max' }],
    ['which foundation gives the biggest grants', { of: 'rounds', group_by: ['investor'], measure: 'max' }],
    ['biggest grant givers', { of: 'rounds', group_by: ['investor'], measure: 'sum' }],
    ['which project received the largest grant', { of: 'rounds', group_by: ['company'], measure: 'max' }],
    ['largest grant recipients', { of: 'rounds', group_by: ['company'], measure: 'sum' }],
    ['Solo vs Bothlo rounds', { of: 'rounds', group_by: ['company'], filters: { company: 'Solo|Bothlo' } }],
    [
      'Solo vs Bothlo funding',
      { of: 'rounds', group_by: ['company'], measure: 'sum', filters: { company: 'Solo|Bothlo' } },
    ],
    ['compare how much Solo and Bothlo raised', { of: 'rounds', group_by: ['company'], measure: 'sum' }],
    ['funding from 2025 to 2026', { of: 'rounds', measure: 'sum', filters: { from: '2025-01-01', to: '2026-12-31' } }],
    // The total funding of companies is of all years.
    ['total raised by lending companies in 2025 by country', { of: 'rounds', group_by: ['country'], measure: 'sum' }],
    ['total raised by lending companies by country', { of: 'companies', group_by: ['country'], measure: 'sum' }],
    ['lending companies that raised in 2025 by country', { of: 'companies', measure: undefined }],
  ])('groups what is compared, and sums the rounds of a period: %s', async (text, asked) => {
    const { understood } = await read(text);
    expect(understood && aggregateAskedFor(understood)).toMatchObject(asked);
  });

  test.each([
    ['average number of investors per round', 'average number of investors'],
    ['how many investors on average take part in a seed round', 'how many investors on average'],
    ['average number of rounds per company', 'average number of rounds'],
    ['which has more investors, Solo or Bothlo', 'more investors'],
    ['funds with more than $1B under management', 'under management'],
    ['which VCs stopped investing after 2022', 'stopped investing'],
  ])('finds nothing for what nothing counts: %s', async (text, unstated) => {
    const { total, understood } = await read(text);
    expect([total, understood]).toEqual([0, expect.objectContaining({ unstated: [unstated], text: '', filters: {} })]);
    expect(aggregateAskedFor(understood ?? {})).toBeUndefined();
  });

  test.each<[text: string, understood: object]>([
    ['largest crypto funds by size', { sort: '-investments_count', unstated: ['by size'] }],
    ['how big is the Firstcap fund', { type: 'investors', filters: {}, text: 'Firstcap' }],
    ['DAO investors', { type: 'investors', filters: { investor_type: 'dao' } }],
    ['which DAO invests in startups', { type: 'investors', filters: { investor_type: 'dao' } }],
    ['companies by number of employees', { type: 'companies', sort: '-total_employees' }],
    ['most frequent conference speakers', { type: 'people', group_by: ['speaker'] }],
    ['how many people are founders', { type: 'people', text: 'founder' }],
    ['list all founders', { type: 'people', text: 'founder', ignored: ['list', 'all'] }],
  ])('reads who is asked for, and by what: %s', async (text, understood) => {
    expect((await read(text)).understood).toMatchObject(understood);
  });

  test('sums no rounds above an amount for companies with such a total', async () => {
    const { understood } = await read('total raised by companies with more than 3M funding in 2025');
    expect(understood).toMatchObject({ type: 'companies', filters: { funding_min: 3_000_001 } });
    expect(aggregateAskedFor(understood ?? {})).toBeUndefined();
  });

  test('lists no grants to a company for those of a foundation that begins with its name', async () => {
    for (const text of ['grants from Bothlo Foundation', 'grants given by Bothlo Foundation'])
      expect(await read(text), text).toMatchObject({ total: 0, understood: { nearest: expect.anything() } });
  });

  test.each([
    ['companies with 2 or more founders', '2 or more founders'],
    ['companies on more than 3 chains', '3 chains'],
    ['companies on 2 or more chains', '2 or more chains'],
    ['investors in more than 5 countries', '5 countries'],
  ])('lists nothing by a number that no filter is about: %s', async (text, words) => {
    expect((await read(text)).understood).toMatchObject({ text: '', unstated: [words] });
  });

  test('reads who founded a company, the verb before its name or after', async () => {
    for (const text of ['wer hat Solo gegründet', 'wer gründete Solo', 'who founded Solo'])
      expect((await read(text)).understood, text).toMatchObject({ type: 'people', filters: { company: 'Solo' } });
  });

  test('averages the size of rounds in German', async () => {
    const { understood } = await read('Durchschnittliche Rundengröße 2025');
    expect(understood && aggregateAskedFor(understood)).toMatchObject({ of: 'rounds', measure: 'average' });
  });

  test('reads a sentence whose words are separated otherwise', async () => {
    for (const text of ['companies\tin\tBerlin', 'companies\nin\nBerlin', 'companies\u00a0in\u00a0Berlin'])
      expect((await read(text)).understood?.filters, text).toEqual({ city: 'Berlin' });
  });

  test.each([
    ['big rounds', '-amount_usd'],
    ['large lending rounds in 2025', '-amount_usd'],
    ['small seed rounds', 'amount_usd'],
    ['grosse Runden', '-amount_usd'],
    ['how big are seed rounds', undefined],
  ])('orders rounds by a word for their size: %s', async (text, sort) => {
    const { understood } = await read(text);
    expect(understood).toMatchObject({ type: 'rounds', text: '' });
    expect(understood?.sort).toBe(sort);
  });

  test.each([
    ['founders who raised from Firstcap', 'raised from Firstcap'],
    ['people who founded companies backed by Secondcap', 'backed by Secondcap'],
  ])('lists nobody by a party that people cannot be filtered by, and names it: %s', async (text, words) => {
    const { total, understood } = await read(text);
    expect([total, understood?.unstated?.join(' ')]).toEqual([0, expect.stringContaining(words)]);
    expect(understood?.nearest).toBeUndefined();
  });

  test.each([
    ["combien d'entreprises en Allemagne", undefined],
    ['德国有多少公司', undefined],
    ['combien de tours en 2025', undefined],
    ['combien ont levé les entreprises en Allemagne', 'sum'],
    ['combien a été levé en 2025', 'sum'],
    ['Gesamtsumme der Runden 2025', 'sum'],
    ['combined funding of Solo and Bothlo', 'sum'],
    ['companies that raised more than $1M total', undefined],
  ])('sums no amounts where records are counted: %s', async (text, measure) => {
    const { understood } = await read(text);
    expect(understood && aggregateAskedFor(understood)?.measure).toBe(measure);
  });

  test.each([
    'companies that raised a seed round in 2025',
    'Welche Firmen haben 2025 eine Seed-Runde gemacht?',
    'empresas que cerraron una ronda semilla en 2025',
    'Firmen, die 2025 mehr als 3 Millionen eingesammelt haben',
  ])('ignores no word for the rounds that companies are restricted by: %s', async (text) => {
    const { names, understood } = await read(text);
    expect(names).toEqual(['Solo']);
    expect(understood?.ignored.join(' ')).not.toMatch(/round|rais|runde|gemacht|gesammelt|ronda/i);
  });

  const SEED: Partial<ParsedQuery> = { type: 'rounds', filters: { funding_stage: 'seed' }, text: '' };
  const OF_2025 = { from: '2025-01-01', to: '2025-12-31' };

  test.each<[text: string, understood: Partial<ParsedQuery>, names: readonly string[]]>([
    ['Quién lideró la Serie A de Solo', { type: 'rounds', filters: { company: 'Solo' }, text: '' }, ['Solo Seed']],
    ['quem liderou a Série A da Solo?', { type: 'rounds', filters: { company: 'Solo' }, text: '' }, ['Solo Seed']],
    ['empresas con Serie A', { type: 'companies', filters: { funding_stage: 'series_a' } }, []],
    ['rondas Serie A 2025', { type: 'rounds', filters: { funding_stage: 'series_a', ...OF_2025 }, text: '' }, []],
    ['rodadas Série A em 2025', { type: 'rounds', filters: { funding_stage: 'series_a', ...OF_2025 } }, []],
    ['Serie-A-Runden 2025', { type: 'rounds', filters: { funding_stage: 'series_a', ...OF_2025 }, text: '' }, []],
    ['Series A Runden 2025', { type: 'rounds', filters: { funding_stage: 'series_a', ...OF_2025 }, text: '' }, []],
    ['levées série B 2025', { type: 'rounds', filters: { funding_stage: 'series_b', ...OF_2025 }, text: '' }, []],
    ['inversión Seed en 2025', SEED, ['Solo Seed']],
    ['montant médian seed 2025', SEED, ['Solo Seed']],
    [
      'Quels investisseurs ont financé Solo ?',
      { type: 'investors', filters: { company: 'Solo' } },
      ['Firstcap', 'Secondcap'],
    ],
    ['Qui a financé Solo ?', { type: 'investors', filters: { company: 'Solo' } }, ['Firstcap', 'Secondcap']],
    [
      'inversiones de Firstcap en 2025',
      { type: 'rounds', filters: { investor: 'Firstcap', ...OF_2025 } },
      ['Solo Seed'],
    ],
    ['startups parisiennes', { type: 'companies', filters: { city: 'Paris' }, text: '' }, ['Lendora']],
    ['Berliner Firmen', { type: 'companies', filters: { city: 'Berlin' }, text: '' }, ['Solo', 'Lendberg']],
    [
      'Lending aus Deutschland',
      { type: 'companies', filters: { tag: 'Lending', country: 'Deutschland' } },
      ['Solo', 'Lendberg'],
    ],
    ['lending from the US', { type: 'companies', filters: { tag: 'lending', country: 'United States' } }, []],
    ['Serica rounds', { type: 'rounds', filters: { company: 'Serica' } }, []],
  ])('reads stages, places and verbs in the words of each language: %s', async (text, expected, names) => {
    const { understood, ...found } = await read(text);
    expect(understood).toMatchObject(expected);
    expect([...found.names].sort()).toEqual([...names].sort());
  });

  const OF_FIRSTCAP: Partial<ParsedQuery> = { type: 'rounds', filters: { investor: 'Firstcap' }, text: '' };

  test.each<[text: string, understood: Partial<ParsedQuery>]>([
    ['which quarter of 2025 saw the most funding', { type: 'rounds', group_by: ['quarter'], text: '' }],
    ['median check of seed rounds in 2025', { ...SEED, unstated: ['check'] }],
    ['who did the most seed deals in 2025', { ...SEED, group_by: ['investor'] }],
    ['who did most seed rounds in 2025', { ...SEED, group_by: ['investor'] }],
    ['investors by type', { type: 'investors', group_by: ['investor_type'], filters: {}, text: '' }],
    ['Veranstaltungen nach Art', { type: 'events', group_by: ['event_type'], filters: {}, text: '' }],
    ['rounds by type in 2025', { type: 'rounds', group_by: ['stage'], text: '' }],
    ['companies by type', { type: 'companies', unstated: ['by type'] }],
    ['companies by status', { type: 'companies', group_by: ['status'], text: '' }],
    ['speakers per event', { type: 'people', group_by: ['event'] }],
    ['top-10 chains by number of companies', { type: 'companies', group_by: ['chain'], text: '' }],
    ['top-5 rounds of 2025', { type: 'rounds', sort: '-amount_usd', text: '', filters: { ...OF_2025 } }],
    ['sectors Firstcap invests in', { type: 'companies', filters: { investor: 'Firstcap' }, group_by: ['tag'] }],
    ['in which stages does Firstcap invest?', { ...OF_FIRSTCAP, group_by: ['stage'] }],
    ['favourite sectors of Firstcap', { ...OF_FIRSTCAP, group_by: ['tag'] }],
    ["Firstcap's favourite chains", { ...OF_FIRSTCAP, group_by: ['chain'] }],
    ['total amount raised by Solo & Lendora', { type: 'rounds', filters: { company: 'Solo|Lendora' }, text: '' }],
    ['Solo and Lendora funding', { type: 'rounds', filters: { company: 'Solo|Lendora' }, text: '' }],
    ['Firstcap + Secondcap co-investments', { type: 'rounds', filters: { investor: 'all:Firstcap|Secondcap' } }],
    [
      'did Firstcap and Secondcap ever invest together?',
      { filters: { investor: 'all:Firstcap|Secondcap' }, type: 'rounds' },
    ],
    ['Series A + Series B rounds', { type: 'rounds', filters: { funding_stage: 'series_a|series_b' } }],
    ['Lending + DEX companies', { type: 'companies', filters: { tag: 'Lending|DEX' } }],
    ['companies on Solana + Ethereum', { filters: { chain: 'all:Solana|Ethereum' } }],
    ['team at Solo', { type: 'people', filters: { company: 'Solo' }, text: '' }],
    [
      'companies that went from seed to Series B',
      { type: 'companies', filters: { funding_stage: 'all:seed|series_b' } },
    ],
  ])('reads groups, pairs and verbs in other words: %s', async (text, expected) => {
    const { understood } = await read(text);
    expect(understood).toMatchObject({ ...expected, filters: expect.objectContaining(expected.filters ?? {}) });
  });

  test.each([
    ['GPs at Firstcap', 'general partner'],
    ['CISO of Firstcap', 'chief information security officer'],
    ['developers of Firstcap', 'developer'],
    ['chief legal officer of Firstcap', 'chief legal officer'],
    ['chief executive officer of Firstcap', 'CEO'],
  ])('asks for a title as records state it: %s', async (text, title) => {
    const { type, filters, text: words } = (await read(text, ['people'])).understood ?? {};
    expect({ filters, words }).toEqual({ filters: { company: 'Firstcap' }, words: title });
    expect([undefined, 'people']).toContain(type);
  });

  test.each<[text: string, filters: ParsedQuery['filters'], unstated: string]>([
    ['companies that raised in 2023 and 2025', { from: '2023-01-01', to: '2023-12-31' }, 'and 2025'],
    ['empresas que recaudaron en 2023 y 2025', { from: '2023-01-01', to: '2023-12-31' }, 'y 2025'],
    ['companies that raised in both 2024 and 2025', { from: '2024-01-01', to: '2025-12-31' }, 'both 2024 and 2025'],
    [
      'companies that raised a seed in 2024 and a Series A in 2025',
      { funding_stage: 'seed', from: '2024-01-01', to: '2024-12-31' },
      'and a Series A in 2025',
    ],
  ])(
    'names the second of two periods of one company, which nothing filters by: %s',
    async (text, filters, unstated) => {
      expect((await read(text)).understood).toMatchObject({ type: 'companies', filters, unstated: [unstated] });
    },
  );

  test.each([
    ['companies that raised in 2024 and 2025', { from: '2024-01-01', to: '2025-12-31' }],
    ['companies that raised between 2023 and 2025', { from: '2023-01-01', to: '2025-12-31' }],
    ['rounds in 2024 and 2025', { from: '2024-01-01', to: '2025-12-31' }],
    ['rounds between 2023 and 2025', { from: '2023-01-01', to: '2025-12-31' }],
    ['companies founded in 2019 and 2021', { founded_from: 2019, founded_to: 2021 }],
  ])('reads as one period what may have happened in any part of it: %s', async (text, filters) => {
    const { understood } = await read(text);
    expect(understood?.filters).toMatchObject(filters);
    expect(understood?.unstated).toBeUndefined();
    expect(understood?.periods).toBeUndefined();
  });

  test.each(['rounds in 2023 and 2025', 'how many rounds in 2023 and 2025', 'rondas en 2023 y 2025'])(
    'reads as two periods of rounds those that do not follow each other: %s',
    async (text) => {
      expect((await read(text)).understood).toMatchObject({
        filters: { from: '2023-01-01', to: '2025-12-31' },
        group_by: ['year'],
        periods: [
          { from: '2023-01-01', to: '2023-12-31' },
          { from: '2025-01-01', to: '2025-12-31' },
        ],
      });
    },
  );

  test.each(['go go protocol', 'Gone Studio', 'GP Bullhound', 'CIO Group', 'check in'])(
    'is a name, though it begins as a sentence may: %s',
    async (text) => {
      const { type, ignored = [], unstated = [] } = (await read(text)).understood ?? {};
      expect([type === 'people', ...ignored, ...unstated]).toEqual([false]);
    },
  );

  test.each([
    ['montant médian seed 2025', 'median'],
    ['taille médiane des seed 2025', 'median'],
    ['promedio Seed 2025', 'average'],
    ['比较Solo和Lendora的融资', 'sum'],
  ])('measures what each language asks for: %s', async (text, measure) => {
    expect(aggregateAskedFor((await read(text)).understood ?? {})).toMatchObject({ of: 'rounds', measure });
  });

  test.each(['how much did companies in Germany raise in 2025', 'total raised by companies in Germany in 2025'])(
    'lists the rounds of a total, the largest first: %s',
    async (text) => {
      const { names, understood, isTyped } = await read(text);
      expect({ names, isTyped }).toEqual({ names: ['Solo Seed'], isTyped: true });
      expect(understood).toMatchObject({ type: 'rounds', sort: '-amount_usd', filters: { country: 'Germany' } });
      expect(aggregateAskedFor(understood ?? {})).toMatchObject({ of: 'rounds', measure: 'sum' });
    },
  );

  test.each([
    ['sourced rounds in 2025', true],
    ['verified rounds in 2025', true],
    ['unsourced rounds in 2025', false],
    ['rounds in 2025 that are not sourced', false],
    ['rounds in 2025 without a source', false],
  ])('reads whether a page states a round: %s', async (text, sourced) => {
    expect((await read(text)).understood?.filters).toMatchObject({ sourced, from: '2025-01-01' });
  });

  test.each([
    ['how much did they raise in 2025', 'they'],
    ['its investors', 'its'],
    ['how much was raised since the merge', 'since the merge'],
  ])('lists nothing for a word that stands for what no record states: %s', async (text, word) => {
    expect(await read(text)).toMatchObject({ names: [], understood: { unstated: [word] } });
  });

  test('takes a word of a name for no verb if the verb follows', async () => {
    const asked = (await read('how much did Founders Fund invest in 2021')).understood;
    expect(asked).toMatchObject({ type: 'rounds', ignored: ['how', 'much', 'did'] });
  });

  test('ranks by their largest round those who led the biggest rounds', async () => {
    const { understood } = await read('who led the biggest seed rounds in 2025');
    expect(understood).toMatchObject({ type: 'rounds', group_by: ['lead_investor'] });
    expect(aggregateAskedFor(understood ?? {})).toMatchObject({ measure: 'max', group_by: ['lead_investor'] });
  });

  test('sums nothing where the largest funding is asked for', async () => {
    const { understood } = await read('largest funding in 2025');
    expect(understood).toMatchObject({ type: 'rounds', sort: '-amount_usd' });
    expect(aggregateAskedFor(understood ?? {})).toBeUndefined();
  });

  test('ignores how many companies of a sector investors are to have backed, with the bound', async () => {
    expect((await read('VCs that invested in more than 5 lending companies')).understood?.ignored).toEqual(
      expect.arrayContaining(['more', 'than', '5']),
    );
  });

  test.each<Row>([
    [
      'companies founded after 2018 and less than $10M raised',
      { filters: { founded_from: 2019, funding_max: 9_999_999 } },
    ],
    ['companies founded after 2018 and above $10M', { filters: { founded_from: 2019, funding_min: 10_000_001 } }],
    ['companies with at least 5 rounds and less than $100M', { filters: { rounds_min: 5, funding_max: 99_999_999 } }],
    ['companies with Series B and less than $50M', { filters: { funding_stage: 'series_b', funding_max: 49_999_999 } }],
    ['seed rounds since 2023 and more than $10M', { filters: { from: '2023-01-01', funding_min: 10_000_001 } }],
    ['rounds over $10M and less than $20M', { filters: { funding_min: 10_000_001, funding_max: 19_999_999 } }],
    ['companies in Germany and more than two rounds', { filters: { country: 'Germany', rounds_min: 3 } }],
    ['companies with more than 2 and less than 5 rounds', { text: '', filters: { rounds_min: 3, rounds_max: 4 } }],
    ['companies founded after 2018 with more than 5 rounds', { filters: { founded_from: 2019, rounds_min: 6 } }],
    ['Runden 2022 und mehr als 100 Millionen Dollar', { filters: { to: '2022-12-31', funding_min: 100_000_001 } }],
    ['Runden über 10 Millionen Dollar', { filters: { funding_min: 10_000_001 } }],
    ['levées en 2022 et plus de 100 millions de dollars', { filters: { to: '2022-12-31', funding_min: 100_000_001 } }],
    ['rondas en 2022 y más de 100 millones de dólares', { filters: { to: '2022-12-31', funding_min: 100_000_001 } }],
    ['investors with more than 20 deals and at least 5 leads', { filters: { investments_min: 21, led_min: 5 } }],
    [
      'rounds of $10M and above in 2022',
      { filters: { funding_min: 10_000_000, from: '2022-01-01', to: '2022-12-31' } },
    ],
    [
      'companies with Series B and above',
      { filters: { funding_stage: expect.stringMatching(/^series_b\|.*series_h$/) } },
    ],
    ['companies with 5 or more rounds', { filters: { rounds_min: 5 } }],
    ['companies with 2 rounds or less than $5M', { unstated: ['or less than $ 5M'] }],
    ['entreprises avec Series A ou plus de 5 tours', { unstated: ['ou plus de 5 tours'] }],
  ])('reads the bound of what follows rather than of what precedes: %s', async (text, understood) => {
    expect((await read(text)).understood).toMatchObject(understood);
  });

  test.each(['sum protocol', 'total protocol', 'next generation', 'After party', 'proof of Solo'])(
    'reads a text that may only be a name as no sentence: %s',
    async (text) => {
      expect((await read(text)).understood).toBeUndefined();
    },
  );

  test('reads what is of the next generation as what is', async () => {
    const { understood } = await read('next generation lending');
    expect(understood).toMatchObject({
      type: 'companies',
      filters: { tag: 'lending' },
      ignored: ['next', 'generation'],
    });
  });

  test.each<Row>([
    ['investors with exactly 20 investments', { filters: { investments_min: 20, investments_max: 20 } }],
    ['investors with at least one investment', { filters: { investments_min: 1 } }],
    ['investors that led exactly one round', { filters: { led_min: 1, led_max: 1 } }],
    ['investors that led 10 to 20 rounds', { filters: { led_min: 10, led_max: 20 } }],
    ['companies with 2-4 rounds', { text: '', filters: { rounds_min: 2, rounds_max: 4 } }],
    ['companies with between 3 and 5 rounds', { text: '', filters: { rounds_min: 3, rounds_max: 5 } }],
    ['companies with more than one round', { filters: { rounds_min: 2 } }],
    ['companies that raised 2 rounds', { filters: { rounds_min: 2, rounds_max: 2 } }],
    ['companies that raised three times', { filters: { rounds_min: 3, rounds_max: 3 } }],
    ['Firmen mit genau 3 Runden', { text: '', filters: { rounds_min: 3, rounds_max: 3 } }],
    ['companies that raised 2 rounds in 2022', { text: '', unstated: ['2 rounds'] }],
    ['who raised 3 rounds in 2021?', { text: '', unstated: ['3 rounds'] }],
  ])('reads how many rounds or investments there are to be: %s', async (text, understood) => {
    expect((await read(text)).understood).toMatchObject(understood);
  });
});
