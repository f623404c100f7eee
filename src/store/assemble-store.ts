import { SENT, ServiceError } from '../contract/errors.ts';
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

interface EngineParts extends Pick<Store, 'usage' | 'ping' | 'index' | 'status' | 'backUp'> {
  readonly engine: Engine;
  readonly isFault: IsDatabaseError;
  /** A cached key look-up, if `usage.take` detects changed keys. */
  readonly recallKey?: RecallKey;
}

export async function assembleStore(parts: EngineParts, now: () => Date): Promise<Store> {
  const { engine, isFault, recallKey, usage, ping, index, status, backUp } = parts;
  const { runner, close } = engine;
  const pepper = await readPepper(runner);
  // An import that was cut off may have left some.
  await computePending(engine, writerPartsOf(engine), now);
  const { compactIndex, ...records } = createRecords(engine, now);
  const ports = {
    records,
    duplicates: createDuplicates(engine, now),
    claims: createClaims(engine, now),
    accounts: createAccounts(runner, now),
    keys: createKeys({ runner, usage, recallKey }, pepper, now),
    oauth: createOAuth(runner, pepper, now),
    audit: createAudit(runner, now),
    usage,
    members: createMembers(runner, now),
    invitations: createInvitations(runner, now),
    sessions: createSessions(runner, now),
    attempts: createAttempts(runner, now),
    requests: createRequestLog(runner),
    payments: createPayments(runner, now),
    ping,
    compactIndex,
    backUp,
    close,
    ...(index && { index }),
  };
  return { ...mapDatabaseErrors(ports, isFault), status };
}

type IsDatabaseError = (error: unknown) => boolean;

/** Wraps ports so that database faults become `unavailable`. */
function mapDatabaseErrors<Ports extends object>(ports: Ports, isFault: IsDatabaseError): Ports {
  const methods = Object.entries(ports).map(([name, operation]) => [
    name,
    typeof operation === 'function'
      ? mapErrorsOf(operation as Operation, isFault)
      : mapDatabaseErrors(operation, isFault),
  ]);
  return Object.fromEntries(methods) as Ports;
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
  return new ServiceError('unavailable', SENT.unavailable, {
    cause: error,
  });
}
