import type { Audit, AuditEntry, Author } from '../port/audit.ts';
import type { Runner } from '../sql/runner.ts';
import { all, run, type Steps, type Value } from '../sql/steps.ts';

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

const INSERT = `INSERT INTO audit (at, account, key_id, action, target_type, target_id, request_id, address, before, after)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Writes an entry, in the transaction of the change itself. */
export function noteDeed({ author, at, action, type, id, before = null, after = null }: Deed): Steps<void> {
  const { account, keyId, requestId, address } = author;
  return run(INSERT, at, account, keyId, action, type, id, requestId, address, before, after);
}

interface AuditRow extends Omit<AuditEntry, 'before' | 'after'> {
  readonly before: string | null;
  readonly after: string | null;
}

const stateOf = (json: string | null): unknown => (json === null ? null : JSON.parse(json));

export function createAudit({ ask }: Runner): Audit {
  return {
    list: async ({ type, id, before, limit }) => {
      const bounds: [string, Value | undefined][] = [
        ['target_type = ?', type],
        ['target_id = ?', id],
        ['id < ?', before],
      ];
      const given = bounds.filter(([, bound]) => bound !== undefined) as [string, Value][];
      const where = given.map(([condition]) => ` AND ${condition}`).join('');
      const sql = `SELECT * FROM audit WHERE 1 = 1${where} ORDER BY id DESC LIMIT ?`;
      const rows = await ask(all<AuditRow>(sql, ...given.map(([, bound]) => bound), limit));
      return rows.map((row) => ({ ...row, before: stateOf(row.before), after: stateOf(row.after) }));
    },
  };
}
