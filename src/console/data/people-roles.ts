import { pickFilters } from '../../contract/filters.ts';
import { foldName } from '../../contract/names.ts';
import type { Records } from '../../store/port/records.ts';
import type { ValueCount } from './facets.ts';
import { type ParsedSearch, typed } from './parsed-search.ts';

const ROLES = ['Founder', 'CEO', 'Partner', 'Investor', 'Speaker', 'Team member', 'Author', 'Researcher', 'Engineer'];

/** How many people of a list are known as each of some roles. */
export async function countRoles(
  records: Records,
  { type, query, given }: ParsedSearch,
): Promise<readonly ValueCount[]> {
  const chosen = ROLES.find((role) => foldName(role) === foldName(query));
  if (type !== 'people' || (query !== '' && chosen === undefined)) return [];
  const filters = pickFilters(typed(given));
  const counts = ROLES.map(async (role) => {
    const { total, isTyped, understood } = await records.search({
      types: ['people'],
      text: role,
      filters,
      window: { offset: 0, limit: 0 },
    });
    return {
      value: role,
      text: role,
      records: isTyped && understood === undefined ? total : 0,
      isChosen: role === chosen,
    };
  });
  return (await Promise.all(counts)).filter(({ records: people }) => people > 0);
}
