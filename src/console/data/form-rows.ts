import type { RecordType } from '../../contract/entities/index.ts';
import { relationOf } from '../../contract/relations.ts';
import { isBlank } from '../../contract/value-text.ts';
import { fromText, toText } from './field-texts.ts';
import type { FormField } from './fields.ts';

/** A list of objects as rows of a form: a part of an item is the input `LIST.INDEX.PART`, and `LIST` itself says that it was sent. */

/** Items of a record that a form shows as rows. */
export const ROWS_MAX = 40;

type Values = Readonly<Record<string, string>>;
/** The texts of a row by part. */
export type Row = Values;
type Item = Readonly<Record<string, unknown>>;

/** The rows of a list as they stand in a form: those with a text before those without one. */
export function rowsOf(list: FormField, value: unknown, values: Values): readonly Row[] {
  const rows = values[list.name] === undefined ? shownRows(list, value) : sentRows(list, values);
  const blank = rows.filter(isBlank);
  const added = blank.length === 0 || values['add'] === list.name ? [{}] : [];
  return [...rows.filter((row) => !isBlank(row)), ...blank, ...added];
}

/** The items of a list after an edit; undefined for a list that was not changed or not sent. Items beyond the rows stay. */
export function editedItems(type: RecordType, list: FormField, value: unknown, values: Values): unknown[] | undefined {
  if (values[list.name] === undefined) return undefined;
  const known = (value ?? []) as readonly Item[];
  const shown = shownRows(list, known);
  const sent = sentRows(list, values).filter((row) => !isBlank(row));
  if (sent.length === shown.length && sent.every((row, index) => isSameRow(list, row, shown[index]))) return undefined;
  const items = sent.map((row) => {
    const named = relationOf(type, list.name)?.keys.name ?? list.parts[0]?.name ?? '';
    const same = shown.find((one) => isSameRow(list, row, one));
    const before = same ?? shown.find((one) => one[named] === row[named]);
    return itemOf(list, row, before && { row: before, item: known[shown.indexOf(before)] ?? {} });
  });
  return [...items, ...known.slice(ROWS_MAX)];
}

/** The values of a form with a row less if it asks for that; undefined if it asks neither for that nor for a further row. */
export function rearranged(values: Values): Values | undefined {
  const { remove, ...others } = values;
  if (remove === undefined) return values['add'] === undefined ? undefined : values;
  return Object.fromEntries(Object.entries(others).filter(([name]) => !name.startsWith(`${remove}.`)));
}

const shownRows = (list: FormField, value: unknown): readonly Row[] =>
  ((value ?? []) as readonly Item[])
    .slice(0, ROWS_MAX)
    .map((item) => Object.fromEntries(list.parts.map(({ name, kind }) => [name, toText(kind, item[name])])));

function sentRows({ name, parts }: FormField, values: Values): readonly Row[] {
  const indexes = Object.keys(values).flatMap((key) => {
    const [list, index = '', ...part] = key.split('.');
    return list === name && part.length === 1 && /^\d{1,4}$/.test(index) ? [Number(index)] : [];
  });
  return [...new Set(indexes)]
    .toSorted((one, other) => one - other)
    .map((index) =>
      Object.fromEntries(parts.map((part) => [part.name, values[`${name}.${index}.${part.name}`]?.trim() ?? ''])),
    );
}

const isSameRow = ({ parts }: FormField, row: Row, other: Row | undefined): boolean =>
  parts.every(({ name }) => row[name] === other?.[name]);

/** The item of a row. What no input shows of an item, such as the record that a name is linked to, stays while its name does. */
function itemOf({ parts }: FormField, row: Row, before: { readonly row: Row; readonly item: Item } | undefined): Item {
  const typed = parts.map(({ name, kind, isRequired }) => {
    const text = row[name] ?? '';
    if (text === before?.row[name]) return [name, before.item[name]] as const;
    return [name, text === '' && isRequired ? undefined : fromText(kind, text, undefined)] as const;
  });
  return { ...before?.item, ...Object.fromEntries(typed) };
}
