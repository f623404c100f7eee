import { countText } from './value-text.ts';

/** The parts of a sentence that answers a search: pages make links of its records, a terminal and tools write their names. */

export interface Named {
  readonly type?: unknown;
  readonly slug?: unknown;
  readonly name: string;
}

/** A text, what is asked for, or a record, by its name or other words. */
export type AnswerPart = string | { readonly strong: string } | { readonly record: Named; readonly text: string };

export type AnswerParts = readonly AnswerPart[];

export const strong = (text: string): AnswerPart => ({ strong: text });

export const linked = (record: Named, text = record.name): AnswerPart => ({ record, text });

type Written = AnswerPart | AnswerParts;

/**
 * A sentence of texts, parts, sentences and lists of these.
 *
 * @example say`${linked(company)} raised ${strong('$5M')}.`
 */
export function say(texts: TemplateStringsArray, ...values: readonly (Written | readonly Written[])[]): AnswerParts {
  const written = texts.flatMap((text, index): readonly Written[] => [text, values[index] ?? ''].flat());
  return written.flat().filter((part) => part !== '');
}

/** Parts with commas, and `and` before the last; of more than some, the number of the others. */
export function enumerated<Part>(parts: readonly Part[], shownMax = parts.length): readonly (Part | string)[] {
  const more = parts.length - shownMax;
  const shown = more > 0 ? [...parts.slice(0, shownMax), `${countText(more)} more`] : parts;
  return shown.flatMap((part, index) => [index === 0 ? '' : index === shown.length - 1 ? ' and ' : ', ', part]);
}

/** A sentence as text, each part of it written by a function, and then what is asked for by another. */
export const answerText = (parts: AnswerParts, write: (text: string) => string, emphasize: (text: string) => string) =>
  parts
    .map((part) => {
      if (typeof part === 'string') return write(part);
      return 'strong' in part ? emphasize(write(part.strong)) : write(part.text);
    })
    .join('');
