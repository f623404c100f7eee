import { setPriority } from 'node:os';

/** A third of the usual share of a busy processor: while it holds a write lock, other writers wait for it. */
const NICE = 5;

/**
 * Lowers the priority of the calling thread, so that requests on busy processors go first. Only on Linux; elsewhere a
 * priority applies to a whole process, which may be one that serves.
 */
export function lowerPriority(): void {
  if (process.platform === 'linux') setPriority(NICE);
}
