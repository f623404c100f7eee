/** Lets one wait for a signal of others, which may come before the wait. */
export interface Wake {
  signal(isUrgent: boolean): void;
  /** Until something is signalled, or the longest time is over; what is not urgent is heard after the shortest. */
  wait(shortestMs: number, longestMs: number): Promise<void>;
}

export function createWake(): Wake {
  let isSignalled = false;
  let isUrgent = false;
  let look = (): void => {};
  return {
    signal: (urgent) => {
      isSignalled = true;
      isUrgent ||= urgent;
      look();
    },
    wait: async (shortestMs, longestMs) => {
      const startedAt = performance.now();
      await new Promise<void>((resolve) => {
        let timer: NodeJS.Timeout | undefined;
        look = () => {
          clearTimeout(timer);
          const wantedMs = isUrgent ? 0 : isSignalled ? shortestMs : longestMs;
          const leftMs = startedAt + wantedMs - performance.now();
          if (leftMs <= 0) resolve();
          else timer = setTimeout(look, leftMs);
        };
        look();
      });
      look = () => {};
      isSignalled = false;
      isUrgent = false;
    },
  };
}
