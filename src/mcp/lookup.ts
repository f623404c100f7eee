import * as z from 'zod';
import type { CallOptions, Client } from '../client/client.ts';
import type { NamedType, RecordData, RecordType } from '../contract/entities/index.ts';
import { invalidAt, ServiceError } from '../contract/errors.ts';
import { isNearMiss } from '../contract/name-similarity.ts';
import { type NamingWay, recordsNamed } from '../contract/named-records.ts';
import { webDomain } from '../contract/names.ts';
import { roleAt } from '../contract/person-roles.ts';
import { hasNextPage, QUERY_LENGTH_MAX } from '../contract/queries.ts';
import { listsOf, REASON_FIELDS, type RelatedList, relatedLists } from '../contract/relations.ts';
import { INVESTORS_AT_LEAST } from '../contract/sample-notes.ts';
import { isUnsourced, UNSOURCED_FIELDS, unsourcedAmong } from '../contract/unsourced.ts';
import { charactersLeft, jsonLengthOf, shorten } from './result-size.ts';
import { sanitize } from './sanitize.ts';
import { isKnown, nameRecord, recordOutput, type Showing, showRecord } from './shown-record.ts';

/** Maximum records per call. */
export const ITEMS_MAX = 20;
/** Concurrent look-ups, bounded so that one call does not exceed the burst limit. */
const AT_ONCE_MAX = 4;

export const RELATED_NAMES = [...new Set(relatedLists.map((list) => list.name))] as [string, ...string[]];

export const entity = z.object({
  status: z.enum(['exact', 'ambiguous', 'none']),
  record: recordOutput.nullable(),
  candidates: z.array(recordOutput).meta({ description: 'Records of that name, or near misses.' }),
});
export type ReturnedRecord = z.output<typeof entity>;

interface LookUpOptions extends Showing {
  /** Names of related lists to include; see `checkInclude`. */
  readonly include: readonly string[];
  /** Detail of records in related lists, if lower. */
  readonly listDetail?: Showing['detail'];
  readonly page?: number;
  readonly signal: AbortSignal;
}

/** Throws for a related list that a type does not have, because omitting it would look like an empty list. */
export function checkInclude(types: readonly (RecordType | undefined)[], include: readonly string[]): void {
  for (const type of types.filter((each) => each !== undefined)) {
    const known = listsOf(type).map(({ name }) => name);
    const unknown = include.find((name) => !known.includes(name));
    if (unknown === undefined) continue;
    const has = known.length === 0 ? 'they have none' : `they have ${known.join(', ')}`;
    throw invalidAt('arguments.include', `include: ${type} have no list ${unknown}; ${has}`);
  }
}

/** Looks up records and returns one result each, in order, together within the size limit of a tool result. */
export async function lookUp(
  client: Client,
  asked: readonly RecordRequest[],
  looking: LookUpOptions,
): Promise<ReturnedRecord[]> {
  const entities: ReturnedRecord[] = [];
  for (let start = 0; start < asked.length; start += AT_ONCE_MAX) {
    const some = asked.slice(start, start + AT_ONCE_MAX);
    const ended = await Promise.allSettled(some.map((each) => lookUpOne(client, each, looking)));
    // All have settled, so an error can state what was paid for the others.
    for (const each of ended) {
      if (each.status === 'rejected') throw each.reason;
      entities.push(each.value);
    }
  }
  return fitEntities(entities);
}

async function lookUpOne(client: Client, asked: RecordRequest, looking: LookUpOptions): Promise<ReturnedRecord> {
  const found = await resolveRecord(client, asked, looking.signal);
  const candidates = found.candidates.map((candidate) => showRecord(candidate, { detail: 'concise' }));
  if (found.record === null) return { status: found.status, record: null, candidates };
  return { status: found.status, record: await withRelated(client, found.record, looking), candidates };
}

async function withRelated(client: Client, record: RecordData, looking: LookUpOptions): Promise<RecordData> {
  const shown = showRecord(record, looking);
  // A request without a type can be checked only after the record is found.
  checkInclude([record.type], looking.include);
  const lists = listsOf(record.type).filter(({ name }) => looking.include.includes(name));
  if (lists.length === 0) return shown;
  const related: Record<string, unknown> = {};
  for (const list of lists) {
    const { page = 1, detail, listDetail = detail } = looking;
    const isBeside = lists.length > 1;
    related[list.name] = await readRelatedList(client, record, {
      ...looking,
      detail: listDetail,
      list,
      isBeside,
      page,
    });
  }
  return { ...shown, related };
}

/** Shortens records that exceed their share; unused shares go to later records. */
function fitEntities(entities: readonly ReturnedRecord[]): ReturnedRecord[] {
  let room = charactersLeft(null);
  return entities.map((each, index) => {
    const share = room / (entities.length - index);
    const fitted = jsonLengthOf(each) <= share ? each : fitEntity(each, share);
    room -= jsonLengthOf(fitted);
    return fitted;
  });
}

