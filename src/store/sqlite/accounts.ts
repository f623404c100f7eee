import { ServiceError } from '../../contract/errors.ts';
import { LIMIT_MAX, type Limits, limitsOf, type PlanName, UNLIMITED } from '../../contract/plans.ts';
import type { Account, Accounts } from '../port/access.ts';
import { OPERATOR } from '../port/audit.ts';
import { createAuditWriter, statesOf } from './audit.ts';
import type { Sqlite } from './database.ts';

interface Row extends Omit<Account, 'limits'> {
  readonly daily_limit: number | null;
  readonly monthly_limit: number | null;
}

type Own = [daily: number | null, monthly: number | null];

export function createAccounts(database: Sqlite, now: () => Date): Accounts {
  const columns = 'id, name, plan, daily_limit, monthly_limit, created_at';
  const insert = database.prepare<[string, string, ...Own, string], Row>(
    `INSERT INTO accounts (name, plan, daily_limit, monthly_limit, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (name) DO NOTHING RETURNING ${columns}`,
  );
  const byName = database.prepare<[string], Row>(`SELECT ${columns} FROM accounts WHERE name = ?`);
  const all = database.prepare<[], Row>(`SELECT ${columns} FROM accounts ORDER BY id`);
  const setPlan = database.prepare<[string, ...Own, string], Row>(
    `UPDATE accounts SET plan = ?, daily_limit = ?, monthly_limit = ? WHERE name = ? RETURNING ${columns}`,
  );
  const audit = createAuditWriter(database);
  const find = (name: string): Account | undefined => byName.all(name).map(toAccount)[0];
  const note = (action: string, after: Account, before?: Account): void =>
    audit({
      author: OPERATOR,
      at: now().toISOString(),
      action,
      type: 'accounts',
      id: after.id,
      ...statesOf(before, after),
    });

  const create = database.transaction((name: string, plan: PlanName, own: Own): Account => {
    const [row] = insert.all(name, plan, ...own, now().toISOString());
    if (row === undefined)
      throw new ServiceError(
        'invalid_parameter',
        'There is an account of this name already; change its plan, or take another name.',
      );
    const made = toAccount(row);
    note('account.create', made);
    return made;
  });
  const changePlan = database.transaction((name: string, plan: PlanName, own: Own): Account | undefined => {
    const before = find(name);
    const [after] = setPlan.all(plan, ...own, name).map(toAccount);
    if (before !== undefined && after !== undefined) note('account.set-plan', after, before);
    return after;
  });
  return {
    create: async (name, plan, limits = UNLIMITED) => create.immediate(name, plan, checked(plan, limits)),
    find: async (name) => find(name),
    list: async () => all.all().map(toAccount),
    setPlan: async (name, plan, limits = UNLIMITED) => changePlan.immediate(name, plan, checked(plan, limits)),
  };
}

function toAccount({ daily_limit, monthly_limit, created_at, ...row }: Row): Account {
  return { ...row, limits: limitsOf(row.plan, { daily: daily_limit, monthly: monthly_limit }), created_at };
}

/** Limits of an account's own; throws for those that its plan does not let it have. */
function checked(plan: PlanName, { daily, monthly }: Limits): Own {
  const given = [daily, monthly].filter((limit) => limit !== null);
  if (plan !== 'enterprise' && given.length > 0) {
    throw new ServiceError('invalid_parameter', 'limits: only the plan enterprise has limits of its own');
  }
  if (given.some((limit) => !Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX)) {
    throw new ServiceError('invalid_parameter', `limits must be whole numbers from 1 to ${LIMIT_MAX}`);
  }
  return [daily, monthly];
}
