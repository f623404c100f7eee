import { pickFilters } from '../../contract/filters.ts';
import type { Records } from '../../store/port/records.ts';
import { withoutFilters } from './facets.ts';
import { type GivenFilters, givenFilters } from './given-filters.ts';
import { keptFilters, type ParsedSearch, typed, typesOf } from './parsed-search.ts';

export type RelaxedSearch = GivenFilters & { readonly total: number };

/** How many records match without each filter alone, those that make a difference, the most first. */
export async function countRelaxed(
  records: Records,
  effective: ParsedSearch,
  shown: Parameters<typeof givenFilters>[1],
): Promise<readonly RelaxedSearch[]> {
  const { type, query: text, given } = effective;
  const counted = givenFilters(keptFilters(effective), shown).map(async (one) => {
    const filters = pickFilters(typed(withoutFilters(given, one.names)));
    const asked = { types: typesOf(type), text, filters, window: { offset: 0, limit: 0 } };
    const { total, isTyped } = await records.search(asked);
    return { ...one, total: isTyped ? total : 0 };
  });
  return (await Promise.all(counted))
    .filter(({ total }) => total > 0)
    .toSorted((one, other) => other.total - one.total);
}
