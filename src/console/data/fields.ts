import * as z from 'zod';
import { entityOf, type RecordType } from '../../contract/entities/index.ts';
import { bareSchema, isoDate, longText, money, webUrl, year } from '../../contract/fields.ts';
import { inputOf } from '../../contract/input.ts';
import { parseJson } from '../../contract/json.ts';
import { type Relation, relationOf } from '../../contract/relations.ts';
import { splitText } from '../../contract/split-text.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import { dayText } from '../day-text.ts';
import { isBlank } from './values.tsx';

export type InputKind =
  | 'line'
  | 'text'
  | 'number'
  | 'year'
  | 'money'
  | 'date'
  | 'url'
  | 'choice'
  | 'choices'
  | 'list'
  | 'place'
  | 'name'
  | 'names'
  | 'json';

export interface FormField {
  readonly name: string;
  readonly section: string;
  readonly isRequired: boolean;
  readonly kind: InputKind;
  readonly hint: string;
  readonly options: readonly string[];
}

/** The fields of a record that people write; not those that follow its rounds. */
export function formFields(type: RecordType): readonly FormField[] {
  const { record, fromRounds } = entityOf(type);
  return Object.keys(inputOf(type).shape)
    .filter((name) => name !== 'slug' && !fromRounds.includes(name))
    .map((name) => {
      const whole = record.shape[name as 'name'] as z.ZodType;
      const schema = bareSchema(whole);
      const kind = kindOf(type, name, schema);
      const chosen = schema instanceof z.ZodArray ? bareSchema(schema.element) : schema;
      const options = chosen instanceof z.ZodEnum ? (chosen.options as string[]) : [];
      const isRequired = name === 'name' || (kind === 'name' && schema === whole);
      const parts = [describe(whole), ADVICE[kind] ?? exampleOf(relationOf(type, name), schema)];
      const hint = [isRequired ? 'Required.' : '', ...parts].filter(Boolean).join(' ');
      return { name, kind, section: sectionOf(type, name), options, isRequired, hint };
    });
}

/** Sections of a form, in order: the kinds of fields in them, and fields whose kind does not tell. */
const SECTIONS: readonly { title: string; kinds: readonly InputKind[]; fields: readonly string[] }[] = [
  { title: 'Name and description', kinds: ['line', 'text', 'name'], fields: ['aliases', 'former_names', 'see_also'] },
  { title: 'Kind and tags', kinds: ['choice', 'choices', 'list', 'json'], fields: [] },
  { title: 'Place and dates', kinds: ['place', 'date', 'year'], fields: ['venue', 'timezone', 'month_only'] },
  { title: 'Figures', kinds: ['money', 'number'], fields: [] },
  { title: 'Links', kinds: ['url'], fields: [] },
  { title: 'People and organisations', kinds: ['names'], fields: ['roles'] },
  { title: 'Sources', kinds: [], fields: ['as_of', 'unlisted_since', 'sources'] },
];

function sectionOf(type: RecordType, name: string): string {
  const { shape } = entityOf(type).record;
  // A label or a source as stated stands beside what it is of.
  const stem = name.replace(/_(raw|as_of|source)$/, '');
  const field = [`${stem}_usd`, stem].find((other) => Object.hasOwn(shape, other)) ?? name;
  const kind = kindOf(type, field, bareSchema(shape[field as 'name']));
  const section =
    SECTIONS.find(({ fields }) => fields.includes(field)) ?? SECTIONS.find(({ kinds }) => kinds.includes(kind));
  return section?.title ?? '';
}

/** The fields of a form by section, without empty ones. */
export const bySection = (fields: readonly FormField[]): [title: string, readonly FormField[]][] =>
  SECTIONS.map(({ title }): [string, FormField[]] => [title, fields.filter(({ section }) => section === title)]).filter(
    ([, inSection]) => inSection.length > 0,
  );

const ADVICE: Partial<Record<InputKind, string>> = {
  url: 'For example https://example.com.',
  money: 'For example $1,250,000.',
  date: `For example ${dayText('2024-01-31')}.`,
  year: 'For example 2021.',
  list: 'One per line.',
  names: 'One per line, linked to the record of that name.',
  name: 'Linked to the record of that name.',
};

