import type { NamedType } from '../../contract/entities/index.ts';
import { slugify, webDomain } from '../../contract/names.ts';
import { createMatcher, type Fields, type Match } from '../matching/matcher.ts';
import type { CandidatePair } from '../port/duplicates.ts';
import type { Upserted } from '../port/records.ts';
import { matchedFields } from '../records/duplicates.ts';
import type { Store } from '../store.ts';

/** Matches rows to records by the identity rules. Uncertain rows become new records and duplicate candidates. */
export type RowMatcher = Awaited<ReturnType<typeof createRowMatcher>>;

interface MatchedTo {
  /** Slug of the matched or new record. */
  readonly slug: string | undefined;
  readonly join: Match<string> | null;
  readonly possibleMatches: readonly Match<string>[];
}

interface KeptRow extends Pick<Upserted, 'id' | 'slug' | 'change'> {
  readonly doubts: readonly Match<string>[];
}

/** @param type a type with names; rounds are identified by company, stage and date */
export async function createRowMatcher(store: Pick<Store, 'records' | 'duplicates'>, type: NamedType) {
  const { records, duplicates } = store;
  const matcher = createMatcher<string>(type);
  /** Ids by slug; 0 for a record not yet imported. */
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
    const possibleMatches = matcher.possibleMatches(fields);
    const distinct = distinctSlug(slug, fields);
    const same = [slug, distinct].find((one) => ids.has(one) && matcher.isSame(one, fields));
    if (same !== undefined) return { slug: same, join: null, possibleMatches: [] };
    const own = ids.has(slug) ? distinct : slug;
    if (ids.has(own)) return { slug: own, join: null, possibleMatches: [] };
    add(own, fields, 0);
    return { slug: own, join: null, possibleMatches: possibleMatches };
  };
  return {
    /** Matches a row and adds it for later rows. A slug in the row that a record has takes precedence. */
    match: (fields: Fields, derivedSlug: string | undefined): MatchedTo => {
      const statedSlug = fields['slug'] as string | undefined;
      if (statedSlug !== undefined && ids.has(statedSlug)) return { slug: statedSlug, join: null, possibleMatches: [] };
      const slug = statedSlug ?? derivedSlug;
      const join = matcher.join(fields) ?? certainMatch(matcher.possibleMatches(fields));
      return join !== null || slug === undefined
        ? { slug: join?.ref ?? slug, join, possibleMatches: [] }
        : separate(fields, slug);
    },
    /** Stores the duplicate candidates of imported rows. */
    noteKept: async (rows: readonly KeptRow[]): Promise<void> => {
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

/** The only record with both the domain and the account of a row, whatever its name; a source may list products so. */
function certainMatch(matches: readonly Match<string>[]): Match<string> | null {
  const [only, ...others] = matches.filter(({ rule }) => rule === 'same domain and handle');
  return only !== undefined && others.length === 0 ? only : null;
}

/** An alternative slug if the plain one is taken; deterministic for a row. */
function distinctSlug(slug: string, { website, twitter, github }: Fields): string {
  const site = typeof website === 'string' ? webDomain(website) : null;
  const account = [twitter, github].find((address) => typeof address === 'string' && URL.canParse(address));
  const apart =
    site?.replace(/\.[^.]+$/, '') ?? (account === undefined ? undefined : new URL(String(account)).pathname);
  return `${slug}-${slugify(apart ?? '') || 'by-name'}`.slice(0, 100);
}
