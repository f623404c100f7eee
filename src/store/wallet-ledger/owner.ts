import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** Tells this process from another that had the same number before, as in a container that was started again. */
const START = randomUUID();

/** Who works on a payment: one ledger that is open in one process of one machine. */
export const thisOwner = (): string => [hostname(), process.pid, START, randomUUID()].join('/');

/** Whether an owner may still be at work. One of another machine may; only its time can run out. */
export function isAlive(owner: string): boolean {
  const [host, pid, start] = owner.split('/');
  if (host !== hostname()) return true;
  if (Number(pid) === process.pid) return start === START;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