function fitEntity({ status, record, candidates }: ReturnedRecord, room: number): ReturnedRecord {
  if (record !== null) {
    const around = jsonLengthOf({ status, record: null, candidates });
    return { status, record: shorten(record, room - around), candidates };
  }
  const named = candidates.map(nameRecord);
  while (named.length > 0 && jsonLengthOf({ status, record, candidates: named }) > room) named.pop();
  return { status, record, candidates: named };
}

/** Entries per page in compact form. */
const COMPACT_LIMIT = 50;
const FULL_LIMIT = 20;
/** Entries of each of several lists, which `next` continues. */
const SHORT_LIMIT = 10;

interface ListRequest extends Showing {
  readonly list: RelatedList;
  /** Whether other lists of the record are read as well. */
  readonly isBeside: boolean;
  readonly page: number;
  readonly signal: AbortSignal;
}

/** A page of a related list; null if no source covers the list. */
async function readRelatedList(client: Client, record: RecordData, request: ListRequest): Promise<object | null> {
  const { list, page, signal, detail, fields, isBeside } = request;
  const isCompact = detail === 'concise' && fields === undefined;
  const pageLimit = isCompact && list.computed === undefined ? COMPACT_LIMIT : FULL_LIMIT;
  // Beside other lists: the first entries, and how to read the rest.
  const isShort = isBeside && page === 1;
  const limit = isShort ? SHORT_LIMIT : pageLimit;
  const found = await client.related(
    record.type as NamedType,
    String(record.id),
    list.name,
    { limit, page },
    { signal },
  );
  if (!found.known) return null;
  const results = (found.results as RecordData[]).map((item) =>
    isCompact ? compact(item, list, record) : withReasons(item, request, showRecord(item, request)),
  );
  const { totalResults } = found;
  const stated = list.stated === undefined ? 0 : Number(record[list.stated] ?? 0);
  const isMore = stated > totalResults;
  const notes = [...(isMore ? [NAMED] : []), ...(isOfInvestors(list) && totalResults > 0 ? [INVESTORS_AT_LEAST] : [])];
  const note = notes.length > 0 && { note: notes.join('; ') };
  const counts = { totalResults, ...(isMore && { named: stated }), ...note };
  if (!hasNextPage(found)) return { ...counts, results };
  const more = { ...(detail === 'full' && { detail }), ...(fields && { fields }) };
  return {
    ...counts,
    results,
    next: { type: record.type, id: record.slug, include: [list.name], page: isShort ? 1 : page + 1, ...more },
  };
}

const NAMED = 'named: with names that have no record';

/** Whether a list contains investors of rounds, or rounds of an investor. */
const isOfInvestors = ({ paths, computed }: RelatedList): boolean =>
  computed === 'coInvestors' || paths.flat().some(({ relation }) => relation.name === 'rounds.investors');

/** Fields that distinguish records of a type in a list. */
const COMPACT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  events: ['start_date'],
  people: ['headline'],
  rounds: ['announced_date', 'stage', 'amount_usd', 'amount_raw', 'month_only', 'investors_may_be_cut', 'unsourced'],
};

/** Reduces an entry to its name, distinguishing fields and reason, and its type in mixed lists. */
function compact(item: RecordData, list: RelatedList, owner: RecordData): object {
  const type = list.types.length > 1 ? { type: item.type } : {};
  const facts = (COMPACT_FIELDS[item.type] ?? []).flatMap((field) =>
    isKnown(item[field]) ? [[field, item[field]]] : [],
  );
  const parts = { ...Object.fromEntries(facts), ...partiesOf(item, list), ...roleFacts(item, owner) };
  const named = { ...type, slug: item.slug, name: item.name };
  return sanitize({ ...named, ...parts, ...briefReasons(item, list), ...unsourcedIn(item, Object.keys(parts)) });
}

/** Fields of records whose values entries have under other names. */
const SHOWN_AS: Readonly<Record<string, string>> = { role: 'roles', other_investors: 'investors' };

/** Those of the parts of an entry that are unsourced, unless its record is unsourced as a whole. */
function unsourcedIn(item: RecordData, parts: readonly string[]): object {
  const shown = parts.map((part) => SHOWN_AS[part] ?? part);
  const unsourced = isUnsourced(item) ? [] : unsourcedAmong(item, shown);
  return unsourced.length > 0 ? { [UNSOURCED_FIELDS]: unsourced } : {};
}

function roleFacts(item: RecordData, owner: RecordData): object {
  const role = roleAt(item, owner);
  if (role === undefined) return {};
  const { title, is_current, as_of } = role;
  return {
    ...(title !== null && { role: title }),
    ...(is_current !== null && { is_current }),
    ...(as_of !== null && { role_as_of: as_of }),
  };
}

