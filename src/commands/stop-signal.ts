import { isTerminal, printToStderr } from './output.ts';

/** Exit code of a process ended by SIGINT (128 + 2). */
export const INTERRUPTED = 130;

/** Runs work with a signal that aborts at the first of some signals to the process. */
export async function interruptible<Result>(
  signals: readonly NodeJS.Signals[],
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  for (const signal of signals) process.once(signal, interrupt);
  try {
    return await work(interruption.signal);
  } finally {
    for (const signal of signals) process.removeListener(signal, interrupt);
  }
}

/** Resolves at the first stop signal, and says so in a terminal. A second signal ends the process at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
      if (isTerminal()) printToStderr('\nStopping; Ctrl-C again ends it at once.');
      resolve();
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
}
