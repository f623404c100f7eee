import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NAMED_TYPES } from '../../src/contract/entities/index.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { aCompany, anInvestor, aRound } from '../support/builders.ts';
import { engine } from '../support/databases.ts';

const TODAY = new Date('2026-11-21T12:00:00.000Z');
const RAISED = ['Sky Mallow', 'Sky', 'Harvest Guild Games', 'Guild', 'Lantern Protocol', 'Cob Protocol', 'Inco'];

describe(`sentences with misspelt names, on ${engine.name}`, () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore((await engine.newDatabase()).url, () => TODAY);
    await store.records.putAll([
      ...RAISED.map((name) => aCompany({ name, tags: ['Games', 'DAO'] })),
      ...['Via Protocol', 'The Zorb Project', 'Vella', 'Vila', 'Focus Tree', 'Tres', 'Co Inqvest'].map((name) =>
        aCompany({ name }),
      ),
      ...['Founders Fund', 'Bain Capital Crypto', 'Bai Capital', 'Hack VC', 'Brevan Digital', 'Digital'].map((name) =>
        anInvestor({ name }),
      ),
      ...RAISED.map((company) =>
        aRound({
          name: `${company} Seed`,
          company,
          stage: 'seed',
          announced_date: '2022-03-01',
          lead_investors: ['Founders Fund', 'Bain Capital Crypto', 'Hack VC', 'Brevan Digital'],
        }),
      ),
    ]);
  });
  afterAll(() => store.close());

  const read = async (text: string) => {
    const found = await store.records.search({ types: NAMED_TYPES, text, window: { offset: 0, limit: 9 } });
    return { ...found, names: found.results.map((json) => (JSON.parse(json) as { name: string }).name) };
  };

  test.each([
    ['how much did Sky Mallwo raise', 'Sky Mallow'],
    ['how much did Hravest Guild Games raise', 'Harvest Guild Games'],
    ['how much did Lantern Progocol raise', 'Lantern Protocol'],
    ['Lntern Protocol rounds', 'Lantern Protocol'],
    ['how much did sky malloow raise', 'sky mallow'],
    // `in Cob` is like another name.
    ['rounds in Cob Potocol', 'Cob Protocol'],
  ])('finds the rounds of the company of several words in %s', async (text, company) => {
    expect(await read(text)).toMatchObject({ isTyped: false, understood: { type: 'rounds', filters: { company } } });
  });

  test('takes no word for misspelt in a name that begins with a word of sentences: Focus Tree', async () => {
    const understood = { filters: { company: 'Focus Tree' } };
    expect(await read('how much did Focus Tree raise')).toMatchObject({ isTyped: true, understood });
  });

  test('takes no word for misspelt in a phrase of sentences: co-invest', async () => {
    const understood = { filters: { investor: 'Founders Fund' }, group_by: ['investor'] };
    expect(await read('which funds co-invest with Founders Fund')).toMatchObject({ isTyped: true, understood });
  });

  test.each([
    ['rounds led by Founders Fundd', 'Founders Fund'],
    ['rounds led by Bain Capital Cyrpto', 'Bain Capital Crypto'],
    ['rounds led by Hak VC', 'Hack VC'],
    ['rounds led by Brevn Digital', 'Brevan Digital'],
  ])('finds the rounds of the investor in %s', async (text, investor) => {
    const found = await read(text);
    expect(found).toMatchObject({ isTyped: false, total: RAISED.length });
    expect(found.understood).toMatchObject({ filters: { investor, led: true }, text: '' });
  });

  test.each([
    ['The Zorb Prokect', 'The Zorb Project'],
    ['Via Protocl', 'Via Protocol'],
  ])('finds the record of a name alone with words of sentences: %s', async (text, name) => {
    expect(await read(text)).toMatchObject({ names: [name], isTyped: false, understood: { text: name, ignored: [] } });
  });

  test.each([
    ['how much did Inoc raise', 'Inco'],
    ['investors of Gulid', 'Guild'],
  ])('takes a short name for the only one like it: %s', async (text, company) => {
    expect(await read(text)).toMatchObject({ isTyped: false, understood: { filters: { company } } });
  });

  test.each(['how much did Ginco raise', 'how much did Vela raise'])(
    'takes no short name for one with another first letter, or for one of several: %s',
    async (text) => {
      expect((await read(text)).understood?.filters).not.toHaveProperty('company');
    },
  );

  test('leaves names that are right', async () => {
    for (const company of RAISED) {
      const found = await read(`how much did ${company} raise`);
      expect(found, company).toMatchObject({ names: [`${company} Seed`], isTyped: true });
    }
  });
});
