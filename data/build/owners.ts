import { foldName } from '../../src/contract/names.ts';
import { coreName, isNamedLike, isOfHost } from '../../src/store/matching/resolver.ts';
import { firmMembers, type Owners, sourcesOf } from './companies.ts';
import { ACCOUNTS_OF_OTHERS } from './decisions.ts';
import { EDITORS, type Group, handleOf, organisationOf } from './resolve.ts';

/** Whose a domain or an account is when several projects give it: the one that it is named after, or nobody's. */
export function createOwners(groups: readonly Group[]): Owners {
  const claims = new Map<string, Set<Group>>();
  const claim = (kind: string, value: string | null, group: Group): void => {
    if (value === null) return;
    const key = `${kind} ${value}`;
    claims.set(key, (claims.get(key) ?? new Set()).add(group));
  };
  for (const group of groups) {
    for (const { entry, site } of firmMembers(group)) {
      claim('domain', site?.domain ?? null, group);
      if (!ACCOUNTS_OF_OTHERS.has(handleOf(entry.twitter) ?? '')) claim('handle', handleOf(entry.twitter), group);
      if (entry.source !== 'crypto-ecosystems' || entry.own) claim('organisation', organisationOf(entry.github), group);
    }
  }
  const owners = new Map<string, Group | null>();
  for (const [key, claiming] of claims) {
    const [kind = '', value = ''] = key.split(' ');
    owners.set(key, claiming.size === 1 ? ([...claiming][0] ?? null) : bestOf([...claiming], kind, value));
  }
  return { isOwner: (kind, value, group) => owners.get(`${kind} ${value}`) === group };
}

/** The claimant that the editors name, or else with the name of the value; of several, the one that more sources know. */
function bestOf(groups: readonly Group[], kind: string, value: string): Group | null {
  const stem = kind === 'domain' ? (value.split('.')[0] ?? '') : value;
  const fitOf = (group: Group): number => {
    const isEdited = firmMembers(group).some(({ entry, site }) => entry.source === EDITORS && site?.domain === value);
    if (kind === 'domain' && isEdited) return 4;
    const names = firmMembers(group).flatMap(({ entry }) => [entry.name, ...entry.aliases]);
    if (names.some((name) => foldName(name) === foldName(stem))) return 3;
    if (names.some((name) => coreName(name) === foldName(stem))) return 2;
    const isLike = names.some((name) =>
      kind === 'domain'
        ? firmMembers(group).some(({ site }) => site?.domain === value && isOfHost(name, site))
        : isNamedLike(name, stem),
    );
    return isLike ? 1 : 0;
  };
  const ranked = groups
    .map((group) => ({ group, fit: fitOf(group), sources: sourcesOf(group).size }))
    .sort((left, right) => right.fit - left.fit || right.sources - left.sources);
  const [best, second] = ranked;
  // Of several that are all named otherwise, only one that clearly more sources know.
  const isClear = best !== undefined && second !== undefined && best.sources > second.sources;
  return best === undefined || (best.fit === 0 && !isClear) ? null : best.group;
}
