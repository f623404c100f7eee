import { choiceOf } from '../contract/choices.ts';
import { rawQuery } from '../service/middleware/raw-query.ts';

/** Query parameters. Values of a repeated one, as from checkboxes, are joined as a filter. */
export const queryOf = (url: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(rawQuery(url)).map(([name, value]) => [name, choiceOf([value].flat().filter((one) => one !== ''))]),
  );

/** Names of the filled parameters that a page does not have. */
export const unknownParameters = (
  query: Readonly<Record<string, string>>,
  known: readonly string[],
): readonly string[] => Object.keys(query).filter((name) => !known.includes(name));
