/** A signal that may arrive before the wait. */
export type WakeSignal = ReturnType<typeof createWakeSignal>;

export function createWakeSignal() {
  let isSignalled = false;
  let isUrgent = false;
  let check = (): void => {};
  return {
    signal: (urgent: boolean): void => {
      isSignalled = true;
      isUrgent ||= urgent;
      check();
    },
    /** Waits for a signal, between the shortest and the longest time; urgent signals end it at once. */
    wait: async (shortestMs: number, longestMs: number): Promise<void> => {
      const startedAt = performance.now();
      await new Promise<void>((resolve) => {
        let timer: NodeJS.Timeout | undefined;
        check = () => {
          clearTimeout(timer);
          const wantedMs = isUrgent ? 0 : isSignalled ? shortestMs : longestMs;
          const leftMs = startedAt + wantedMs - performance.now();
          if (leftMs <= 0) resolve();
          else timer = setTimeout(check, leftMs);
        };
        check();
      });
      check = () => {};
      isSignalled = false;
      isUrgent = false;
    },
  };
}
