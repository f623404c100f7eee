import type { PersonRole } from './person-roles.ts';
import { citedSources, isEditors, isOfEditors } from './unsourced.ts';
import { isVocabularyField, vocabularyLabel } from './vocabulary.ts';

/** Texts of a record state some of its facts again: a text is unsourced where one of these is. */

type RecordFields = Readonly<Record<string, unknown>>;

const TEXTS = ['tagline', 'headline', 'overview'];
/** Fields whose values name the record and state nothing of it. */
const NAMING = ['name', 'aliases', 'website', 'twitter', 'github'];

/** The fields of a record that nobody but the editors states, and the texts that state one of these. */
export function unsourcedFieldsOf(record: RecordFields): string[] {
  const own = fieldsOfEditors(record);
  return Object.keys(record).filter((field) => own.has(field) || isUnsourcedText(record, field));
}

function fieldsOfEditors(record: RecordFields): ReadonlySet<string> {
  const isOfOthers = new Map<string, boolean>();
  for (const { source, fields } of citedSources(record))
    for (const field of fields) isOfOthers.set(field, isOfOthers.get(field) === true || !isEditors(source));
  return new Set([...isOfOthers].flatMap(([field, isSourced]) => (isSourced ? [] : field)));
}

/** Whether a field is a text of a record that states an unsourced fact. */
export const isUnsourcedText = (record: RecordFields, field: string): boolean =>
  TEXTS.includes(field) && markedText(record, field, MARK).includes(MARK);

/** Stands in no text. */
const MARK = '\0';

/** A text of a record with a mark in each clause that states an unsourced fact, behind the fact; blank for none. */
export function markedText(record: RecordFields, field: string, mark: string): string {
  const text = String(record[field] ?? '');
  const cited = citedSources(record);
  if (text === '' || !cited.some(({ source }) => isEditors(source))) return text;
  const facts = wordingsOf(record);
  const marked = text
    .split(CLAUSES)
    .map((clause) => withMark(clause, facts, mark))
    .join('');
  if (marked === text && isOfEditors(record, field)) return text.replace(/\.?$/, (end) => mark + end);
  return marked;
}

/** The clauses of a text, each with what parts it from the next. */
const CLAUSES = /(?<=[.;] )/;

function withMark(clause: string, facts: readonly string[], mark: string): string {
  const end = Math.max(0, ...facts.map((words) => endOf(clause, words)));
  return end === 0 ? clause : clause.slice(0, end) + mark + clause.slice(end);
}

/** Where some words end in a clause that are no part of a longer word or name; 0 if they are not in it. */
function endOf(clause: string, words: string): number {
  const [text, part] = [plainText(clause), plainText(words)];
  for (let start = text.lastIndexOf(part); start >= 0; start = start === 0 ? -1 : text.lastIndexOf(part, start - 1)) {
    const end = start + part.length;
    if (LETTER.test(text.charAt(start - 1)) || FURTHER.test(clause.slice(end))) continue;
    return end + (NOUN.exec(clause.slice(end))?.[0].length ?? 0);
  }
  return 0;
}

const LETTER = /[\p{L}\p{N}]/u;
/** The rest of a longer word or name. */
const FURTHER = /^(?:[\p{L}\p{N}]| [\p{Lu}\p{N}])/u;
/** What a kind is of, which belongs to it. */
const NOUN = /^ (?:company|firm|platform|project|protocol|network|tokens?)\b/;

/** A text without what does not part words, of the same length. */
const plainText = (text: string): string =>
  text.replace(/[A-Z-]/g, (sign) => (sign === '-' ? ' ' : sign.toLowerCase()));

/** The words in which texts state what nobody but the editors does. */
function wordingsOf(record: RecordFields): readonly string[] {
  const fields = [...fieldsOfEditors(record)].filter((field) => ![...NAMING, ...TEXTS, 'roles'].includes(field));
  const roles = ((record['roles'] ?? []) as readonly PersonRole[])
    .filter(({ as_of: asOf }) => isOfEditors(record, 'roles', asOf))
    .map(({ organization }) => String(organization));
  return [...fields.flatMap((field) => wordsOf(field, record[field])), ...roles].filter(Boolean);
}

function wordsOf(field: string, value: unknown): readonly string[] {
  if (value === null || value === undefined) return [];
  if (WORDINGS[field] !== undefined) return WORDINGS[field](String(value));
  if (isVocabularyField(field)) return [value].flat().map((word) => vocabularyLabel(String(word)));
  if (typeof value === 'object') return Object.values(value).flatMap(namesIn);
  return typeof value === 'string' ? [value] : [];
}

/** The names in a part of a list or an object. */
function namesIn(part: unknown): readonly string[] {
  if (typeof part === 'string') return [part];
  const name = (part as RecordFields | null)?.['name'];
  return typeof name === 'string' ? [name] : [];
}

const LONG_MONTHS = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const monthOf = (date: string): readonly string[] =>
  /^\d{4}-\d\d/.test(date) ? [LONG_MONTHS.format(new Date(date))] : [];

/** Fields that texts state in other words than their values. */
const WORDINGS: Readonly<Record<string, (value: string) => readonly string[]>> = {
  year_founded: (year) => [`in ${year}`],
  first_investment_date: (date) => [`since ${date.slice(0, 4)}`],
  start_date: monthOf,
  end_date: monthOf,
  investor_type: (type) => [vocabularyLabel(type), 'Venture arm', 'Investing DAO'],
};
