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

const asOf = shortText.nullable().meta({ description: 'Date of the source: YYYY-MM-DD, YYYY-MM or YYYY.' });

const statement = z
  .object({
    source: shortText.meta({ description: 'Where it was read; "edit" for a person or a key that wrote it here.' }),
    as_of: asOf,
    seen_at: isoDateTime.nullable().meta({ description: 'When a sync last saw it; null if none has.' }),
    value: z
      .unknown()
      .optional()
      .meta({ description: 'Value that the source states; absent where only the record has it.' }),
    stale: z.boolean().meta({
      description: `True when it is older than ${STALE_MONTHS} months, or missing from the last two complete runs.`,
    }),
    redistributable: z.boolean().meta({ description: 'False when the terms of the source forbid redistribution.' }),
  })
  .meta({ id: 'Statement' });

const fieldProvenance = z
  .object({
    field: shortText.meta({ description: 'Field of the record.' }),
    value: z.unknown().meta({ description: 'Value that the record has.' }),
    as_of: asOf,
    stale: z.boolean().meta({
      description: `True when the newest source of the field is older than ${STALE_MONTHS} months, or all of them are stale.`,
    }),
    conflict: z.boolean().meta({ description: 'True when trusted sources differ; the record keeps its first value.' }),
    sources: z.array(statement).meta({ description: 'Sources that state it, the most trusted first.' }),
  })
  .meta({ id: 'FieldSources' });

export const provenance = z
  .object({
    type: z.enum(RECORD_TYPES).meta({ description: 'Kind of record.' }),
    id: recordId.meta({ description: 'Record number.' }),
    name: nameText.meta({ description: 'Name of the record.' }),
    slug: slugText.meta({ description: 'Name in an address.' }),
    as_of: asOf,
    stale: z.boolean().meta({
      description: `True when the newest source is older than ${STALE_MONTHS} months, or no source lists it any more.`,
    }),
    fields: z.array(fieldProvenance).meta({ description: 'Fields that a source states or a person edited.' }),
  })
  .meta({ id: 'RecordSources' });

export type Provenance = z.output<typeof provenance>;
