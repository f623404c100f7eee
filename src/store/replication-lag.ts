const CHECK_EVERY_MS = 1_000;
/** Bound of the samples; a longer lag is reported as that of the oldest sample. */
const SAMPLES_MAX = 3_600;

export type ReplicationLag = ReturnType<typeof watchReplicationLag>;

/** A source position and when it was observed. */
interface Sample {
  readonly position: number;
  readonly at: number;
}

/** Compares positions every second; the lag is the age of the oldest position not reached, 0 without writes. */
export function watchReplicationLag(
  written: () => Promise<number>,
  reached: () => Promise<number | null | undefined> | number | undefined,
) {
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
    // Unavailability is reported elsewhere; the reported lag grows meanwhile.
    await compare().catch(() => {});
    isComparing = false;
  };
  void tick();
  const timer = setInterval(tick, CHECK_EVERY_MS);
  timer.unref();
  return {
    /** Undefined before the first comparison, or if the copy's position is unknown. */
    seconds: (): number | undefined => {
      const [oldest] = samples;
      return oldest === undefined ? caughtUp : (performance.now() - oldest.at) / 1_000;
    },
    /** Positions behind at the last comparison. */
    positions: (): number | undefined => behind,
    close: (): void => clearInterval(timer),
  };
}
