import { choiceOf } from '../contract/choices.ts';
import { rawQuery } from '../service/middleware/raw-query.ts';

/** The parameters of an address. One that is given several times, as boxes of a form are, has its values as a filter takes them. */
export const queryOf = (url: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(rawQuery(url)).map(([name, value]) => [name, choiceOf([value].flat().filter((one) => one !== ''))]),
  );
