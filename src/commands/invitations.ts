import { OPERATOR } from '../store/port/audit.ts';
import type { Store } from '../store/store.ts';
import { tell } from './output.ts';

/** Of a new service; who opens the link names the account. */
const FIRST_OWNER = { account: null, email: null, role: 'owner', level: 'delete', lifeMs: 24 * 3_600_000 } as const;

/** While nobody can sign in, each start shows a link that makes the first owner; the first that is used ends the others. */
export async function inviteFirstOwner(store: Store, publicUrl: string): Promise<void> {
  if ((await store.people.count()) > 0) return;
  const { token } = await store.invitations.create({ ...FIRST_OWNER, author: OPERATOR });
  const url = invitationUrl(publicUrl, token);
  tell(`Nobody can sign in yet. Open this link once, within a day, to become the first owner:\n${url}`);
}

/** Where an invitation is accepted. */
export const invitationUrl = (publicUrl: string, token: string): string =>
  `${publicUrl.replace(/\/$/, '')}/account/invitation/${token}`;
