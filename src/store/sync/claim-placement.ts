import type { NamedType, RecordType } from '../../contract/entities/index.ts';
import { derivedSlug } from '../import/slugs.ts';
import { createMatcher, type Matcher } from '../matching/matcher.ts';
import { nameWords } from '../matching/person-matching.ts';
import { ownSite } from '../matching/resolver.ts';
import type { Claim } from '../port/claims.ts';
import type { Store } from '../store.ts';
import type { Connector } from './connector.ts';

/** Target of a new key: an existing record, a new one, or none. */
type Placement = { readonly record: number | string } | 'doubtful' | 'left';

/** Above this score, an uncertain match creates no record. */
const DOUBT_MIN = 50;

export interface ClaimPlacement {
  place(claim: Claim): Promise<Placement>;
}

/** Matches new keys of a source to records by the identity rules. Loads the records of a type on first use. */
export function createClaimPlacement({ records }: Store, { joinsOnly }: Connector): ClaimPlacement {
  const isToMake = (type: RecordType, fields: Fields): boolean => !joinsOnly && isSufficient(type, fields);
  const matchers = new Map<NamedType, Promise<Matcher<number | string>>>();
  const load = async (type: NamedType): Promise<Matcher<number | string>> => {
    const matcher = createMatcher<number | string>(type);
    for await (const json of records.walk(type)) {
      const fields = JSON.parse(json) as Record<string, unknown>;
      matcher.count(fields);
      matcher.add(Number(fields['id']), fields);
    }
    return matcher;
  };
  const matcherOf = (type: NamedType): Promise<Matcher<number | string>> => {
    const matcher = matchers.get(type) ?? load(type);
    matchers.set(type, matcher);
    return matcher;
  };
  return {
    place: async ({ type, key, fields }) => {
      if (type === 'rounds') {
        const slug = derivedSlug(type, fields);
        const found = slug === undefined ? undefined : await records.get(type, slug);
        return found === undefined ? (isToMake(type, fields) ? { record: key } : 'left') : { record: found.id };
      }
      const matcher = await matcherOf(type);
      const found = matcher.join(fields);
      if (found !== null) return { record: found.ref };
      if (!isToMake(type, fields)) return 'left';
      if ((matcher.possibleMatches(fields)[0]?.score ?? 0) > DOUBT_MIN) return 'doubtful';
      matcher.count(fields);
      matcher.add(key, fields);
      return { record: key };
    },
  };
}

type Fields = Claim['fields'];
const has = (fields: Fields, name: string): boolean =>
  fields[name] != null && !(Array.isArray(fields[name]) && fields[name].length === 0);

/** Whether claims are sufficient for a new record. */
function isSufficient(type: RecordType, fields: Fields): boolean {
  const names: readonly [string, ...string[]] = [
    String(fields['name'] ?? ''),
    ...((fields['aliases'] ?? []) as string[]),
  ];
  const hasSite = typeof fields['website'] === 'string' && ownSite(names, fields['website']) !== null;
  switch (type) {
    case 'companies':
      return hasSite && (has(fields, 'tags') || has(fields, 'chains'));
    case 'people':
      return nameWords(names[0]).length > 1 || has(fields, 'twitter') || has(fields, 'github');
    case 'investors':
      return hasSite || has(fields, 'fund_size_usd');
    case 'events':
      return has(fields, 'start_date');
    case 'rounds':
      return has(fields, 'amount_usd') || has(fields, 'investors');
    default:
      return true;
  }
}
