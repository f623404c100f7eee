import { foldName } from '../../contract/names.ts';
import type { Relation } from '../../contract/relations.ts';
import type { Note } from './report.ts';
import { readSlug } from './slugs.ts';
import { isEmpty, readBoolean, readDate, readJson, readList } from './values.ts';

const ALIASES: Readonly<Record<'name' | 'slug' | 'id' | 'type', readonly string[]>> = {
  name: [
    'name',
    'fullname',
    'organization',
    'organisation',
    'organizationname',
    'company',
    'companyname',
    'investor',
    'person',
    'employer',
  ],
  slug: ['slug', 'organizationslug', 'companyslug', 'investorslug', 'personslug'],
  id: ['id', 'organizationid', 'companyid', 'investorid', 'personid'],
  type: ['type', 'organizationtype'],
};

/** Additional fields of reference items, such as a role's title, with their parsers. */
const EXTRAS: Readonly<Record<string, (value: unknown) => unknown>> = {
  start_date: readDate,
  end_date: readDate,
  is_current: readBoolean,
};
const EXTRA_ALIASES: Readonly<Record<string, string>> = {
  position: 'title',
  jobtitle: 'title',
  role: 'title',
  from: 'start_date',
  startedon: 'start_date',
  until: 'end_date',
  endedon: 'end_date',
  current: 'is_current',
};

export interface ReferenceForm {
  readonly relation: Relation;
  /** Fields of an item besides its reference. */
  readonly extras: readonly string[];
  readonly readExtra?: Readonly<Record<string, (value: unknown, note: Note) => unknown>>;
}

type Item = Readonly<Record<string, unknown>>;

/** Parses one reference or a list; items without a reference are skipped. */
export function referenceReader(form: ReferenceForm, isList: boolean, isText: boolean) {
  const names = itemNames(form);
  const readOne = (value: unknown, note: Note): Item | undefined => readItem(form, names, isText, value, note);
  if (isList)
    return (value: unknown, note: Note): unknown => readList(value).flatMap((item) => readOne(item, note) ?? []);
  return (value: unknown, note: Note): unknown =>
    readOne(typeof value === 'string' ? (readJson(value) ?? value) : value, note);
}

function itemNames({ relation, extras }: ReferenceForm): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [alias, extra] of Object.entries(EXTRA_ALIASES)) if (extras.includes(extra)) names.set(alias, extra);
  for (const part of ['name', 'slug', 'id', 'type'] as const) {
    for (const alias of ALIASES[part]) names.set(alias, relation.keys[part]);
  }
  for (const extra of extras) names.set(foldName(extra), extra);
  return names;
}

function readItem(
  form: ReferenceForm,
  names: ReadonlyMap<string, string>,
  isText: boolean,
  value: unknown,
  note: Note,
): Item | undefined {
  const { keys, field } = { ...form.relation };
  if (typeof value === 'number') return { [keys.id]: value };
  if (typeof value === 'string') {
    const text = value.trim();
    return isText && /^\d+$/.test(text) ? { [keys.id]: Number(text) } : { [keys.name]: text };
  }
  // Passed through; validation reports it.
  if (typeof value !== 'object' || value === null) return value as Item;
  const item: Record<string, unknown> = {};
  for (const [name, content] of Object.entries(value)) {
    const key = names.get(foldName(name));
    if (key === undefined) note(`${field}.${name}`);
    else if (!isEmpty(content)) item[key] ??= readPart(form, key, content, note);
  }
  return named(form.relation, item, note);
}

function readPart({ relation, readExtra: own }: ReferenceForm, key: string, content: unknown, note: Note): unknown {
  if (key === relation.keys.slug) return readSlug(relation.to[0] ?? relation.from, content);
  const read = own?.[key] ?? EXTRAS[key];
  return read === undefined ? content : read(content, note);
}

/** An id is used only without a name or slug, because foreign ids are meaningless here. */
function named({ keys, field }: Relation, item: Record<string, unknown>, note: Note): Item | undefined {
  const isNamed = item[keys.name] !== undefined || item[keys.slug] !== undefined;
  if (isNamed) delete item[keys.id];
  if (isNamed || item[keys.id] !== undefined) return item;
  note(`${field} without ${keys.name}`);
  return undefined;
}
