import { NAMED_TYPES, type NamedType, type RecordType } from '../../contract/entities/index.ts';
import { slugify, webDomain } from '../../contract/names.ts';
import { createMatcher, type Fields, type Match } from '../matching/matcher.ts';
import type { CandidatePair } from '../port/duplicates.ts';
import type { Upserted } from '../port/records.ts';
import { matchedFields } from '../records/duplicates.ts';
import type { Store } from '../store.ts';

/** Joins rows to records by the rules of identity; a doubtful row is a record of its own, and a candidate to be asked about. */
export interface RowMatcher {
  /** What a row is about; it is found by later rows from now on. A slug that the row gives itself and a record has decides. */
  match(fields: Fields, derivedSlug: string | undefined): MatchedTo;
  /** Keeps the candidates of rows that have become records. */
  noteKept(rows: readonly KeptRow[]): Promise<void>;
}

interface MatchedTo {
  /** Slug of the record that the row is about, or of the new one. */
  readonly slug: string | undefined;
  readonly join: Match<string> | null;
  readonly doubts: readonly Match<string>[];
}

interface KeptRow extends Pick<Upserted, 'id' | 'slug' | 'change'> {
  readonly doubts: readonly Match<string>[];
}

/** @param type a type whose records go by names; rounds are told apart by company, stage and day already */
export async function createRowMatcher(
  { records, duplicates }: Pick<Store, 'records' | 'duplicates'>,
  type: NamedType,
): Promise<RowMatcher> {
  const matcher = createMatcher<string>(type);
  /** Numbers by slug, zero for a record that is yet to be kept. */
  const ids = new Map<string, number>();
  const add = (slug: string, fields: Fields, id: number): void => {
    matcher.count(fields);
    matcher.add(slug, fields);
    ids.set(slug, id);
  };
  for await (const json of records.walk(type)) {
    const { slug, id, ...fields } = matchedFields(json);
    add(String(slug), fields, Number(id));
  }
  const separate = (fields: Fields, slug: string): MatchedTo => {
    const doubts = matcher.doubts(fields);
    const distinct = distinctSlug(slug, fields);
    const same = [slug, distinct].find((one) => ids.has(one) && matcher.isSame(one, fields));
    if (same !== undefined) return { slug: same, join: null, doubts: [] };
    const own = ids.has(slug) ? distinct : slug;
    if (ids.has(own)) return { slug: own, join: null, doubts: [] };
    add(own, fields, 0);
    return { slug: own, join: null, doubts };
  };
  return {
    match: (fields, derivedSlug) => {
      const given = fields['slug'] as string | undefined;
      if (given !== undefined && ids.has(given)) return { slug: given, join: null, doubts: [] };
      const slug = given ?? derivedSlug;
      const join = matcher.join(fields);
      return join !== null || slug === undefined
        ? { slug: join?.ref ?? slug, join, doubts: [] }
        : separate(fields, slug);
    },
    noteKept: async (rows) => {
      for (const { slug, id } of rows) ids.set(slug, id);
      const pairs = rows.flatMap(({ id, change, doubts }) =>
        (change === 'created' ? doubts : []).flatMap(({ ref, rule, score }): CandidatePair[] => {
          const other = ids.get(ref) ?? 0;
          return other === 0 || other === id ? [] : [{ type, left: other, right: id, rule, score }];
        }),
      );
      if (pairs.length > 0) await duplicates.add(pairs);
    },
  };
}

export const isMatched = (type: RecordType): type is NamedType => (NAMED_TYPES as readonly string[]).includes(type);

/** The slug of a record whose plain one is another's: the same row gives the same slug in every run. */
function distinctSlug(slug: string, { website, twitter, github }: Fields): string {
  const site = typeof website === 'string' ? webDomain(website) : null;
  const account = [twitter, github].find((address) => typeof address === 'string' && URL.canParse(address));
  const apart =
    site?.replace(/\.[^.]+$/, '') ?? (account === undefined ? undefined : new URL(String(account)).pathname);
  return `${slug}-${slugify(apart ?? '') || 'by-name'}`.slice(0, 100);
}
