import { entityOf, type RecordType } from '../../src/contract/entities/index.ts';
import { writableFields } from '../../src/contract/import-names.ts';
import { GRANT } from '../../src/contract/vocabulary.ts';
import { type Line, type Lines, SHIPPED_TYPES } from './check.ts';
import type { Precision } from './precision.ts';
import type { Source } from './raw.ts';
import { EDITORS } from './resolve.ts';
import type { SourceLine } from './sources.ts';

/** The documents about the data: its sources with their licences and notices, and the tables of counts. */

const KINDS = [...SHIPPED_TYPES, 'grants'] as const;
type Kind = (typeof KINDS)[number];

export interface Use {
  readonly source: Source;
  records: number;
  facts: number;
  kinds: Set<Kind>;
}

/** How many records and facts each source supports; throws for a reading of a source that data/raw/sources.json lacks. */
export function usesOf(lines: Lines, sources: ReadonlyMap<string, Source>): Use[] {
  const uses = new Map(
    [...sources.values()].map((source) => [source.id, { source, records: 0, facts: 0, kinds: new Set<Kind>() }]),
  );
  for (const type of SHIPPED_TYPES) {
    for (const line of lines[type]) {
      const seen = new Set<Use>();
      for (const { source, fields } of line['sources'] as SourceLine[]) {
        const use = uses.get(sourceIdOf(source, type, sources) ?? '');
        if (use === undefined) continue;
        use.facts += fields.length;
        seen.add(use);
        use.kinds.add(line['stage'] === GRANT ? 'grants' : type);
      }
      for (const use of seen) use.records += 1;
    }
  }
  return [...uses.values()].filter(({ records }) => records > 0);
}

const DERIVED = /^derived from /;

