import { RECORD_TYPES, type RecordType } from '../contract/entities/index.ts';
import type { Audit, AuditEntry, Note } from './port/audit.ts';
import { all, insertRows, type Runner, type SqlProgram, type Value, value } from './sql.ts';

/** A new audit entry; states are JSON text. */
export interface NewAuditEntry extends Omit<Note, 'before' | 'after'> {
  readonly at: string;
  readonly before?: string | null;
  readonly after?: string | null;
}

const COLUMNS = [
  ...['at', 'account', 'key_id', 'action', 'target_type', 'target_id', 'request_id', 'address', 'before', 'after'],
  'person',
];

export const appendAuditEntries = (auditEntries: readonly NewAuditEntry[]): SqlProgram<void> =>
  insertRows('audit', COLUMNS, auditEntries.map(rowOf));

export const appendAuditEntry = (entry: NewAuditEntry): SqlProgram<void> => appendAuditEntries([entry]);

function rowOf({ author, at, action, type, id, before = null, after = null }: NewAuditEntry): Value[] {
  const { account, keyId, requestId, address, person = null } = author;
  return [at, account, keyId, action, type, id, requestId, address, before, after, person];
}

/** States of a change in the form of the log. */
export const statesOf = (before: object | undefined, after: object): Pick<NewAuditEntry, 'before' | 'after'> => ({
  before: before === undefined ? null : JSON.stringify(before),
  after: JSON.stringify(after),
});

interface AuditRow extends Omit<AuditEntry, 'before' | 'after'> {
  readonly before: string | null;
  readonly after: string | null;
}

const jsonOf = (state: unknown): string | null => (state === undefined ? null : JSON.stringify(state));
const stateOf = (json: string | null): unknown => (json === null ? null : JSON.parse(json));

interface ChangeRow extends Pick<AuditRow, 'id' | 'before' | 'after'> {
  readonly target_type: RecordType;
}

/** Entries of records only. Record writes are serialized, so their ids are in commit order. */
const OF_RECORDS = `target_type IN (${RECORD_TYPES.map((type) => `'${type}'`).join(', ')})`;
const LAST = `SELECT max(id) FROM audit WHERE ${OF_RECORDS}`;
const CHANGED = `SELECT id, target_type, before, after FROM audit WHERE id > ? AND ${OF_RECORDS} ORDER BY id LIMIT ?`;
const STEP = 500;

export function createAudit({ query, transaction }: Runner, now: () => Date): Audit {
  return {
    list: async ({ type, id, account, action, person, keyId, address, from, until, before, limit }) => {
      const bounds: [string, Value | undefined][] = [
        ['account = ?', account],
        ['target_type = ?', type],
        ['target_id = ?', id],
        ['action = ?', action],
        ['person = ?', person],
        ['key_id = ?', keyId],
        ['address = ?', address],
        ['at >= ?', from],
        ['at < ?', until],
        ['id < ?', before],
      ];
      const stated = bounds.filter(([, bound]) => bound !== undefined) as [string, Value][];
      const where = stated.map(([condition]) => ` AND ${condition}`).join('');
      const sql = `SELECT * FROM audit WHERE 1 = 1${where} ORDER BY id DESC LIMIT ?`;
      const rows = await query(all<AuditRow>(sql, ...stated.map(([, bound]) => bound), limit));
      return rows.map((row) => ({ ...row, before: stateOf(row.before), after: stateOf(row.after) }));
    },
    changedAfter: async (last) => {
      if (last === undefined) return { last: (await query(value<number>(LAST))) ?? 0, changed: [], hasMore: false };
      const rows = await query(all<ChangeRow>(CHANGED, last, STEP));
      const seen = rows.flatMap(({ target_type: type, before, after }) =>
        [before, after].map((state) => ({ type, slug: (stateOf(state) as { slug?: string } | null)?.slug })),
      );
      const changed = new Map(seen.flatMap(({ type, slug }) => (slug ? [[`${type}/${slug}`, { type, slug }]] : [])));
      return { last: rows.at(-1)?.id ?? last, changed: [...changed.values()], hasMore: rows.length === STEP };
    },
    note: ({ before, after, ...entry }) =>
      transaction(
        'rows',
        appendAuditEntry({ ...entry, at: now().toISOString(), before: jsonOf(before), after: jsonOf(after) }),
      ),
  };
}
