import type * as z from 'zod';
import { isoDateTime } from './fields.ts';

/** How a record can be changed, as the audit log names it. */
export type RecordAction = 'create' | 'replace' | 'merge' | 'delete' | 'restore';

/** Days for which a deleted record can be restored. */
export const RESTORE_DAYS = 30;

/** A record that is deleted, with the time until which it can be restored. */
export const deletedOf = <Record extends z.ZodObject>(record: Record) =>
  record
    .extend({
      deleted_at: isoDateTime.nullable().meta({ description: 'When it was deleted.' }),
      purge_at: isoDateTime.nullable().meta({ description: 'Until when it can be restored.' }),
    })
    .meta({ id: `Deleted${record.meta()?.['id']}` });

export const IDEMPOTENCY_KEY_LENGTH_MAX = 255;

/** The ETag of a version of a record. */
export const etagOf = (version: number): string => `"r${version}"`;

/** Says where a change stands in the change log. */
export const CHANGE_HEADER = 'X-Change';
/** Asks that a search includes every change up to a position of that log. */
export const AT_LEAST_HEADER = 'X-At-Least';
