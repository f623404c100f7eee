import { nameKey } from './text.ts';

/** Finding the shipped record that a name stands for. */

export type LinkedType = 'companies' | 'investors' | 'people';

export interface Named {
  name: string;
  slug: string;
  aliases?: readonly string[];
}

export interface Reference {
  name: string;
  slug?: string;
}

export interface Links {
  /** The reference for a name: with a slug when a record of one of the types has that name. */
  refer(name: string, types: readonly LinkedType[]): Reference;
  /** The type and slug of the record with that name. */
  find(name: string, types: readonly LinkedType[]): { type: LinkedType; slug: string } | null;
}

/** Makes the links of the records that ship; names in `guarded` are common words and are never linked. */
export function createLinks(shipped: Record<LinkedType, readonly Named[]>, guarded: ReadonlySet<string>): Links {
  const indexes = {
    companies: indexOf(shipped.companies, guarded),
    investors: indexOf(shipped.investors, new Set()),
    people: indexOf(shipped.people, new Set()),
  };
  const find: Links['find'] = (name, types) => {
    for (const type of types) {
      const slug = namesOf(name)
        .map((key) => indexes[type].get(key))
        .find((known) => known !== undefined);
      if (slug !== undefined) return { type, slug };
    }
    return null;
  };
  return {
    find,
    refer: (name, types) => {
      const found = find(name, types);
      return found === null ? { name } : { name, slug: found.slug };
    },
  };
}

/** Records by their names, which come before aliases; of two with one name the better known, which comes first. */
function indexOf(records: readonly Named[], guarded: ReadonlySet<string>): Map<string, string> {
  const index = new Map<string, string>();
  const open = records.filter((record) => !guarded.has(record.slug));
  const names = [
    ...open.map(({ name, slug }) => [name, slug] as const),
    ...open.flatMap(({ aliases = [], slug }) => aliases.map((alias) => [alias, slug] as const)),
  ];
  for (const [name, slug] of names) if (!index.has(nameKey(name))) index.set(nameKey(name), slug);
  return index;
}

/** A name and, of "XMTP (Ephemera)" or "YZi Labs (ex Binance Labs)", the name before the brackets; not of "Bill Lee (investor)", a namesake. */
function namesOf(name: string): string[] {
  const before = /^(.+?) \((?!investor\))[^)]+\)$/.exec(name)?.[1];
  return before === undefined ? [nameKey(name)] : [nameKey(name), nameKey(before)];
}

/** References without those that name the same record, or spell the same name, twice. */
export function distinct(references: readonly Reference[]): Reference[] {
  const seen = new Set<string>();
  return references.filter((reference) => {
    const keys = [nameKey(reference.name), ...(reference.slug === undefined ? [] : [`slug ${reference.slug}`])];
    const isNew = keys.every((key) => !seen.has(key));
    for (const key of keys) seen.add(key);
    return isNew;
  });
}
