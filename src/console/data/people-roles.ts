import { pickFilters } from '../../contract/filters.ts';
import type { Records } from '../../store/port/records.ts';
import { type ParsedSearch, typed } from './parsed-search.ts';

/** Words of headlines and roles. Investors are those with investments, whatever their headline says. */
const ROLES = ['Founder', 'CEO', 'Partner', 'Speaker', 'Team member', 'Author', 'Researcher', 'Engineer'];

export interface RoleCount {
  readonly role: string;
  readonly people: number;
  /** Whether the list is of these. */
  readonly isChosen: boolean;
}

/** How many people of a list are known as each of some roles, one of which may be what it is of. */
export async function countRoles(
  records: Records,
  { type, query, given }: ParsedSearch,
): Promise<readonly RoleCount[]> {
  const isOf = (role: string): boolean => role.toLowerCase() === query.toLowerCase();
  if (type !== 'people' || (query !== '' && !ROLES.some(isOf))) return [];
  const filters = pickFilters(typed(given));
  const counts = ROLES.map(async (role) => {
    const found = await records.search({ types: ['people'], text: role, filters, window: { offset: 0, limit: 0 } });
    const { total, isTyped, understood } = found;
    return { role, people: isTyped && understood === undefined ? total : 0, isChosen: isOf(role) };
  });
  return (await Promise.all(counts))
    .filter(({ people }) => people > 0)
    .toSorted((one, other) => other.people - one.people);
}
