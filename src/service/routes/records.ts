import type * as z from 'zod';
import { etagOf } from '../../contract/changes.ts';
import { entityOf, type RecordType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { checkFields } from '../../contract/field-names.ts';
import { allows } from '../../contract/keys.ts';
import type { listQuery, recordQuery, relatedQuery } from '../../contract/queries.ts';
import { coveringFields, type RelatedList } from '../../contract/relations.ts';
import { parseSort } from '../../contract/sorts.ts';
import type { FoundRecord } from '../../store/port/records.ts';
import type { Store } from '../../store/store.ts';
import { type Call, type Handler, withRequestMeta } from '../call.ts';
import { matchesEtag, notModified } from '../etag.ts';
import { levelTooLow } from '../middleware/authenticate-key.ts';
import { csvResponse } from './csv.ts';
import { nearestRecords, SEARCH_FINDS } from './nearest-records.ts';
import { filtersFor, listJson, listWindow, pageJson, selectFields, windowOf, withMore } from './pagination.ts';
import { dataOf } from './write-record.ts';

/** GET /api/v1/{type} */
export function list(store: Store): Handler {
  return async (call) => {
    const { endpoint, query, isCsv } = call;
    const { limit, fields, sort, ...position } = query as z.output<typeof listQuery>;
    const types = [endpoint.type as RecordType];
    checkFields(types, fields, 'query');
    const filters = filtersFor(types, query);
    const order = parseSort(types, sort);
    const window = listWindow(position, limit, call);
    const found = await store.records.search({ types, text: '', filters, sort: order, window });
    if (isCsv) return csvResponse(found, { types, fields });
    return withRequestMeta(listJson(found, { window, fields }), 'List completed');
  };
}

/** GET /api/v1/{type}/{idOrSlug} */
export function detail(store: Store): Handler {
  return async (call) => {
    const { fields, include_deleted } = call.query as z.output<typeof recordQuery>;
    checkFields([call.endpoint.type as RecordType], fields, 'query');
    const record = include_deleted ? await deletedOf(store, call) : await recordOf(store, call);
    const etag = etagOf(record.version);
    if (matchesEtag(call.header('if-none-match'), etag)) return notModified(etag);
    const reference = call.params['idOrSlug'] ?? '';
    // The slug is outdated: Content-Location has the current URL.
    const isElsewhere = !/^\d+$/.test(reference) && reference !== record.slug;
    const location = isElsewhere ? { 'Content-Location': `/api/v1/${call.endpoint.type}/${record.slug}` } : {};
    return {
      ...withRequestMeta(selectFields(dataOf(record), fields), 'Record found'),
      headers: { ETag: etag, ...location },
    };
  };
}

/** GET /api/v1/{type}/{idOrSlug}/{relation} */
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

/** GET /api/v1/{type}/{idOrSlug}/sources */
export function sources(store: Store): Handler {
  return async ({ endpoint, params }) => {
    const type = endpoint.type as RecordType;
    const found = await store.claims.of(type, params['idOrSlug'] ?? '');
    if (found === undefined) throw await noRecord(store, type, params['idOrSlug'] ?? '');
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

async function recordOf(store: Store, { endpoint, params, header }: Call): Promise<ShownRecordState> {
  const type = endpoint.type as RecordType;
  const record = await store.records.get(type, params['idOrSlug'] ?? '');
  if (record !== undefined) return { ...record, deletedAt: null, purgeAt: null };
  const isMinimal = PREFERS_MINIMAL.test(header('prefer') ?? '');
  throw isMinimal ? notFound(type, SEARCH_FINDS) : await noRecord(store, type, params['idOrSlug'] ?? '');
}

/** A slug that no record has may be a mistyped name, or one of another type. */
async function noRecord(store: Store, type: RecordType, idOrSlug: string): Promise<ServiceError> {
  const name = idOrSlug.slice(0, NAME_LENGTH_MAX).replaceAll('-', ' ');
  const near = /\D/.test(name) ? await nearestRecords(store, name) : SEARCH_FINDS;
  return notFound(type, near);
}

const notFound = (type: RecordType, hint: string): ServiceError =>
  new ServiceError('not_found', `There is no ${entityOf(type).noun} with this number or slug; ${hint}.`);

/** RFC 7240. */
const PREFERS_MINIMAL = /(^|[,;\s])return="?minimal\b/i;

/** Longer than any slug. */
const NAME_LENGTH_MAX = 100;

/** The record, or the deleted one for a key that may restore it. */
async function deletedOf(store: Store, call: Call): Promise<ShownRecordState> {
  if (call.key === undefined || !allows(call.key.level, 'delete')) throw levelTooLow('delete');
  const { type } = call.endpoint;
  const idOrSlug = call.params['idOrSlug'] ?? '';
  const live = await store.records.get(type as RecordType, idOrSlug);
  const deleted = live ? undefined : await store.records.getDeleted(type as RecordType, idOrSlug);
  return deleted ?? recordOf(store, call);
}
