/** Whether an index may apply a change of a large import later, in bulk: 1 or 0. */
export const deferredChanges = 'ALTER TABLE record_changes ADD COLUMN is_deferred INTEGER NOT NULL DEFAULT 0;';
