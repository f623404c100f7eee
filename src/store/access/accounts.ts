import { ServiceError } from '../../contract/errors.ts';
import { LIMIT_MAX, type Limits, limitsOf, type PlanName, UNLIMITED } from '../../contract/plans.ts';
import { appendAuditEntry, statesOf } from '../audit.ts';
import type { Account, Accounts } from '../port/access.ts';
import { OPERATOR } from '../port/audit.ts';
import { all, first, type Runner, type SqlProgram } from '../sql.ts';

interface Row extends Omit<Account, 'limits'> {
  readonly daily_limit: number | null;
  readonly monthly_limit: number | null;
}

type OwnLimits = [daily: number | null, monthly: number | null];

interface PlanAndLimits {
  readonly name: string;
  readonly plan: PlanName;
  readonly own: OwnLimits;
}

const COLUMNS = 'id, name, plan, daily_limit, monthly_limit, created_at';
const BY_NAME = `SELECT ${COLUMNS} FROM accounts WHERE name = ?`;
const INSERT = `INSERT INTO accounts (name, plan, daily_limit, monthly_limit, created_at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (name) DO NOTHING RETURNING ${COLUMNS}`;
const SET_PLAN = `UPDATE accounts SET plan = ?, daily_limit = ?, monthly_limit = ? WHERE name = ? RETURNING ${COLUMNS}`;

export function createAccounts({ query, transaction }: Runner, now: () => Date): Accounts {
  return {
    create: async (name, plan, limits = UNLIMITED) =>
      transaction('keys', create({ name, plan, own: checked(plan, limits) }, now().toISOString())),
    find: async (name) => {
      const row = await query(first<Row>(BY_NAME, name));
      return row && toAccount(row);
    },
    list: async () => (await query(all<Row>(`SELECT ${COLUMNS} FROM accounts ORDER BY id`))).map(toAccount),
    setPlan: async (name, plan, limits = UNLIMITED) =>
      transaction('keys', setPlan({ name, plan, own: checked(plan, limits) }, now().toISOString())),
  };
}

function* create({ name, plan, own }: PlanAndLimits, at: string): SqlProgram<Account> {
  const row = yield* first<Row>(INSERT, name, plan, ...own, at);
  if (row === undefined) {
    const message = 'An account of this name exists already; change its plan, or use another name.';
    throw new ServiceError('invalid_parameter', message);
  }
  const made = toAccount(row);
  yield* note('account.create', at, { after: made });
  return made;
}

function* setPlan({ name, plan, own }: PlanAndLimits, at: string): SqlProgram<Account | undefined> {
  const before = yield* first<Row>(BY_NAME, name);
  const row = yield* first<Row>(SET_PLAN, plan, ...own, name);
  if (before === undefined || row === undefined) return undefined;
  const after = toAccount(row);
  yield* note('account.set-plan', at, { before: toAccount(before), after });
  return after;
}

const note = (action: string, at: string, { before, after }: { before?: Account; after: Account }): SqlProgram<void> =>
  appendAuditEntry({ author: OPERATOR, at, action, type: 'accounts', id: after.id, ...statesOf(before, after) });

const toAccount = ({ daily_limit, monthly_limit, created_at, ...row }: Row): Account => ({
  ...row,
  limits: limitsOf(row.plan, { daily: daily_limit, monthly: monthly_limit }),
  created_at,
});

/** Validates custom limits. Throws `invalid_parameter` if the plan does not allow them. */
function checked(plan: PlanName, { daily, monthly }: Limits): OwnLimits {
  const custom = [daily, monthly].filter((limit) => limit !== null);
  if (plan !== 'enterprise' && custom.length > 0)
    throw new ServiceError('invalid_parameter', 'limits: only the plan enterprise has limits of its own');
  if (custom.some((limit) => !Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX))
    throw new ServiceError('invalid_parameter', `limits must be whole numbers from 1 to ${LIMIT_MAX}`);
  return [daily, monthly];
}
