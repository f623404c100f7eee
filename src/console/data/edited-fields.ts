import type { RecordType } from '../../contract/entities/index.ts';
import { fromText, toText } from './field-texts.ts';
import { formFields } from './fields.ts';
import { editedItems } from './form-rows.ts';

/** The changed fields of a form as a PATCH body: those whose text differs from the one shown. */
export function editedFields(
  type: RecordType,
  record: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  for (const field of formFields(type)) {
    const { name, kind } = field;
    const value = record[name];
    if (kind === 'rows') {
      const items = editedItems(type, field, value, values);
      if (items !== undefined) changes[name] = items;
      continue;
    }
    if (kind === 'place') {
      const [city, country] = [values[`${name}.city`], values[`${name}.country`]].map((text) => text?.trim() || null);
      const old = (value ?? {}) as { city?: string | null; country?: string | null };
      const isSame = (old.city ?? null) === city && (old.country ?? null) === country;
      if (values[`${name}.city`] !== undefined && !isSame)
        changes[name] = city === null && country === null ? null : { city, country };
      continue;
    }
    // A blank choice precedes the chosen ones, so that a form without any has the field.
    const text = values[name]?.replaceAll('\r\n', '\n').trim().replace(/^,/, '');
    if (text === undefined || text === toText(kind, value).trim()) continue;
    changes[name] = fromText(kind, text, value);
  }
  return changes;
}
