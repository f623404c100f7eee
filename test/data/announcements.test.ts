import { describe, expect, test } from 'vitest';
import { amountsOf, announcementFaults, leadWordsOf, type StatedRound } from '../../data/build/announcements.ts';

const round = (path: string, more: Partial<StatedRound>): StatedRound => ({
  slug: 'a-round',
  announcement: `https://example.com/${path}`,
  ...more,
});
const lead = (...names: string[]): { name: string }[] => names.map((name) => ({ name }));
/** Without the lines of decisions about rounds that are not given here. */
const faultsOf = (given: StatedRound): string[] =>
  announcementFaults([given]).filter((fault) => fault.startsWith('rounds a-round'));

describe('a round beside the address of its announcement', () => {
  test.each([
    ['compound-raises-25-million-series-a', '25000000.00'],
    ['2025/10/10/celo-raises-%2420m-from-a16z', '20000000.00'],
    ['blockfi-raises-183-million-series-a', '18300000.00'],
    ['kiln-in-17-million-round', '17600000.00'],
    ['bison-trails-525-million-round', '5300000.00'],
    ['nillion-raises-over-20-million', '25000000.00'],
    ['kalshi-raises-1-1b', '1100000000.00'],
    ['starkware-reaches-8b-valuation-following-latest-100m-funding-round', '100000000.00'],
    ['opensea-hits-1-5-billion-valuation', '100000000.00'],
    ['dappradar-raises-e2-1-million-seed-round', '2330000.00'],
    ['solv-raises-25m-in-total-funding', '11000000.00'],
    ['no-amount-at-all', '1.00'],
  ])('agrees: %s and %s', (path, amount) => {
    expect(faultsOf(round(path, { amount_usd: amount }))).toEqual([]);
  });

  test.each([
    ['compound-raises-25-million-series-a', '10000000.00'],
    ['the-sandbox-receives-3-6m', '2500000.00'],
    ['shardeum-raises-182m', '18719600.00'],
    ['axoni-completes-18m-series-a-financing.html', '20000000.00'],
    ['abra-has-raised-over-14-million-to-date', '14000000.00'],
  ])('contradicts: %s and %s', (path, amount) => {
    expect(faultsOf(round(path, { amount_usd: amount }))).toHaveLength(1);
  });

  test('reads each amount that may be the round’s, and no valuation', () => {
    expect(amountsOf('https://example.com/a-raises-80m-at-a-505m-valuation')).toEqual([
      { digits: '80', unit: 1e6, isRough: false, isTotal: false },
    ]);
  });

  test.each([
    ['raises-25-million-series-a-led-by-a16z-to-grow', 'a16z'],
    ['paradigm-leads-12m-round-for-argent', 'paradigm'],
    ['galaxy-digital-iosg-lead-43m-funding-round', 'galaxy-digital-iosg'],
    ['raises-165m-in-polychain-capital-led-round', 'polychain-capital'],
    ['funding-to-extend-its-lead-in-games', null],
  ])('reads who led: %s', (path, words) => {
    expect(leadWordsOf(`https://example.com/${path}`)?.replace(/^\//, '') ?? null).toBe(words);
  });

  test('has the leads that the address names', () => {
    const path = 'raises-170m-co-led-by-a16z-and-kleiner-perkins';
    const firms = lead('Andreessen Horowitz (a16z crypto)', 'Kleiner Perkins');
    expect(faultsOf(round(path, { lead_investors: firms, investors: firms }))).toEqual([]);
    expect(faultsOf(round(path, { lead_investors: lead('Kleiner Perkins'), investors: firms }))).toHaveLength(1);
    expect(faultsOf(round(path, { lead_investors: lead('Coatue'), investors: firms }))).toHaveLength(1);
    expect(faultsOf(round(path, { investors: firms }))).toHaveLength(1);
  });

  test('is decided by a line only as long as it needs one', () => {
    const needless = announcementFaults([]).filter((fault) => fault.includes('needs no line'));
    expect(needless.length).toBeGreaterThan(0);
  });
});
