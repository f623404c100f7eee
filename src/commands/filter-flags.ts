import { CHAIN_NAMES, type Facet, facets, TAG_WORDS } from '../contract/facets.ts';
import { FILTER_HELP } from '../contract/filter-help.ts';
import { type FilterName, filterOf, filterShape } from '../contract/filters.ts';
import type { Flag, Flags } from './command.ts';
import { flagName, flagsOfSchema } from './flags.ts';

const sectionOf = (subject: string): string => `Filters: ${subject}`;

export const FILTER_SECTIONS: readonly string[] = Object.keys(FILTER_HELP).map(sectionOf);

const flags = flagsOfSchema(filterShape);

export const FILTER_FLAGS: Flags = Object.fromEntries(
  Object.entries(FILTER_HELP).flatMap(([subject, filters]) =>
    Object.entries(filters).map(([name, description]) => {
      const flag = flagName(name);
      return [
        flag,
        { ...flags[flag], description, section: sectionOf(subject), ...completionOf(name as FilterName) },
      ] as const;
    }),
  ),
) as Flags;

/** The values of a filter, or the usual ones if any record can add to them. */
function completionOf(name: FilterName): Pick<Flag, 'completes'> {
  const filter = filterOf(name);
  if (filter.test !== 'facet') return {};
  const { closed } = facets[filter.kind] as Facet;
  const completes = { chain: CHAIN_NAMES, tag: TAG_WORDS }[filter.kind as string] ?? closed;
  return completes === undefined ? {} : { completes };
}
