import * as z from 'zod';
import { RECORD_TYPES } from './entities/index.ts';
import { isoDateTime, nameText, recordId, shortText, slugText } from './fields.ts';
import { utcDay } from './periods.ts';

const STALE_MONTHS = 24;

/** The day before which facts are stale, as YYYY-MM-DD. */
export function staleBefore(now: Date): string {
  const day = new Date(now);
  day.setUTCMonth(day.getUTCMonth() - STALE_MONTHS);
  return utcDay(day);
}

/** Whether a date (YYYY-MM-DD, YYYY-MM or YYYY) is entirely before a day. False for null. */
export const isBefore = (date: string | null, day: string): boolean => date !== null && `${date}-99` < day;

const asOf = shortText.nullable().describe('Date of the source: YYYY-MM-DD, YYYY-MM or YYYY.');

const statement = z
  .object({
    source: shortText.describe('Where it was read; "edit" for a person or a key that wrote it here.'),
    as_of: asOf,
    seen_at: isoDateTime.nullable().describe('When a sync last saw it; null if none has.'),
    value: z.unknown().optional().describe('Value that the source states; absent where only the record has it.'),
    stale: z
      .boolean()
      .describe(`True when it is older than ${STALE_MONTHS} months, or missing from the last two complete runs.`),
    redistributable: z.boolean().describe('False when the terms of the source forbid redistribution.'),
  })
  .meta({ id: 'Statement' });

const fieldProvenance = z
  .object({
    field: shortText.describe('Field of the record.'),
    value: z.unknown().describe('Value that the record has.'),
    as_of: asOf,
    stale: z
      .boolean()
      .describe(
        `True when the newest source of the field is older than ${STALE_MONTHS} months, or all of them are stale.`,
      ),
    conflict: z.boolean().describe('True when trusted sources differ; the record keeps its first value.'),
    sources: z.array(statement).describe('Sources that state it, the most trusted first.'),
  })
  .meta({ id: 'FieldSources' });

export const provenance = z
  .object({
    type: z.enum(RECORD_TYPES).describe('Kind of record.'),
    id: recordId.describe('Record number.'),
    name: nameText.describe('Name of the record.'),
    slug: slugText.describe('Name in an address.'),
    as_of: asOf,
    stale: z
      .boolean()
      .describe(`True when the newest source is older than ${STALE_MONTHS} months, or no source lists it any more.`),
    fields: z.array(fieldProvenance).describe('Fields that a source states or a person edited.'),
  })
  .meta({ id: 'RecordSources' });

export type Provenance = z.output<typeof provenance>;
