import * as z from 'zod';
import { isoDate, parseNumber } from '../contract/fields.ts';
import { KEY_LEVELS, OVERLAPS, type Overlap, readKeyFields } from '../contract/keys.ts';
import { PLAN_NAMES, type PlanName } from '../contract/plans.ts';
import { shellWord } from '../contract/shell-word.ts';
import type { ListedKey, MadeKey } from '../store/port/access.ts';
import type { Store } from '../store/store.ts';
import { noAccount, printPlan } from './account.ts';
import { type Command, type CommandGroup, type Flag, type Invocation, option, YES_FLAG } from './command.ts';
import { ConfigError, UsageError } from './config.ts';
import { withStore } from './configured-store.ts';
import { readFlags } from './flags.ts';
import { confirm, print, printable, printJson, printTable, printToStderr, shownTime } from './output.ts';

const AUTHOR = 'operator';
/** Default overlap, so that programs do not stop at once after a rotation. */
const OVERLAP_DEFAULT: Overlap = '24h';
const CREATE = 'web3-bi key create --account acme --plan api_access --name laptop --level read';
const KEY_OF: Flag = option('NAME', 'Account to which the key must belong.');

const create: Command = {
  usage: 'key create --account NAME --name NAME',
  about: 'Create a key. Its secret is shown only once.',
  example: CREATE,
  flags: {
    account: option('NAME', 'Account of the key.', { required: true }),
    name: option('NAME', 'Name of the key.', { required: true }),
    level: option('LEVEL', 'Access level; each includes the previous ones.', { choices: KEY_LEVELS, default: 'read' }),
    plan: option('PLAN', 'Create a missing account with this plan.', { choices: PLAN_NAMES }),
    expires: option('DATE', 'Day or time from which it is refused, such as 2027-01-31.'),
    allow: option('ADDRESS', 'Address or range it may be used from, such as 10.0.0.0/8; repeatable.', {
      multiple: true,
    }),
  },
  createsDatabase: true,
  run: ({ settings, flags }) => {
    // Validate before anything is created.
    const { account, plan, name, level, expires, allow } = flags;
    const expires_at = momentOf(expires);
    const body = { name, level, allowed_cidrs: allow, ...(expires_at && { expires_at }) };
    const fields = readFlags((raw) => readKeyFields({ expires_at: null, ...raw }), body, FLAG_OF);
    return withStore(settings, async (store) => {
      await findOrCreate(store, String(account), plan as PlanName | undefined);
      const made = await store.keys.create({ ...fields, account: String(account), created_by: AUTHOR });
      showMade(made, flags['json'] === true);
    });
  },
};

const FLAG_OF = { expires_at: 'expires', allowed_cidrs: 'allow' };

const list: Command = {
  usage: 'key list',
  about: 'List keys with their counts, last use and state.',
  example: 'web3-bi key list --account acme',
  flags: {
    account: option('NAME', 'Only keys of this account.'),
  },
  run: ({ settings, flags }) =>
    withStore(settings, async (store) => {
      const account = flags['account'] as string | undefined;
      if (account !== undefined && (await store.accounts.find(account)) === undefined) throw noAccount(account);
      const keys = await store.keys.list(account);
      if (flags['json'] === true) printJson(keys);
      else if (keys.length === 0) printToStderr(`No keys; make one, such as: ${CREATE}`);
      else
        printTable([HEADING, ...keys.map(cellsOf)], {
          whole: ['ID', 'STATUS'],
          dropped: ['MONTH', 'TODAY', 'LAST USED'],
        });
    }),
};

const rotate: Command = {
  usage: 'key rotate ID',
  about: 'Replace the secret of a key; its properties are kept.',
  example: 'web3-bi key rotate 3 --overlap 1h',
  flags: {
    overlap: option('TIME', 'How long the old key still works.', { choices: OVERLAPS, default: OVERLAP_DEFAULT }),
    account: KEY_OF,
    yes: YES_FLAG,
  },
  run: (invocation) =>
    change('rotate', invocation, async (store, key) => {
      const overlap = invocation.flags['overlap'] as Overlap;
      if (overlap === '0') await confirm(`End ${titleOf(key)} now? Requests with it are refused.`, invocation.flags);
      const made = await store.keys.rotate(key.id, { overlap, created_by: AUTHOR }, key.account);
      if (made === undefined) throw noKey(String(key.id), undefined);
      showMade(made, invocation.flags['json'] === true);
      printToStderr(`Key ${made.rotated_from} ${overlap === '0' ? 'no longer works' : `works for ${overlap} more`}.`);
    }),
};

