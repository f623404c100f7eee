import type { Store } from '../store/store.ts';
import type { Metrics } from './metrics.ts';

/** A store of which every operation is timed, by the name that it has in its port. */
export function timedStore(store: Store, { stored }: Pick<Metrics, 'stored'>): Store {
  const ports = Object.entries(store).map(([name, port]) => [
    name,
    typeof port === 'object' ? timedPort(name, port as Port, stored) : port,
  ]);
  return Object.fromEntries(ports) as Store;
}

type Port = Readonly<Record<string, (...args: unknown[]) => Promise<unknown> | AsyncIterable<unknown>>>;

function timedPort(port: string, operations: Port, stored: Metrics['stored']): Port {
  const timed = Object.entries(operations).map(([name, operation]) => [
    name,
    (...args: unknown[]) => {
      const startedAt = performance.now();
      const result = operation(...args);
      // What is read one by one takes as long as its reader does.
      if (Symbol.asyncIterator in result) return result;
      return result.finally(() => stored(`${port}.${name}`, (performance.now() - startedAt) / 1_000));
    },
  ]);
  return Object.fromEntries(timed) as Port;
}
