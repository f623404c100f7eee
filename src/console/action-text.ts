import { capitalize } from '../contract/capitalize.ts';

/** Texts of actions whose name does not explain them. */
const ACTION_TEXTS: Readonly<Record<string, string>> = {
  'account.set-plan': 'Plan set',
  create: 'Created',
  delete: 'Deleted',
  'duplicates.merge': 'Records merged',
  'duplicates.reject': 'Records kept apart',
  'duplicates.scan': 'Records compared',
  'duplicates.undo': 'Merge undone',
  'form.forged': 'Forged form refused',
  import: 'Imported',
  'import.undo': 'Import undone',
  merge: 'Changed',
  'oauth.consent': 'Access granted',
  'oauth.replay': 'Used token refused',
  'oauth.revoke': 'Access revoked',
  'person.join': 'Person joined',
  'person.password': 'Password changed',
  'person.password_refused': 'Wrong password refused',
  replace: 'Replaced',
  restore: 'Restored',
  'session.begin': 'Signed in',
  'session.end': 'Signed out',
  'session.limited': 'Too many sign-ins',
  'session.wrong': 'Wrong password',
};
const PAST: Readonly<Record<string, string>> = {
  create: 'created',
  add: 'added',
  drop: 'dropped',
  change: 'changed',
  remove: 'removed',
  revoke: 'revoked',
  rotate: 'rotated',
  withdraw: 'withdrawn',
};

/** What an entry of the audit log is about, such as `Signed in` for `session.begin`. */
export function actionText(action: string): string {
  const known = ACTION_TEXTS[action];
  if (known !== undefined) return known;
  const [subject = '', verb] = action.split('.');
  if (verb === undefined) return action;
  return capitalize(`${subject} ${PAST[verb] ?? verb.replace(/[_-]/g, ' ')}`);
}