const revoke: Command = {
  usage: 'key revoke ID',
  about: 'Revoke a key permanently. Terminals show a confirmation.',
  example: 'web3-bi key revoke 3',
  flags: { account: KEY_OF, yes: YES_FLAG },
  run: (invocation) =>
    change('revoke', invocation, async (store, key) => {
      await confirm(`Revoke ${titleOf(key)}? Requests with it are refused from now on.`, invocation.flags);
      const revoked = await store.keys.revoke(key.id, key.account);
      if (revoked === undefined) throw noKey(String(key.id), undefined);
      if (invocation.flags['json'] === true) printJson(revoked);
      else print(`Key ${revoked.id} (${printable(revoked.name)}) is revoked.`);
    }),
};

export const command: CommandGroup = {
  about: 'API keys. The secret of a key is shown once, at creation.',
  actions: { create, list, rotate, revoke },
  defaultAction: 'list',
};

async function findOrCreate(store: Store, account: string, plan: PlanName | undefined): Promise<void> {
  const known = await store.accounts.find(account);
  if (known !== undefined) {
    if (plan === undefined || plan === known.plan) return;
    throw new ConfigError(
      `The account ${account} has the plan ${known.plan}; to change it: web3-bi account set-plan ${shellWord(account)} ${plan}`,
    );
  }
  if (plan === undefined) throw noAccount(account, '; add --plan to make it');
  await store.accounts.create(account, plan);
}

function showMade({ secret, id, ...record }: MadeKey, isJson: boolean): void {
  if (isJson) {
    printJson({ id, key: secret, ...record });
    return;
  }
  print(secret);
  printToStderr(`Key ${id} (${printable(record.name)}, ${record.level}) of ${record.account}. It is shown only now.`);
  printPlan({ name: record.account, plan: record.plan });
}

async function change(
  action: string,
  { settings, flags, positionals: [id] }: Invocation,
  work: (store: Store, key: ListedKey) => Promise<void>,
): Promise<void> {
  if (id === undefined) throw new UsageError(`Which key? Give its number, such as: web3-bi key ${action} 3`);
  return withStore(settings, async (store) => {
    const account = flags['account'] as string | undefined;
    if (parseNumber(id) === undefined)
      throw new UsageError(`The number of a key is wanted, such as: web3-bi key ${action} 3`);
    const key = (await store.keys.list(account)).find((each) => String(each.id) === id);
    if (key === undefined) throw noKey(id, account);
    await work(store, key);
  });
}

function noKey(id: string, account: string | undefined): ConfigError {
  return new ConfigError(
    `There is no key ${id}${account === undefined ? '' : ` of ${account}`}. To list the keys: web3-bi key list`,
  );
}

const titleOf = ({ id, name, level, account }: ListedKey): string => `key ${id} (${name}, ${level}) of ${account}`;

const HEADING = ['ID', 'ACCOUNT', 'NAME', 'LEVEL', 'KEY', 'TODAY', 'MONTH', 'LAST USED', 'STATUS'];

function cellsOf(key: ListedKey): string[] {
  const { id, account, name, level, display, requests_today, requests_this_month, last_used_at } = key;
  const counts = [requests_today, requests_this_month].map(String);
  const used = last_used_at === null ? 'never' : shownTime(last_used_at);
  return [String(id), account, name, level, display, ...counts, used, statusOf(key)];
}

function statusOf({ status, revoked_at, overlap_ends_at, expires_at }: ListedKey): string {
  const at = (moment: string | null): string => shownTime(moment ?? '');
  if (status === 'revoked')
    return revoked_at === null ? `replaced ${at(overlap_ends_at)}` : `revoked ${at(revoked_at)}`;
  if (status === 'replaced') return `replaced, works until ${at(overlap_ends_at)}`;
  if (status === 'expired') return `expired ${at(expires_at)}`;
  return expires_at === null ? 'active' : `active until ${at(expires_at)}`;
}

const dateOrTime = z.union([isoDate, z.iso.datetime({ offset: true })]);

function momentOf(flag: unknown): string | undefined {
  if (flag === undefined) return undefined;
  // `Date` alone would read February 30 as March 2.
  if (!dateOrTime.safeParse(flag).success)
    throw new UsageError('--expires must be a date, such as 2027-01-31 or 2027-01-31T12:00:00Z.');
  const moment = new Date(String(flag));
  if (moment.getTime() <= Date.now()) throw new UsageError('--expires must lie in the future.');
  return moment.toISOString();
}
