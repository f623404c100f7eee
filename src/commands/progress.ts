import type { Readable } from 'node:stream';
import { type Options, SingleBar } from 'cli-progress';

const MEGABYTE = 1_000_000;
const SECOND_MS = 1_000;

export interface Progress {
  show(rows: number): void;
  end(): void;
}

/** A bar on stderr of how much of a stream is read, and how many rows a second; nothing when nobody looks. */
export function createProgress(bytes: number | undefined, stream: Readable): Progress {
  if (!process.stderr.isTTY) return { show: () => {}, end: () => {} };
  const begun = Date.now();
  const bar = new SingleBar({ ...OPTIONS, format: bytes === undefined ? COUNT_ONLY : WITH_BAR });
  bar.start(bytes ?? 0, 0, { rows: 0, rate: 0, megabytes: 0 });
  return {
    show: (rows) => {
      const read = (stream as { bytesRead?: number }).bytesRead ?? 0;
      const rate = Math.round((rows * SECOND_MS) / Math.max(1, Date.now() - begun));
      bar.update(read, { rows, rate, megabytes: (read / MEGABYTE).toFixed(1) });
    },
    end: () => bar.stop(),
  };
}

const WITH_BAR = '{bar} {percentage}% | {rows} rows | {rate} rows/s | {eta_formatted}';
const COUNT_ONLY = '{megabytes} MB | {rows} rows | {rate} rows/s';
const OPTIONS: Options = {
  stream: process.stderr,
  hideCursor: true,
  fps: 5,
  barCompleteChar: '█',
  barIncompleteChar: '░',
};
