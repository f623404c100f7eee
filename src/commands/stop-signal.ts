import { isTerminal, printToStderr } from './output.ts';

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
