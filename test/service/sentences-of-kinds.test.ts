import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCompany, anInvestor, aRound } from '../support/builders.ts';
import { readsAfterChanges, startService, type TestService } from '../support/service.ts';

const VENTURE = 'venture_capital|corporate_venture_capital|exchange_arm';

let service: TestService;
beforeAll(async () => {
  const round = (name: string, lead: string, investors: readonly string[], more: object = {}) =>
    aRound({ name, lead_investors: [lead], investors, announced_date: '2022-05-06', ...more });
  service = await startService([
    aCompany({ name: 'Alpha', tags: ['Privacy'], location_json: { city: null, country: 'India' } }),
    aCompany({ name: 'Beta', tags: ['DeFi'] }),
    anInvestor({
      name: 'Vera Capital',
      investor_type: 'venture_capital',
      focus: ['Privacy'],
      location_json: { city: 'Bonn', country: 'Germany' },
    }),
    anInvestor({ name: 'Corva', investor_type: 'corporate_venture_capital', ...inCountry('France') }),
    anInvestor({ name: 'Exa Ventures', investor_type: 'exchange_arm' }),
    anInvestor({ name: 'Hedda', investor_type: 'hedge_fund', focus: ['DeFi'], ...inCountry('Singapore') }),
    anInvestor({ name: 'Makaro', investor_type: 'market_maker' }),
    anInvestor({ name: 'Loner' }),
    round('one', 'Hedda', ['Vera Capital', 'Loner'], { company: 'Alpha', stage: 'seed' }),
    round('two', 'Exa Ventures', ['Hedda', 'Vera Capital'], { company: 'Alpha', stage: 'strategic' }),
    round('three', 'Makaro', ['Hedda'], { company: 'Beta', stage: 'series_a' }),
    round('four', 'Hedda', ['Corva'], { company: 'Beta', announced_date: '2021-01-02', stage: 'seed' }),
  ]);
});
afterAll(() => service.close());

const inCountry = (country: string) => ({ location_json: { city: null, country } });

const { ask } = readsAfterChanges(() => service);
const search = async (query: string) => (await ask(`search?type=all&query=${encodeURIComponent(query)}`)).data;

describe('a ranking of investors', () => {
  const AMONG = 'Among venture capital firms, corporate venture arms and exchange arms, ';
  const IN_EUROPE = AMONG.replace(/, $/, ' in Europe, ');

  test.each([
    ['which VCs invest in privacy', `${AMONG}Vera Capital took part in the most rounds in privacy on record: 2.`],
    ['most active VCs in 2022', `${AMONG}Vera Capital took part in the most rounds on record in 2022: 2.`],
    ['most active VCs in 2021', `${AMONG}Corva took part in the most rounds on record in 2021: 1.`],
    ['which VCs led the most rounds in 2022', `${AMONG}Exa Ventures led the most rounds on record in 2022: 1.`],
    [
      'hedge funds that invested in DeFi',
      'Among hedge funds, Hedda took part in the most rounds in DeFi on record: 2.',
    ],
    [
      "which exchanges' venture arms led most rounds in 2022",
      'Among exchange arms, Exa Ventures led the most rounds on record in 2022: 1.',
    ],
    ['how many VCs invested in privacy', `${AMONG}2 investors took part in 2 rounds in privacy on record.`],
    ['top European VCs in 2021', `${IN_EUROPE}Corva took part in the most rounds on record in 2021: 1.`],
    [
      'most active Singapore investors in 2022',
      'Among investors in Singapore, Hedda took part in the most rounds on record in 2022: 3.',
    ],
    [
      'German investors in Indian startups',
      'Among investors in Germany, Vera Capital took part in the most rounds in India on record: 2.',
    ],
    [
      'how many European investors backed Indian startups',
      'Among investors in Europe, 1 investor took part in 2 rounds in India on record.',
    ],
    [
      'investors in Germany that backed Indian startups',
      'Among investors in Germany, Vera Capital took part in the most rounds in India on record: 2.',
    ],
    [
      'investors in Singapore that backed privacy startups',
      'Among investors in Singapore, Hedda took part in the most rounds in privacy on record: 2.',
    ],
    [
      'which VCs invest in privacy in India',
      `${AMONG}Vera Capital took part in the most rounds in privacy in India on record: 2.`,
    ],
    // Of any kind.
    ['most active investors in 2022', 'Hedda took part in the most rounds on record in 2022: 3.'],
  ])('is of the kind that %s asks for', async (query, sentence) =>
    expect((await search(query)).sentence).toBe(sentence),
  );

  test('has no investor of another kind, and says the filter', async () => {
    const { answer, understood } = await search('which VCs invest in privacy');
    expect(answer).toMatchObject({ asked: { group_by: ['investor'], investor_type: VENTURE }, groups: 2 });
    expect(answer.rows.map(([{ name }]: any) => name)).toEqual(['Vera Capital', 'Exa Ventures']);
    expect(understood).toMatchObject({ type: 'investors', filters: { tag: 'privacy', investor_type: VENTURE } });
  });
});

describe('a list', () => {
  const listed = async (query: string) => {
    const { results, understood } = await search(query);
    return [results.map(({ name }: any) => name).sort(), understood.filters];
  };

  test.each([
    ['rounds led by market makers', ['three'], { investor_type: 'market_maker', led: true }],
    ['rounds led by VCs', ['two'], { investor_type: VENTURE, led: true }],
    ['rounds with hedge funds', ['four', 'one', 'three', 'two'], { investor_type: 'hedge_fund' }],
    ['strategic rounds in 2022 led by exchanges', ['two'], { investor_type: 'exchange_arm', led: true }],
    ['seed rounds backed by hedge funds', ['four', 'one'], { investor_type: 'hedge_fund' }],
    ['rounds led by European investors', [], { investor_country: 'European', led: true }],
    ['rounds with German investors', ['one', 'two'], { investor_country: 'Germany' }],
    ['rounds with investors from Europe', ['four', 'one', 'two'], { investor_country: 'Europe' }],
    ['rounds led by investors in Singapore', ['four', 'one'], { investor_country: 'Singapore', led: true }],
    ['rounds with Asian VCs', [], { investor_country: 'Asian', investor_type: VENTURE }],
    ['rounds without European investors', ['three'], { investor_country: 'not:European' }],
    ['which VCs backed Alpha', ['Exa Ventures', 'Vera Capital'], { company: 'Alpha', investor_type: VENTURE }],
  ])('%s', async (query, names, filters) =>
    expect(await listed(query)).toEqual([names, expect.objectContaining(filters)]),
  );

  test('names a country that it cannot be of', async () => {
    const { understood } = await search('companies backed by German investors');
    expect(understood.unstated).toEqual(['backed by German investors']);
  });

  test('names the city of investors, by which no filter restricts rounds', async () => {
    const { understood } = await search('investors in Bonn that backed privacy startups');
    expect(understood.unstated).toEqual(['investors in Bonn']);
  });

  test('names a kind that it cannot be of', async () => {
    const { understood } = await search('companies led by market makers');
    expect(understood.unstated).toEqual(['led by market makers']);
  });
});
