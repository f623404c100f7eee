import { setImmediate } from 'node:timers/promises';
import { RECORD_TYPES } from '../../contract/entities/index.ts';
import type { Runner } from '../sql/runner.ts';
import { type Steps, value } from '../sql/steps.ts';
import { buildIndex, hasEnded, type IndexParts } from './index-build.ts';
import type { RecordIndex } from './record-index.ts';
import { createRecordTables } from './tables.ts';

/** Far more than an import leaves: another one may bring more meanwhile, and settles it. */
const STEPS_MAX = 20_000;

/** Does what an index left for later, part by part; others have their turn in between. */
export async function settle({ write }: Pick<Runner, 'write'>, index: Pick<RecordIndex, 'settle'>): Promise<void> {
  for (let step = 0; step < STEPS_MAX && (await write('records', index.settle())); step += 1) {
    await setImmediate();
  }
}

/**
 * From so many records that wait on, and so large a part of all, to build the index anew costs less than to change it. Of those that
 * others name, about every second one moves.
 */
const BUILT_MIN = 4_000;
const BUILT_SHARE = 1 / 3;

/** Has an index look at all records that wait for it, and does what else it left for later. */
export async function settleAll(parts: IndexParts, index: Pick<RecordIndex, 'settle'>): Promise<void> {
  const { runner } = parts;
  await hasEnded(runner);
  if (await runner.ask(isWorthBuilding())) await buildIndex({ ...parts, tables: createRecordTables(parts.dialect) });
  // Another process may have taken it over.
  await hasEnded(runner);
  await settle(runner, index);
}

function* isWorthBuilding(): Steps<boolean> {
  const counted = "SELECT sum(CASE reason WHEN 'named' THEN 0.5 ELSE 1 END) FROM search_pending";
  const pending = (yield* value<number>(counted)) ?? 0;
  if (pending < BUILT_MIN) return false;
  let records = 0;
  for (const type of RECORD_TYPES) records += (yield* value<number>(`SELECT count(*) FROM ${type}`)) ?? 0;
  return pending >= records * BUILT_SHARE;
}
