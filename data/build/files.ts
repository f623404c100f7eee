import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldName, slugify } from '../../src/contract/names.ts';
import type { Lines } from './check.ts';
import { announcedKey } from './companies.ts';
import { buildDataSet, type DataSet } from './dataset.ts';
import { EVENT_NAMES, SAME_INVESTORS } from './decisions.ts';
import {
  type Counts,
  countsOf,
  countsTables,
  noticesDocument,
  precisionTable,
  raisedTable,
  sourcesDocument,
  sourcesJson,
  usesOf,
} from './documents.ts';
import { MERGED_PEOPLE } from './people-decisions.ts';
import { measurePrecision, type Precision } from './precision.ts';
import { privacyPack } from './privacy-pack.ts';
import { entryId, rawSources } from './raw.ts';
import type { Group } from './resolve.ts';
import { isNoCompany, isTrial } from './select.ts';

/** The files that the build writes, by their names below data/. */
export interface BuiltFiles {
  readonly files: ReadonlyMap<string, string>;
  readonly lines: Lines;
  /** Which entries of the raw facts are one project. */
  readonly groups: readonly Group[];
  readonly precision: Precision;
  /** The share-alike pack, which is no part of the lines. */
  readonly pack: Pick<Lines, 'companies' | 'people' | 'events'>;
  readonly summary: readonly string[];
}

const DATA = join(import.meta.dirname, '..');

/** Builds every file. The same raw facts and slugs give the same bytes. */
export function buildFiles(): BuiltFiles {
  const data = buildDataSet();
  const { lines } = data;
  const counts = countsOf(lines);
  const precision = measurePrecision(lines, recordsByEntry(data));
  const uses = usesOf(lines, rawSources());
  const before = JSON.parse(readFileSync(join(DATA, 'build', 'before.json'), 'utf8')) as Counts;
  const files = new Map<string, string>();
  for (const [type, records] of Object.entries(lines)) files.set(`${type}.ndjson`, ndjson(records));
  const pack = privacyPack(lines);
  for (const [type, records] of Object.entries(pack)) files.set(`packs/privacy/${type}.ndjson`, ndjson(records));
  for (const [type, book] of Object.entries(data.slugs)) files.set(`slugs/${type}.tsv`, `${book.lines().join('\n')}\n`);
  files.set('slugs/dropped.tsv', `${droppedSlugs(data).join('\n')}\n`);
  files.set('joins.tsv', `${joinLines(data).join('\n')}\n`);
  files.set('SOURCES.md', sourcesDocument(uses));
  files.set('sources.json', sourcesJson(uses));
  files.set('THIRD_PARTY_DATA.md', noticesDocument(uses, licenceTexts()));
  files.set(
    'README.md',
    readme({ counts: countsTables(counts, before), raised: raisedTable(lines), precision: precisionTable(precision) }),
  );
  return { files, lines, groups: data.groups, precision, pack, summary: summaryOf(data, counts, precision) };
}

const ndjson = (records: readonly unknown[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** Each entry and mention that joined another, with the rule that it joined by: the evidence of every identity. */
function joinLines({ groupOfSlug, people }: DataSet): string[] {
  const projects = [...groupOfSlug].flatMap(([slug, { members }]) =>
    members.length === 1 ? [] : members.map(({ entry, rule }) => `companies\t${slug}\t${entryId(entry)}\t${rule}`),
  );
  const persons = people.flatMap(({ slug, joins }) =>
    joins.flatMap(({ first, mention, rule }, index) => [
      ...(index === 0 ? [`people\t${slug}\t${first}\tfirst`] : []),
      `people\t${slug}\t${mention}\t${rule}`,
    ]),
  );
  return [...projects, ...persons];
}

/** Slugs of records that are not shipped any more, and why. */
function droppedSlugs({ slugs, groups, groupOfSlug, people }: DataSet): string[] {
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
    if (group?.members.some(({ entry }) => isNoCompany(entry))) return 'no project of a team';
    if (group?.members.some(({ entry }) => isTrial(entry))) return 'a placeholder or a demonstration';
    if (group !== undefined && announcedKey(group) === null)
      return 'no website of its own with a category or a chain in an open source';
    const [, same] = SAME_INVESTORS.find(([name]) => type === 'investors' && slugify(name) === key) ?? [];
    if (same !== undefined) return `the same as ${slugify(same)}`;
    const [listing, day = ''] = key.split(' ');
    const [, edition] =
      Object.entries(EVENT_NAMES).find(([name]) => type === 'events' && foldName(name) === listing) ?? [];
    if (edition !== undefined) return `the same as ${slugify(`${edition} ${day.slice(0, 4)}`)}`;
    const [, into] = MERGED_PEOPLE.find(([one]) => type === 'people' && one === key) ?? [];
    const person = people.find(({ key: one }) => one === into);
    if (person !== undefined) return `the same as ${person.slug}`;
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

/** The tables of the README, each between its marks. */
function readme(tables: Readonly<Record<string, string>>): string {
  const text = readFileSync(join(DATA, 'README.md'), 'utf8');
  return Object.entries(tables).reduce(
    (whole, [mark, table]) =>
      whole.replace(new RegExp(`(<!-- ${mark} -->\\n)[\\s\\S]*(<!-- /${mark} -->)`), `$1\n${table}\n\n$2`),
    text,
  );
}

/** Which group or person an entry or mention of the raw facts belongs to. */
function recordsByEntry({ groups, people }: DataSet): (entry: string) => string | undefined {
  const records = new Map<string, string>();
  for (const [index, { members }] of groups.entries())
    for (const { entry } of members) records.set(entryId(entry), `group ${index}`);
  for (const { slug, joins } of people)
    for (const { first, mention } of joins) for (const id of [first, mention]) records.set(id, `person ${slug}`);
  return (entry) => records.get(entry);
}

function summaryOf({ leftOut, lines }: DataSet, counts: Counts, precision: Precision): string[] {
  return [
    ...Object.entries(counts.records).map(([type, count]) => `${count} ${type}`),
    `${lines.companies.filter((line) => line['website'] !== undefined && line['tags'] !== undefined && line['chains'] !== undefined).length} companies with website, category and chains`,
    `${precision.joined.right} of ${precision.joined.all} judged joins and ${precision.fields.right} of ${precision.fields.all} judged fields are right`,
    ...[...leftOut]
      .sort((left, right) => right[1] - left[1])
      .map(([reason, count]) => `${count} projects left out: ${reason}`),
    ...Object.entries(counts.fill).flatMap(([type, fields]) =>
      Object.entries(fields).map(([field, known]) => `${known} of ${counts.records[type]} ${type} have ${field}`),
    ),
  ];
}
