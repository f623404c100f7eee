import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { CHANGE_HEADER, etagOf, IDEMPOTENCY_KEY_LENGTH_MAX, type RecordAction } from '../../contract/changes.ts';
import { entityOf, type RecordType } from '../../contract/entities/index.ts';
import { invalidAt, ServiceError } from '../../contract/errors.ts';
import { checkFields } from '../../contract/field-names.ts';
import { allows } from '../../contract/keys.ts';
import type { listQuery, recordQuery, relatedQuery } from '../../contract/queries.ts';
import { coveringFields, type RelatedList } from '../../contract/relations.ts';
import { parseSort } from '../../contract/sorts.ts';
import type { Author } from '../../store/port/audit.ts';
import type { Changed, FoundRecord, IdempotencyKey } from '../../store/port/records.ts';
import type { Store } from '../../store/store.ts';
import { type ApiResponse, type Call, type Handler, withRequestMeta } from '../call.ts';
import { expectedVersions, matchesEtag, notModified } from '../etag.ts';
import { levelTooLow } from '../middleware/authenticate-key.ts';
import { csvResponse } from './csv.ts';
import { nearestRecords, SEARCH_BY_NAME } from './nearest-records.ts';
import {
  filtersFor,
  listIdentity,
  listJson,
  listWindow,
  pageJson,
  selectFields,
  windowOf,
  withMore,
} from './pagination.ts';

export function list(store: Store): Handler {
  return async (call) => {
    const { endpoint, query, isCsv } = call;
    const { limit, fields, sort, ...position } = query as z.output<typeof listQuery>;
    const types = [endpoint.type as RecordType];
    checkFields(types, fields, 'query');
    const filters = filtersFor(types, query);
    const order = parseSort(types, sort);
    const list = listIdentity(types, filters, sort);
    const window = listWindow({ ...position, list }, limit, call);
    const found = await store.records.search({ types, text: '', filters, sort: order, window });
    if (isCsv) return csvResponse(found, { types, fields });
    return withRequestMeta(listJson(found, { window, fields, list }), 'List completed');
  };
}

export function detail(store: Store): Handler {
  return async (call) => {
    const { fields, include_deleted } = call.query as z.output<typeof recordQuery>;
    checkFields([call.endpoint.type as RecordType], fields, 'query');
    const record = include_deleted ? await deletedOf(store, call) : await recordOf(store, call);
    const etag = etagOf(record.version);
    if (matchesEtag(call.header('if-none-match'), etag)) return notModified(etag);
    const { type, idOrSlug } = targetOf(call);
    // The slug is outdated: Content-Location has the current URL.
    const isElsewhere = !/^\d+$/.test(idOrSlug) && idOrSlug !== record.slug;
    const location = isElsewhere ? { 'Content-Location': `/api/v1/${type}/${record.slug}` } : {};
    return {
      ...withRequestMeta(selectFields(dataOf(record), fields), 'Record found'),
      headers: { ETag: etag, ...location },
    };
  };
}

export function related(store: Store): Handler {
  return async (call) => {
    const { page, limit, fields } = call.query as z.output<typeof relatedQuery>;
    const window = windowOf(page, limit, call);
    const { related: list } = call.endpoint;
    if (list === undefined) throw new Error(`${call.endpoint.name} names no related list`);
    checkFields(list.types, fields, 'query');
    const record = await recordOf(store, call);
    const found = await store.records.related(list, record.id, window);
    const known = found.total > 0 || isCovered(list, JSON.parse(record.json) as Sourced);
    return withRequestMeta(withMore(pageJson(found, { page, limit, fields }), { known }), 'List completed');
  };
}

export function sources(store: Store): Handler {
  return async (call) => {
    const { type, idOrSlug } = targetOf(call);
    const found = await store.claims.of(type, idOrSlug);
    if (found === undefined) throw await noRecord(store, type, idOrSlug);
    return withRequestMeta(JSON.stringify(found), 'Sources read');
  };
}

type Sourced = Readonly<Record<string, unknown>> & {
  readonly sources: readonly { readonly fields: readonly string[] }[];
};

/** Whether an empty list is covered by a source. Computed lists always are. */
function isCovered(list: RelatedList, record: Sourced): boolean {
  const fields = coveringFields(list);
  const isStated = record.sources.some((source) => source.fields.some((field) => fields.includes(field)));
  return list.computed !== undefined || isStated || (list.stated !== undefined && record[list.stated] === 0);
}

type ShownRecordState = FoundRecord & { readonly deletedAt: string | null; readonly purgeAt: string | null };

/** The record that a call is about. */
const targetOf = ({ endpoint, params }: Call) => ({
  type: endpoint.type as RecordType,
  idOrSlug: params['idOrSlug'] ?? '',
});

async function recordOf(store: Store, call: Call): Promise<ShownRecordState> {
  const { type, idOrSlug } = targetOf(call);
  const record = await store.records.get(type, idOrSlug);
  if (record !== undefined) return { ...record, deletedAt: null, purgeAt: null };
  const isDeleted = mayRestore(call.key) && (await store.records.getDeleted(type, idOrSlug)) !== undefined;
  if (isDeleted) throw notFound(type, 'it is deleted: include_deleted=true reads it, and /restore restores it');
  const isMinimal = PREFERS_MINIMAL.test(call.header('prefer') ?? '');
  throw isMinimal ? notFound(type, SEARCH_BY_NAME) : await noRecord(store, type, idOrSlug);
}

/** A slug that no record has may be a mistyped name, or one of another type. */
async function noRecord(store: Store, type: RecordType, idOrSlug: string): Promise<ServiceError> {
  const name = idOrSlug.slice(0, NAME_LENGTH_MAX).replaceAll('-', ' ');
  const near = /\D/.test(name) ? await nearestRecords(store, name) : SEARCH_BY_NAME;
  return notFound(type, near);
}

const notFound = (type: RecordType, hint: string): ServiceError =>
  new ServiceError('not_found', `There is no ${entityOf(type).noun} with this number or slug; ${hint}.`);

/** RFC 7240. */
const PREFERS_MINIMAL = /(^|[,;\s])return="?minimal\b/i;

/** Longer than any slug. */
const NAME_LENGTH_MAX = 100;

const mayRestore = (key: Call['key']): boolean => key !== undefined && allows(key.level, 'delete');

/** The record, or the deleted one for a key that may restore it. */
async function deletedOf(store: Store, call: Call): Promise<ShownRecordState> {
  if (!mayRestore(call.key)) throw levelTooLow('delete');
  const { type, idOrSlug } = targetOf(call);
  const live = await store.records.get(type, idOrSlug);
  const deleted = live ? undefined : await store.records.getDeleted(type, idOrSlug);
  return deleted ?? recordOf(store, call);
}

const DONE: Readonly<Record<RecordAction, string>> = {
  create: 'Record created',
  replace: 'Record replaced',
  merge: 'Record changed',
  delete: 'Record deleted',
  restore: 'Record restored',
};

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
function dataOf({ json, deletedAt, purgeAt }: Pick<Changed, 'json' | 'deletedAt' | 'purgeAt'>): string {
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
