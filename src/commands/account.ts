import { PLAN_NAMES, PLANS, type PlanName } from '../contract/plans.ts';
import type { Account, Store } from '../store/store.ts';
import { type Command, type Invocation, JSON_FLAG } from './command.ts';
import { ConfigError } from './config.ts';
import { printJson, printTable } from './output.ts';
import { openLastingStore } from './storage.ts';

export const command: Command = {
  usage: 'account create|list|set-plan',
  wordsMax: 1,
  about: 'Accounts and their plans.',
  example: 'web3-bi account create --name acme --plan api_access',
  flags: {
    name: { type: 'string', value: 'NAME', description: 'Name of the account.' },
    plan: { type: 'string', value: 'PLAN', description: `One of ${PLAN_NAMES.join(', ')}.` },
    json: JSON_FLAG,
  },
  settings: ['database', 'data', 'state-dir'],
  run: async (invocation) => {
    const action = actions[invocation.words[0] ?? ''];
    if (action === undefined)
      throw new ConfigError(`account needs one of ${Object.keys(actions).join(', ')}, such as: ${command.example}`);
    const store = await openLastingStore(invocation.settings);
    try {
      show(await action(store, invocation), invocation.flags['json'] === true);
      return 0;
    } finally {
      await store.close();
    }
  },
};

type Action = (store: Store, invocation: Invocation) => Promise<Account | readonly Account[]>;

const actions: Readonly<Record<string, Action>> = {
  create: (store, invocation) =>
    store.accounts.create(needed(invocation, 'name'), planOf(invocation.flags['plan']) ?? 'none'),
  list: (store) => store.accounts.list(),
  'set-plan': async (store, invocation) => {
    const name = needed(invocation, 'name');
    const changed = await store.accounts.setPlan(name, planOf(needed(invocation, 'plan')) ?? 'none');
    if (changed === undefined) throw new ConfigError(`There is no account ${name}; account list shows them.`);
    return changed;
  },
};

/** A flag that the action cannot do without. */
export function needed({ flags }: Invocation, flag: string): string {
  const value = flags[flag];
  if (typeof value !== 'string' || value.trim() === '') throw new ConfigError(`--${flag} is needed here.`);
  return value;
}

/** The plan of a flag, or undefined when it is not given. */
export function planOf(flag: string | boolean | undefined): PlanName | undefined {
  if (flag === undefined) return undefined;
  if ((PLAN_NAMES as readonly unknown[]).includes(flag)) return flag as PlanName;
  throw new ConfigError(`--plan must be one of ${PLAN_NAMES.join(', ')}.`);
}

function show(answer: Account | readonly Account[], isJson: boolean): void {
  if (isJson) {
    printJson(answer);
    return;
  }
  const rows = [answer].flat() as Account[];
  printTable([
    ['ID', 'NAME', 'PLAN', 'CREATED'],
    ...rows.map(({ id, name, plan, created_at }) => [String(id), name, PLANS[plan].label, created_at]),
  ]);
}
