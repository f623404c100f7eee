import type { Request, RequestHandler } from 'express';
import { ERRORS, SENT, ServiceError, TEXT } from '../../contract/errors.ts';
import { isAddressIn } from '../../contract/ip-ranges.ts';
import { allows, type KeyLevel, keyStatus } from '../../contract/keys.ts';
import { PLANS } from '../../contract/plans.ts';
import type { KeyRecord } from '../../store/port/access.ts';
import type { ServiceDeps } from '../deps.ts';
import { createRefusalLimit } from './rate-limits.ts';

const BEARER = /^bearer +(\S+) *$/i;

type Deps = Pick<ServiceDeps, 'store' | 'clock' | 'burstPerSecond'>;

/**
 * Authenticates a request: valid key, account with a plan, and allowed client address. The
 * address is checked before counting, so that a stolen key cannot exhaust its owner's quota.
 */
export function authenticate({ store, clock, burstPerSecond }: Deps): RequestHandler {
  const refused = createRefusalLimit({ burstPerSecond });
  return async (request, response, next) => {
    try {
      const token = tokenOf(request);
      if (token === undefined)
        throw new ServiceError('unauthenticated', TEXT.unauthenticated, challenge('realm="api"'));
      const found = await store.keys.find(token);
      // Recorded in the request log of the owner's account.
      response.locals['refusedKey'] = found;
      response.locals['key'] = checked(found, request, { now: clock(), resource: response.locals['resource'] });
    } catch (error) {
      if (isRefusedKey(error)) await refused.take(request.ip);
      throw error;
    }
    next();
  };
}

/**
 * Like authenticate, for a request that is counted next: a recently used key is taken from the cache, because counting
 * detects whether it has changed. A refused key is looked up again.
 */
export function authenticateCached(deps: Pick<Deps, 'store' | 'clock'>, authenticated: RequestHandler): RequestHandler {
  const { store, clock } = deps;
  return async (request, response, next) => {
    const token = tokenOf(request);
    const found = token === undefined ? undefined : await store.keys.recall(token);
    if (found === undefined || !isAccepted(found, request, { now: clock(), resource: undefined }))
      return authenticated(request, response, next);
    response.locals['key'] = found;
    next();
  };
}

const tokenOf = (request: Request): string | undefined => BEARER.exec(request.get('authorization') ?? '')?.[1];

interface KeyContext {
  readonly now: Date;
  /** The requested protected resource, if any; access tokens are bound to one (RFC 8707, 2). */
  readonly resource: unknown;
}

function isAccepted(found: KeyRecord, request: Request, context: KeyContext): boolean {
  try {
    checked(found, request, context);
    return true;
  } catch {
    return false;
  }
}

function checked(found: KeyRecord | undefined, { ip }: Request, context: KeyContext): KeyRecord {
  const key = valid(found, context);
  checkPlan(key);
  checkAddress(key, ip);
  return key;
}

function valid(key: KeyRecord | undefined, { now, resource }: KeyContext): KeyRecord {
  const refused = challenge('realm="api", error="invalid_token"');
  if (key === undefined || (key.audience ?? resource) !== resource)
    throw new ServiceError('invalid_key', TEXT.invalidKey, refused);
  const status = keyStatus(key, now);
  if (status === 'revoked') throw new ServiceError('key_revoked', TEXT.invalidKey, refused);
  if (status === 'expired') throw new ServiceError('key_expired', TEXT.invalidKey, refused);
  return key;
}

const challenge = (parameters: string) => ({ headers: { 'WWW-Authenticate': `Bearer ${parameters}` } });

function checkPlan({ plan }: KeyRecord): void {
  if (PLANS[plan].hasApi) return;
  throw new ServiceError('plan_required', SENT.plan_required);
}

function checkAddress({ allowed_cidrs }: KeyRecord, address = ''): void {
  if (allowed_cidrs.length === 0 || isAddressIn(address, allowed_cidrs)) return;
  throw new ServiceError('address_not_allowed', SENT.address_not_allowed);
}

function isRefusedKey(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  return ERRORS[error.code].status === 401 || error.code === 'address_not_allowed';
}

/** Responds 403 if the level is too low, before the request is read. */
export function requireLevel(needed: KeyLevel): RequestHandler {
  return (_request, response, next) => {
    const key = response.locals['key'] as KeyRecord;
    if (!allows(key.level, needed)) throw levelTooLow(needed);
    next();
  };
}

/** One message for every operation; `required_level` has the needed level. */
export const levelTooLow = (needed: KeyLevel): ServiceError =>
  new ServiceError('forbidden', TEXT.forbidden, { requiredLevel: needed });
