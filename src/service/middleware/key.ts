import type { RequestHandler } from 'express';
import { ServiceError, TEXT } from '../../contract/errors.ts';
import { allows, type KeyLevel } from '../../contract/keys.ts';
import { PLANS } from '../../contract/plans.ts';
import type { KeyRecord } from '../../store/store.ts';
import type { ServiceDeps } from '../deps.ts';

const BEARER = /^bearer +(\S+) *$/i;

/** Admits requests that carry a key which is valid, whose account has a plan (specification 5.1, 5.2). */
export function authenticate({ store, clock }: Pick<ServiceDeps, 'store' | 'clock'>): RequestHandler {
  return async (request, response, next) => {
    const token = BEARER.exec(request.get('authorization') ?? '')?.[1];
    if (token === undefined) throw new ServiceError('unauthenticated', TEXT.unauthenticated, challenge('realm="api"'));
    const key = valid(await store.keys.find(token), clock());
    if (!PLANS[key.plan].hasApi) {
      throw new ServiceError(
        'plan_required',
        'An API Access or Enterprise plan is required; choose one for the account of this key.',
      );
    }
    response.locals['key'] = key;
    next();
  };
}

function valid(key: KeyRecord | undefined, now: Date): KeyRecord {
  const refused = challenge('realm="api", error="invalid_token"');
  if (key === undefined) throw new ServiceError('invalid_key', TEXT.invalidKey, refused);
  if (key.revoked_at !== null) throw new ServiceError('key_revoked', TEXT.invalidKey, refused);
  if (key.expires_at !== null && key.expires_at <= now.toISOString()) {
    throw new ServiceError('key_expired', TEXT.invalidKey, refused);
  }
  return key;
}

const challenge = (parameters: string) => ({ headers: { 'WWW-Authenticate': `Bearer ${parameters}` } });

/** Refuses a key whose level is too low, before anything of the request is read (specification 5.3). */
export function requireLevel(needed: KeyLevel): RequestHandler {
  return (_request, response, next) => {
    const key = response.locals['key'] as KeyRecord;
    if (!allows(key.level, needed)) {
      throw new ServiceError('forbidden', `Insufficient permissions for ${needed} operations`);
    }
    next();
  };
}
