import { ServiceError } from '../../contract/errors.ts';
import type { Runner } from '../sql/runner.ts';
import { value } from '../sql/steps.ts';

/** How often the positions of the two servers are compared. */
const CHECK_EVERY_MS = 1_000;
/** More samples than this are not kept: a replica that far behind is as far behind as the oldest says. */
const SAMPLES_MAX = 3_600;

/** How far a replica lies behind its primary. */
export interface ReplicaLag {
  /** Undefined before the first comparison, and where the replica does not tell its position. */
  seconds(): number | undefined;
  /** Throws `unavailable` when it lies further behind than is allowed. */
  check(): void;
  close(): void;
}

/** A position of the primary's log, and since when it is known. */
interface Sample {
  readonly position: number;
  readonly at: number;
}

const WRITTEN = `SELECT (pg_current_wal_lsn() - '0/0')::float8`;
const REPLAYED = `SELECT (pg_last_wal_replay_lsn() - '0/0')::float8`;

/**
 * Compares the servers' positions every second. The lag is the age of the oldest position of the primary that the replica has
 * not reached. Clocks of other machines do not count, and a primary that nobody writes to makes no lag.
 */
export function watchReplicaLag(primary: Runner, replica: Runner, maxSeconds: number): ReplicaLag {
  let samples: Sample[] = [];
  let caughtUp: 0 | undefined;
  const compare = async (): Promise<void> => {
    const at = performance.now();
    const position = (await primary.ask(value<number>(WRITTEN))) as number;
    if (samples.length < SAMPLES_MAX) samples.push({ position, at });
    const replayed = await replica.ask(value<number | null>(REPLAYED));
    samples = samples.filter((sample) => typeof replayed === 'number' && sample.position > replayed);
    caughtUp = typeof replayed === 'number' ? 0 : undefined;
  };
  let isComparing = false;
  const tick = async (): Promise<void> => {
    if (isComparing) return;
    isComparing = true;
    // A server that is away is told by whoever needs it; the age of what is known grows meanwhile.
    await compare().catch(() => {});
    isComparing = false;
  };
  void tick();
  const timer = setInterval(tick, CHECK_EVERY_MS);
  timer.unref();
  const seconds = (): number | undefined => {
    const [oldest] = samples;
    return oldest === undefined ? caughtUp : (performance.now() - oldest.at) / 1_000;
  };
  return {
    seconds,
    check: () => {
      if ((seconds() ?? 0) <= maxSeconds) return;
      throw new ServiceError(
        'unavailable',
        'The replica that records are read from lies too far behind; try again later.',
      );
    },
    close: () => clearInterval(timer),
  };
}
