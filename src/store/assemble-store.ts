import { ServiceError } from '../contract/errors.ts';
import { createAccounts } from './access/accounts.ts';
import { createInvitations } from './access/invitations.ts';
import { createKeys, type RecallKey, readPepper } from './access/keys.ts';
import { createMembers } from './access/members.ts';
import { createOAuth } from './access/oauth.ts';
import { createRequestLog } from './access/request-log.ts';
import { createAttempts, createSessions } from './access/sessions.ts';
import { createAudit } from './audit.ts';
import { createClaims } from './claims/claims.ts';
import type { Engine } from './engine.ts';
import { createPayments } from './payments/payments.ts';
import { createDuplicates } from './records/duplicates.ts';
import { computePending } from './records/pending-computed.ts';
import { createRecords, writerPartsOf } from './records/records.ts';
import type { Store } from './store.ts';

/** Engine-specific parts, and the detection of database faults. */
interface EngineParts extends Pick<Store, 'usage' | 'ping' | 'index' | 'status' | 'backUp'> {
  readonly engine: Engine;
  readonly isFault: IsDatabaseError;
  /** A cached key look-up, if `usage.take` detects changed keys. */
  readonly recallKey?: RecallKey;
}

/** Assembles a store from an engine and its specific parts; everything else is common. */
export async function assembleStore(
  { engine, isFault, recallKey, usage, ping, index, status, backUp }: EngineParts,
  now: () => Date,
): Promise<Store> {
  const { runner, close } = engine;
  const withMappedErrors = <Port extends object>(port: Port): Port => mapDatabaseErrors(port, isFault);
  const pepper = await readPepper(runner);
  // An import that was cut off may have left some.
  await computePending(runner, writerPartsOf(engine), now);
  const { compactIndex, ...records } = createRecords(engine, now);
  const ports = withMappedErrors({
    records: withMappedErrors(records),
    duplicates: withMappedErrors(createDuplicates(engine, now)),
    claims: withMappedErrors(createClaims(engine, now)),
    accounts: withMappedErrors(createAccounts(runner, now)),
    keys: withMappedErrors(createKeys({ runner, usage, recallKey }, pepper, now)),
    oauth: withMappedErrors(createOAuth(runner, pepper, now)),
    audit: withMappedErrors(createAudit(runner, now)),
    usage: withMappedErrors(usage),
    members: withMappedErrors(createMembers(runner, now)),
    invitations: withMappedErrors(createInvitations(runner, now)),
    sessions: withMappedErrors(createSessions(runner, now)),
    attempts: withMappedErrors(createAttempts(runner, now)),
    requests: withMappedErrors(createRequestLog(runner)),
    payments: withMappedErrors(createPayments(runner, now)),
    ping,
    compactIndex,
    backUp,
    close,
  });
  return { ...ports, status, ...(index && { index: withMappedErrors(index) }) };
}

type IsDatabaseError = (error: unknown) => boolean;

/** Wraps a port so that database faults become `unavailable`. */
function mapDatabaseErrors<Port extends object>(port: Port, isFault: IsDatabaseError): Port {
  const methods = Object.entries(port).map(([name, operation]) => [
    name,
    typeof operation === 'function' ? mapErrorsOf(operation as Operation, isFault) : operation,
  ]);
  return Object.fromEntries(methods) as Port;
}

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

/** Converts an error: `unavailable` if a retry can succeed; other exceptions are bugs. */
function toServiceError(error: unknown, isFault: IsDatabaseError): unknown {
  if (!isFault(error)) return error;
  return new ServiceError('unavailable', 'The database cannot do this at the moment; try again later.', {
    cause: error,
  });
}
