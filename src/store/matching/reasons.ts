import type { NamedType } from '../../contract/entities/index.ts';
import { foldName } from '../../contract/names.ts';
import { accountOf, type Fields, type MatchRule, namesOf } from './matcher.ts';
import { ownSite, plainName } from './resolver.ts';

type Shared = (type: NamedType, left: Fields, right: Fields) => string | null;

/** The name of both, and which of them has it as an alias; null if it is the name of both records. */
const sharedName: Shared = (type, left, right) => {
  const fold = type === 'companies' || type === 'investors' ? plainName : foldName;
  const [names, others] = [namesOf(left), namesOf(right)];
  const own = names.find((name) => others.some((other) => fold(other) === fold(name)));
  if (own === undefined) return null;
  const [isName, isOtherName] = [own === names[0], fold(others[0]) === fold(own)];
  if (isName && isOtherName) return foldName(names[0]) === foldName(others[0]) ? null : `${names[0]} and ${others[0]}`;
  if (!isName && !isOtherName) return `both are also called “${own}”`;
  return `“${isName ? names[0] : others[0]}” is an alias of ${isName ? others[0] : names[0]}`;
};

const sharedAccount: Shared = (_, left, right) => {
  for (const [field, network] of [['twitter', 'X'] as const, ['github', 'GitHub'] as const]) {
    const account = accountOf(left[field]);
    if (account !== null && account === accountOf(right[field])) return `${account} on ${network}`;
  }
  return null;
};

const sharedSite: Shared = (_, ...records) => {
  const [domain, other] = records.map((fields) => ownSite(namesOf(fields), String(fields['website'] ?? ''))?.domain);
  return domain !== undefined && domain === other ? domain : null;
};

const REASONS: Readonly<Record<MatchRule | 'chosen', readonly [string, Shared?]>> = {
  domain: ['Same website and a similar name', sharedSite],
  account: ['Same account', sharedAccount],
  handle: ['Same account and a similar name', sharedAccount],
  organisation: ['Same account and a similar name', sharedAccount],
  'name and day': ['Same name and day', sharedName],
  'name and ticker': ['Same name and token', sharedName],
  'name and context': ['Same name, and an event or organization in common', sharedName],
  'name and chain': ['Same name and blockchain', sharedName],
  'same domain and handle': ['Same website and account', sharedSite],
  'same handle': ['Same account', sharedAccount],
  'same account': ['Same account', sharedAccount],
  name: ['Same name', sharedName],
  'same name': ['Same name', sharedName],
  'similar name': ['Similar name'],
  'same organisation': ['Same account', sharedAccount],
  'same domain': ['Same website', sharedSite],
  'same name, other domain': ['Same name, other website', sharedName],
  chosen: ['Chosen by a person'],
};

/** Why two records may be one, with the account, website or alias that they share: `Same account: foo on GitHub`. */
export function reasonOf(
  rule: MatchRule | 'chosen',
  type: NamedType,
  [left, right]: readonly [Fields, Fields],
): string {
  const [reason, shared] = REASONS[rule];
  const detail = shared?.(type, left, right) ?? null;
  return detail === null ? reason : `${reason}: ${detail}`;
}
