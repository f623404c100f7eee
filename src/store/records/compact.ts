import { setImmediate } from 'node:timers/promises';
import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { all, type SqlProgram, value } from '../sql/program.ts';
import type { Runner } from '../sql/runner.ts';
import { buildIndex, hasEnded, type IndexParts } from './index-build.ts';
import type { RecordIndex } from './record-index.ts';
import { createRecordTables } from './tables.ts';

/** Far more than an import leaves: another one may bring more meanwhile, and settles it. */
const STEPS_MAX = 20_000;

/** Does what an index left for later, part by part; others have their turn in between. */
export async function compact(
  { transaction }: Pick<Runner, 'transaction'>,
  index: Pick<RecordIndex, 'compact'>,
): Promise<void> {
  for (let step = 0; step < STEPS_MAX && (await transaction('records', index.compact())); step += 1) {
    await setImmediate();
  }
}

/** From so many records that wait on, to build the index costs less than to change it, where it costs less by the figures below. */
const BUILT_MIN = 4_000;
/**
 * What one record costs, against reading it into a new index: to keep its words in another place of a new one; to change the index in
 * use; and there to look whether it moves, as about every second does that others name.
 */
const MOVED = 0.3;
const CHANGED = 3;
const NAMED = 1.5;

/** Has an index look at all records that wait for it, and does what else it left for later. */
export async function compactAll(parts: IndexParts, index: Pick<RecordIndex, 'compact'>): Promise<void> {
  const { runner } = parts;
  await hasEnded(runner);
  const types = await runner.query(typesToBuild());
  const moved = types === RECORD_TYPES ? undefined : types;
  if (types.length > 0) await buildIndex({ ...parts, tables: createRecordTables(parts.dialect), moved });
  // Another process may have taken it over.
  await hasEnded(runner);
  await compact(runner, index);
}

interface Waiting {
  readonly type: RecordType;
  readonly deferred: number;
  readonly named: number;
}

/** The types whose part of the index is to be built, because that costs less than to change it: all anew, or those whose records wait. */
function* typesToBuild(): SqlProgram<readonly RecordType[]> {
  const waiting = yield* all<Waiting>(
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
