import { ServiceError } from '../../contract/errors.ts';

/** What SQLite says when its file, disk or lock fails, not the statement. Longer codes begin with these. */
const FAULTS = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|READONLY|CORRUPT|NOTADB|CANTOPEN|PROTOCOL|NOMEM)(_|$)/;

/** A port whose every operation fails with `unavailable` when the database itself does. */
export function withFaultsTold<Port extends object>(port: Port): Port {
  const told = Object.entries(port).map(([name, operation]) => [
    name,
    typeof operation === 'function' ? tellFaultsOf(operation as Operation) : operation,
  ]);
  return Object.fromEntries(told) as Port;
}

/** What ports are made of: operations that answer later, or one by one. */
type Operation = (...args: unknown[]) => Promise<unknown> | AsyncIterable<unknown>;

function tellFaultsOf(operation: Operation): Operation {
  return (...args) => {
    const result = operation(...args);
    return Symbol.asyncIterator in result ? tellFaultsWithin(result) : result.catch(tell);
  };
}

async function* tellFaultsWithin(items: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  try {
    yield* items;
  } catch (error) {
    tell(error);
  }
}

function tell(error: unknown): never {
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string' || !FAULTS.test(code)) throw error;
  throw new ServiceError('unavailable', 'The database cannot do this at the moment; try again later.', {
    cause: error,
  });
}
