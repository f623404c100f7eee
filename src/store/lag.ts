/** How often the positions are compared. */
const CHECK_EVERY_MS = 1_000;
/** More samples than this are not kept: what is that far behind is as far behind as the oldest says. */
const SAMPLES_MAX = 3_600;

/** How far a copy lies behind what it is of. */
export interface Lag {
  /** Undefined before the first comparison, and where the copy does not tell its position. */
  seconds(): number | undefined;
  /** By how many positions it lay behind at the last comparison. */
  positions(): number | undefined;
  close(): void;
}

/** A position that was written, and since when it is known. */
interface Sample {
  readonly position: number;
  readonly at: number;
}

/**
 * Compares positions every second. The lag is the age of the oldest position that the copy has not reached. Clocks of other
 * machines do not count, and what nobody writes to makes no lag.
 */
export function watchLag(
  written: () => Promise<number>,
  reached: () => Promise<number | null | undefined> | number | undefined,
): Lag {
  let samples: Sample[] = [];
  let caughtUp: 0 | undefined;
  let behind: number | undefined;
  const compare = async (): Promise<void> => {
    const at = performance.now();
    const position = await written();
    if (samples.length < SAMPLES_MAX) samples.push({ position, at });
    const copied = await reached();
    samples = samples.filter((sample) => typeof copied === 'number' && sample.position > copied);
    caughtUp = typeof copied === 'number' ? 0 : undefined;
    behind = typeof copied === 'number' ? Math.max(0, position - copied) : undefined;
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
  return {
    seconds: () => {
      const [oldest] = samples;
      return oldest === undefined ? caughtUp : (performance.now() - oldest.at) / 1_000;
    },
    positions: () => behind,
    close: () => clearInterval(timer),
  };
}
