import type { Client } from '../client/client.ts';
import type { RecordType } from '../contract/entities/index.ts';
import { ServiceError } from '../contract/errors.ts';
import { foldName, webDomain } from '../contract/names.ts';
import { QUERY_LENGTH_MAX } from '../contract/queries.ts';
import type { ShownRecord } from './show.ts';

/** One record that is asked for, by something that a person knows of it. */
export interface Asked {
  readonly type: RecordType;
  readonly by: 'id' | 'slug' | 'name' | 'domain';
  readonly value: string;
}

export interface Resolved {
  readonly status: 'exact' | 'ambiguous' | 'none';
  readonly record: ShownRecord | null;
  readonly candidates: readonly ShownRecord[];
}

/** Records looked through for one that bears the name. */
const LOOKED_AT = 20;
const CANDIDATES_MAX = 5;
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Finds the record that is meant. A name that several records bear is ambiguous: nothing is guessed. */
export async function resolve(client: Client, asked: Asked, signal: AbortSignal): Promise<Resolved> {
  const isNumber = /^\d+$/.test(asked.value);
  if ((asked.by === 'id' || (asked.by === 'slug' && !isNumber)) && SLUG.test(asked.value)) {
    const record = await byIdOrSlug(client, asked, signal);
    if (record !== undefined) return { status: 'exact', record, candidates: [] };
  }
  const found = await client.search({ type: asked.type, query: wordsOf(asked), limit: LOOKED_AT }, { signal });
  const records = found.results as ShownRecord[];
  const [first, ...others] = records.filter((record) => bears(record, asked));
  if (first === undefined) return { status: 'none', record: null, candidates: records.slice(0, CANDIDATES_MAX) };
  if (others.length > 0) return { status: 'ambiguous', record: null, candidates: [first, ...others] };
  return { status: 'exact', record: first, candidates: [] };
}

async function byIdOrSlug(
  client: Client,
  { type, value }: Asked,
  signal: AbortSignal,
): Promise<ShownRecord | undefined> {
  try {
    return (await client.get(type, value, { signal })) as ShownRecord;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** What to search for; a domain without the parts of an address around it. */
function wordsOf({ by, value }: Asked): string {
  return (by === 'domain' ? (webDomain(value) ?? value) : value).slice(0, QUERY_LENGTH_MAX);
}

/** Whether a record has exactly this name, alias, slug or web domain. */
function bears(record: ShownRecord, { by, value }: Asked): boolean {
  const website = record['website'];
  const isAtDomain = typeof website === 'string' && webDomain(website) === webDomain(value);
  if (by === 'domain') return isAtDomain;
  const names = [record.name, record.slug, ...((record['aliases'] ?? []) as string[])];
  return names.some((name) => foldName(name) === foldName(value)) || (by === 'id' && isAtDomain);
}
