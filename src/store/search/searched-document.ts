import { entityOf, type RecordType } from '../../contract/entities/index.ts';
import type { SearchedFields } from '../../contract/entity.ts';
import { otherNamesOf } from '../../contract/facets.ts';
import { webDomain } from '../../contract/names.ts';
import { isBefore, staleBefore } from '../../contract/provenance.ts';
import { GRANT } from '../../contract/vocabulary.ts';
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
  const texts = (fields: readonly string[]): string[] => fields.flatMap((field) => textsIn(document[field]));
  const website = searched.domain === null ? undefined : document[searched.domain];
  return {
    id: document.id,
    names: texts(searched.names),
    ...(searched.hasComposedNames && { hasComposedNames: searched.hasComposedNames }),
    slug: document.slug,
    tickers: [...texts(searched.tickers), ...addressesIn(document, searched.addresses ?? [])],
    domain: typeof website === 'string' ? webDomain(website) : null,
    keywords: [...texts(searched.keywords).map((label) => label.replaceAll('_', ' ')), ...otherTagNames(document)],
    headline: texts(searched.headline).join(' '),
    overview: texts(searched.overview).join(' '),
    related: texts(searched.related),
    rank: rankOf(document.type as RecordType, document, naming),
  };
}

const addressesIn = (document: Document, fields: readonly string[]): string[] =>
  fields.flatMap((field) =>
    ((document[field] ?? []) as readonly { address?: string }[]).flatMap(({ address = [] }) => address),
  );

/** Names such as L2 for the tag Layer 2. */
const otherTagNames = ({ tags }: Document): string[] => textsIn(tags).flatMap((tag) => otherNamesOf(tag));

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

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [DAY.test(value) ? value.slice(0, YEAR_LENGTH) : value];
  if (value === null || typeof value !== 'object') return [];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return Object.entries(value).flatMap(([name, part]) => (NOT_WORDS.has(name) ? [] : textsIn(part)));
}
