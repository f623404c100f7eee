import { setImmediate } from 'node:timers/promises';
import type { Engine } from '../engine.ts';
import { all, column, run, type SqlProgram } from '../sql.ts';
import { markInvested } from './computed-fields.ts';
import type { InvestingType, RecordedInvestments } from './investments.ts';
import { beginWork, finishWork, type WriterParts } from './unit-of-work.ts';

/** Records in one transaction: other writers wait meanwhile. */
const RECORDS_AT_ONCE = 1_000;

interface Pending {
  readonly type: InvestingType | 'companies';
  readonly id: number;
  /** The `RecordedInvestments` before the import, if rounds have left. */
  readonly recorded: string | null;
}

const PENDING = `SELECT type, id, recorded FROM pending_computed ORDER BY type, id LIMIT ${RECORDS_AT_ONCE}`;

/** Computes fields that follow rounds for all records for which that was left for later, or was cut off. */
export async function computePending(
  { runner, awaitFollowers }: Pick<Engine, 'runner' | 'awaitFollowers'>,
  parts: WriterParts,
  now: () => Date,
): Promise<void> {
  while ((await runner.query(column('SELECT 1 FROM pending_computed LIMIT 1'))).length > 0) {
    await awaitFollowers();
    await runner.transaction('records', computeBatch(parts, now()));
    await setImmediate();
  }
}

function* computeBatch(parts: WriterParts, now: Date): SqlProgram<void> {
  const rows = yield* all<Pending>(PENDING);
  const work = beginWork(parts, now);
  for (const { type, id, recorded } of rows) {
    if (type === 'companies') work.funded.add(id);
    else
      markInvested(work, {
        type,
        id,
        ...(recorded !== null && { before: JSON.parse(recorded) as RecordedInvestments }),
      });
  }
  yield* finishWork(work, 'later');
  for (const type of ['companies', 'investors', 'people'])
    yield* run(
      `DELETE FROM pending_computed WHERE type = ? AND id IN (${parts.dialect.numbersOf})`,
      type,
      JSON.stringify(rows.flatMap((row) => (row.type === type ? row.id : []))),
    );
}
