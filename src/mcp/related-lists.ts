import type { Client } from '../client/client.ts';
import type { NamedType } from '../contract/entities/index.ts';
import { hasNextPage } from '../contract/queries.ts';
import type { RelatedList } from '../contract/relations.ts';
import { REASON_FIELDS } from '../contract/relations.ts';
import { sanitize } from './sanitize.ts';
import { type Showing, type ShownRecord, showRecord } from './shown-record.ts';

/** Entries per page in compact form. */
const COMPACT_LIMIT = 50;
const FULL_LIMIT = 20;

/** A page of a related list; null if no source covers the list. */
export interface ShownList {
  readonly totalResults: number;
  /** Number with names that have no record; only if it is greater. */
  readonly named?: number;
  readonly results: readonly unknown[];
  /** Arguments of the call for the next page. */
  readonly next?: object;
}

interface ListRequest extends Showing {
  readonly list: RelatedList;
  readonly page: number;
  readonly signal: AbortSignal;
}

export async function readRelatedList(
  client: Client,
  record: ShownRecord,
  request: ListRequest,
): Promise<ShownList | null> {
  const { list, page, signal, detail, fields } = request;
  const isCompact = detail === 'concise' && fields === undefined;
  const limit = isCompact && list.computed === undefined ? COMPACT_LIMIT : FULL_LIMIT;
  const found = await client.related(
    record.type as NamedType,
    String(record.id),
    list.name,
    { limit, page },
    { signal },
  );
  if (!found.known) return null;
  const results = (found.results as unknown as ShownRecord[]).map((item) =>
    isCompact ? compact(item, list) : withReasons(item, list, showRecord(item, request)),
  );
  const { totalResults } = found;
  const stated = list.stated === undefined ? 0 : Number(record[list.stated] ?? 0);
  const counts = { totalResults, ...(stated > totalResults && { named: stated }) };
  if (!hasNextPage(found)) return { ...counts, results };
  const more = { ...(detail === 'full' && { detail }), ...(fields && { fields }) };
  return {
    ...counts,
    results,
    next: { type: record.type, id: record.slug, include: [list.name], page: page + 1, ...more },
  };
}

/** Fields that distinguish records of a type in a list. */
const COMPACT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  events: ['start_date'],
  people: ['headline'],
  rounds: ['announced_date', 'stage', 'amount_usd', 'investors_may_be_cut'],
};

/** Reduces an entry to its name, distinguishing fields and reason, and its type in mixed lists. */
function compact(item: ShownRecord, list: RelatedList): object {
  const type = list.types.length > 1 ? { type: item.type } : {};
  const facts = (COMPACT_FIELDS[item.type] ?? []).flatMap((field) =>
    item[field] == null ? [] : [[field, item[field]]],
  );
  const entry = { ...type, slug: item.slug, name: item.name, ...Object.fromEntries(facts), ...partiesOf(item, list) };
  return sanitize({ ...entry, ...briefReasons(item, list) });
}

/** Reasons of a computed list entry, by name only. */
function briefReasons(item: ShownRecord, { computed }: RelatedList): object {
  if (computed === 'coInvestors') {
    const { slug, announced_date } = item['latest_round'] as Record<'slug' | 'announced_date', string | null>;
    return { count: item['count'], latest_round: { slug, announced_date } };
  }
  if (computed === undefined) return {};
  const { investors, ...labels } = item['reasons'] as Record<string, unknown[]>;
  const reasons = Object.entries({ ...labels, investors: namesIn(investors) });
  return { reasons: Object.fromEntries(reasons.filter(([, shared]) => shared.length > 0)) };
}

/** The parties of a round, besides the record that the list belongs to. */
function partiesOf(item: ShownRecord, { of }: RelatedList): object {
  if (item.type !== 'rounds') return {};
  const leads = namesIn(item['lead_investors']);
  if (of !== 'companies')
    return { company: namesIn([item['company']])[0], ...(leads.length > 0 && { lead_investors: leads }) };
  const others = namesIn(item['investors']).filter((name) => !leads.includes(name));
  return { ...(leads.length > 0 && { lead_investors: leads }), ...(others.length > 0 && { other_investors: others }) };
}

const namesIn = (value: unknown): string[] => ((value ?? []) as { readonly name: string }[]).map(({ name }) => name);

function withReasons(item: ShownRecord, { computed }: RelatedList, shown: object): object {
  const fields = computed === undefined ? [] : REASON_FIELDS[computed];
  return { ...shown, ...Object.fromEntries(fields.map((field) => [field, item[field]])) };
}
