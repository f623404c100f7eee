import * as z from 'zod';
import { entityOf, type RecordType } from '../../contract/entities/index.ts';
import { bareSchema, money } from '../../contract/fields.ts';
import { inputOf } from '../../contract/input.ts';
import { parseJson } from '../../contract/json.ts';
import { relationOf } from '../../contract/relations.ts';
import { splitText } from '../../contract/split-text.ts';
import { isBlank } from './values.tsx';

export type InputKind =
  | 'line'
  | 'text'
  | 'number'
  | 'money'
  | 'date'
  | 'url'
  | 'choice'
  | 'list'
  | 'place'
  | 'name'
  | 'names'
  | 'json';

export interface FormField {
  readonly name: string;
  readonly isRequired: boolean;
  readonly kind: InputKind;
  readonly hint: string;
  readonly options: readonly string[];
}

export function formFields(type: RecordType): readonly FormField[] {
  return Object.keys(inputOf(type).shape)
    .filter((name) => name !== 'slug')
    .map((name) => {
      const whole = entityOf(type).record.shape[name as 'name'] as z.ZodType;
      const schema = bareSchema(whole);
      const kind = kindOf(type, name, schema);
      const options = schema instanceof z.ZodEnum ? (schema.options as string[]) : [];
      const isRequired = name === 'name' || (kind === 'name' && schema === whole);
      return {
        name,
        kind,
        options,
        isRequired,
        hint: (whole.meta()?.description ?? '').replace(/\bnull when\b/, 'empty when'),
      };
    });
}

function kindOf(type: RecordType, name: string, schema: z.ZodType): InputKind {
  const relation = relationOf(type, name);
  // References that consist of a name only are edited as names; a role also has a title and dates.
  if (relation !== undefined && relation.keys.name === 'name') return schema instanceof z.ZodArray ? 'names' : 'name';
  if (schema instanceof z.ZodEnum) return 'choice';
  if (schema instanceof z.ZodNumber) return 'number';
  if (schema._zod.def === money._zod.def) return 'money';
  if (schema instanceof z.ZodArray) return bareSchema(schema.element) instanceof z.ZodObject ? 'json' : 'list';
  if (schema instanceof z.ZodObject) return 'city' in schema.shape ? 'place' : 'json';
  if (name.endsWith('_date') || name === 'as_of') return 'date';
  if (['overview', 'bio', 'description'].includes(name)) return 'text';
  return ['website', 'logo', 'twitter', 'github', 'linkedin'].includes(name) ? 'url' : 'line';
}

/** The text of a value in a form. A location has two inputs; the city is `NAME.city`. */
export function toText(kind: InputKind, value: unknown): string {
  if (isBlank(value)) return '';
  if (kind === 'list') return (value as readonly string[]).join('\n');
  if (kind === 'name') return (value as { name: string }).name;
  if (kind === 'names') return (value as readonly { name: string }[]).map(({ name }) => name).join('\n');
  if (kind === 'json') return JSON.stringify(value, null, 2);
  return String(value);
}

type Values = Readonly<Record<string, string>>;

/** The changed fields of a form as a PATCH body: those whose text differs from the one shown. */
export function editedFields(
  type: RecordType,
  record: Readonly<Record<string, unknown>>,
  values: Values,
): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  for (const { name, kind } of formFields(type)) {
    const value = record[name];
    if (kind === 'place') {
      const [city, country] = [values[`${name}.city`], values[`${name}.country`]].map((text) => text?.trim() || null);
      const old = (value ?? {}) as { city?: string | null; country?: string | null };
      const isSame = (old.city ?? null) === city && (old.country ?? null) === country;
      if (values[`${name}.city`] !== undefined && !isSame)
        changes[name] = city === null && country === null ? null : { city, country };
      continue;
    }
    const text = values[name]?.replaceAll('\r\n', '\n').trim();
    if (text === undefined || text === toText(kind, value).trim()) continue;
    changes[name] = fromText(kind, text, value);
  }
  return changes;
}

function fromText(kind: InputKind, text: string, value: unknown): unknown {
  const lines = splitText(text, '\n');
  if (kind === 'list') return lines;
  if (kind === 'names') {
    // Unchanged names keep their resolved record.
    const known = (value ?? []) as readonly { name: string }[];
    return lines.map((line) => known.find(({ name }) => name === line) ?? line);
  }
  // A single reference is cleared with null, a list with an empty one.
  if (text === '') return kind === 'json' && Array.isArray(value) ? [] : null;
  if (kind === 'number') return /^-?\d+$/.test(text) ? Number(text) : text;
  if (kind === 'money') return dollars(text);
  if (kind !== 'json') return text;
  try {
    return parseJson(text);
  } catch {
    // The store reports the invalid text.
    return text;
  }
}

/** Dollars as people write them, such as `$1,250,000` or `5.5`, with two digits after the point; other text is for the store to refuse. */
function dollars(text: string): string {
  const [, whole, cents = ''] = /^\$?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return whole === undefined ? text : `${whole.replaceAll(',', '')}.${cents.padEnd(2, '0')}`;
}
