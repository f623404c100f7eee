import { ServiceError } from '../../contract/errors.ts';
import { watchLag } from '../lag.ts';
import { value } from '../sql/program.ts';
import type { Runner } from '../sql/runner.ts';

/** How far a replica lies behind its primary. */
export interface ReplicaLag {
  /** Undefined before the first comparison, and where the replica does not tell its position. */
  seconds(): number | undefined;
  /** Throws `unavailable` when it lies further behind than is allowed. */
  check(): void;
  close(): void;
}

const WRITTEN = `SELECT (pg_current_wal_lsn() - '0/0')::float8`;
const REPLAYED = `SELECT (pg_last_wal_replay_lsn() - '0/0')::float8`;

/**
 * Compares the servers' positions every second: the lag is the age of the oldest position that the replica has not reached. The time of
 * its last transaction would look like a lag when nobody writes, and compares the clocks of two machines.
 */
export function watchReplicaLag(primary: Runner, replica: Runner, maxSeconds: number): ReplicaLag {
  const { seconds, close } = watchLag(
    async () => (await primary.query(value<number>(WRITTEN))) as number,
    () => replica.query(value<number | null>(REPLAYED)),
  );
  return {
    seconds,
    check: () => {
      if ((seconds() ?? 0) <= maxSeconds) return;
      throw new ServiceError(
        'unavailable',
        'The replica that records are read from lies too far behind; try again later.',
      );
    },
    close,
  };
}