/** What a field means, with the labels of others that it names. */
const describe = (schema: z.ZodType): string =>
  (schema.meta()?.description ?? '')
    .replace(/\bnull when\b/, 'empty when')
    .replace(/\b[a-z]+_[a-z]+\b/g, (name) => `“${labelOf(name)}”`);

/** A list of an object of a schema as JSON; what links to a record is found by its name. */
function exampleOf(relation: Relation | undefined, schema: z.ZodType): string {
  if (!(schema instanceof z.ZodArray) || !(schema.element instanceof z.ZodObject)) return '';
  const { type, id, slug } = relation?.keys ?? {};
  const parts = Object.entries(schema.element.shape).filter(([name]) => ![type, id, slug].includes(name));
  const item = Object.fromEntries(parts.map(([name, part]) => [name, exampleValue(bareSchema(part))]));
  return `A list as JSON, for example ${JSON.stringify([item])}.`;
}

function exampleValue(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodBoolean) return true;
  if (schema instanceof z.ZodArray) return ['…'];
  return schema._zod.def === isoDate._zod.def ? '2024-01-31' : '…';
}

function kindOf(type: RecordType, name: string, schema: z.ZodType): InputKind {
  const relation = relationOf(type, name);
  // References that consist of a name only are edited as names; a role also has a title and dates.
  if (relation !== undefined && relation.keys.name === 'name') return schema instanceof z.ZodArray ? 'names' : 'name';
  if (schema instanceof z.ZodEnum) return 'choice';
  if (schema instanceof z.ZodArray) {
    const item = bareSchema(schema.element);
    if (item instanceof z.ZodObject) return 'json';
    return item instanceof z.ZodEnum ? 'choices' : 'list';
  }
  if (schema instanceof z.ZodObject) return 'city' in schema.shape ? 'place' : 'json';
  const known = OF_SCHEMA.find(([, base]) => schema._zod.def === base._zod.def);
  return known?.[0] ?? (schema instanceof z.ZodNumber ? 'number' : 'line');
}

const OF_SCHEMA: readonly (readonly [InputKind, z.ZodType])[] = [
  ['money', money],
  ['year', year],
  ['date', isoDate],
  ['text', longText],
  ['url', webUrl],
];

/** The text of a value in a form. A location has two inputs; the city is `NAME.city`. */
export function toText(kind: InputKind, value: unknown): string {
  if (isBlank(value)) return '';
  if (kind === 'list') return (value as readonly string[]).join('\n');
  if (kind === 'choices') return (value as readonly string[]).join(',');
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
    // A blank choice precedes the chosen ones, so that a form without any has the field.
    const text = values[name]?.replaceAll('\r\n', '\n').trim().replace(/^,/, '');
    if (text === undefined || text === toText(kind, value).trim()) continue;
    changes[name] = fromText(kind, text, value);
  }
  return changes;
}

function fromText(kind: InputKind, text: string, value: unknown): unknown {
  const lines = splitText(text, '\n');
  if (kind === 'list') return lines;
  if (kind === 'choices') return splitText(text, ',');
  if (kind === 'names') {
    // Unchanged names keep their resolved record.
    const known = (value ?? []) as readonly { name: string }[];
    return lines.map((line) => known.find(({ name }) => name === line) ?? line);
  }
  // A single reference is cleared with null, a list with an empty one.
  if (text === '') return kind === 'json' && Array.isArray(value) ? [] : null;
  if (kind === 'number' || kind === 'year') return /^-?\d+$/.test(text) ? Number(text) : text;
  if (kind === 'money') return dollars(text);
  if (kind !== 'json') return text;
  try {
    return parseJson(text);
  } catch {
    // The store reports the invalid text.
    return text;
  }
}

/** What forms take as money. */
export const MONEY_TYPED = 'US dollars, such as $1,250,000 or 5.50';

/** Dollars as people write them, such as `$1,250,000` or `5.5`, with two digits after the point; other text is for the store to refuse. */
function dollars(text: string): string {
  const [, whole, cents = ''] = /^\$?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return whole === undefined ? text : `${whole.replaceAll(',', '')}.${cents.padEnd(2, '0')}`;
}
