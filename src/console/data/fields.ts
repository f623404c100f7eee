import * as z from 'zod';
import { entityOf, type RecordType } from '../../contract/entities/index.ts';
import { bareSchema, isoDate, longText, money, webUrl, year } from '../../contract/fields.ts';
import { inputOf } from '../../contract/input.ts';
import { relationOf } from '../../contract/relations.ts';
import { labelOf } from '../../contract/vocabulary.ts';

/** A list of short texts has a line each (`list`), or in a row one line for all (`series`). */
export type InputKind =
  | 'line'
  | 'text'
  | 'number'
  | 'year'
  | 'money'
  | 'date'
  | 'url'
  | 'flag'
  | 'choice'
  | 'choices'
  | 'list'
  | 'series'
  | 'place'
  | 'name'
  | 'names'
  | 'rows';

interface RowPart {
  readonly name: string;
  readonly kind: InputKind;
  /** Whether a record, or a row that has a text, must have it. */
  readonly isRequired: boolean;
  readonly options: readonly string[];
}

export interface FormField extends RowPart {
  readonly section: string;
  readonly hint: string;
  /** The inputs of a row, of a list of objects. */
  readonly parts: readonly RowPart[];
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
      const isRequired = name === 'name' || (kind === 'name' && schema === whole);
      const meaning = HINTLESS.includes(kind) ? '' : describe(whole);
      const hint = [isRequired ? 'Required.' : '', meaning === `${labelOf(name)}.` ? '' : meaning, ADVICE[kind] ?? ''];
      return {
        ...{ name, kind, isRequired, section: sectionOf(type, name), hint: hint.filter(Boolean).join(' ') },
        ...{ options: optionsOf(schema), parts: partsOf(type, name, schema) },
      };
    });
}

const optionsOf = (schema: z.ZodType): readonly string[] => {
  const chosen = schema instanceof z.ZodArray ? bareSchema(schema.element) : schema;
  return chosen instanceof z.ZodEnum ? (chosen.options as string[]) : [];
};

/** The inputs of an item of a list of objects. A link to a record is found by its name. */
function partsOf(type: RecordType, list: string, schema: z.ZodType): readonly RowPart[] {
  if (!(schema instanceof z.ZodArray) || !(schema.element instanceof z.ZodObject)) return [];
  const { type: toType, id, slug } = relationOf(type, list)?.keys ?? {};
  return Object.entries(schema.element.shape)
    .filter(([name]) => ![toType, id, slug].includes(name))
    .map(([name, whole]) => {
      const part = bareSchema(whole);
      const kind = part instanceof z.ZodArray ? 'series' : kindOf(type, name, part);
      return { name, kind, isRequired: part === whole && kind !== 'series', options: optionsOf(part) };
    });
}

/** The section of the name and of the fields that a short answer has, which says the most of a record. */
const MAIN = 'Main facts';

/** Sections of a form, in order: the kinds of fields in them, and fields whose kind does not tell. */
const SECTIONS: readonly { title: string; kinds: readonly InputKind[]; fields: readonly string[] }[] = [
  { title: MAIN, kinds: [], fields: ['name'] },
  { title: 'Name and description', kinds: ['line', 'text', 'name'], fields: ['aliases', 'former_names', 'see_also'] },
  { title: 'Kind and tags', kinds: ['choice', 'choices', 'flag', 'list', 'rows'], fields: [] },
  { title: 'Place and dates', kinds: ['place', 'date', 'year'], fields: ['venue', 'timezone', 'month_only'] },
  { title: 'Figures', kinds: ['money', 'number'], fields: [] },
  { title: 'Links', kinds: ['url'], fields: [] },
  { title: 'People and organisations', kinds: ['names'], fields: ['roles'] },
  { title: 'Sources', kinds: [], fields: ['as_of', 'unlisted_since', 'sources'] },
];

function sectionOf(type: RecordType, name: string): string {
  const { record, concise, fromRounds } = entityOf(type);
  const { shape } = record;
  // A label or a source as stated stands beside what it is of.
  const stem = name.replace(/_(raw|as_of|since|source)$/, '');
  const field = [`${stem}_usd`, stem].find((other) => Object.hasOwn(shape, other)) ?? name;
  if (concise.includes(field) && !fromRounds.includes(field)) return MAIN;
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

/** Kinds whose label says it all. */
const HINTLESS: readonly InputKind[] = ['url', 'name'];

const ADVICE: Partial<Record<InputKind, string>> = {
  money: 'Such as 1,250,000 or 5.50.',
  list: 'One per line.',
  names: 'One per line, linked to the record of that name.',
  name: 'Linked to the record of that name.',
};

/** What a field means, with the labels of others that it names. */
const describe = (schema: z.ZodType): string =>
  (schema.meta()?.description ?? '')
    .replace(/\bnull when\b/, 'empty when')
    .replace(/\b[a-z]+_[a-z]+\b/g, (name) => `“${labelOf(name)}”`);

function kindOf(type: RecordType, name: string, schema: z.ZodType): InputKind {
  const relation = relationOf(type, name);
  // References that consist of a name only are edited as names; a role also has a title and dates.
  if (relation !== undefined && relation.keys.name === 'name') return schema instanceof z.ZodArray ? 'names' : 'name';
  if (schema instanceof z.ZodEnum) return 'choice';
  if (schema instanceof z.ZodArray) {
    const item = bareSchema(schema.element);
    if (item instanceof z.ZodObject) return 'rows';
    return item instanceof z.ZodEnum ? 'choices' : 'list';
  }
  if (schema instanceof z.ZodObject) return 'place';
  if (schema instanceof z.ZodBoolean) return 'flag';
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
