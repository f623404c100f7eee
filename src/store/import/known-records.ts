import type { NamedType } from '../../contract/entities/index.ts';
import { slugify, webDomain } from '../../contract/names.ts';
import { createMatcher, type Fields, type Match } from '../matching/matcher.ts';
import type { Records } from '../port/records.ts';
import { matchedFields } from '../records/duplicates.ts';

export interface Like {
  /** Whether the first record is certain. */
  readonly isSure: boolean;
  /** Records that an entry may be about, likeliest first. */
  readonly options: readonly Match<string>[];
}

export type KnownRecords = Awaited<ReturnType<typeof readKnown>>;

/** The records of a type, to which those of rows are added. */
export async function readKnown({ walk }: Pick<Records, 'walk'>, type: NamedType) {
  const matcher = createMatcher<string>(type);
  /** Ids by slug; 0 for a record not yet imported. */
  const ids = new Map<string, number>();
  const slugs = new Map<number, string>();
  const names = new Map<string, string>();
  const ofFile = new Set<string>();
  const add = (slug: string, fields: Fields, id: number): void => {
    matcher.count(fields);
    matcher.add(slug, fields);
    ids.set(slug, id);
    names.set(slug, String(fields['name']));
    if (id === 0) ofFile.add(slug);
    else slugs.set(id, slug);
  };
  for await (const json of walk(type)) {
    const { slug, id, ...fields } = matchedFields(json);
    add(String(slug), fields, Number(id));
  }
  return {
    add,
    has: (slug: string): boolean => ids.has(slug),
    idOf: (slug: string): number => ids.get(slug) ?? 0,
    isOfFile: (slug: string): boolean => ofFile.has(slug),
    written: (slug: string, id: number): void => {
      ids.set(slug, id);
    },
    slugOf: (id: number | undefined): string | undefined => (id === undefined ? undefined : slugs.get(id)),
    /** The record of an id, if it has the name of the entry. */
    ofId: (id: number | undefined, fields: Fields): string | undefined => {
      const slug = id === undefined ? undefined : slugs.get(id);
      return slug !== undefined && matcher.named(fields).includes(slug) ? slug : undefined;
    },
    sameAs: (fields: Fields): string | undefined => matcher.named(fields).find((slug) => matcher.isSame(slug, fields)),
    nameOf: (slug: string): string => names.get(slug) ?? slug,
    /** Without a record of the whole name, one of the name in parentheses is possible: Acme Labs Inc. (Acme). */
    like: (fields: Fields): Like => {
      const found = likeOf(fields);
      const inner = /\(([^()]+)\)/.exec(String(fields['name']))?.[1];
      return found.options.length > 0 || inner === undefined ? found : { ...likeOf({ name: inner }), isSure: false };
    },
    /** The slug of a new record: the plain one, unless it is taken; the same in every run. */
    freeSlug: (slug: string, fields: Fields): string => {
      const apart = distinctSlug(slug, fields);
      let free = slug;
      for (let number = 1; ids.has(free); number += 1) free = number === 1 ? apart : `${slug}-${number}`;
      return free;
    },
  };

  function likeOf(fields: Fields): Like {
    const possible = matcher.possibleMatches(fields);
    const sure = matcher.join(fields) ?? certainMatch(possible) ?? onlyNamed(fields);
    const all = [...(sure === null ? [] : [sure]), ...possible, ...matcher.similar(fields)];
    const options = all.filter(({ ref }, index) => all.findIndex((other) => other.ref === ref) === index);
    return { isSure: sure !== null, options: options.slice(0, OPTIONS_MAX) };
  }

  /** The only record of a name, if nothing speaks against it. */
  function onlyNamed(fields: Fields): Match<string> | null {
    const [only, ...others] = matcher.named(fields).filter((slug) => !matcher.contradicts(slug, fields));
    return only !== undefined && others.length === 0 ? { ref: only, rule: 'name', score: 75 } : null;
  }
}

const OPTIONS_MAX = 4;

/** The only record with both the domain and the account of a row, whatever its name; a source may list products so. */
function certainMatch(matches: readonly Match<string>[]): Match<string> | null {
  const [only, ...others] = matches.filter(({ rule }) => rule === 'same domain and handle');
  return only !== undefined && others.length === 0 ? only : null;
}

/** An alternative slug, by the site or the account of a row; without them the plain one. */
function distinctSlug(slug: string, { website, twitter, github }: Fields): string {
  const site = typeof website === 'string' ? webDomain(website) : null;
  const account = [twitter, github].find((address) => typeof address === 'string' && URL.canParse(address));
  const apart =
    site?.replace(/\.[^.]+$/, '') ?? (account === undefined ? undefined : new URL(String(account)).pathname);
  const ending = slugify(apart ?? '');
  return (ending === '' ? slug : `${slug}-${ending}`).slice(0, 100);
}
