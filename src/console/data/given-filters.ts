import type { RecordData } from '../../contract/entities/index.ts';
import { filterTexts } from '../../contract/filter-words.ts';
import { type FilterName, pickFilters } from '../../contract/filters.ts';
import type { NamedReference } from '../../contract/rounds.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import type { Records } from '../../store/port/records.ts';
import { type FacetCounts, withoutFilters } from './facets.ts';
import { type FilterTexts, keptFilters, type ParsedSearch, typed, typesOf } from './parsed-search.ts';

/** Fields of rounds that name who was filtered by. */
const PARTIES = ['company', 'lead_investors', 'investors'];

/** Filters that are one in the words of people. */
export interface GivenFilters {
  readonly text: string;
  readonly names: readonly FilterName[];
}

/** The given filters, as people read them: those of a chosen facet value together. */
export function givenFilters(
  given: FilterTexts,
  { facets, results }: { readonly facets: readonly FacetCounts[]; readonly results: readonly RecordData[] },
): GivenFilters[] {
  const chosen = facets.flatMap(({ facet, values }): GivenFilters[] => {
    const texts = values.filter(({ isChosen }) => isChosen).map(({ text }) => text);
    // A value given by another name than its facet has is not among the chosen.
    const stated = String(given[facet.filters[0] as FilterName] ?? '').split('|');
    const isWhole = facet.filters.length > 1 && texts.length > 0 && texts.length === stated.length;
    const label = facet.filters.includes('led') ? 'Led by' : labelOf(facet.name);
    return isWhole ? [{ text: `${label} ${texts.join(' or ')}`, names: facet.filters }] : [];
  });
  // Sentences are in lower case, and records are given by their slugs.
  const texts = new Map(
    facets.flatMap(({ facet: { filters }, values }) =>
      values.map(({ value, text }) => [`${filters[0]} ${value.toLowerCase()}`, text] as const),
    ),
  );
  const parties = new Map(
    results.flatMap((record) =>
      PARTIES.flatMap((field) => (record[field] ?? []) as NamedReference | readonly NamedReference[]).map(
        ({ slug, name }) => [slug, name] as const,
      ),
    ),
  );
  const others = Object.fromEntries(
    Object.entries(given).filter(([name]) => !chosen.some(({ names }) => names.includes(name as FilterName))),
  );
  const spelledOf = (name: FilterName) => (value: string) =>
    texts.get(`${name} ${value.toLowerCase()}`) ?? parties.get(value);
  return [...chosen, ...filterTexts(others, spelledOf)];
}

interface RelaxedSearch extends Pick<ParsedSearch, 'query' | 'given'> {
  readonly text: string;
  readonly total: number;
}

/** How many records match without each filter, those that make a difference, the most first; if none does, how many match each alone. */
export async function countRelaxed(
  records: Records,
  effective: ParsedSearch,
  shown: Parameters<typeof givenFilters>[1],
): Promise<readonly RelaxedSearch[]> {
  const { type, query, given } = effective;
  const count = async (relaxed: readonly Omit<RelaxedSearch, 'total'>[]): Promise<readonly RelaxedSearch[]> => {
    const counted = relaxed.map(async (one) => {
      const filters = pickFilters(typed(one.given));
      const asked = { types: typesOf(type), text: one.query, filters, window: { offset: 0, limit: 0 } };
      const { total, isTyped } = await records.search(asked);
      return { ...one, total: isTyped ? total : 0 };
    });
    return (await Promise.all(counted))
      .filter(({ total }) => total > 0)
      .toSorted((one, other) => other.total - one.total);
  };
  const filters = givenFilters(keptFilters(effective), shown);
  const fewer = await count(
    filters.map(({ text, names }) => ({ text: `Without ${text}`, query, given: withoutFilters(given, names) })),
  );
  if (fewer.length > 0) return fewer;
  const alone = filters.map(({ text, names }) => {
    const others = filters.filter((one) => one.names !== names).flatMap((one) => one.names);
    return { text: `Only ${text}`, query: '', given: withoutFilters(given, others) };
  });
  return count(alone);
}
