import * as z from 'zod';
import { KEY_LEVELS } from '../contract/keys.ts';
import { emailText, ROLES, standing } from '../contract/people.ts';
import { LIMIT_MAX, type Limits, PLAN_NAMES, PLANS, type PlanName } from '../contract/plans.ts';
import type { Account } from '../store/port/access.ts';
import { OPERATOR } from '../store/port/audit.ts';
import type { Store } from '../store/store.ts';
import { type Command, type Invocation, JSON_FLAG } from './command.ts';
import { ConfigError } from './config.ts';
import { invitationUrl } from './invitations.ts';
import { print, printJson, printTable, tell } from './output.ts';
import { openLastingStore } from './storage.ts';

export const command: Command = {
  usage: 'account create|list|set-plan|invite [NAME] [PLAN]',
  wordsMax: 3,
  about: 'Accounts, their plans and limits, and links with which people join them.',
  example: 'web3-bi account set-plan acme enterprise --daily 50000',
  flags: {
    name: { type: 'string', value: 'NAME', description: 'Name of the account.' },
    plan: { type: 'string', value: 'PLAN', description: `One of ${PLAN_NAMES.join(', ')}.` },
    daily: { type: 'string', value: 'N', description: 'Requests a key a UTC day; for the plan enterprise.' },
    monthly: { type: 'string', value: 'N', description: 'Requests a key a UTC month; for the plan enterprise.' },
    email: { type: 'string', value: 'EMAIL', description: 'Who is invited; without it, whoever has the link.' },
    role: { type: 'string', value: 'ROLE', description: `Of who is invited: ${ROLES.join(', ')}; owner by default.` },
    level: {
      type: 'string',
      value: 'LEVEL',
      description: `Of an invited member: ${KEY_LEVELS.join(', ')}; read by default.`,
    },
    json: JSON_FLAG,
  },
  settings: ['database', 'data', 'state-dir', 'host', 'port', 'public-url'],
  run: async (invocation) => {
    const [word = ''] = invocation.words;
    const action = actions[word];
    if (action === undefined && word !== 'invite')
      throw new ConfigError(
        `account needs one of ${Object.keys(actions).join(', ')}, invite, such as: ${command.example}`,
      );
    const store = await openLastingStore(invocation.settings);
    try {
      if (action === undefined) await invite(store, invocation);
      else show(await action(store, invocation), invocation.flags['json'] === true);
      return 0;
    } finally {
      await store.close();
    }
  },
};

const INVITATION_LIFE_MS = 7 * 24 * 3_600_000;
const inviting = z.object({
  email: emailText.nullable(),
  role: standing.shape.role.default('owner'),
  level: standing.shape.level.default('read'),
});

type Action = (store: Store, invocation: Invocation) => Promise<Account | readonly Account[]>;

const actions: Readonly<Record<string, Action>> = {
  create: (store, invocation) =>
    store.accounts.create(nameOf(invocation), planOf(planWord(invocation)) ?? 'none', limitsOf(invocation)),
  list: (store) => store.accounts.list(),
  'set-plan': async (store, invocation) => {
    const name = nameOf(invocation);
    const plan = planOf(planWord(invocation));
    if (plan === undefined) throw new ConfigError(`Which plan? One of ${PLAN_NAMES.join(', ')}.`);
    const changed = await store.accounts.setPlan(name, plan, limitsOf(invocation));
    if (changed === undefined) throw new ConfigError(`There is no account ${name}; account list shows them.`);
    return changed;
  },
};

/** Makes a link with which somebody joins an account: the way in for its first owner, and for one who forgot the password. */
async function invite(store: Store, invocation: Invocation): Promise<void> {
  const { flags, settings } = invocation;
  const account = nameOf(invocation);
  const read = inviting.safeParse({ email: flags['email'] ?? null, role: flags['role'], level: flags['level'] });
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new ConfigError(`--${String(issue?.path[0])} cannot be this; --help says what it can be.`);
  }
  if ((await store.accounts.find(account)) === undefined)
    throw new ConfigError(`There is no account ${account}; account list shows them, account create makes one.`);
  const made = await store.invitations.create({ ...read.data, account, lifeMs: INVITATION_LIFE_MS, author: OPERATOR });
  const { token, ...invitation } = made;
  const url = invitationUrl(settings.public_url ?? `http://${settings.host}:${settings.port}`, token);
  if (flags['json'] === true) return printJson({ ...invitation, url });
  print(url);
  tell(`It works once, until ${made.expires_at}, and is shown this one time.`);
}

/** The account, as a word or as a flag. */
function nameOf(invocation: Invocation): string {
  const name = wordOr(invocation, 1, 'name');
  if (name === undefined || name.trim() === '') throw new ConfigError('--name is needed here.');
  return name;
}

const planWord = (invocation: Invocation): string | undefined => wordOr(invocation, 2, 'plan');

function wordOr({ words, flags }: Invocation, place: number, flag: string): string | undefined {
  const word = words[place];
  const value = flags[flag] as string | undefined;
  if (word !== undefined && value !== undefined && word !== value)
    throw new ConfigError(`${word} and --${flag} ${value} say different things; give one of them.`);
  return word ?? value;
}

function limitsOf({ flags }: Invocation): Limits {
  return { daily: limitOf('daily', flags['daily']), monthly: limitOf('monthly', flags['monthly']) };
}

function limitOf(flag: string, value: string | boolean | undefined): number | null {
  if (value === undefined) return null;
  const limit = /^\d{1,10}$/.test(String(value)) ? Number(value) : 0;
  if (limit < 1 || limit > LIMIT_MAX)
    throw new ConfigError(`--${flag} must be a whole number from 1 to ${LIMIT_MAX}; without it there is no limit.`);
  return limit;
}

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
  if (rows.length === 0) {
    tell('No accounts; make one, such as: web3-bi account create acme api_access');
    return;
  }
  printTable([
    ['ID', 'NAME', 'PLAN', 'A DAY', 'A MONTH', 'CREATED'],
    ...rows.map(({ id, name, plan, limits, created_at }) => [
      String(id),
      name,
      PLANS[plan].label,
      String(limits.daily ?? 'no limit'),
      String(limits.monthly ?? 'no limit'),
      created_at,
    ]),
  ]);
  if (!Array.isArray(answer)) tellOfPlan(rows[0] as Account);
}

/** Says what an account without a plan means for its keys. */
export function tellOfPlan({ name, plan }: Pick<Account, 'name' | 'plan'>): void {
  if (PLANS[plan].hasApi) return;
  tell(`Keys of ${name} are refused until it has a plan: web3-bi account set-plan ${name} api_access`);
}
