import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lines } from './check.ts';
import { announcedKey } from './companies.ts';
import { buildDataSet, type DataSet } from './dataset.ts';
import { type Counts, countsOf, countsTables, noticesDocument, sourcesDocument, usesOf } from './documents.ts';
import { entryId, rawSources } from './raw.ts';
import type { Group } from './resolve.ts';

/** The files that the build writes, by their names below data/. */
export interface BuiltFiles {
  readonly files: ReadonlyMap<string, string>;
  readonly lines: Lines;
  readonly data: DataSet;
  readonly summary: readonly string[];
}

const DATA = join(import.meta.dirname, '..');

/** Builds every file. The same raw facts and slugs give the same bytes. */
export function buildFiles(): BuiltFiles {
  const data = buildDataSet();
  const { lines } = data;
  const counts = countsOf(lines);
  const uses = usesOf(lines, rawSources());
  const before = JSON.parse(readFileSync(join(DATA, 'build', 'before.json'), 'utf8')) as Counts;
  const files = new Map<string, string>();
  for (const [type, records] of Object.entries(lines)) files.set(`${type}.ndjson`, ndjson(records));
  for (const [type, book] of Object.entries(data.slugs)) files.set(`slugs/${type}.tsv`, `${book.lines().join('\n')}\n`);
  files.set('slugs/dropped.tsv', `${droppedSlugs(data).join('\n')}\n`);
  files.set('joins.tsv', `${joinLines(data).join('\n')}\n`);
  files.set('SOURCES.md', sourcesDocument(uses));
  files.set('THIRD_PARTY_DATA.md', noticesDocument(uses, licenceTexts()));
  files.set('README.md', readme(countsTables(counts, before)));
  return { files, lines, data, summary: summaryOf(data, counts) };
}

const ndjson = (records: readonly unknown[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** Each entry that joined another, with the rule that it joined by: the evidence of every identity. */
function joinLines({ groupOfSlug }: DataSet): string[] {
  return [...groupOfSlug].flatMap(([slug, { members }]) =>
    members.length === 1 ? [] : members.map(({ entry, rule }) => `${slug}\t${entryId(entry)}\t${rule}`),
  );
}

/** Slugs of records that are not shipped any more, and why. */
function droppedSlugs({ slugs, groups, groupOfSlug }: DataSet): string[] {
  const slugOfGroup = new Map([...groupOfSlug].map(([slug, group]) => [group, slug]));
  const byEntry = new Map<string, Group>(
    groups.flatMap((group) => group.members.map(({ entry }) => [entryId(entry), group] as const)),
  );
  const reasonOf = (type: string, key: string): string => {
    if (key.startsWith('v1:'))
      return type === 'events'
        ? 'no open calendar has a dated edition'
        : 'no openly licensed source and no announcement states it';
    const group = byEntry.get(key);
    const now = group === undefined ? undefined : slugOfGroup.get(group);
    if (now !== undefined) return `the same as ${now}`;
    if (group !== undefined && announcedKey(group) === null)
      return 'no website of its own with a category or a chain in an open source';
    return type === 'investors' ? 'no announcement on record names it' : 'too few facts in open sources';
  };
  return Object.entries(slugs)
    .flatMap(([type, book]) => book.dropped().map(({ slug, key }) => `${type}\t${slug}\t${reasonOf(type, key)}`))
    .sort();
}

/** The full texts of the licences that must go along. */
function licenceTexts(): Record<string, string> {
  const folder = join(DATA, 'raw', 'licences');
  const names = ['Apache-2.0', 'MIT'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const file = join(folder, `${name}.txt`);
      return existsSync(file) ? [[name, readFileSync(file, 'utf8')]] : [];
    }),
  );
}

function readme(tables: string): string {
  const text = readFileSync(join(DATA, 'README.md'), 'utf8');
  return text.replace(/(<!-- counts -->\n)[\s\S]*(<!-- \/counts -->)/, `$1\n${tables}\n\n$2`);
}

function summaryOf({ leftOut, lines }: DataSet, counts: Counts): string[] {
  return [
    ...Object.entries(counts.records).map(([type, count]) => `${count} ${type}`),
    `${lines.companies.filter((line) => line['website'] !== undefined && line['tags'] !== undefined && line['chains'] !== undefined).length} companies with website, category and chains`,
    ...[...leftOut]
      .sort((left, right) => right[1] - left[1])
      .map(([reason, count]) => `${count} projects left out: ${reason}`),
    ...Object.entries(counts.fill).flatMap(([type, fields]) =>
      Object.entries(fields).map(([field, known]) => `${known} of ${counts.records[type]} ${type} have ${field}`),
    ),
  ];
}
