import { ServiceError } from '../contract/errors.ts';

/** Whether an error is of the database itself, not of what was asked of it. */
export type IsDatabaseError = (error: unknown) => boolean;

/** A port whose every operation fails with `unavailable` when the database itself does. */
export function mapDatabaseErrors<Port extends object>(port: Port, isFault: IsDatabaseError): Port {
  const told = Object.entries(port).map(([name, operation]) => [
    name,
    typeof operation === 'function' ? mapErrorsOf(operation as Operation, isFault) : operation,
  ]);
  return Object.fromEntries(told) as Port;
}

/** What ports are made of: operations that answer later, or one by one. */
type Operation = (...args: unknown[]) => Promise<unknown> | AsyncIterable<unknown>;

function mapErrorsOf(operation: Operation, isFault: IsDatabaseError): Operation {
  return (...args) => {
    const result = operation(...args);
    return Symbol.asyncIterator in result
      ? mapErrorsWithin(result, isFault)
      : result.catch((error) => {
          throw toServiceError(error, isFault);
        });
  };
}

async function* mapErrorsWithin(items: AsyncIterable<unknown>, isFault: IsDatabaseError): AsyncGenerator<unknown> {
  try {
    yield* items;
  } catch (error) {
    throw toServiceError(error, isFault);
  }
}

/** An error as callers know it: `unavailable` when the same can work later. Others are bugs. */
function toServiceError(error: unknown, isFault: IsDatabaseError): unknown {
  if (!isFault(error)) return error;
  return new ServiceError('unavailable', 'The database cannot do this at the moment; try again later.', {
    cause: error,
  });
}
