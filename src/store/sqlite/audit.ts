import type { Audit, AuditEntry, Author } from '../port/audit.ts';
import type { Sqlite } from './database.ts';

/** What is written down of one change; the states are JSON text. */
interface Deed {
  readonly author: Author;
  readonly at: string;
  readonly action: string;
  readonly type: string;
  readonly id: number | null;
  readonly before?: string | null;
  readonly after?: string | null;
}

/** Writes an entry; the caller holds the transaction of the change itself. */
export type AuditWriter = (deed: Deed) => void;

export function createAuditWriter(database: Sqlite): AuditWriter {
  const insert = database.prepare(
    `INSERT INTO audit (at, account, key_id, action, target_type, target_id, request_id, address, before, after, person)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return ({ author, at, action, type, id, before = null, after = null }) => {
    const { account, keyId, requestId, address, person = null } = author;
    insert.run(at, account, keyId, action, type, id, requestId, address, before, after, person);
  };
}

/** The states of a change as the log keeps them. */
export function statesOf(before: object | undefined, after: object): Pick<Deed, 'before' | 'after'> {
  return { before: before === undefined ? null : JSON.stringify(before), after: JSON.stringify(after) };
}

interface AuditRow extends Omit<AuditEntry, 'before' | 'after'> {
  readonly before: string | null;
  readonly after: string | null;
}

export function createAudit(database: Sqlite, now: () => Date): Audit {
  const write = createAuditWriter(database);
  const page = (where: string) =>
    database.prepare<Record<string, string | number | null>, AuditRow>(
      `SELECT * FROM audit WHERE ${where} AND (:before IS NULL OR id < :before) ORDER BY id DESC LIMIT :limit`,
    );
  const ofTarget = page('target_type = :type AND target_id = :id');
  const ofAccount = page('account = :account');
  const ofAccountAndType = page('account = :account AND target_type = :type');
  const ofAll = page('(:type IS NULL OR target_type = :type) AND (:id IS NULL OR target_id = :id)');
  const jsonOf = (state: unknown): string | null => (state === undefined ? null : JSON.stringify(state));
  const stateOf = (json: string | null): unknown => (json === null ? null : JSON.parse(json));
  return {
    list: async ({ type = null, id = null, account = null, before = null, limit }) => {
      const statements = account === null ? { one: ofTarget, all: ofAll } : { one: ofAccountAndType, all: ofAccount };
      const isNarrow = type !== null && (account !== null || id !== null);
      return statements[isNarrow ? 'one' : 'all']
        .all({ type, id, account, before, limit })
        .map((row) => ({ ...row, before: stateOf(row.before), after: stateOf(row.after) }));
    },
    note: async ({ before, after, ...deed }) =>
      write({ ...deed, at: now().toISOString(), before: jsonOf(before), after: jsonOf(after) }),
  };
}