function briefReasons(item: RecordData, { computed }: RelatedList): object {
  if (computed === 'coInvestors') {
    const round = item['latest_round'] as Record<string, unknown>;
    const known = ['slug', 'announced_date', 'month_only'].filter((field) => isKnown(round[field]));
    return { count: item['count'], latest_round: Object.fromEntries(known.map((field) => [field, round[field]])) };
  }
  if (computed === undefined) return {};
  const { investors, ...labels } = item['reasons'] as Record<string, unknown[]>;
  const reasons = Object.entries({ ...labels, investors: namesIn(investors) });
  return { reasons: Object.fromEntries(reasons.filter(([, shared]) => shared.length > 0)) };
}

function partiesOf(item: RecordData, { of }: RelatedList): object {
  if (item.type !== 'rounds') return {};
  const leads = namesIn(item['lead_investors']);
  if (of !== 'companies')
    return { company: namesIn([item['company']])[0], ...(leads.length > 0 && { lead_investors: leads }) };
  const others = namesIn(item['investors']).filter((name) => !leads.includes(name));
  return { ...(leads.length > 0 && { lead_investors: leads }), ...(others.length > 0 && { other_investors: others }) };
}

const namesIn = (value: unknown): string[] => ((value ?? []) as { readonly name: string }[]).map(({ name }) => name);

function withReasons(item: RecordData, { list, fields: chosen }: ListRequest, shown: object): object {
  if (chosen !== undefined) return sanitize({ ...shown, ...briefReasons(item, list) });
  const { computed } = list;
  const fields = computed === undefined ? [] : REASON_FIELDS[computed];
  return { ...shown, ...Object.fromEntries(fields.map((field) => [field, item[field]])) };
}

export interface RecordRequest {
  /** Undefined if only a name is given. */
  readonly type: RecordType | undefined;
  readonly by: 'id' | 'slug' | 'name' | 'domain';
  readonly value: string;
}

/** What a value may be, by the argument that has it. */
const NAMING_WAYS: Readonly<Record<RecordRequest['by'], readonly NamingWay[]>> = {
  id: ['slug', 'name', 'alias', 'domain'],
  slug: ['slug', 'name', 'alias'],
  name: ['slug', 'name', 'alias'],
  domain: ['domain'],
};

/** Search results examined for an exact name. */
const LOOKUP_LIMIT = 20;
const CANDIDATES_MAX = 5;
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Resolves a request to a record. A name of several records is ambiguous; never guesses. */
async function resolveRecord(client: Client, asked: RecordRequest, signal: AbortSignal): Promise<ReturnedRecord> {
  const { type, by, value } = asked;
  const isNumber = /^\d+$/.test(value);
  const isSlug = (by === 'id' || (by === 'slug' && !isNumber)) && SLUG.test(value);
  if (isSlug && type !== undefined) {
    const record = await byIdOrSlug(client, type, value, { signal });
    if (record !== undefined) return { status: 'exact', record, candidates: [] };
  }
  const query = { type: type ?? 'all', query: wordsOf(asked), limit: LOOKUP_LIMIT } as const;
  const found = await client.search(query, { signal });
  const records = found.results as RecordData[];
  const [first, ...others] = recordsNamed(records, value, [NAMING_WAYS[by], by === 'id' ? ['token'] : []]);
  if (first !== undefined && others.length > 0) return ambiguous([first, ...others], asked);
  if (first !== undefined) return { status: 'exact', record: first, candidates: [] };
  // A record costs one search, which a wallet has paid now, also if there is no such record.
  const more = { signal, isFree: true };
  // A search of all types excludes rounds.
  const round = isSlug && !isNumber && type === undefined && (await byIdOrSlug(client, 'rounds', value, more));
  if (round) return { status: 'exact', record: round, candidates: [] };
  const near = records.filter((record) => isNear(record, value));
  if (near.length === 0 && type !== undefined && !isNumber) {
    const others = await client.search({ ...query, type: 'all' }, more);
    near.push(...recordsNamed(others.results, value, [NAMING_WAYS[by]]));
  }
  return { status: 'none', record: null, candidates: near.slice(0, CANDIDATES_MAX) };
}

/** Among records of the same name, prefers the one whose slug it is, because slugs are unique within a type. */
function ambiguous(records: readonly RecordData[], { type, by, value }: RecordRequest): ReturnedRecord {
  const [first, ...others] = records.filter(({ slug }) => slug === value);
  const isOne = type === undefined && by !== 'name' && first !== undefined && others.length === 0;
  return isOne
    ? { status: 'exact', record: first, candidates: [] }
    : { status: 'ambiguous', record: null, candidates: [...records] };
}

const isNear = ({ name, slug, aliases }: RecordData, value: string): boolean =>
  [name, slug, ...((aliases ?? []) as string[])].some((each) => isNearMiss(each, value));

async function byIdOrSlug(
  client: Client,
  type: RecordType,
  value: string,
  options: CallOptions,
): Promise<RecordData | undefined> {
  try {
    return (await client.get(type, value, { ...options, isMinimal: true })) as RecordData;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** The search text; a domain without the rest of its URL. */
const wordsOf = ({ by, value }: RecordRequest): string =>
  (by === 'domain' ? (webDomain(value) ?? value) : value).slice(0, QUERY_LENGTH_MAX);
