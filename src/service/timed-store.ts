import { ServiceError } from '../contract/errors.ts';
import type { Store } from '../store/store.ts';
import type { Metrics } from './metrics.ts';
import type { Tracing } from './tracing.ts';

interface Timers {
  readonly metrics: Pick<Metrics, 'stored'>;
  /** Where spans are made, each operation that a request asks for has one. */
  readonly tracing?: Tracing | undefined;
}

/** A store of which every operation is timed, by the name that it has in its port. */
export function timedStore(store: Store, timers: Timers): Store {
  const ports = Object.entries(store).map(([name, port]) => [
    name,
    typeof port === 'object' ? timedPort(name, port as Port, timers) : port,
  ]);
  return Object.fromEntries(ports) as Store;
}

type Port = Readonly<Record<string, (...args: unknown[]) => Promise<unknown> | AsyncIterable<unknown>>>;

function timedPort(port: string, operations: Port, { metrics, tracing }: Timers): Port {
  const timed = Object.entries(operations).map(([name, operation]) => [
    name,
    (...args: unknown[]) => {
      const startedAt = performance.now();
      const span = tracing?.begin(`${port}.${name}`);
      const result = operation(...args);
      // What is read one by one takes as long as its reader does.
      if (Symbol.asyncIterator in result) return result;
      const end = (error?: string): void => {
        metrics.stored(`${port}.${name}`, (performance.now() - startedAt) / 1_000);
        span?.end({ error });
      };
      // Before whoever asked goes on, so that a request never ends before what it has waited for.
      void result.then(
        () => end(),
        (error: unknown) => end(nameOf(error)),
      );
      return result;
    },
  ]);
  return Object.fromEntries(timed) as Port;
}

/** A name of ours or of a class: a message could hold anything. */
function nameOf(error: unknown): string {
  if (error instanceof ServiceError) return error.code;
  return error instanceof Error ? error.name : 'Error';
}
