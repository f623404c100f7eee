import type { Source } from './raw.ts';

/** Where facts were read: as a record carries them. */

export interface SourceLine {
  source: string;
  as_of: string | null;
  fields: string[];
}

/** One source of one field. */
export interface Reading {
  readonly source: string;
  readonly asOf: string | null;
  readonly field: string;
}

/** How a record names a file of a source: github.com/OWNER/NAME@COMMIT:PATH. */
export function sourceName({ place, at }: Source, path: string, commit?: string): string {
  return `${place}@${commit ?? at}:${path}`;
}

/** What marks a reading that no source states in so many words. */
export const DERIVED_FROM_WORDS = ' (derived from the words of its name or description)';

/** The readings by source, with their fields in a fixed order. */
export function groupReadings(readings: readonly Reading[]): SourceLine[] {
  const groups = new Map<string, { asOf: string | null; fields: Set<string> }>();
  for (const { source, asOf, field } of readings) {
    const group = groups.get(source) ?? { asOf: null, fields: new Set<string>() };
    if (asOf !== null && (group.asOf === null || asOf > group.asOf)) group.asOf = asOf;
    group.fields.add(field);
    groups.set(source, group);
  }
  return [...groups]
    .map(([source, group]) => ({ source, as_of: group.asOf, fields: [...group.fields].sort() }))
    .sort((left, right) => (left.source < right.source ? -1 : 1));
}

/** The newest full date among the sources, and others of the record, or none. */
export function newestDate(lines: readonly SourceLine[], others: readonly string[] = []): string | null {
  const dates = [...lines.map((line) => line.as_of), ...others];
  const full = dates.filter((date) => date !== null && /^\d{4}-\d{2}-\d{2}$/.test(date));
  return full.sort().at(-1) ?? null;
}
