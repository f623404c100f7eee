import { setImmediate } from 'node:timers/promises';
import { column, run, type SqlProgram } from '../sql/program.ts';
import type { Runner } from '../sql/runner.ts';
import { beginWork, finishWork, type WriterParts } from './unit-of-work.ts';

/** Companies in one transaction: other writers wait meanwhile. */
const COMPANIES_AT_ONCE = 1_000;
const PENDING = `SELECT company_id FROM pending_funding ORDER BY company_id LIMIT ${COMPANIES_AT_ONCE}`;

/** Computes the funding of all companies for which that was left for later, or was cut off, in the order of their numbers. */
export async function computePendingFunding(
  { query, transaction }: Pick<Runner, 'query' | 'transaction'>,
  parts: WriterParts,
  now: () => Date,
): Promise<void> {
  while ((await query(column(PENDING))).length > 0) {
    await transaction('records', computeBatch(parts, now()));
    await setImmediate();
  }
}

function* computeBatch(parts: WriterParts, now: Date): SqlProgram<void> {
  const ids = yield* column<number>(PENDING);
  const work = beginWork(parts, now);
  for (const id of ids) work.funded.add(id);
  yield* finishWork(work, 'later');
  yield* run(`DELETE FROM pending_funding WHERE company_id IN (${parts.dialect.numbersOf})`, JSON.stringify(ids));
}
