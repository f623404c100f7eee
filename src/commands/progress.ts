import { SingleBar } from 'cli-progress';

const MEGABYTE = 1_000_000;
const SECOND_MS = 1_000;
const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;
/** Below this, no remaining time is estimated. */
const MEASURED_MS_MIN = 500;

/** A progress bar on stderr by bytes read, removed at the end. Does nothing outside a terminal. */
export function createProgress(bytes: number | undefined) {
  if (!process.stderr.isTTY) return { show: () => {}, end: () => {} };
  const begun = Date.now();
  const bar = newBar(bytes === undefined ? COUNT_ONLY : WITH_BAR);
  bar.start(bytes ?? 0, 0, { rows: 0, rate: 0, megabytes: 0, left: '' });
  return {
    show: (done: number, rows: number): void => {
      const elapsedMs = Math.max(1, Date.now() - begun);
      const rate = Math.round((rows * SECOND_MS) / elapsedMs);
      const left = timeLeft(elapsedMs, done / (bytes ?? done));
      bar.update(done, { rows, rate, megabytes: (done / MEGABYTE).toFixed(1), left });
    },
    end: () => bar.stop(),
  };
}

/** A progress line on stderr for work in several steps. Does nothing outside a terminal. */
export function createStageProgress() {
  if (!process.stderr.isTTY) return { show: () => {}, end: () => {} };
  const bar = newBar('{bar} {percentage}% | {step}');
  return {
    /** Shows the step, such as "moved companies", and its progress. */
    show: (step: string, done: number, total: number): void => {
      if (!bar.isActive) bar.start(1, 0, { step });
      bar.setTotal(Math.max(1, total));
      bar.update(total === 0 ? 1 : done, { step });
    },
    end: () => {
      if (bar.isActive) bar.stop();
    },
  };
}

/** ` | 12 s left`, once there is enough to extrapolate. */
function timeLeft(elapsedMs: number, share: number): string {
  if (elapsedMs < MEASURED_MS_MIN || share <= 0 || share >= 1) return '';
  const seconds = Math.ceil((elapsedMs * (1 - share)) / share / SECOND_MS);
  if (seconds < MINUTE_SECONDS) return ` | ${seconds} s left`;
  if (seconds < HOUR_SECONDS) return ` | ${Math.ceil(seconds / MINUTE_SECONDS)} min left`;
  return ` | ${Math.ceil(seconds / HOUR_SECONDS)} h left`;
}

const WITH_BAR = '{bar} {percentage}% | {rows} rows | {rate} rows/s{left}';
const COUNT_ONLY = '{megabytes} MB | {rows} rows | {rate} rows/s';

const newBar = (format: string): SingleBar =>
  new SingleBar({
    format,
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    fps: 5,
    barsize: 30,
    barCompleteChar: '█',
    barIncompleteChar: '░',
  });
