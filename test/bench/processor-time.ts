import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from '../support/postgres-cluster.ts';

/** Linux counts processor time in hundredths of a second. */
const TICK_MICROS = 10_000;

/** The processor time that a process, those that it has started and those of them that have ended took so far. */
export function processorMicros(pid: number): number {
  const [own, ...others] = familyOf(pid).map(statOf);
  const ticks = [own?.slice(11, 15), ...others.map((stat) => stat.slice(11, 13))].flatMap((times) => times ?? []);
  return ticks.reduce((sum, time) => sum + Number(time), 0) * TICK_MICROS;
}

/** The first process of a PostgreSQL server. */
export const serverPid = ({ folder }: Cluster): number =>
  Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);

/** A process and those that it started. */
export function familyOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}/stat`));
  return [parent, ...pids.map(Number).filter((pid) => Number(statOf(pid)[1]) === parent)];
}

/** What the system tells of a process, from its state on: its name before may hold anything. */
function statOf(pid: number): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    // It has ended since.
    return [];
  }
}
