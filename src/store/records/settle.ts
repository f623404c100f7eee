import { setImmediate } from 'node:timers/promises';
import type { Runner } from '../sql/runner.ts';
import type { RecordIndexing } from './record-index.ts';

/** Far more than an import leaves: another one may bring more meanwhile, and settles it. */
const STEPS_MAX = 5_000;

/** Does what an index left for later, part by part; others have their turn in between. */
export async function settle({ write }: Pick<Runner, 'write'>, index: Pick<RecordIndexing, 'settle'>): Promise<void> {
  for (let step = 0; step < STEPS_MAX && (await write('records', index.settle())); step += 1) {
    await setImmediate();
  }
}
