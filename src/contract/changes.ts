import type * as z from 'zod';
import { isoDateTime } from './fields.ts';

export type RecordAction = 'create' | 'replace' | 'merge' | 'delete' | 'restore';

export const RESTORE_DAYS = 30;

/** A deleted record, with the time until which it can be restored. */
export const deletedOf = <Record extends z.ZodObject>(record: Record) =>
  record
    .extend({
      deleted_at: isoDateTime.nullable().meta({ description: 'When it was deleted.' }),
      purge_at: isoDateTime.nullable().meta({ description: 'End of the period in which it can be restored.' }),
    })
    .meta({ id: `Deleted${record.meta()?.['id']}` });

export const IDEMPOTENCY_KEY_LENGTH_MAX = 255;

/** Strong ETag of a version of a record (RFC 9110, 8.8.3). */
export const etagOf = (version: number): string => `"r${version}"`;

/** Response header with the position of a write in the change log. */
export const CHANGE_HEADER = 'X-Change';
/** Request header: the search must include every change up to this position of the change log. */
export const AT_LEAST_HEADER = 'X-At-Least';
