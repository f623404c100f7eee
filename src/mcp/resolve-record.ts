import type { Client } from '../client/client.ts';
import type { RecordType } from '../contract/entities/index.ts';
import { ServiceError } from '../contract/errors.ts';
import { isNearMiss } from '../contract/name-similarity.ts';
import { foldName, webDomain } from '../contract/names.ts';
import { QUERY_LENGTH_MAX } from '../contract/queries.ts';
import type { ShownRecord } from './shown-record.ts';

/** A request for one record by any identifier. */
export interface RecordRequest {
  /** Undefined if only a name is given. */
  readonly type: RecordType | undefined;
  readonly by: 'id' | 'slug' | 'name' | 'domain';
  readonly value: string;
}

export interface Resolved {
  readonly status: 'exact' | 'ambiguous' | 'none';
  readonly record: ShownRecord | null;
  readonly candidates: readonly ShownRecord[];
}

/** Search results examined for an exact name. */
const LOOKUP_LIMIT = 20;
const CANDIDATES_MAX = 5;
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Resolves a request to a record. A name of several records is ambiguous; never guesses. */
export async function resolveRecord(client: Client, asked: RecordRequest, signal: AbortSignal): Promise<Resolved> {
  const { type, by, value } = asked;
  const isNumber = /^\d+$/.test(value);
  const isSlug = (by === 'id' || (by === 'slug' && !isNumber)) && SLUG.test(value);
  if (isSlug && type !== undefined) {
    const record = await byIdOrSlug(client, type, value, signal);
    if (record !== undefined) return { status: 'exact', record, candidates: [] };
  }
  const query = { type: type ?? 'all', query: wordsOf(asked), limit: LOOKUP_LIMIT } as const;
  const found = await client.search(query, { signal });
  const records = found.results as unknown as ShownRecord[];
  const named = records.filter((record) => hasNameOrDomain(record, asked));
  const [first, ...others] = named.length > 0 ? named : records.filter((record) => hasToken(record, asked));
  if (first !== undefined && others.length > 0) return ambiguous([first, ...others], asked);
  if (first !== undefined) return { status: 'exact', record: first, candidates: [] };
  // A search of all types excludes rounds.
  const round = isSlug && !isNumber && type === undefined && (await byIdOrSlug(client, 'rounds', value, signal));
  if (round) return { status: 'exact', record: round, candidates: [] };
  const near = records.filter((record) => isNear(record, value));
  return { status: 'none', record: null, candidates: near.slice(0, CANDIDATES_MAX) };
}

/** Among records of the same name, prefers the one whose slug it is, because slugs are unique within a type. */
function ambiguous(records: readonly ShownRecord[], { type, by, value }: RecordRequest): Resolved {
  const [first, ...others] = records.filter(({ slug }) => slug === value);
  const isOne = type === undefined && by !== 'name' && first !== undefined && others.length === 0;
  return isOne
    ? { status: 'exact', record: first, candidates: [] }
    : { status: 'ambiguous', record: null, candidates: records };
}

const isNear = ({ name, slug, aliases }: ShownRecord, value: string): boolean =>
  [name, slug, ...((aliases ?? []) as string[])].some((each) => isNearMiss(each, value));

async function byIdOrSlug(
  client: Client,
  type: RecordType,
  value: string,
  signal: AbortSignal,
): Promise<ShownRecord | undefined> {
  try {
    return (await client.get(type, value, { signal })) as ShownRecord;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** Whether a record has a token with this ticker or contract address. */
function hasToken(record: ShownRecord, { by, value }: RecordRequest): boolean {
  const { token_symbols: symbols, token_contracts: contracts } = record as Partial<Record<string, unknown>>;
  const addresses = ((contracts ?? []) as readonly { address?: string }[]).map(({ address }) => address);
  const sought = value.replace(/^\$/, '').toLowerCase();
  return by === 'id' && [...((symbols ?? []) as string[]), ...addresses].some((each) => each?.toLowerCase() === sought);
}

/** The search text; a domain without the rest of its URL. */
function wordsOf({ by, value }: RecordRequest): string {
  return (by === 'domain' ? (webDomain(value) ?? value) : value).slice(0, QUERY_LENGTH_MAX);
}

/** Whether a record has exactly this name, alias, slug or web domain. */
function hasNameOrDomain(record: ShownRecord, { by, value }: RecordRequest): boolean {
  const website = record['website'];
  const isAtDomain = typeof website === 'string' && webDomain(website) === webDomain(value);
  if (by === 'domain') return isAtDomain;
  const names = [record.name, record.slug, ...((record['aliases'] ?? []) as string[])];
  return names.some((name) => foldName(name) === foldName(value)) || (by === 'id' && isAtDomain);
}
