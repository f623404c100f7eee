import * as z from 'zod';
import { daysOfPeriod } from './periods.ts';

/** Field types of records: zod schemas from which all else derives. A value that no source states is null and never guessed. */

const TEXT_LENGTH_MAX = 10_000;
const NAME_LENGTH_MAX = 200;
const SLUG_LENGTH_MAX = 100;
export const LIST_LENGTH_MAX = 2_000;

const YEAR_MIN = 1600;
const YEAR_MAX = 2200;

/** A slug contains a letter, so it is never parsed as a record id. */
export const SLUG_PATTERN = /^(?=.*[a-z])[a-z0-9]+(-[a-z0-9]+)*$/;
const MONEY_PATTERN = /^\d{1,15}\.\d{2}$/;
export const MONEY_FORM = 'US dollars with two digits after the point, such as "1250000.00"';
const MONEY_TOO_LARGE = /^\d{16,}\.\d{2}$/;
const MONEY_MOST = 'at most 999999999999999.99 US dollars';

const DAY_OR_PERIOD_EXAMPLES = 'a date, month, quarter or year, as 2024-01-31, 2024-01, 2024-Q1 or 2024';

const PARTIAL_DATE_EXAMPLES = 'a date, month or year, as 2024-01-31, 2024-01 or 2024';

const isWebUrl = (value: string): boolean => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);

export const recordId = z.int().positive();

/** The number that a text is, as of a record in an address; undefined for any other text. */
export const parseNumber = (text: string | undefined): number | undefined =>
  /^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined;

export const slugText = z
  .string()
  .max(SLUG_LENGTH_MAX)
  .regex(SLUG_PATTERN, 'lower-case letters, digits and single hyphens, with a letter in it');
export const nameText = z.string().trim().min(1).max(NAME_LENGTH_MAX);
export const shortText = z.string().trim().min(1).max(500);
export const longText = z.string().trim().min(1).max(TEXT_LENGTH_MAX);
export const webUrl = z.string().max(2_000).refine(isWebUrl, { error: 'an http or https address', abort: true });
export const isoDate = z.iso.date();
export const isoDateTime = z.iso.datetime();
/** A date as far as it is known: a day, a month or a year. Compared as text, a year is before its months. */
export const partialDate = z
  .string()
  .regex(/^\d{4}(?:-\d{2}(?:-\d{2})?)?$/, { error: PARTIAL_DATE_EXAMPLES, abort: true })
  .refine((text) => isoDate.safeParse(`${text}-01-01`.slice(0, 10)).success, PARTIAL_DATE_EXAMPLES);
/** A day, or a year, quarter or month, read as its first or last day. */
export const DAY_OR_PERIOD = /^\d{4}(?:-[Qq][1-4]|-\d{2}(?:-\d{2})?)?$/;
const dayOrPeriod = (end: 'from' | 'to') =>
  z
    .string()
    .regex(DAY_OR_PERIOD, { error: DAY_OR_PERIOD_EXAMPLES, abort: true })
    .overwrite((text) => daysOfPeriod(text)?.[end] ?? text)
    .refine((text) => isoDate.safeParse(text).success, DAY_OR_PERIOD_EXAMPLES);
export const firstDay = dayOrPeriod('from');
export const lastDay = dayOrPeriod('to');
/** The start of a day or period as a partial date, so that dates of which only the month or year is known are not before it. */
export const periodStart = firstDay.overwrite((day) => day.replace(/(?:-01)?-01$/, ''));
export const year = z.int().min(YEAR_MIN).max(YEAR_MAX);
export const count = z.int().min(0);
/** Names of date fields of which sources state no day; the stored one is the first of the month, to sort and filter by. */
export const monthOnly = <const Field extends string>(fields: readonly [Field, ...Field[]]) =>
  z
    .array(z.enum(fields))
    .max(fields.length)
    .meta({ description: 'Date fields of which only the month is known: the day, the first, is no fact.' });
/** US dollars as decimal text, because binary fractions lose cents. */
export const money = z
  .string(MONEY_FORM)
  .regex(MONEY_PATTERN, { error: ({ input }) => (MONEY_TOO_LARGE.test(String(input)) ? MONEY_MOST : MONEY_FORM) });
export const labels = z.array(z.string().trim().min(1).max(NAME_LENGTH_MAX)).max(LIST_LENGTH_MAX);

export const location = z.object({
  city: nameText.nullable().default(null).meta({ description: 'City.' }),
  country: nameText
    .nullable()
    .default(null)
    .meta({ description: 'Country by its usual English name, under which codes and other names are stored.' }),
});

/** A reference to another record. Id and slug are present when it is resolved. */
export const reference = z.object({
  name: nameText.meta({ description: 'Name as the source writes it.' }),
  type: z.string().nullable().meta({ description: 'Type of the record it is linked to.' }),
  id: recordId.nullable().meta({ description: 'Number of the record it is linked to.' }),
  slug: slugText.nullable().meta({ description: 'Slug of the record it is linked to.' }),
});

export const references = z.array(reference).max(LIST_LENGTH_MAX);

export const source = z.object({
  source: shortText.meta({ description: 'Where the facts were read.' }),
  as_of: shortText.nullable().default(null).meta({ description: 'Date of the source: YYYY-MM-DD, YYYY-MM or YYYY.' }),
  fields: labels.meta({ description: 'Fields that it states.' }),
});
export type Source = z.output<typeof source>;

/** The schema of a field without its nullable and optional wrappers. */
export function bareSchema(schema: unknown): z.ZodType {
  const isWrapped =
    schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
  return isWrapped ? bareSchema(schema.unwrap()) : (schema as z.ZodType);
}