/** The source of a reading; null for what the build derived from the set itself. */
export function sourceIdOf(text: string, type: RecordType, sources: ReadonlyMap<string, Source>): string | null {
  if (DERIVED.test(text)) return null;
  for (const { id, place } of sources.values()) if (text.startsWith(`${place}@`)) return id;
  if (/^https?:\/\//.test(text) && sources.has('announcements')) return 'announcements';
  throw new Error(`${type}: the source ${text} is not in data/raw/sources.json`);
}

const placeLink = (source: Source): string => {
  const { id, place, at } = source;
  if (id === EDITORS) return '[the files `editors*` and `person-roles` of raw](raw)';
  const url = urlOf(source);
  return url === null
    ? 'the pages that the records name'
    : `[${place.slice(place.startsWith('github.com/') ? 'github.com/'.length : 0)}](${url}) \`${at}\``;
};

/** Where a source is; null for those without a place of their own. */
function urlOf({ place }: Source): string | null {
  const npm = /^npm (.+)$/.exec(place)?.[1];
  if (npm !== undefined) return `https://www.npmjs.com/package/${npm}`;
  return place.startsWith('github.com/') ? `https://${place}` : null;
}

/** The sources as data, for the page that lists them. */
export function sourcesJson(uses: readonly Use[]): string {
  const rows = uses
    .toSorted((left, right) => right.records - left.records)
    .map((use) => {
      const { title, place, date, licence } = use.source;
      const types = KINDS.filter((kind) => use.kinds.has(kind));
      return { title, place, url: urlOf(use.source), date, licence, records: use.records, types };
    });
  return `${JSON.stringify(rows, undefined, 2)}\n`;
}

const kindsOf = ({ kinds }: Use): string => KINDS.filter((kind) => kinds.has(kind)).join(', ');

/** SOURCES.md: each source with its commit, licence and what came from it. */
export function sourcesDocument(uses: readonly Use[]): string {
  const rows = [...uses].sort((left, right) => right.facts - left.facts);
  return [
    '# Sources',
    '',
    'Written by `data/build.ts`: do not edit. Only facts were taken from these sources: names, addresses, labels, numbers and',
    'dates. No sentence and no image was copied. Every record carries its own `sources`, with the fields that each states; a fact',
    'is counted here once for each record and field that it supports. [THIRD_PARTY_DATA.md](THIRD_PARTY_DATA.md) has the notices.',
    '',
    'Each source is openly licensed, but for the announcements of funding rounds: of those, the record names the page that',
    'announces the round, and has the date, amount, stage and names of it. These rounds were found by way of lists that name',
    'the page and at most ten investors, leads first; the pages themselves were not read again for this edition, and may name',
    'more. Large rounds that no list of those has are the editors’: they name no page, and their investors are the best known.',
    '',
    '| Source | Where | Date | Licence | Records | Facts | In |',
    '|---|---|---|---|---:|---:|---|',
    ...rows.map(
      (use) =>
        `| ${use.source.title} | ${placeLink(use.source)} | ${use.source.date} | ${use.source.licence} | ${use.records} | ${use.facts} | ${kindsOf(use)} |`,
    ),
    '',
    ...uses.filter(({ source }) => source.note !== undefined).map(({ source }) => `- ${source.title}: ${source.note}.`),
    '',
  ].join('\n');
}

const LICENCE_LINKS: Readonly<Record<string, string>> = {
  'Apache-2.0': 'https://www.apache.org/licenses/LICENSE-2.0',
  MIT: 'https://opensource.org/license/mit',
  'CC-BY-4.0': 'https://creativecommons.org/licenses/by/4.0/',
  'CC0-1.0': 'https://creativecommons.org/publicdomain/zero/1.0/',
};

/** THIRD_PARTY_DATA.md: the notice of each source, by licence. */
export function noticesDocument(uses: readonly Use[], licenceTexts: Readonly<Record<string, string>>): string {
  const licences = [...new Set(uses.map(({ source }) => source.licence))].sort();
  return [
    '# Notices for the data',
    '',
    'Written by `data/build.ts`: do not edit. The shipped records are facts from the sources below, chosen, put into one form',
    'and joined; every source was changed in that way. What is ours in the set (choice, joining, sentences) is under the MIT',
    'licence of this package. You may use and pass on the set under the terms of each source: keep these notices, and for',
    'CC-BY-4.0 name the source, link the licence and say what you changed.',
    '',
    ...licences.flatMap((licence) => [
      `## ${licence}`,
      '',
      ...(LICENCE_LINKS[licence] === undefined ? [] : [`Text: <${LICENCE_LINKS[licence]}>`, '']),
      ...uses
        .filter(({ source }) => source.licence === licence)
        .map(({ source }) => `- ${source.title}, ${placeLink(source)}: ${source.copyright}.`),
      '',
      ...(licenceTexts[licence] === undefined ? [] : ['```text', licenceTexts[licence].trim(), '```', '']),
    ]),
  ].join('\n');
}

/** Names of fields by how they are known: how many records have each. */
function fillOf(lines: Lines): Readonly<Record<string, Readonly<Record<string, number>>>> {
  return Object.fromEntries(
    SHIPPED_TYPES.map((type) => [
      type,
      Object.fromEntries(
        writableFields(type).map((field) => [field, lines[type].filter((line) => isKnown(line, field)).length]),
      ),
    ]),
  );
}

const isKnown = (line: Line, field: string): boolean => {
  const value = line[field];
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
};

/** The counts of a set, as they stand in data/README.md and as the gate compares them. */
export interface Counts {
  readonly records: Readonly<Record<string, number>>;
  readonly fill: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export const countsOf = (lines: Lines): Counts => ({
  records: Object.fromEntries(SHIPPED_TYPES.map((type) => [type, lines[type].length])),
  fill: fillOf(lines),
});

const DERIVED_BY_STORE: Readonly<Record<string, readonly string[]>> = {
  companies: ['total_funding_usd', 'funding_stage'],
};
const UNSHOWN = new Set([
  'name',
  'slug',
  'sources',
  'as_of',
  'tagline',
  'headline',
  'overview',
  'is_verified',
  'unlisted_since',
]);

/** The README's tables: records of each type and the share of them that has each field, before and after. */
export function countsTables(after: Counts, before: Counts): string {
  const share = (counts: Counts, type: string, field: string): string => {
    const total = counts.records[type] ?? 0;
    const known = counts.fill[type]?.[field] ?? 0;
    return total === 0 ? '-' : `${known} (${Math.round((known / total) * 100)} %)`;
  };
  return [
    '| File | Before | Now |',
    '|---|---:|---:|',
    ...SHIPPED_TYPES.map((type) => `| \`${type}.ndjson\` | ${before.records[type]} | ${after.records[type]} |`),
    '',
    '| Field | Before | Now |',
    '|---|---:|---:|',
    ...SHIPPED_TYPES.flatMap((type) =>
      Object.keys(entityOf(type).record.shape)
        .filter((field) => after.fill[type]?.[field] !== undefined && !UNSHOWN.has(field))
        .filter((field) => !(DERIVED_BY_STORE[type] ?? []).includes(field))
        .map((field) => `| ${type} \`${field}\` | ${share(before, type, field)} | ${share(after, type, field)} |`),
    ),
  ].join('\n');
}

/** The README's table of what is known of the firms that people ask for most: those that raised money. */
export function raisedTable({ companies, rounds }: Lines): string {
  const raised = rounds.filter(({ stage }) => stage !== 'grant');
  const slugs = new Set(raised.map(({ company }) => (company as { slug?: string }).slug));
  const firms = companies.filter(({ slug }) => slugs.has(slug as string));
  const announced = raised.filter(({ announcement }) => announcement !== undefined);
  return [
    '| Funding rounds, without grants | Number |',
    '|---|---:|',
    `| that name the page which announces them | ${announced.length} |`,
    `| of the editors, that name no page | ${raised.length - announced.length} |`,
    `| with a lead investor | ${raised.filter(({ lead_investors: leads }) => leads !== undefined).length} |`,
    `| companies that raised them | ${firms.length} |`,
    ...ASKED_OF_FIRMS.map((field) => {
      const known = firms.filter((firm) => firm[field] !== undefined).length;
      return `| companies that raised them, with \`${field}\` | ${known} (${Math.round((known / firms.length) * 100)} %) |`;
    }),
  ].join('\n');
}

const ASKED_OF_FIRMS = ['website', 'tags', 'chains', 'location_json', 'year_founded', 'founders', 'twitter', 'github'];

const percent = ({ all, right }: { all: number; right: number }): string => `${((right / all) * 100).toFixed(1)} %`;

/** The README's table of precision. */
export function precisionTable({ pairs, joined, apart, records, fields, before }: Precision): string {
  return [
    '| Judged | Number | Right |',
    '|---|---:|---:|',
    `| pairs of entries that are joined | ${joined.all} of ${pairs} | ${percent(joined)} |`,
    `| pairs that look alike and are kept apart | ${apart.all} of ${pairs} | ${percent(apart)} |`,
    `| fields of ${records} records | ${fields.all} | ${percent(fields)} |`,
    `| before: fields of those of these records that it had | ${before.all} | ${percent(before)} |`,
  ].join('\n');
}
