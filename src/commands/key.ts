import { KEY_LEVELS, KEY_NAME_LENGTH_MAX, type KeyLevel } from '../contract/keys.ts';
import { PLAN_NAMES } from '../contract/plans.ts';
import type { KeyRecord, Store } from '../store/store.ts';
import { needed, planOf } from './account.ts';
import { type Command, type Invocation, JSON_FLAG } from './command.ts';
import { ConfigError } from './config.ts';
import { print, printJson, printTable, tell } from './output.ts';
import { openLastingStore } from './storage.ts';

export const command: Command = {
  usage: 'key create|list|revoke [ID]',
  wordsMax: 2,
  about: 'API keys. The secret is shown once, when the key is made.',
  example: 'web3-bi key create --account acme --plan api_access --name laptop --level read',
  flags: {
    account: { type: 'string', value: 'NAME', description: 'Account of the key.' },
    plan: {
      type: 'string',
      value: 'PLAN',
      description: `Makes the account where it is missing: ${PLAN_NAMES.join(', ')}.`,
    },
    name: { type: 'string', value: 'NAME', description: 'Name of the key.' },
    level: { type: 'string', value: 'LEVEL', description: `One of ${KEY_LEVELS.join(', ')}; read by default.` },
    expires: {
      type: 'string',
      value: 'DATE',
      description: 'Day or time from which it is refused, such as 2027-01-31.',
    },
    json: JSON_FLAG,
  },
  settings: ['database', 'data', 'state-dir'],
  run: async (invocation) => {
    const action = actions[invocation.words[0] ?? ''];
    if (action === undefined)
      throw new ConfigError(`key needs one of ${Object.keys(actions).join(', ')}, such as: ${command.example}`);
    const store = await openLastingStore(invocation.settings);
    try {
      await action(store, invocation);
      return 0;
    } finally {
      await store.close();
    }
  },
};

const actions: Readonly<Record<string, (store: Store, invocation: Invocation) => Promise<void>>> = {
  create,
  list,
  revoke,
};

async function create(store: Store, invocation: Invocation): Promise<void> {
  const { flags } = invocation;
  const account = needed(invocation, 'account');
  const name = needed(invocation, 'name');
  if (name.length > KEY_NAME_LENGTH_MAX)
    throw new ConfigError(`--name must be at most ${KEY_NAME_LENGTH_MAX} characters.`);
  const key = { account, name, level: levelOf(flags['level']), expires_at: momentOf(flags['expires']) };
  const plan = planOf(flags['plan']);
  const known = await store.accounts.find(account);
  if (known !== undefined && plan !== undefined && plan !== known.plan) {
    throw new ConfigError(`The account ${account} has the plan ${known.plan}; account set-plan changes it.`);
  }
  if (known === undefined) {
    if (plan === undefined)
      throw new ConfigError(`There is no account ${account}; add --plan to make it, or account list shows them.`);
    await store.accounts.create(account, plan);
  }
  const { secret, id, ...record } = await store.keys.create(key);
  if (flags['json'] === true) return printJson({ id, key: secret, ...record });
  print(secret);
  tell(`Key ${id} (${record.name}, ${record.level}) of ${record.account}. This is the one time it is shown.`);
}

async function list(store: Store, { flags }: Invocation): Promise<void> {
  const keys = await store.keys.list();
  if (flags['json'] === true) return printJson(keys);
  const rows = keys.map((key) => [
    String(key.id),
    key.account,
    key.name,
    key.level,
    key.display,
    key.created_at,
    stateOf(key),
  ]);
  printTable([['ID', 'ACCOUNT', 'NAME', 'LEVEL', 'KEY', 'CREATED', 'STATE'], ...rows]);
}

async function revoke(store: Store, invocation: Invocation): Promise<void> {
  const id = invocation.words[1];
  if (id === undefined) throw new ConfigError('Which key? Give its number, such as: web3-bi key revoke 3');
  const key = /^\d+$/.test(id) ? await store.keys.revoke(Number(id)) : undefined;
  if (key === undefined) throw new ConfigError(`There is no key ${id}; key list shows them.`);
  if (invocation.flags['json'] === true) return printJson(key);
  print(`Key ${key.id} (${key.name}) is revoked.`);
}

function stateOf(key: KeyRecord): string {
  if (key.revoked_at !== null) return `revoked ${key.revoked_at}`;
  return key.expires_at === null ? 'active' : `until ${key.expires_at}`;
}

function levelOf(flag: string | boolean | undefined): KeyLevel {
  if (flag === undefined) return 'read';
  if ((KEY_LEVELS as readonly unknown[]).includes(flag)) return flag as KeyLevel;
  throw new ConfigError(`--level must be one of ${KEY_LEVELS.join(', ')}.`);
}

function momentOf(flag: string | boolean | undefined): string | null {
  if (flag === undefined) return null;
  const moment = new Date(String(flag));
  if (Number.isNaN(moment.getTime()))
    throw new ConfigError('--expires must be a date, such as 2027-01-31 or 2027-01-31T12:00:00Z.');
  if (moment.getTime() <= Date.now()) throw new ConfigError('--expires must lie in the future.');
  return moment.toISOString();
}
