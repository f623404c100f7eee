import type { FilterName } from './filters.ts';
import { COMPANY_STATUSES } from './vocabulary.ts';

/** Filters by subject, with the form of their values, in sentences for people; parameters of tools are described in a few words. */
export const FILTER_HELP: Readonly<Record<string, Partial<Record<FilterName, string>>>> = {
  'subject (A|B any, all:A|B both, not:A none, except:A none or unknown)': {
    tag: 'Sector, such as DeFi.',
    chain: 'Blockchain, by name or ticker, such as Solana.',
    country: 'Country, by name or ISO code; of a round that of its company.',
    city: 'City; of a round that of its company.',
    status: `Status of companies: ${COMPANY_STATUSES.join(', ')}.`,
    investor_type: 'Kind of investor, such as venture_capital; of a round, of one in it, or with led of one that led.',
    investor_country:
      'Rounds: country or region of an investor in it, or with led of one that led; with investor_type, of one of the kind.',
    event_type: 'Kind of event, such as hackathon.',
  },
  'who is involved (a name, slug or id)': {
    company: 'Rounds of this company, people with a role at it, or its investors.',
    investor: 'Rounds that it joined, or companies that it funded, by a grant too.',
    led: 'true: what the investor led, or one of the kind; false: what it joined only, or without an investor of which no lead is known.',
    founder: 'Companies and investors that this person founded.',
    event: 'People who spoke at this event.',
    acquirer: 'Companies that this company or investor acquired.',
  },
  'funding (US dollars)': {
    funding_stage: 'Stage of the round, or one that the company has raised, such as seed or series_a.',
    funding_min: 'At least this amount, such as 1M: of a round, or of all known rounds of a company.',
    funding_max: 'At most this amount.',
    investments_min: 'Investors and people with at least so many investments.',
    investments_max: 'At most so many investments.',
    valuation_min: 'Rounds at this valuation or more; few state one.',
    valuation_max: 'At most this valuation.',
    rounds_min: 'Companies with at least so many funding rounds on record.',
    rounds_max: 'At most so many funding rounds on record.',
    led_min: 'Investors that led at least so many rounds.',
    led_max: 'At most so many rounds led.',
  },
  'dates (2024-01-31, 2024-01, 2024-Q1 or 2024)': {
    from: 'Rounds and events of this date or later, and companies with such a round.',
    to: 'Rounds and events up to this date, and companies with such a round.',
    last_round_after: 'Companies that raised, and investors that invested, last on this date or later.',
    last_round_before: 'Companies that raised, and investors that invested, last on this date or earlier.',
    starts_after: 'Events that begin on this date or later.',
    starts_before: 'Events that begin on this date or earlier.',
    founded_from: 'Companies and investors founded in this year or later.',
    founded_to: 'Companies and investors founded in this year or earlier.',
    status_from: 'Companies acquired or closed on this date or later.',
    status_to: 'Companies acquired or closed on this date or earlier.',
    updated_since: 'Records with a source of this date or later.',
  },
  others: {
    employees_min: 'Companies with at least so many employees.',
    employees_max: 'At most so many employees.',
    stale: 'Records whose newest source is older than 24 months, or that no source has any more.',
    verified: 'Records that the operator has checked.',
    sourced:
      'true: rounds without those that only the editors of the data set state; false: those alone. By lead investor, rounds of which they state only who led count among them.',
  },
};
