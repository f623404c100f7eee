import type { Audit, AuditEntry, Author } from './port/audit.ts';
import type { Runner } from './sql/runner.ts';
import { all, insertRows, type Steps, type Value } from './sql/steps.ts';

/** What is written down of one change; the states are JSON text. */
export interface Deed {
  readonly author: Author;
  readonly at: string;
  readonly action: string;
  readonly type: string;
  readonly id: number | null;
  readonly before?: string | null;
  readonly after?: string | null;
}

const COLUMNS = [
  ...['at', 'account', 'key_id', 'action', 'target_type', 'target_id', 'request_id', 'address', 'before', 'after'],
  'person',
];

/** Writes entries, in the transaction of the changes themselves. */
export function noteDeeds(deeds: readonly Deed[]): Steps<void> {
  return insertRows('audit', COLUMNS, deeds.map(rowOf));
}

export const noteDeed = (deed: Deed): Steps<void> => noteDeeds([deed]);

function rowOf({ author, at, action, type, id, before = null, after = null }: Deed): Value[] {
  const { account, keyId, requestId, address, person = null } = author;
  return [at, account, keyId, action, type, id, requestId, address, before, after, person];
}

/** The states of a change as the log keeps them. */
export function statesOf(before: object | undefined, after: object): Pick<Deed, 'before' | 'after'> {
  return { before: before === undefined ? null : JSON.stringify(before), after: JSON.stringify(after) };
}

interface AuditRow extends Omit<AuditEntry, 'before' | 'after'> {
  readonly before: string | null;
  readonly after: string | null;
}

const jsonOf = (state: unknown): string | null => (state === undefined ? null : JSON.stringify(state));
const stateOf = (json: string | null): unknown => (json === null ? null : JSON.parse(json));

export function createAudit({ ask, write }: Runner, now: () => Date): Audit {
  return {
    list: async ({ type, id, account, before, limit }) => {
      const bounds: [string, Value | undefined][] = [
        ['account = ?', account],
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
    note: ({ before, after, ...deed }) =>
      write('rows', noteDeed({ ...deed, at: now().toISOString(), before: jsonOf(before), after: jsonOf(after) })),
  };
}
