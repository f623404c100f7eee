import { facets } from '../../contract/facets.ts';
import type { Source } from '../../contract/fields.ts';
import { groupBy } from '../../contract/group-by.ts';
import { foldName, webDomain } from '../../contract/names.ts';
import { isSimilar } from '../matching/resolver.ts';
import { TRUST } from '../port/claims.ts';
import { blankInput, type Document, newestDate } from '../records/document.ts';
import { type ClaimRow, DERIVED_FIELDS, EDIT, isLonger, RECORD } from './claim-table.ts';

/** Trust and visibility of sources. Pure: no clock, no database. */
export type Sources = ReturnType<typeof createSources>;

export function createSources(
  known: readonly { readonly source: string; readonly trust: number }[],
  hidden: ReadonlySet<string>,
) {
  const trust = new Map(known.map((each) => [each.source, each.trust]));
  trust.set(EDIT, Number.POSITIVE_INFINITY).set(RECORD, TRUST.curated).set(DERIVED_FIELDS, TRUST.derived);
  return {
    trustOf: (source: string): number => trust.get(source) ?? TRUST.aggregator,
    isHidden: (source: string): boolean => hidden.has(source),
  };
}

/** Fields in which conflicts between trusted sources need a decision by a person. */
export const CONFLICTING: ReadonlySet<string> = new Set([
  ...['name', 'website', 'amount_usd', 'announced_date', 'start_date', 'end_date', 'founded_date', 'year_founded'],
]);

/**
 * Resolves a record from its claims. Edits win, then the most trusted and newest claim; lists are united. On conflicts
 * in `CONFLICTING` fields, the record keeps its value as long as a trusted source states it.
 * @param rows all claims about the record; fields stated only by hidden ones become unknown
 */
export function resolveClaims(document: Document, rows: readonly ClaimRow[], sources: Sources) {
  const fields: Record<string, unknown> = {};
  const conflicts: string[] = [];
  for (const [field, stated] of groupBy(rows, ({ field }) => field)) {
    const visible = inOrder(stated, sources);
    const [best] = visible;
    if (best === undefined) {
      if (field !== 'name') fields[field] = blankInput(stated[0]?.type ?? 'companies')[field];
      continue;
    }
    const rivals = rivalsOf(field, visible, sources);
    if (rivals.length > 1) conflicts.push(field);
    if (best.source === EDIT) continue;
    const current = rivals.find(({ value }) => isSame(field, JSON.parse(value), document[field]));
    const value: unknown = JSON.parse(best.value);
    if (Array.isArray(value))
      fields[field] = united(
        field,
        visible.map((row) => JSON.parse(row.value) as unknown[]),
      );
    else fields[field] = current === undefined ? value : document[field];
  }
  return { fields, conflicts };
}

/** Visible claims of a field: most trusted first, then newest. */
export function inOrder(stated: readonly ClaimRow[], { trustOf, isHidden }: Sources): ClaimRow[] {
  return stated
    .filter(({ source }) => !isHidden(source))
    .sort(
      (one, other) =>
        trustOf(other.source) - trustOf(one.source) ||
        (other.as_of ?? '').localeCompare(one.as_of ?? '') ||
        `${one.source} ${one.key}`.localeCompare(`${other.source} ${other.key}`),
    );
}

/** Conflicting trusted claims of a field, one per value; fewer than two without conflict, or if an edit decides. */
export function rivalsOf(field: string, visible: readonly ClaimRow[], { trustOf }: Sources): ClaimRow[] {
  if (!CONFLICTING.has(field) || visible[0]?.source === EDIT) return [];
  const trusted = visible.filter(({ source }) => trustOf(source) >= TRUST.curated);
  return trusted.filter(
    (row, index) =>
      trusted.findIndex((other) => isSame(field, JSON.parse(other.value), JSON.parse(row.value))) === index,
  );
}

/** Whether two values are equal: spellings of a name and URLs of one site are. */
export function isSame(field: string, one: unknown, other: unknown): boolean {
  if (typeof one === 'string' && typeof other === 'string') {
    if (field === 'name') return isSimilar(one, other);
    if (field === 'website') return webDomain(one) === webDomain(other);
  }
  return JSON.stringify(one) === JSON.stringify(other);
}

const KEYS: Readonly<Record<string, (text: string) => string>> = { chains: facets.chain.key, tags: facets.tag.key };

/** Union of lists in the spelling of the first occurrence. Synonyms within one list stay separate. */
function united(field: string, lists: readonly (readonly unknown[])[]): unknown[] {
  const spell = KEYS[field] ?? ((text: string) => foldName(text) || text);
  const keyOf = (item: unknown): string =>
    spell(typeof item === 'string' ? item : String((item as { name?: unknown }).name ?? JSON.stringify(item)));
  const values: unknown[] = [];
  const known = new Set<string>();
  for (const list of lists) {
    const added = list.filter((item) => !known.has(keyOf(item)));
    values.push(...added);
    for (const item of added) known.add(keyOf(item));
  }
  return values;
}

/** Sources of a record: those of other origin, and one for each claim key, without the fields of which an edit differs. */
export function sourcesOf(
  document: Document,
  rows: readonly ClaimRow[],
  { sources, origins }: { readonly sources: Sources; readonly origins: readonly string[] },
): { sources: Source[]; as_of: string | null } {
  const claimed = rows.filter(({ url }) => url !== '');
  const urls = new Set(claimed.map(({ url }) => url));
  const fields = new Set(claimed.map(({ field }) => field));
  const isOurs = ({ source }: Source): boolean => origins.some((origin) => source.startsWith(origin));
  const others = ((document['sources'] ?? []) as Source[])
    .filter(({ source }) => !urls.has(source))
    .map((entry) => (isOurs(entry) ? { ...entry, fields: entry.fields.filter((field) => !fields.has(field)) } : entry))
    .filter((entry) => entry.fields.length > 0);
  const edits = new Map(
    rows.flatMap(({ source, field, value }) => (source === EDIT ? [[field, JSON.parse(value) as unknown]] : [])),
  );
  const isAsEdited = ({ field, value }: ClaimRow): boolean => {
    if (!edits.has(field)) return true;
    const [stated, edited] = [JSON.parse(value) as unknown, edits.get(field)];
    return isLonger(stated, edited) || isSame(field, stated, edited);
  };
  const visible = claimed.filter((row) => !sources.isHidden(row.source) && isAsEdited(row));
  const synced = [...groupBy(visible, ({ url }) => url)].map(([url, stated]) => ({
    source: url,
    as_of: newest(stated),
    fields: stated.map(({ field }) => field).sort(),
  }));
  const entries = [...others, ...synced].sort((one, other) => (one.source < other.source ? -1 : 1));
  const earlier = document['as_of'] as string | null;
  const isOfHidden = claimed.some(({ source, as_of }) => sources.isHidden(source) && as_of === earlier);
  return { sources: entries, as_of: newestDay(entries) ?? (isOfHidden ? null : earlier) };
}

const newest = (dated: readonly { readonly as_of: string | null }[]): string | null =>
  newestDate(dated.map(({ as_of }) => as_of));

const newestDay = (entries: readonly Source[]): string | null =>
  newest(entries.filter(({ as_of }) => /^\d{4}-\d\d-\d\d$/.test(as_of ?? '')));
