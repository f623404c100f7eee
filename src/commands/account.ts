import * as z from 'zod';
import { KEY_LEVELS } from '../contract/keys.ts';
import { emailText, ROLES, standing } from '../contract/members.ts';
import { LIMIT_MAX, type Limits, PLAN_NAMES, PLANS, type PlanName } from '../contract/plans.ts';
import { createReader } from '../contract/reader.ts';
import { countText } from '../contract/value-text.ts';
import type { Account } from '../store/port/access.ts';
import { OPERATOR } from '../store/port/audit.ts';
import type { Store } from '../store/store.ts';
import { openableUrl } from './banner.ts';
import {
  COMMON_SETTINGS,
  type Command,
  type CommandGroup,
  type Flag,
  type Invocation,
  numberOption,
  option,
  YES_FLAG,
} from './command.ts';
import { ConfigError, UsageError } from './config.ts';
import { withStore } from './configured-store.ts';
import { readFlags } from './flags.ts';
import { confirm, print, printJson, printTable, printToStderr, shownTime } from './output.ts';
import { didYouMean } from './suggest.ts';

/** Invitation for a new service; the recipient names the account. */
const FIRST_OWNER = { account: null, email: null, role: 'owner', level: 'delete', lifeMs: 24 * 3_600_000 } as const;

/** A link for the first owner, made at each start until somebody can sign in. Using one invalidates the others. */
export async function inviteFirstOwner(store: Store, publicUrl: string): Promise<string | undefined> {
  if ((await store.members.count()) > 0) return undefined;
  const { token } = await store.invitations.create({ ...FIRST_OWNER, author: OPERATOR });
  return invitationUrl(publicUrl, token);
}

const invitationUrl = (publicUrl: string, token: string): string =>
  `${openableUrl(publicUrl)}/account/invitation/${token}`;

const NAME: Flag = option('NAME', 'Name of the account, in place of NAME.');
const PLAN: Flag = option('PLAN', 'Plan, in place of PLAN.', { choices: PLAN_NAMES });
const LIMITS = {
  daily: numberOption('Requests a key a UTC day, of the plan enterprise; without it any number.', { max: LIMIT_MAX }),
  monthly: numberOption('Requests a key a UTC month, of the plan enterprise; without it any number.', {
    max: LIMIT_MAX,
  }),
} as const satisfies Record<string, Flag>;

const create: Command = {
  usage: 'account create NAME [PLAN]',
  about: 'Create an account. Its keys work once it has a plan.',
  example: 'web3-bi account create acme api_access',
  flags: { name: NAME, plan: PLAN, ...LIMITS },
  createsDatabase: true,
  run: async (invocation) => {
    const name = nameOf(invocation, create);
    const plan = planOf(invocation) ?? 'none';
    const limits = limitsOf(invocation);
    return withStore(invocation.settings, async ({ accounts }) =>
      showChanged(await accounts.create(name, plan, limits), invocation),
    );
  },
};

const list: Command = {
  usage: 'account list',
  about: 'List accounts with their plans and limits.',
  example: 'web3-bi account list --json',
  run: ({ settings, flags }) =>
    withStore(settings, async ({ accounts }) => {
      const shown = await accounts.list();
      if (flags['json'] === true) printJson(shown);
      else if (shown.length === 0)
        printToStderr('No accounts; make one, such as: web3-bi account create acme api_access');
      else printTable([HEADING, ...shown.map(cellsOf)]);
    }),
};

const setPlan: Command = {
  usage: 'account set-plan NAME PLAN',
  about: 'Change the plan and the limits of an account, at once and for all of its keys.',
  example: 'web3-bi account set-plan acme enterprise --daily 50000',
  flags: { name: NAME, plan: PLAN, ...LIMITS, yes: YES_FLAG },
  run: async (invocation) => {
    const name = nameOf(invocation, setPlan);
    const plan = planOf(invocation);
    if (plan === undefined) throw new UsageError(`Which plan? One of ${PLAN_NAMES.join(', ')}.`);
    const limits = limitsOf(invocation);
    return withStore(invocation.settings, async ({ accounts }) => {
      const known = await accounts.find(name);
      if (known !== undefined && PLANS[known.plan].hasApi && !PLANS[plan].hasApi)
        await confirm(`Remove the plan of ${name}? All of its keys are refused from now on.`, invocation.flags);
      const changed = await accounts.setPlan(name, plan, limits);
      if (changed === undefined) throw noAccount(name);
      return showChanged(changed, invocation);
    });
  },
};

