import type { RecordIndexing } from '../records/record-index.ts';
import { insertRows, value } from '../sql/program.ts';

const LATEST = 'SELECT coalesce(max(seq), 0) FROM record_changes';
/** Keys that replaced one another share it, as they share their quota. */
const KEEP = `INSERT INTO quota_positions (quota_id, seq) SELECT quota_id, (${LATEST}) FROM keys WHERE id = ?
  ON CONFLICT (quota_id) DO UPDATE SET seq = excluded.seq RETURNING seq`;

/** Which records have changed, in the order of the commits, for index files that follow. */
export const changeLog: RecordIndexing = {
  // Who follows sees by the links themselves which records are named more or less often.
  update: ({ put, retold, removed, relinked }) =>
    insertRows(
      'record_changes',
      ['type', 'id'],
      [...put, ...retold, ...removed, ...relinked].map(({ type, id }) => [type, id]),
    ),
  position: ({ keyId }) => (keyId === null ? value<number>(LATEST) : value<number>(KEEP, keyId)),
};
