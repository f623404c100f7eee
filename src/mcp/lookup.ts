import * as z from 'zod';
import type { Client } from '../client/client.ts';
import type { RecordType } from '../contract/entities/index.ts';
import { ServiceError } from '../contract/errors.ts';
import { listsOf, relatedLists } from '../contract/relations.ts';
import { charactersLeft, jsonLengthOf, shorten } from './answer-size.ts';
import { readRelatedList } from './related-lists.ts';
import { type RecordRequest, resolveRecord } from './resolve-record.ts';
import { nameRecord, type Showing, type ShownRecord, shownRecord, showRecord } from './shown-record.ts';

/** Maximum records per call. */
export const ITEMS_MAX = 20;
/** Concurrent look-ups, bounded so that one call does not exceed the burst limit. */
const AT_ONCE_MAX = 4;

export const RELATED_NAMES = [...new Set(relatedLists.map((list) => list.name))] as [string, ...string[]];

/** Result for one requested record. */
export const entity = z.object({
  status: z.enum(['exact', 'ambiguous', 'none']),
  record: shownRecord.nullable(),
  candidates: z.array(shownRecord).meta({ description: 'Records of that name, or near misses.' }),
});
export type ReturnedRecord = z.output<typeof entity>;

interface LookUpOptions extends Showing {
  /** Names of related lists to include; see `checkInclude`. */
  readonly include: readonly string[];
  /** Detail of records in related lists, if lower. */
  readonly listDetail?: Showing['detail'];
  /** Page of the related lists. */
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
    const message = `include: ${type} have no list ${unknown}; ${has}`;
    throw new ServiceError('invalid_parameter', message, { errors: [{ location: 'arguments.include', message }] });
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

async function withRelated(client: Client, record: ShownRecord, looking: LookUpOptions): Promise<ShownRecord> {
  const shown = showRecord(record, looking);
  // A request without a type can be checked only after the record is found.
  checkInclude([record.type as RecordType], looking.include);
  const lists = listsOf(record.type as RecordType).filter(({ name }) => looking.include.includes(name));
  if (lists.length === 0) return shown;
  const related: Record<string, unknown> = {};
  for (const list of lists) {
    const { page = 1, detail, listDetail = detail } = looking;
    related[list.name] = await readRelatedList(client, record, { ...looking, detail: listDetail, list, page });
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