const INVITATION_LIFE_MS = 7 * 24 * 3_600_000;
const readInviting = createReader(
  z.object({ email: emailText.optional(), role: standing.shape.role, level: standing.shape.level }),
  'arguments',
);

/** Creates an invitation link: the entry of an account's first owner, and the way to reset a forgotten password. */
const invite: Command = {
  usage: 'account invite NAME',
  about: 'Create a link with which a person joins an account or resets a password.',
  example: 'web3-bi account invite acme --email ada@example.com --role member --level write',
  flags: {
    name: NAME,
    email: option('EMAIL', 'Email of the invited person; without it, anyone with the link can accept.'),
    role: option('ROLE', 'Role in the account.', { choices: ROLES, default: 'owner' }),
    level: option('LEVEL', 'Access level of a member; an owner has every level.', {
      choices: KEY_LEVELS,
      default: 'read',
    }),
  },
  settings: [...COMMON_SETTINGS, 'host', 'port', 'public-url'],
  run: async (invocation) => {
    const { flags, settings } = invocation;
    const account = nameOf(invocation, invite);
    const { email = null, ...others } = readFlags(readInviting, {
      email: flags['email'],
      role: flags['role'],
      level: flags['level'],
    });
    return withStore(settings, async (store) => {
      if ((await store.accounts.find(account)) === undefined)
        throw noAccount(account, '; web3-bi account create makes one');
      const invitation = { ...others, email, account, lifeMs: INVITATION_LIFE_MS, author: OPERATOR };
      const { token, ...made } = await store.invitations.create(invitation);
      const url = invitationUrl(settings.public_url ?? `http://${settings.host}:${settings.port}`, token);
      if (flags['json'] === true) printJson({ ...made, url });
      else {
        print(url);
        printToStderr(`It works once, until ${shownTime(made.expires_at)}, and is shown this one time.`);
      }
    });
  },
};

export const command: CommandGroup = {
  about: 'Accounts, their plans and limits, and links with which people join them.',
  actions: { create, list, 'set-plan': setPlan, invite },
  defaultAction: 'list',
};

export const noAccount = (name: string, remedy = ''): ConfigError =>
  new ConfigError(`There is no account ${name}${remedy}. To list the accounts: web3-bi account list`);

function nameOf(invocation: Invocation, { usage, example }: Command): string {
  const name = argumentOr(invocation, 0, 'name');
  if (name === undefined || name.trim() === '')
    throw new UsageError(`${usage.replace(/ NAME.*/, '')} needs a NAME, such as: ${example}`);
  return name;
}

function planOf(invocation: Invocation): PlanName | undefined {
  const plan = argumentOr(invocation, 1, 'plan');
  if (plan === undefined || (PLAN_NAMES as readonly string[]).includes(plan)) return plan as PlanName | undefined;
  throw new UsageError(`PLAN must be one of ${PLAN_NAMES.join(', ')}.${didYouMean(plan, PLAN_NAMES)}`);
}

function argumentOr({ positionals, flags }: Invocation, index: number, flag: string): string | undefined {
  const argument = positionals[index];
  const value = flags[flag] as string | undefined;
  if (argument !== undefined && value !== undefined && argument !== value)
    throw new UsageError(`${argument} and --${flag} ${value} contradict each other; give one of them.`);
  return argument ?? value;
}

function limitsOf({ flags }: Invocation): Limits {
  const { daily = null, monthly = null } = flags as { daily?: number; monthly?: number };
  return { daily, monthly };
}

const HEADING = ['ID', 'NAME', 'PLAN', 'A DAY', 'A MONTH', 'CREATED'];

function cellsOf({ id, name, plan, limits, created_at }: Account): string[] {
  const allowed = [limits.daily, limits.monthly].map((limit) => (limit === null ? 'no limit' : countText(limit)));
  return [String(id), name, PLANS[plan].label, ...allowed, shownTime(created_at)];
}

function showChanged(account: Account, { flags }: Invocation): void {
  if (flags['json'] === true) printJson(account);
  else {
    printTable([HEADING, cellsOf(account)]);
    printPlan(account);
  }
}

/** Warns that the keys of an account without a plan are refused. */
export function printPlan({ name, plan }: Pick<Account, 'name' | 'plan'>): void {
  if (PLANS[plan].hasApi) return;
  printToStderr(`Keys of ${name} are refused until it has a plan: web3-bi account set-plan ${name} api_access`);
}
