import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordType } from '../../src/contract/entities/index.ts';
import type { Line, Lines } from './check.ts';

/** How right the set is, by what a reader judged from the raw facts: test/data has the judgements and their reasons. */

interface JudgedPair {
  readonly left: string;
  readonly right: string;
  readonly verdict: string;
}

interface JudgedField {
  readonly type: RecordType;
  readonly slug: string;
  readonly field: string;
  readonly value: string;
  readonly verdict: string;
}

/** Of the judged joins and fields that the set still has, how many are right; of the pairs kept apart, how many should be. */
export interface Precision {
  readonly pairs: number;
  readonly joined: { readonly all: number; readonly right: number };
  readonly apart: { readonly all: number; readonly right: number };
  readonly records: number;
  readonly fields: { readonly all: number; readonly right: number };
  /** Fields of the set before, of those of the judged records that it had. */
  readonly before: { readonly all: number; readonly right: number };
  readonly wrong: readonly string[];
}

const JUDGED = join(import.meta.dirname, '..', '..', 'test', 'data');

function rows<Row>(name: string): Row[] {
  const [head = '', ...lines] = readFileSync(join(JUDGED, name), 'utf8').trimEnd().split('\n');
  const columns = head.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])) as Row;
  });
}

/** Measures the set; `recordOf` says which record an entry or mention of the raw facts belongs to. */
export function measurePrecision(lines: Lines, recordOf: (entry: string) => string | undefined): Precision {
  const pairs = rows<JudgedPair>('judged-pairs.tsv').flatMap(({ left, right, verdict }) => {
    const records = [recordOf(left), recordOf(right)];
    // A pair of which one is not in the raw facts any more says nothing.
    return records.includes(undefined)
      ? []
      : [{ left, right, isSame: verdict === 'same', isJoined: records[0] === records[1] }];
  });
  const joined = pairs.filter(({ isJoined }) => isJoined);
  const apart = pairs.filter(({ isJoined }) => !isJoined);
  const bySlug = new Map(
    Object.entries(lines).flatMap(([type, records]) => records.map((line) => [`${type} ${line.slug}`, line] as const)),
  );
  const fields = rows<JudgedField>('judged-fields.tsv').filter(
    ({ type, slug, field, value }) => shownValue(bySlug.get(`${type} ${slug}`), field) === value,
  );
  return {
    pairs: pairs.length,
    joined: { all: joined.length, right: joined.filter(({ isSame }) => isSame).length },
    apart: { all: apart.length, right: apart.filter(({ isSame }) => !isSame).length },
    records: new Set(fields.map(({ type, slug }) => `${type} ${slug}`)).size,
    fields: shareOf(fields),
    before: shareOf(rows<JudgedField>('judged-before.tsv')),
    wrong: [
      ...joined.filter(({ isSame }) => !isSame).map(({ left, right }) => `${left} = ${right}`),
      ...fields.filter(({ verdict }) => verdict !== 'right').map(({ slug, field }) => `${slug} ${field}`),
    ],
  };
}

const shareOf = (fields: readonly JudgedField[]): Precision['fields'] => ({
  all: fields.length,
  right: fields.filter(({ verdict }) => verdict === 'right').length,
});

/** A value as the judgements have it: names and places in one line. */
function shownValue(line: Line | undefined, field: string): string | undefined {
  const value = line?.[field];
  if (value === undefined) return undefined;
  const shown = (item: unknown): string => {
    if (typeof item !== 'object' || item === null) return String(item);
    const { name, organization, city, country } = item as Record<string, string | null | undefined>;
    return name ?? organization ?? [city, country].filter((part) => part != null && part !== '').join(', ');
  };
  return (Array.isArray(value) ? value.map(shown).join(', ') : shown(value)).replace(/[\t\n]/g, ' ');
}
