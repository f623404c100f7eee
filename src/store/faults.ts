import { ServiceError } from '../contract/errors.ts';

/** Whether an error is of the database itself, not of what was asked of it. */
export type IsFault = (error: unknown) => boolean;

/** A port whose every operation fails with `unavailable` when the database itself does. */
export function withFaultsTold<Port extends object>(port: Port, isFault: IsFault): Port {
  const told = Object.entries(port).map(([name, operation]) => [
    name,
    typeof operation === 'function' ? tellFaultsOf(operation as Operation, isFault) : operation,
  ]);
  return Object.fromEntries(told) as Port;
}

/** What ports are made of: operations that answer later, or one by one. */
type Operation = (...args: unknown[]) => Promise<unknown> | AsyncIterable<unknown>;

function tellFaultsOf(operation: Operation, isFault: IsFault): Operation {
  return (...args) => {
    const result = operation(...args);
    return Symbol.asyncIterator in result
      ? tellFaultsWithin(result, isFault)
      : result.catch((error) => {
          throw told(error, isFault);
        });
  };
}

async function* tellFaultsWithin(items: AsyncIterable<unknown>, isFault: IsFault): AsyncGenerator<unknown> {
  try {
    yield* items;
  } catch (error) {
    throw told(error, isFault);
  }
}

/** An error as callers know it: `unavailable` when the same can work later. Others are bugs. */
function told(error: unknown, isFault: IsFault): unknown {
  if (!isFault(error)) return error;
  return new ServiceError('unavailable', 'The database cannot do this at the moment; try again later.', {
    cause: error,
  });
}
