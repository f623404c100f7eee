import type { RecordType } from '../../contract/entities/index.ts';
import { inputOf } from '../../contract/input.ts';
import { countText, valueText } from '../../contract/value-text.ts';
import { isVocabularyField, vocabularyLabel } from '../../contract/vocabulary.ts';
import { sourcedFields, sourcesAfter } from '../claims/claim-table.ts';
import type { Upserted } from '../port/records.ts';
import { type Document, isStated } from '../records/document.ts';

interface ChangedField {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
  /** Whether no source of the record states the field any more. */
  readonly isUncited?: true;
}

/** What a row would do to a record: the fields of a new one, or those that change. */
export interface Difference {
  readonly line: number;
  readonly change: Upserted['change'];
  /** Slug of the record. */
  readonly record: string;
  readonly name: string;
  readonly fields: readonly ChangedField[];
}

type Fields = Readonly<Record<string, unknown>>;

export function differenceOf(type: RecordType, line: number, outcome: Upserted): Difference {
  const { change, slug: record, states: [before, after] = [{}, {}] } = outcome;
  return { line, change, record, name: String(after['name']), fields: changedFields(type, before, after) };
}

/** The writable fields that differ between two states of a record, but its slug, which is its identity. */
function changedFields(type: RecordType, before: Fields, after: Fields): ChangedField[] {
  return Object.keys(inputOf(type).shape)
    .filter((name) => name !== 'slug' && (isStated(before[name]) || isStated(after[name])))
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => ({
      ...{ name, before: before[name] ?? null, after: after[name] ?? null },
      ...(isUncited(before, after, name) && { isUncited: true as const }),
    }));
}

function isUncited(before: Fields, after: Fields, name: string): boolean {
  const [earlier, edited] = [before as Document, after as Document];
  return (
    sourcedFields(earlier).includes(name) &&
    !sourcesAfter(earlier, edited, [name]).some(({ fields }) => fields.includes(name))
  );
}

/** What is said of a field that no source states any more. */
export const LOSES_SOURCE = 'loses its source';

/** A value of a field as text: a stage and other words by their labels, and money in whole dollars. */
export function differenceText(field: string, value: unknown): string {
  if (field.endsWith('_usd') && value != null) return `$${countText(Math.round(Number(value)))}`;
  const write = isVocabularyField(field) ? vocabularyLabel : String;
  return valueText(value, { write: (item) => write(String(item)), titled: (title, name) => `${title} at ${name}` });
}
