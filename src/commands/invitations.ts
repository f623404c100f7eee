import { OPERATOR } from '../store/port/audit.ts';
import type { Store } from '../store/store.ts';
import { printToStderr } from './output.ts';

/** Invitation for a new service; the recipient names the account. */
const FIRST_OWNER = { account: null, email: null, role: 'owner', level: 'delete', lifeMs: 24 * 3_600_000 } as const;

/** Prints an invitation for the first owner at each start until somebody can sign in. Using one invalidates the others. */
export async function inviteFirstOwner(store: Store, publicUrl: string): Promise<void> {
  if ((await store.people.count()) > 0) return;
  const { token } = await store.invitations.create({ ...FIRST_OWNER, author: OPERATOR });
  const url = invitationUrl(publicUrl, token);
  printToStderr(`There is no user yet. This link makes you the first owner, once, within a day:\n${url}`);
}

/** URL at which an invitation is accepted. */
export const invitationUrl = (publicUrl: string, token: string): string =>
  `${publicUrl.replace(/\/$/, '')}/account/invitation/${token}`;
