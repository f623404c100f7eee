import { readFileSync } from 'node:fs';
import { SEARCHED_TYPES } from '../src/contract/entities/index.ts';
import { rowsOfFolder } from '../src/store/import/ndjson.ts';
import { openStore } from '../src/store/open.ts';

const pg = await openStore(readFileSync('/tmp/u', 'utf8').trim());
const sq = await openStore('sqlite::memory:');
await sq.records.fillOnce(() => rowsOfFolder('data'));
const texts = process.argv[2]
  ? process.argv.slice(2)
  : [
      'uniswap',
      'unsiwap',
      'open sea',
      'a16z',
      'defi lending',
      'uni',
      'chain',
      'protocol',
      'stablecoin issuer',
      'vitalik',
      'devcon',
      'zzqqy',
      'coinbase ventures',
      'nft marketplace on ethereum',
      '%_\'"',
      'paradim',
      'aave.com',
      'eth',
      'the graph',
      'uniswp labs',
      'ethereum foundatoin',
      'hayden',
      'crypto fund in new york',
      'frax finance',
      'block chain',
      'opensae',
      'consensys mesh',
      '1inch',
      '0x',
      'layer 2 scaling',
    ];
for (const text of texts)
  for (const types of [SEARCHED_TYPES, ['companies'] as const]) {
    const t0 = performance.now();
    const a = await pg.records.search({ types, text, window: { offset: 0, limit: 50 } });
    const ms = performance.now() - t0;
    const b = await sq.records.search({ types, text, window: { offset: 0, limit: 50 } });
    const n = (f: any) => f.results.map((j: string) => JSON.parse(j).slug);
    const same = JSON.stringify(n(a)) === JSON.stringify(n(b)) && a.total === b.total;
    console.log(same ? 'same' : 'DIFF', text, types.length, a.total, b.total, ms.toFixed(1));
    if (!same) console.log('  pg', n(a).slice(0, 8).join(' '), '\n  sq', n(b).slice(0, 8).join(' '));
  }
await pg.close();
await sq.close();
