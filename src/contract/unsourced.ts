import type { Source } from './fields.ts';

/** Facts that nobody but the editors of the data set states: no public page is on record for them. */

type RecordFields = Readonly<Record<string, unknown>>;

/** What such a fact is called. */
export const UNSOURCED = 'unsourced';

/** Whether a source is the editors' own word, which has no page to link to. */
export const isEditors = (source: string): boolean => source.startsWith('web3-bi editors@');

export const citedSources = (record: RecordFields): readonly Source[] => (record['sources'] ?? []) as readonly Source[];

/** Whether nothing but the word of the data set's editors is the source of a round as it is written. */
export function isOfEditorsAlone(round: RecordFields): boolean {
  const cited = citedSources(round);
  return cited.length > 0 && !round['announcement'] && cited.every(({ source }) => isEditors(source));
}

/** Whether a stored record is a round of which that is so. */
export const isUnsourced = (record: RecordFields): boolean => record['unsourced'] === true;

/** Whether a field, or the part of it as of one day, is stated by nobody but the editors. */
export function isOfEditors(record: RecordFields, field: string, asOf?: string | null): boolean {
  const stating = citedSources(record).filter(
    ({ fields, as_of: day }) => fields.includes(field) && (asOf == null || day === asOf),
  );
  return stating.length > 0 && stating.every(({ source }) => isEditors(source));
}
