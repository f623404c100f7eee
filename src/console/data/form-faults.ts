import { MONEY_FORM } from '../../contract/fields.ts';
import { joinTexts } from '../../contract/value-text.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import type { Faults } from '../form.ts';
import { MONEY_TYPED } from './field-texts.ts';
import { bySection, type FormField } from './fields.ts';
import { rowsOf } from './form-rows.ts';

export interface WordedFaults {
  /** By the input that a fault is beside; the first one of each. */
  readonly beside: Faults;
  /** In the order of the page, each with its input, if it has one. */
  readonly listed: readonly { readonly input?: string; readonly text: string }[];
}

/** What a form refuses, in its words. */
export function wordFaults(
  fields: readonly FormField[],
  faults: Faults | undefined,
  values: Readonly<Record<string, string>>,
): WordedFaults {
  const ofForm = Object.entries(faults ?? {});
  const inOrder = bySection(fields).flatMap(([, inSection]) => inSection);
  const beside: Record<string, string> = {};
  const listed: { input?: string; text: string }[] = [];
  for (const field of inOrder)
    for (const [at, text] of ofForm.filter(([each]) => isIn(field.name, each))) {
      const { input, said, row } = besideInput(field, { at, text }, values);
      if (beside[input] !== undefined) continue;
      beside[input] = said;
      listed.push({ input, text: row === undefined ? said : `${labelOf(field.name)}, row ${row}: ${said}` });
    }
  const others = ofForm.filter(([at]) => !inOrder.some((field) => isIn(field.name, at)));
  return { beside, listed: [...listed, ...others.map(([at, text]) => ({ text: joinTexts(': ', at, text) }))] };
}

const isIn = (name: string, at: string): boolean => at === name || at.startsWith(`${name}.`);

/** Whether there is a fault of an input, or of one below it. */
export const hasFault = (faults: Faults, name: string): boolean => Object.keys(faults).some((at) => isIn(name, at));

/** The input of a fault, and the row it is in, counted from 1. */
function besideInput(
  field: FormField,
  { at, text }: { readonly at: string; readonly text: string },
  values: Readonly<Record<string, string>>,
): { readonly input: string; readonly said: string; readonly row?: number } {
  const { name, kind, parts } = field;
  const [, inner, part] = at.split('.');
  if (kind === 'place') return { input: `${name}.${inner ?? 'city'}`, said: reworded(at, text) };
  if (kind !== 'rows' || inner === undefined) return { input: name, said: reworded(name, inItem(text)) };
  const row = rowsOf(field, undefined, values)[Number(inner)] ?? {};
  const lacking = parts.filter(({ name: each, isRequired }) => isRequired && row[each] === '');
  const shown = part ?? (lacking[0] ?? parts[0])?.name ?? '';
  const isLacking = lacking.some(({ name: each }) => each === shown);
  return {
    input: `${name}.${inner}.${shown}`,
    said: isLacking
      ? `${labelOf(shown)} is required`
      : reworded(part === undefined ? at : `${name}.${inner}.${part}`, text),
    row: Number(inner) + 1,
  };
}

/** A fault whose text names a field, or a part of one by its path, with the label. */
const reworded = (path: string, text: string): string =>
  text
    .replace(path, labelOf(path.slice(path.lastIndexOf('.') + 1)))
    .replace(/ is required: text$/, ' is required')
    .replace(MONEY_FORM, MONEY_TYPED);

/** A fault of an item of a list, whose place is a number from 0, as people count: `tags, item 1: must be …`. */
const inItem = (fault: string): string =>
  fault.replace(/^(?:\w+\.\d+[. ])+/, (places) =>
    places.replaceAll(/(\w+)\.(\d+)[. ]/g, (_, list, index) => `${list}, item ${Number(index) + 1}: `),
  );
