import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { slugify } from '../../src/contract/names.ts';

/**
 * The slugs that records were ever shipped under. A slug stays with the record that has the key beside it, whatever the
 * rules make of its name, so that addresses people kept go on working.
 */
export interface SlugBook {
  /** Gives each key of a type its slug: the one it had, or a free one made of the name. */
  assign(
    items: readonly {
      readonly key: string;
      readonly keys?: readonly string[];
      readonly name: string;
      readonly hint?: string;
    }[],
  ): string[];
  /** Whether a record with the key was shipped before. */
  has(key: string): boolean;
  /** What is written back: every slug with the key of its record. */
  lines(): string[];
  /** Slugs whose record is not shipped any more. */
  dropped(): { slug: string; key: string }[];
}

const FOLDER = join(import.meta.dirname, '..', 'slugs');

/** Reads the book of a type; an empty one where there is none yet. */
export function openSlugs(type: string): SlugBook {
  const file = join(FOLDER, `${type}.tsv`);
  const rows = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
  const keyOfSlug = new Map(rows.map((row) => row.split('\t') as [slug: string, key: string]));
  const slugOfKey = new Map([...keyOfSlug].map(([slug, key]) => [key, slug]));
  const used = new Set<string>();
  return {
    assign: (items) => {
      const kept = items.map(({ key, keys = [key] }) =>
        keys.map((one) => slugOfKey.get(one)).find((slug) => slug !== undefined && !used.has(slug) && used.add(slug)),
      );
      return items.map(({ key, name, hint }, index) => {
        const slug = kept[index] ?? freeSlug(name, hint, (one) => used.has(one) || keyOfSlug.has(one));
        used.add(slug);
        keyOfSlug.set(slug, kept[index] === undefined ? key : (keyOfSlug.get(slug) ?? key));
        return slug;
      });
    },
    has: (key) => slugOfKey.has(key),
    lines: () => [...keyOfSlug].map(([slug, key]) => `${slug}\t${key}`).sort(),
    dropped: () => [...keyOfSlug].filter(([slug]) => !used.has(slug)).map(([slug, key]) => ({ slug, key })),
  };
}

/** A slug of the name; of two equal names the later one takes the hint, such as its domain, then a number. */
function freeSlug(name: string, hint: string | undefined, isTaken: (slug: string) => boolean): string {
  const plain = slugify(name) || slugify(`${name} ${hint ?? 'x'}`) || 'unnamed';
  if (!isTaken(plain)) return plain;
  const hinted = hint === undefined ? plain : slugify(hint);
  if (hinted !== '' && hinted !== plain && !isTaken(hinted)) return hinted;
  for (let count = 2; ; count += 1) if (!isTaken(`${plain}-${count}`)) return `${plain}-${count}`;
}
