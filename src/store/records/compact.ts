import { setImmediate } from 'node:timers/promises';
import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { all, type SqlProgram, value } from '../sql/program.ts';
import type { Runner } from '../sql/runner.ts';
import { buildIndex, hasEnded, type IndexParts } from './index-build.ts';
import type { RecordIndex } from './record-index.ts';
import { createRecordTables } from './tables.ts';

/** Bound far above what an import defers; other imports may add work meanwhile and compact it themselves. */
const STEPS_MAX = 20_000;

/** Runs the index's deferred work in parts, yielding to other work in between. */
export async function compact(
  { transaction }: Pick<Runner, 'transaction'>,
  index: Pick<RecordIndex, 'compact'>,
): Promise<void> {
  for (let step = 0; step < STEPS_MAX && (await transaction('records', index.compact())); step += 1) {
    await setImmediate();
  }
}

/** From this number of pending records, a rebuild is considered, if cheaper by the costs below. */
const BUILT_MIN = 4_000;
/**
 * Relative costs per record, with indexing into a new index as 1: moving postings to a new position; updating the live
 * index; checking whether a referenced record's rank changed, which it does about every second time.
 */
const MOVED = 0.3;
const CHANGED = 3;
const NAMED = 1.5;

/** Applies all pending records and other deferred work to the index. */
export async function compactAll(parts: IndexParts, index: Pick<RecordIndex, 'compact'>): Promise<void> {
  const { runner } = parts;
  await hasEnded(runner);
  const types = await runner.query(typesToBuild());
  const moved = types === RECORD_TYPES ? undefined : types;
  if (types.length > 0) await buildIndex({ ...parts, tables: createRecordTables(parts.dialect), moved });
  // Another process may have taken over the build.
  await hasEnded(runner);
  await compact(runner, index);
}

interface PendingCounts {
  readonly type: RecordType;
  readonly deferred: number;
  readonly named: number;
}

/** The types to rebuild, if that is cheaper than updating: all, or those with pending records. */
function* typesToBuild(): SqlProgram<readonly RecordType[]> {
  const waiting = yield* all<PendingCounts>(
    `SELECT type, sum(reason <> 'named') AS deferred, sum(reason = 'named') AS named FROM search_pending GROUP BY type`,
  );
  const types = waiting.map(({ type }) => type);
  const [deferred, named] = [sum(waiting.map((one) => one.deferred)), sum(waiting.map((one) => one.named))];
  if (deferred + named < BUILT_MIN) return [];
  const records = new Map<RecordType, number>();
  for (const type of RECORD_TYPES) records.set(type, (yield* value<number>(`SELECT count(*) FROM ${type}`)) ?? 0);
  const anew = sum([...records.values()]);
  const moved = deferred + MOVED * sum(types.map((type) => records.get(type) ?? 0));
  const changed = CHANGED * deferred + NAMED * named;
  if (changed <= Math.min(anew, moved)) return [];
  return anew <= moved ? RECORD_TYPES : types;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
