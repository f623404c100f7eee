import { KEY_LEVELS, OVERLAPS, type Overlap, readKeyFields } from '../contract/keys.ts';
import { PLAN_NAMES } from '../contract/plans.ts';
import type { ListedKey, MadeKey } from '../store/port/access.ts';
import type { Store } from '../store/store.ts';
import { needed, planOf, tellOfPlan } from './account.ts';
import { type Command, type Invocation, JSON_FLAG } from './command.ts';
import { ConfigError } from './config.ts';
import { print, printJson, printTable, tell } from './output.ts';
import { openLastingStore } from './storage.ts';

const AUTHOR = 'operator';
/** Long enough that nobody who rotates without a thought stops a program. */
const OVERLAP_DEFAULT: Overlap = '24h';

export const command: Command = {
  usage: 'key create|list|rotate|revoke [ID]',
  wordsMax: 2,
  about: 'API keys. The secret is shown once, when the key is made.',
  example: 'web3-bi key create --account acme --plan api_access --name laptop --level read',
  flags: {
    account: { type: 'string', value: 'NAME', description: 'Account of the key; list and the others keep to it.' },
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
    allow: {
      type: 'string',
      value: 'ADDRESS',
      multiple: true,
      description: 'Address or range it may be used from, such as 10.0.0.0/8; can be given again.',
    },
    overlap: {
      type: 'string',
      value: 'TIME',
      description: `How long a rotated key still works: ${OVERLAPS.join(', ')}; ${OVERLAP_DEFAULT} by default.`,
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
  rotate,
  revoke,
};

async function create(store: Store, invocation: Invocation): Promise<void> {
  const { flags } = invocation;
  const account = needed(invocation, 'account');
  // Read before the account is made, so that a mistake leaves nothing behind.
  const fields = readKeyFields({
    name: needed(invocation, 'name'),
    level: flags['level'] ?? 'read',
    expires_at: momentOf(flags['expires']),
    allowed_cidrs: flags['allow'],
  });
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
  const made = await store.keys.create({ ...fields, account, created_by: AUTHOR });
  showMade(made, flags['json'] === true);
}

function showMade({ secret, id, ...record }: MadeKey, isJson: boolean): void {
  if (isJson) {
    printJson({ id, key: secret, ...record });
    return;
  }
  print(secret);
  tell(`Key ${id} (${record.name}, ${record.level}) of ${record.account}. This is the one time it is shown.`);
  tellOfPlan({ name: record.account, plan: record.plan });
}

async function list(store: Store, { flags }: Invocation): Promise<void> {
  const account = flags['account'] as string | undefined;
  if (account !== undefined && (await store.accounts.find(account)) === undefined)
    throw new ConfigError(`There is no account ${account}; account list shows them.`);
  const keys = await store.keys.list(account);
  if (flags['json'] === true) return printJson(keys);
  if (keys.length === 0) return tell(`No keys; make one, such as: ${command.example}`);
  const rows = keys.map((key) => [
    String(key.id),
    key.account,
    key.name,
    key.level,
    key.display,
    String(key.requests_today),
    String(key.requests_this_month),
    key.last_used_at ?? 'never',
    statusOf(key),
  ]);
  printTable([['ID', 'ACCOUNT', 'NAME', 'LEVEL', 'KEY', 'TODAY', 'MONTH', 'LAST USED', 'STATUS'], ...rows]);
}

async function rotate(store: Store, invocation: Invocation): Promise<void> {
  const { flags } = invocation;
  const overlap = overlapOf(flags['overlap']);
  const made = await changed(invocation, (id, account) =>
    store.keys.rotate(id, { overlap, created_by: AUTHOR }, account),
  );
  showMade(made, flags['json'] === true);
  tell(`Key ${made.rotated_from} ${overlap === '0' ? 'works no more' : `works for ${overlap} more`}.`);
}

async function revoke(store: Store, invocation: Invocation): Promise<void> {
  const key = await changed(invocation, (id, account) => store.keys.revoke(id, account));
  if (invocation.flags['json'] === true) return printJson(key);
  print(`Key ${key.id} (${key.name}) is revoked.`);
}

/** What became of the key whose number was typed. */
async function changed<Key>(
  { words: [action = '', id], flags }: Invocation,
  change: (id: number, account: string | undefined) => Promise<Key | undefined>,
): Promise<Key> {
  if (id === undefined) throw new ConfigError(`Which key? Give its number, such as: web3-bi key ${action} 3`);
  const account = flags['account'] as string | undefined;
  const key = /^\d+$/.test(id) ? await change(Number(id), account) : undefined;
  const whose = account === undefined ? '' : ` of ${account}`;
  if (key === undefined) throw new ConfigError(`There is no key ${id}${whose}; key list shows them.`);
  return key;
}

function statusOf({ status, revoked_at, overlap_ends_at, expires_at }: ListedKey): string {
  if (status === 'revoked') return revoked_at === null ? `replaced ${overlap_ends_at}` : `revoked ${revoked_at}`;
  if (status === 'replaced') return `replaced, works until ${overlap_ends_at}`;
  if (status === 'expired') return `expired ${expires_at}`;
  return expires_at === null ? 'active' : `active until ${expires_at}`;
}

function overlapOf(flag: string | boolean | undefined): Overlap {
  const overlap = OVERLAPS.find((name) => name === (flag ?? OVERLAP_DEFAULT));
  if (overlap === undefined) throw new ConfigError(`--overlap must be one of ${OVERLAPS.join(', ')}.`);
  return overlap;
}

function momentOf(flag: string | boolean | undefined): string | null {
  if (flag === undefined) return null;
  const moment = new Date(String(flag));
  if (Number.isNaN(moment.getTime()))
    throw new ConfigError('--expires must be a date, such as 2027-01-31 or 2027-01-31T12:00:00Z.');
  if (moment.getTime() <= Date.now()) throw new ConfigError('--expires must lie in the future.');
  return moment.toISOString();
}
