import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NAMED_TYPES } from '../../../src/contract/entities/index.ts';
import { importRows } from '../../../src/store/import/import.ts';
import { openFile, readSource } from '../../../src/store/import/import-source.ts';
import { openStore } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { openBench } from './engine.ts';
import { EVAL_TYPES, type EvalData, type EvalType, type Question } from './eval-data.ts';
import { generateQuestions } from './generated-questions.ts';
import { createFts5Peer, createMiniSearchPeer, type Peer } from './peers.ts';
import { type Ask, type KindScore, scoreKinds } from './quality.ts';

export interface QualityRow extends KindScore {
  questionsOf: 'dev' | 'generated';
  engine: string;
}

const GENERATED_PER_KIND = 100;
const GENERATED_SEED = 303;
const LIMIT = 10;
const IMPORTED = [...EVAL_TYPES, 'rounds'] as const;

/**
 * The questions of the evaluation, and more of the same kinds, asked of each engine over the same records. Ours is
 * the whole product: the files are imported as a person imports them, and the store is asked.
 */
export async function measureQuality(
  folder: string,
  data: EvalData,
  postgresUrl: string | undefined,
): Promise<QualityRow[]> {
  const store = await openStore('sqlite::memory:');
  const postgres = postgresUrl === undefined ? undefined : await openStore(postgresUrl);
  const bench = await openBench(join(tmpdir(), `web3-bi-quality-${process.pid}.db`));
  try {
    for (const each of postgres === undefined ? [store] : [store, postgres])
      for (const type of IMPORTED) await importFile(each, type, join(folder, `${type}.ndjson`));
    const engines: Record<string, Ask> = {
      ours: askStore(store),
      ...(postgres === undefined ? {} : { PostgreSQL: askStore(postgres) }),
      FTS5: askPeers((type) => createFts5Peer(bench.database, `peer_${type}`, data.documents[type]), data),
      MiniSearch: askPeers((type) => createMiniSearchPeer(data.documents[type]), data),
    };
    const sets = { dev: data.questions, generated: generateQuestions(data, GENERATED_PER_KIND, GENERATED_SEED) };
    const rows: QualityRow[] = [];
    for (const [engine, ask] of Object.entries(engines)) {
      for (const questionsOf of ['dev', 'generated'] as const) {
        const scores = await scoreKinds(sets[questionsOf], ask);
        rows.push(...scores.map((score) => ({ questionsOf, engine, ...score })));
      }
    }
    return rows;
  } finally {
    bench.close();
    await store.close();
    await postgres?.close();
  }
}

const askStore =
  (store: Store): Ask =>
  async ({ query, type }) => {
    const window = { offset: 0, limit: LIMIT };
    const { results } = await store.records.search({ types: typesOf(type), text: query, window });
    return results
      .map((json) => JSON.parse(json) as { type: string; slug: string })
      .map((record) => `${record.type}:${record.slug}`);
  };

async function importFile(
  { records, compactIndex }: Store,
  type: (typeof IMPORTED)[number],
  path: string,
): Promise<void> {
  const { signal } = new AbortController();
  const source = await readSource(openFile(path), { type, format: 'ndjson' }, signal);
  await importRows({ records, compactIndex, type, source, isDryRun: false, signal, onBatch: () => {} });
}

const typesOf = (type: Question['type']): readonly EvalType[] => (type === 'all' ? NAMED_TYPES : [type]);

function slugsOf(data: EvalData): Record<EvalType, Map<number, string>> {
  const entries = EVAL_TYPES.map((type) => [type, new Map(data.documents[type].map(({ id, slug }) => [id, slug]))]);
  return Object.fromEntries(entries) as Record<EvalType, Map<number, string>>;
}

function askPeers(make: (type: EvalType) => Peer, data: EvalData): Ask {
  const peers = new Map(EVAL_TYPES.map((type) => [type, make(type)]));
  const slugs = slugsOf(data);
  return async ({ query, type }) => {
    const hits = typesOf(type).flatMap((one) =>
      (peers.get(one)?.find(query, LIMIT) ?? []).map((hit) => ({ ...hit, type: one })),
    );
    hits.sort((one, other) => other.score - one.score);
    return hits.slice(0, LIMIT).map((hit) => `${hit.type}:${slugs[hit.type].get(hit.id)}`);
  };
}
