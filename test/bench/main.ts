import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyticsBench } from './analytics/analytics-bench.ts';
import { httpBench } from './http/http-bench.ts';
import { importBench } from './import-bench.ts';
import { indexBench } from './index-bench.ts';
import { mcpBench, mcpLoad } from './mcp/mcp-bench.ts';
import { pagesBench } from './pages/pages-bench.ts';
import { paidBench } from './paid/paid-bench.ts';
import { scaleBench } from './scale-bench.ts';
import { searchBench } from './search/search-bench.ts';
import { stallsBench } from './stalls/stalls-bench.ts';
import { walletBench } from './wallet-bench.ts';

/** A benchmark measures pairs in one run and gives figures as ratios; absolute times are for orientation only. */
export type Bench = (words: readonly string[]) => Promise<object>;

const benches: Readonly<Record<string, Bench>> = {
  http: httpBench,
  mcp: mcpBench,
  'mcp-load': mcpLoad,
  search: searchBench,
  analytics: analyticsBench,
  import: importBench,
  scale: scaleBench,
  index: indexBench,
  paid: paidBench,
  wallet: walletBench,
  pages: pagesBench,
  stalls: stallsBench,
};
const RESULTS = join(import.meta.dirname, '..', '..', 'bench-results');

const [name, ...words] = process.argv.slice(2);
const chosen = name === undefined ? Object.keys(benches) : [name];
for (const each of chosen) {
  const bench = benches[each];
  if (bench === undefined) {
    console.error(`${each} is not a benchmark; choose one of ${Object.keys(benches).join(', ')}.`);
    process.exitCode = 1;
    continue;
  }
  console.log(`\n== ${each}`);
  const result = await bench(words);
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, `${each}.json`), `${JSON.stringify(result, null, 2)}\n`);
}
