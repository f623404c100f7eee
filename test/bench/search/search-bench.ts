import { parseArgs } from 'node:util';
import { readEvalData } from './eval-data.ts';
import { type ImportRow, type LatencyRow, measureLatency } from './latency-bench.ts';
import { measureQuality, type QualityRow } from './quality-bench.ts';

const SIZES_USUAL = '10000,100000';

/**
 * `npm run bench -- search [FOLDER] [--records 10000,100000,1000000] [--postgres URL]`: quality by kind over the evaluation data in the
 * folder, then latency and import by number of synthetic records, side by side with plain FTS5 and MiniSearch. With the
 * address of an empty PostgreSQL database the quality is that of both engines.
 */
export async function searchBench(words: readonly string[]): Promise<object> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { records: { type: 'string', default: SIZES_USUAL }, postgres: { type: 'string' } },
  });
  const [folder] = positionals;
  const data = folder === undefined ? undefined : readEvalData(folder);
  const quality = folder !== undefined && data ? await measureQuality(folder, data, values.postgres) : [];
  if (data) printQuality(quality);
  else
    console.log(
      'Quality is not measured: give the folder of the evaluation data, as in npm run bench -- search FOLDER.',
    );
  const sizes = values.records
    .split(',')
    .map(Number)
    .filter((size) => size > 0);
  const measured: Awaited<ReturnType<typeof measureLatency>>[] = [];
  for (const size of sizes) measured.push(await measureLatency(size));
  const latency = measured.flatMap((one) => one.latency);
  const imported = measured.map((one) => one.imported);
  if (latency.length > 0) printLatency(latency, imported);
  return { quality, latency, growth: growthOf(latency), imported };
}

function printQuality(rows: readonly QualityRow[]): void {
  for (const questionsOf of ['dev', 'generated'] as const) {
    const some = rows.filter((row) => row.questionsOf === questionsOf);
    const kinds = [...new Set(some.map(({ kind }) => kind))];
    console.log(`\nQuality, ${questionsOf} questions: success@1 / success@10 / MRR / precision@10`);
    console.table(
      Object.fromEntries(
        kinds.map((kind) => {
          const ofKind = some.filter((row) => row.kind === kind);
          const cells = ofKind.map((row) => [
            row.engine,
            [row.first, row.ten, row.reciprocal, row.precision].map((share) => share.toFixed(2)).join(' / '),
          ]);
          return [kind, { questions: ofKind[0].questions, ...Object.fromEntries(cells) }];
        }),
      ),
    );
  }
}

function printLatency(rows: readonly LatencyRow[], imported: readonly ImportRow[]): void {
  console.log('\nLatency of the first page with its exact total (µs; F = ten rows by id as JSON)');
  console.table(
    rows.map((row) => ({
      records: row.records,
      engine: row.engine,
      kind: row.kind,
      p50: Math.round(row.p50Micros),
      p99: Math.round(row.p99Micros),
      'first p50': Math.round(row.firstP50Micros),
      'p50/F': row.p50F.toFixed(2),
      'p99/F': row.p99F.toFixed(2),
      'total p99': row.totalP99Micros === undefined ? '' : Math.round(row.totalP99Micros),
    })),
  );
  console.log('\nGrowth of p99 per tenfold records, as an exponent');
  console.table(growthOf(rows));
  console.log('\nImport');
  console.table(
    imported.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value.toFixed(2))])),
    ),
  );
}

/** Over the smallest and the largest number of records that were measured. */
function growthOf(rows: readonly LatencyRow[]): Record<string, string> {
  const ours = rows.filter(({ engine }) => engine === 'ours');
  const [least, most] = [
    Math.min(...ours.map(({ records }) => records)),
    Math.max(...ours.map(({ records }) => records)),
  ];
  if (least === most) return {};
  const exponents = ours
    .filter(({ records }) => records === most)
    .map((row) => {
      const small = ours.find((other) => other.kind === row.kind && other.records === least);
      return [
        row.kind,
        (Math.log(row.p99Micros / (small?.p99Micros ?? row.p99Micros)) / Math.log(most / least)).toFixed(2),
      ];
    });
  return Object.fromEntries(exponents);
}
