import { CHAIN_NAMES, type Facet, facets, TAG_WORDS } from '../contract/facets.ts';
import { type FilterName, filterOf, filterShape } from '../contract/filters.ts';
import { COMPANY_STATUSES } from '../contract/vocabulary.ts';
import type { Flag, Flags } from './command.ts';
import { flagName, flagsOfSchema } from './flags.ts';

/** Help of the filters by subject: sentences for people, where the contract describes a parameter in a few words for agents. */
const FILTERS_BY_SUBJECT: Readonly<Record<string, Partial<Record<FilterName, string>>>> = {
  'Filter by subject (A|B any, all:A|B both, not:A none, except:A none or unknown)': {
    tag: 'Sector, such as DeFi.',
    chain: 'Blockchain, by name or ticker, such as Solana.',
    country: 'Country, by name or ISO code; of a round that of its company.',
    city: 'City; of a round that of its company.',
    status: `Status of companies: ${COMPANY_STATUSES.join(', ')}.`,
    investor_type: 'Kind of investor, such as venture_capital.',
    event_type: 'Kind of event, such as hackathon.',
  },
  'Filter by who is involved (a name, slug or id)': {
    company: 'Rounds of this company, people with a role at it, or its investors.',
    investor: 'Rounds that it joined, or companies that it funded, by a grant too.',
    led: 'Only what the --investor led; --led=false: what it joined, or of which no lead is known.',
    founder: 'Companies and investors that this person founded.',
    event: 'People who spoke at this event.',
  },
  'Filter by funding (US dollars)': {
    funding_stage: 'Stage of the round, or one that the company has raised, such as seed or series_a.',
    funding_min: 'At least this amount, such as 1M: of a round, or of all known rounds of a company.',
    funding_max: 'At most this amount.',
    investments_min: 'Investors and people with at least so many investments.',
    investments_max: 'Investors and people with at most so many investments.',
    rounds_min: 'Companies with at least so many funding rounds on record.',
    rounds_max: 'Companies with at most so many funding rounds on record.',
    led_min: 'Investors that led at least so many rounds.',
    led_max: 'Investors that led at most so many rounds.',
  },
  'Filter by date (2024-01-31, 2024-01, 2024-Q1 or 2024)': {
    from: 'Rounds and events of this date or later, and companies with such a round.',
    to: 'Rounds and events up to this date, and companies with such a round.',
    last_round_after: 'Companies whose last round is of this date or later.',
    last_round_before: 'Companies whose last round is of this date or earlier.',
    starts_after: 'Events that begin on this date or later.',
    starts_before: 'Events that begin on this date or earlier.',
    founded_from: 'Companies and investors founded in this year or later.',
    founded_to: 'Companies and investors founded in this year or earlier.',
    updated_since: 'Records with a source of this date or later.',
  },
  'Other filters': {
    employees_min: 'Companies with at least so many employees.',
    employees_max: 'Companies with at most so many employees.',
    stale: 'Records whose newest source is older than 24 months, or that no source has any more.',
    verified: 'Records that the operator has checked.',
    sourced: 'Rounds without those that only the editors of the data set state; --sourced=false: those alone.',
  },
};

export const FILTER_SECTIONS: readonly string[] = Object.keys(FILTERS_BY_SUBJECT);

const flags = flagsOfSchema(filterShape);

export const FILTER_FLAGS: Flags = Object.fromEntries(
  Object.entries(FILTERS_BY_SUBJECT).flatMap(([section, filters]) =>
    Object.entries(filters).map(([name, description]) => {
      const flag = flagName(name);
      return [flag, { ...flags[flag], description, section, ...completionOf(name as FilterName) }] as const;
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
