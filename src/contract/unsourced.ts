import type { Source } from './fields.ts';
import { shortMoney } from './usd.ts';

/** Facts that nobody but the editors of the data set states: no public page is on record for them. */

type RecordFields = Readonly<Record<string, unknown>>;

/** What such a fact is called. */
export const UNSOURCED = 'unsourced';

/** What stands behind such a fact, or its label, where there is no room for the word, and what explains it. */
export const DAGGER = '†';
export const DAGGER_NOTE = `${DAGGER}: ${UNSOURCED}, stated by the editors alone.`;

/** What a source that is the editors' own word, which has no page to link to, begins with. */
export const EDITORS = 'web3-bi editors@';

export const isEditors = (source: string): boolean => source.startsWith(EDITORS);

export const citedSources = (record: RecordFields): readonly Source[] => (record['sources'] ?? []) as readonly Source[];

/** The year of the first dated source of an amount, without which it says little; undefined for other fields. */
export const yearOfAmount = (record: RecordFields, field: string): string | undefined =>
  field.endsWith('_usd')
    ? citedSources(record)
        .find(({ fields, as_of: day }) => day !== null && fields.includes(field))
        ?.as_of?.slice(0, 4)
    : undefined;

/** Whether nothing but the word of the data set's editors is the source of a round as it is written. */
export function isOfEditorsAlone(round: RecordFields): boolean {
  const cited = citedSources(round);
  return cited.length > 0 && !round['announcement'] && cited.every(({ source }) => isEditors(source));
}

/** Whether a stored record is a round of which that is so. */
export const isUnsourced = (record: RecordFields): boolean => record['unsourced'] === true;

/** The least share of an amount or a number that is worth a word: less does not change figures in short form. */
const SHARE_MIN = 0.01;

export const isNotable = (part: number, all: number, share = SHARE_MIN): boolean => part > 0 && part >= all * share;

/** How much of an amount is unsourced, such as `$2B of it unsourced`; blank for little. */
export function unsourcedText(part: number, all: number): string {
  if (!isNotable(part, all)) return '';
  return part === all ? UNSOURCED : `${shortMoney(part)} of it ${UNSOURCED}`;
}

/** The same of the amount of a round, or the known funding of a company; blank for other records. */
export const unsourcedMark = (record: RecordFields): string =>
  isUnsourced(record)
    ? UNSOURCED
    : unsourcedText(Number(record['unsourced_funding_usd'] ?? 0), Number(record['total_funding_usd'] ?? 0));

/** How many of the rounds that an investor led are unsourced, or that it led them, in brackets; blank for none. */
export function ledMark(investor: RecordFields): string {
  const part = Number(investor['unsourced_lead_count'] ?? 0);
  return part === 0 ? '' : ` (${part} ${UNSOURCED})`;
}

/** Whether a field, or the part of it as of one day, is stated by nobody but the editors. */
export function isOfEditors(record: RecordFields, field: string, asOf?: string | null): boolean {
  const stating = citedSources(record).filter(
    ({ fields, as_of: day }) => fields.includes(field) && (asOf == null || day === asOf),
  );
  return stating.length > 0 && stating.every(({ source }) => isEditors(source));
}

/** The field of a record that lists those of its fields of which that is so. */
export const UNSOURCED_FIELDS = 'unsourced_fields';

/** Those of a stored record that are among some fields; all of them if they are asked for themselves. */
export function unsourcedAmong(record: RecordFields, fields: readonly string[]): readonly string[] {
  const all = (record[UNSOURCED_FIELDS] ?? []) as readonly string[];
  return fields.includes(UNSOURCED_FIELDS) ? all : all.filter((field) => fields.includes(field));
}

/** The same of a field of a round, also where the whole round is unsourced. */
export const isUnsourcedIn = (round: RecordFields, field: string): boolean =>
  isUnsourced(round) || isOfEditors(round, field);
