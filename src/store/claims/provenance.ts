import type { RecordType } from '../../contract/entities/index.ts';
import { isBefore, type Provenance, staleBefore } from '../../contract/provenance.ts';
import { type Document, newestDate } from '../records/document.ts';
import { type ClaimRow, DERIVED_FIELDS, groupBy, RECORD } from './claim-table.ts';
import { inOrder, isSame, rivalsOf, type Sources } from './resolve-claims.ts';

interface ProvenanceInput {
  readonly sources: Sources;
  readonly restricted: ReadonlySet<string>;
  /** By source: claims not stated since this time are missing from two complete runs. */
  readonly goneSince: ReadonlyMap<string, string>;
  readonly now: Date;
}

type Statement = Provenance['fields'][number]['sources'][number];

/** The provenance of each field: the record's own sources and its visible claims. */
export function provenanceOf(
  document: Document,
  rows: readonly ClaimRow[],
  { sources, restricted, goneSince, now }: ProvenanceInput,
): Provenance {
  const day = staleBefore(now);
  const claims = groupBy(rows, ({ field }) => field);
  const urls = new Set(rows.map(({ url }) => url));
  const entries = (document['sources'] ?? []) as { source: string; as_of: string | null; fields: string[] }[];
  const unclaimed = entries.filter(({ source }) => !urls.has(source));
  const names = new Set([...entries.flatMap(({ fields }) => fields), ...claims.keys()]);
  const fields = Object.keys(document).flatMap((field) => {
    if (!names.has(field)) return [];
    const visible = inOrder(claims.get(field) ?? [], sources);
    const stated = visible.filter(({ source }) => source !== RECORD && source !== DERIVED_FIELDS);
    const own = unclaimed.filter((entry) => entry.fields.includes(field));
    const statements: Statement[] = [
      ...stated.map((row) => ({
        source: row.url === '' ? row.source : row.url,
        as_of: row.as_of,
        seen_at: row.url === '' ? null : row.seen_at,
        value: JSON.parse(row.value) as unknown,
        stale: isBefore(row.as_of, day) || row.seen_at < (goneSince.get(row.source) ?? ''),
        redistributable: !restricted.has(row.source),
      })),
      ...own.map(({ source, as_of }) => {
        // A sync has matched the record and preserved its earlier values as claims.
        const met = visible.find((row) => row.source === RECORD || row.source === DERIVED_FIELDS);
        return {
          source,
          as_of,
          seen_at: null,
          ...(met && { value: JSON.parse(met.value) as unknown }),
          stale: isBefore(as_of, day),
          redistributable: true,
        };
      }),
    ];
    if (statements.length === 0) return [];
    const value = document[field];
    const agreeing = statements.filter(({ value: said }) => said === undefined || states(field, said, value));
    const as_of = newestDate(agreeing.map((each) => each.as_of));
    const conflict = rivalsOf(field, visible, sources).length > 1;
    const isStale = isBefore(as_of, day) || (agreeing.length > 0 && agreeing.every(({ stale }) => stale));
    return [{ field, value, as_of, stale: isStale, conflict, sources: statements }];
  });
  const { id, name, slug } = document;
  const as_of = (document['as_of'] ?? null) as string | null;
  const isStale = isBefore(as_of, day) || (fields.length > 0 && fields.every(({ stale }) => stale));
  return { type: document.type as RecordType, id, name, slug, as_of, stale: isStale, fields };
}

/** Whether a value is the record's, or part of its list. */
const states = (field: string, said: unknown, value: unknown): boolean =>
  Array.isArray(value) || isSame(field, said, value);
