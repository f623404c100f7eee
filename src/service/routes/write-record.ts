import { createHash } from 'node:crypto';
import { CHANGE_HEADER, etagOf, IDEMPOTENCY_KEY_LENGTH_MAX, type RecordAction } from '../../contract/changes.ts';
import type { RecordType } from '../../contract/entities/index.ts';
import { invalidAt } from '../../contract/errors.ts';
import type { Author } from '../../store/port/audit.ts';
import type { Changed, IdempotencyKey } from '../../store/port/records.ts';
import type { Store } from '../../store/store.ts';
import { type ApiResponse, type Call, type Handler, withRequestMeta } from '../call.ts';
import { expectedVersions } from '../etag.ts';

const DONE: Readonly<Record<RecordAction, string>> = {
  create: 'Record created',
  replace: 'Record replaced',
  merge: 'Record changed',
  delete: 'Record deleted',
  restore: 'Record restored',
};

/** POST, PUT, PATCH and DELETE of records, and POST .../restore. */
export function change(store: Store, action: RecordAction): Handler {
  return async (call) => {
    const { endpoint, params, body } = call;
    const idOrSlug = params['idOrSlug'];
    const changed = await store.records.change({
      action,
      type: endpoint.type as RecordType,
      ...(idOrSlug === undefined ? {} : { target: idOrSlug }),
      input: body,
      expected: expectedVersions(call.header('if-match')),
      idempotencyKey: endpoint.method === 'POST' ? idempotencyKeyOf(call) : undefined,
      author: authorOf(call),
    });
    return answerOf(call, action, changed);
  };
}

function answerOf({ endpoint }: Call, action: RecordAction, changed: Changed): ApiResponse {
  const { slug, version, position, isReplay } = changed;
  const headers = {
    ...(action === 'create' ? { Location: `/api/v1/${endpoint.type}/${slug}` } : {}),
    ...(action === 'delete' ? {} : { ETag: etagOf(version) }),
    ...(position === undefined ? {} : { [CHANGE_HEADER]: String(position) }),
    ...(isReplay ? { 'Idempotent-Replayed': 'true' } : {}),
  };
  return { ...withRequestMeta(dataOf(changed), DONE[action]), status: endpoint.status, headers };
}

/** A record as JSON text; if deleted, with the deletion time and the end of the restore period. */
export function dataOf({ json, deletedAt, purgeAt }: Pick<Changed, 'json' | 'deletedAt' | 'purgeAt'>): string {
  if (deletedAt === null) return json;
  return `${json.slice(0, -1)},"deleted_at":${JSON.stringify(deletedAt)},"purge_at":${JSON.stringify(purgeAt)}}`;
}

const PRINTABLE = /^[\x21-\x7e]+$/;

function idempotencyKeyOf({ header, body, key, method, path }: Call): IdempotencyKey | undefined {
  const idempotencyKey = header('idempotency-key');
  if (idempotencyKey === undefined) return undefined;
  if (idempotencyKey.length > IDEMPOTENCY_KEY_LENGTH_MAX || !PRINTABLE.test(idempotencyKey)) {
    throw invalidAt(
      'header.Idempotency-Key',
      `Idempotency-Key must be 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} printable characters without spaces`,
    );
  }
  const fingerprint = createHash('sha256')
    .update(JSON.stringify(body ?? null))
    .digest('hex');
  return { scope: `${key?.account} ${method} ${path}`, key: idempotencyKey, fingerprint };
}

function authorOf({ key, requestId, address }: Call): Author {
  if (key === undefined) throw new Error('A change requires a key');
  return { account: key.account, keyId: key.id, requestId, address };
}
