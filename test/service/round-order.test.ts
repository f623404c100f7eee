import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCompany, aRound } from '../support/builders.ts';
import { startService, type TestService } from '../support/service.ts';

/** Which rounds come first where the text is the name of a company. */
const OWN = ['Delta Series B', 'Delta Series A', 'Delta round', 'Delta grant'];

let service: TestService;
beforeAll(async () => {
  service = await startService([
    aCompany({ name: 'Delta', aliases: ['Former Name'] }),
    aCompany({ name: 'Delta Indexer' }),
    aRound({ name: 'Delta Indexer grant', company: 'Delta Indexer', stage: 'grant' }),
    aRound({ name: 'Delta grant', company: 'Delta', stage: 'grant', amount_usd: '90000000.00' }),
    aRound({ name: 'Delta round', company: 'Delta', announced_date: '2026-01-01' }),
    aRound({ name: 'Delta Series A', company: 'Delta', stage: 'series_a', amount_usd: '15000000.00' }),
    aRound({ name: 'Delta Indexer Seed', company: 'Delta Indexer', stage: 'seed', amount_usd: '200000000.00' }),
    aRound({ name: 'Delta Series B', company: 'Delta', stage: 'series_b', amount_usd: '165000000.00' }),
    aRound({ name: 'Omega Seed', company: 'Omega', stage: 'seed', investors: ['Delta'] }),
    aRound({ name: 'Sigma Seed', company: 'Sigma', stage: 'seed' }),
  ]);
});
afterAll(() => service.close());

const search = async (query: string) => {
  const response = await service.get(`/api/v1/search?type=rounds&${query}`);
  const { data } = (await response.json()) as any;
  return { total: data.totalResults, names: data.results.map(({ name }: { name: string }) => name) };
};

describe('rounds found by the name of a company', () => {
  test('are first its own, funding before grants and the larger ones first, then those that mention it', async () => {
    const others = ['Delta Indexer Seed', 'Delta Indexer grant', 'Omega Seed'];
    expect(await search('q=delta')).toEqual({ total: 7, names: [...OWN, ...others] });
  });

  test('are in the same order over pages', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => search(`q=delta&limit=2&page=${page}`)));
    expect(pages.flatMap(({ names }) => names).slice(0, OWN.length)).toEqual(OWN);
  });

  test('are found by an alias that they do not mention', async () => {
    expect(await search('q=former%20name')).toEqual({ total: 4, names: OWN });
  });

  test('are found where the company has no record', async () => {
    expect(await search('q=sigma')).toEqual({ total: 1, names: ['Sigma Seed'] });
  });

  test('pass filters like the others', async () => {
    expect(await search('q=delta&funding_stage=grant')).toEqual({
      total: 2,
      names: ['Delta grant', 'Delta Indexer grant'],
    });
  });
});
