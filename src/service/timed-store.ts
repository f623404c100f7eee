import { ServiceError } from '../contract/errors.ts';
import type { Store } from '../store/store.ts';
import type { Metrics } from './metrics.ts';
import type { Tracing } from './tracing.ts';

interface Instruments {
  readonly metrics: Pick<Metrics, 'observeStoreOperation'>;
  readonly tracing?: Tracing | undefined;
}

/** A store that measures every operation, named by its port method. */
export function timedStore(store: Store, instruments: Instruments): Store {
  const ports = Object.entries(store).map(([name, port]) => [
    name,
    typeof port === 'object' ? timedPort(name, port as Port, instruments) : port,
  ]);
  return Object.fromEntries(ports) as Store;
}

type Port = Readonly<Record<string, (...args: unknown[]) => Promise<unknown> | AsyncIterable<unknown>>>;

function timedPort(port: string, operations: Port, { metrics, tracing }: Instruments): Port {
  const timed = Object.entries(operations).map(([name, operation]) => [
    name,
    (...args: unknown[]) => {
      const startedAt = performance.now();
      const span = tracing?.begin(`${port}.${name}`);
      const result = operation(...args);
      // A stream takes as long as its reader.
      if (Symbol.asyncIterator in result) return result;
      const end = (error?: string): void => {
        metrics.observeStoreOperation(`${port}.${name}`, (performance.now() - startedAt) / 1_000);
        span?.end({ error });
      };
      // Runs before the caller continues, so that a span ends before its request.
      void result.then(
        () => end(),
        (error: unknown) => end(nameOf(error)),
      );
      return result;
    },
  ]);
  return Object.fromEntries(timed) as Port;
}

/** An error code or class name; messages could contain anything. */
function nameOf(error: unknown): string {
  if (error instanceof ServiceError) return error.code;
  return error instanceof Error ? error.name : 'Error';
}
