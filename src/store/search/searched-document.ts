import { entityOf, type RecordType } from '../../contract/entities/index.ts';
import type { SearchedFields } from '../../contract/entity.ts';
import { otherNamesOf } from '../../contract/facets.ts';
import { handleIn, webDomain } from '../../contract/names.ts';
import { isBefore, staleBefore } from '../../contract/provenance.ts';
import { GRANT } from '../../contract/vocabulary.ts';
import { cached, createCache } from '../cached.ts';
import type { Document } from '../records/document.ts';
import type { SearchedDocument } from './search-index.ts';

/** Counts that indicate prominence, besides references. */
const KNOWN_BY = ['investments_count', 'angel_investments'];

/** Fields that the rank of a type depends on. */
export function rankedBy(type: RecordType): string[] {
  if (type === 'rounds') return ['stage', 'amount_usd'];
  const { shape } = entityOf(type).record;
  return [...KNOWN_BY.filter((field) => field in shape), 'as_of', 'unlisted_since', 'updated_at'];
}

/**
 * The static rank of a record. One that was stale at its last write counts half, and is below zero if hardly
 * referenced. Rounds rank by amount, grants last. The clock is not read, so the index remains a function of the records.
 * @param document the record, or at least its fields of `rankedBy`
 * @param naming number of references to it
 */
export function rankOf(type: RecordType, document: Readonly<Record<string, unknown>>, naming: number): number {
  if (type === 'rounds') return roundRank(document);
  const known = Math.max(naming, ...KNOWN_BY.map((field) => Number(document[field] ?? 0)));
  const { as_of, updated_at } = document as { as_of?: string | null; updated_at: string };
  const isOld = as_of != null && isBefore(as_of, staleBefore(new Date(updated_at)));
  return isOld || document['unlisted_since'] != null ? known / 2 - 1 : known;
}

const RANKED_AMOUNT_MIN = 100_000;

/** A step of static rank is a factor of two in the amount, up to billions. */
const roundRank = ({ stage, amount_usd: amount }: Readonly<Record<string, unknown>>): number =>
  stage === GRANT ? -1 : Math.sqrt(Number(amount ?? 0) / RANKED_AMOUNT_MIN);

/**
 * The searchable content of a record by its entity definition.
 * @param naming number of references to it
 */
export function searchedDocument(document: Document, naming: number): SearchedDocument {
  const { searched } = entityOf(document.type as RecordType) as { searched: SearchedFields };
  const website = searched.domain === null ? undefined : document[searched.domain];
  return {
    id: document.id,
    names: textsOf(document, searched.names),
    ...(searched.hasComposedNames && { hasComposedNames: searched.hasComposedNames }),
    slug: document.slug,
    tickers: [...textsOf(document, searched.tickers), ...addressesIn(document, searched.addresses ?? [])],
    domain: typeof website === 'string' ? webDomain(website) : null,
    handles: textsOf(document, searched.accounts ?? []).flatMap((address) => handleIn(address) ?? []),
    keywords: [
      ...textsOf(document, searched.keywords).map((label) => label.replaceAll('_', ' ')),
      ...otherTagNames(document),
    ],
    headline: textsOf(document, searched.headline).join(' '),
    overview: textsOf(document, searched.overview).join(' '),
    related: textsOf(document, searched.related),
    rank: rankOf(document.type as RecordType, document, naming),
  };
}

const addressesIn = (document: Document, fields: readonly string[]): string[] =>
  fields.flatMap((field) =>
    ((document[field] ?? []) as readonly { address?: string }[]).flatMap(({ address = [] }) => address),
  );

const REMEMBERED = 1_024;
const namesByTag = createCache<string, readonly string[]>(REMEMBERED);

/** Names such as L2 for the tag Layer 2. */
const otherTagNames = ({ tags }: Document): string[] =>
  textsIn(tags).flatMap((tag) => cached(namesByTag, tag, otherNamesOf));

/** Keys of references that are not searched. */
const NOT_WORDS = new Set([
  'type',
  'organization_type',
  'role_type',
  'organization_slug',
  'slug',
  'start_date',
  'end_date',
  'as_of',
]);

/** Dates are searched by year. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const YEAR_LENGTH = 4;

function textsIn(value: unknown, found: string[] = []): string[] {
  if (typeof value === 'string') found.push(DAY.test(value) ? value.slice(0, YEAR_LENGTH) : value);
  else if (Array.isArray(value)) for (const part of value) textsIn(part, found);
  else if (typeof value === 'object' && value !== null)
    for (const [name, part] of Object.entries(value)) if (!NOT_WORDS.has(name)) textsIn(part, found);
  return found;
}

function textsOf(document: Document, fields: readonly string[]): string[] {
  const found: string[] = [];
  for (const field of fields) textsIn(document[field], found);
  return found;
}
