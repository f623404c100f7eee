import * as z from 'zod';
import { entityOf, type NamedType, type RecordType } from './entities/index.ts';
import { invalidAt } from './errors.ts';
import { type Facet, type FacetKind, facets } from './facets.ts';
import { count, firstDay, lastDay, periodStart, year } from './fields.ts';
import { staleBefore } from './provenance.ts';
import { splitText } from './split-text.ts';
import { UNSOURCED_FIELDS } from './unsourced.ts';
import { COMPANY_STATUSES } from './vocabulary.ts';

/** Values of a filter, of which a record has any, all or none; `none` excludes unknown values, `except` keeps them. */
export interface Choice {
  readonly mode: 'any' | 'all' | 'none' | 'except';
  readonly values: readonly string[];
  /** Values that exclude a record that has them as well. */
  readonly without?: readonly string[];
}

const CHOICE_LENGTH_MAX = 1_000;
/** Bounds the index look-ups of one filter. */
const VALUES_MAX = 20;
const SEPARATOR = '|';
const MODES = { 'all:': 'all', 'not:': 'none', 'except:': 'except' } as const;

const WITHOUT = /^not:/i;

/** Whether a filter value as text excludes what it names: `not:A`. */
export const isNegated = (value: unknown): boolean => String(value).startsWith('not:');

/** A filter value as text: `A`, `A|B` (any), `all:A|B`, `not:A|B` (none), `except:A|B` (none, or unknown), `A|not:B` (A without B). */
const choiceText = z.string().trim().min(1).max(CHOICE_LENGTH_MAX);

/** Parses a filter value. Throws `invalid_parameter` if it has no value or more than `VALUES_MAX`. */
export function parseChoice(name: string, text: string): Choice {
  const prefix = /^(all|not|except):/i.exec(text)?.[0] ?? '';
  const mode = MODES[prefix.toLowerCase() as keyof typeof MODES] ?? 'any';
  const values = splitText(text.slice(prefix.length), SEPARATOR);
  const isExcluded = (value: string): boolean => mode !== 'none' && mode !== 'except' && WITHOUT.test(value);
  const without = values.filter(isExcluded).map((value) => value.replace(WITHOUT, '').trim());
  const kept = values.filter((value) => !isExcluded(value));
  if (kept.length > 0 && values.length <= VALUES_MAX && !without.includes(''))
    return { mode, values: [...new Set(kept)], ...(without.length > 0 && { without: [...new Set(without)] }) };
  throw invalidAt(
    `query.${name}`,
    `${name} must be 1 to ${VALUES_MAX} values with | between: A|B for any of them, all:A|B, not:A|B, A|not:B for A without B, or except:A|B, which keeps records whose value is unknown`,
  );
}

/** All values of a choice, the excluded ones last. */
export const valuesOf = ({ values, without = [] }: Choice): readonly string[] => [...values, ...without];

/** A list of values as the text of a filter in mode `any`. */
export const choiceOf = (values: readonly unknown[]): string => values.map(String).join(SEPARATOR);

export type Filter = FacetFilter | BoundFilter | FieldFilter | PartyFilter | RoleFilter;

interface Base {
  readonly schema: z.ZodOptional<z.ZodType<string | number | boolean, string | number | boolean>>;
}

/** Filters by values of a field, normalized by `kind`. */
export interface FacetFilter extends Base {
  readonly test: 'facet';
  readonly kind: FacetKind;
  /** Paths of the values in a record. Facets are stored under the first path that the type has. */
  readonly fields: readonly string[];
  /** Whether rounds are filtered by the values of their company. */
  readonly isOfCompany?: true;
  /** Types filtered by the values of their parties, each with the filter by these. */
  readonly ofParties?: Partial<Record<RecordType, 'investor'>>;
  /** Whether it applies to no other types: of others, another filter is by their own values. */
  readonly isOfPartiesAlone?: true;
}

export interface BoundFilter extends Base {
  readonly test: 'from' | 'to';
  readonly fields: readonly string[];
  /** Fields that satisfy the bound as well: of an event that lasts, its last day. */
  readonly orFields?: readonly string[];
}

/** A flag, or whether the date of a field is before a day relative to now. */
interface FieldFilter extends Base {
  readonly test: 'flag' | 'age';
  readonly fields: readonly string[];
  /** Whether the filter is true where the flag is not set. */
  readonly isOfUnset?: true;
  /** The list of the fields that the flag is set for where it is not set for all of a record; of rounds by leads, that of leads counts. */
  readonly ofParts?: string;
}

/** Whether rounds are asked for by who led them. */
export const isByLeads = (filters: Filters, groups: readonly string[] = []): boolean =>
  filters.led === true || groups.includes('lead_investor');

export const LEADS_FIELD = 'lead_investors';

/** Records related to other records, each given by id, slug or name. */
export interface PartyFilter extends Base {
  readonly test: 'party';
  /** Allowed types of the other records, and further ones where records of a type are filtered. */
  readonly parties: readonly NamedType[];
  readonly moreParties?: Partial<Record<RecordType, readonly NamedType[]>>;
  /** Types that it applies to, each with the fields that state whether such a relation is known. */
  readonly types: Partial<Record<RecordType, readonly string[]>>;
}

interface RoleFilter extends Base {
  readonly test: 'role';
  readonly of: string;
  /** Fields that state the restriction, by type. */
  readonly types: Partial<Record<RecordType, readonly string[]>>;
}

const described = <Schema extends z.ZodType>(schema: Schema, description: string) =>
  schema.optional().meta({ description }) as unknown as Base['schema'];
const facet = (
  kind: FacetKind,
  fields: readonly string[],
  about: string,
  more: Pick<FacetFilter, 'isOfCompany' | 'ofParties' | 'isOfPartiesAlone'> = {},
) => ({ test: 'facet', kind, fields, schema: described(choiceText, about), ...more }) as const satisfies FacetFilter;
const from = (fields: readonly string[], schema: z.ZodType, about: string, more: Pick<BoundFilter, 'orFields'> = {}) =>
  ({ test: 'from', fields, schema: described(schema, about), ...more }) as const satisfies BoundFilter;
const to = (fields: readonly string[], schema: z.ZodType, about: string) =>
  ({ test: 'to', fields, schema: described(schema, about) }) as const satisfies BoundFilter;

const OF_COMPANY = { isOfCompany: true } as const;
const INVESTMENTS = ['investments_count', 'angel_investments'];
const FUNDING = ['total_funding_usd', 'amount_usd'];
/** Of companies, the days of their rounds: see `roundFilters`. */
const DAYS = ['announced_date', 'start_date', 'last_round_date'];

/** Of companies and of investors: the day of the last round that they raised or joined. */
const LAST_DAY = ['last_round_date', 'last_investment_date'];

/** Every filter of searches and lists, by parameter name. */
export const filters = {
  country: facet('country', ['location_json.country'], 'Name or ISO code.', OF_COMPANY),
  city: facet('city', ['location_json.city'], 'City.', OF_COMPANY),
  tag: facet('tag', ['tags', 'focus'], 'Tag, such as DeFi.', OF_COMPANY),
  chain: facet('chain', ['chains'], 'Name or ticker.', OF_COMPANY),
  company: {
    test: 'party',
    parties: ['companies'],
    // People have roles at investors, too.
    moreParties: { people: ['investors'] },
    types: {
      rounds: ['company'],
      people: ['roles'],
      investors: ['portfolio_count', 'portfolio', 'investments_count'],
    },
    schema: described(choiceText, 'Slug, id or name; for rounds, people, investors.'),
  },
  investor: {
    test: 'party',
    parties: ['investors', 'companies', 'people'],
    types: { rounds: ['investors', 'lead_investors'], companies: ['investors_count', 'investors'] },
    schema: described(choiceText, 'Slug, id or name: in the round, or funded the company.'),
  },
  event: {
    test: 'party',
    parties: ['events'],
    types: { people: ['events'] },
    schema: described(choiceText, 'Its speakers.'),
  },
  founder: {
    test: 'party',
    parties: ['people'],
    types: { companies: ['founders'], investors: ['founders'] },
    schema: described(choiceText, 'Companies, investors: who founded them.'),
  },
  acquirer: {
    test: 'party',
    parties: ['companies', 'investors'],
    types: { companies: ['acquired_by'] },
    schema: described(choiceText, 'Companies: who acquired them.'),
  },
  led: {
    test: 'role',
    of: 'investor',
    types: { rounds: ['lead_investors'] },
    schema: described(z.boolean(), 'Investor led, or not.'),
  },
  funding_stage: facet(
    'funding_stage',
    ['funding_stages', 'funding_stage', 'stage'],
    'Of the round, or any of the company.',
  ),
  funding_min: from(FUNDING, count, 'US dollars; of companies the sum.'),
  funding_max: to(FUNDING, count, 'US dollars.'),
  valuation_min: from(['valuation_usd'], count, 'US dollars, of the round; few state one.'),
  valuation_max: to(['valuation_usd'], count, 'US dollars.'),
  from: from(DAYS, firstDay, 'Rounds (of companies too), events: on or after 2024-01-31 or 2024.', {
    orFields: ['end_date'],
  }),
  to: to(DAYS, lastDay, 'On or before.'),
  last_round_after: from(LAST_DAY, firstDay, 'On or after.'),
  last_round_before: to(LAST_DAY, lastDay, 'On or before.'),
  founded_from: from(['year_founded'], year, 'This year or later.'),
  founded_to: to(['year_founded'], year, 'This year or before.'),
  employees_min: from(['total_employees'], count, 'At least.'),
  employees_max: to(['total_employees'], count, 'At most.'),
  investments_min: from(INVESTMENTS, count, 'At least.'),
  investments_max: to(INVESTMENTS, count, 'At most.'),
  rounds_min: from(['known_rounds'], count, 'Funding rounds on record, at least.'),
  rounds_max: to(['known_rounds'], count, 'At most.'),
  led_min: from(['lead_count'], count, 'Rounds led, at least.'),
  led_max: to(['lead_count'], count, 'At most.'),
  investor_type: facet('investor_type', ['investor_type'], 'Kind of investor, for rounds too.', {
    ofParties: { rounds: 'investor' },
  }),
  investor_country: facet('country', ['location_json.country'], 'Rounds: where an investor is.', {
    ofParties: { rounds: 'investor' },
    isOfPartiesAlone: true,
  }),
  status: facet('status', ['status'], `${COMPANY_STATUSES.join(', ')}.`),
  status_from: from(['status_since'], periodStart, 'Companies: acquired or closed on or after.'),
  status_to: to(['status_since'], lastDay, 'On or before.'),
  event_type: facet('event_type', ['event_type'], 'Kind of event.'),
  starts_after: from(['start_date'], firstDay, 'Events: on or after.'),
  starts_before: to(['start_date'], lastDay, 'Events: last day.'),
  updated_since: from(['as_of'], firstDay, 'Source of this day or later.'),
  stale: {
    test: 'age',
    fields: ['as_of'],
    schema: described(z.boolean(), 'Newest source older than 24 months, or none has it any more.'),
  },
  verified: { test: 'flag', fields: ['is_verified'], schema: described(z.boolean(), 'Checked by the operator.') },
  sourced: {
    test: 'flag',
    fields: ['unsourced'],
    isOfUnset: true,
    ofParts: UNSOURCED_FIELDS,
    schema: described(
      z.boolean(),
      'Rounds: false for those that only the editors of the data set state, without a page; true for the others. By lead investor, or with led=true, rounds whose leads alone they state count among these, too.',
    ),
  },
} as const satisfies Record<string, Filter>;

export type FilterName = keyof typeof filters;
export const FILTER_NAMES = Object.keys(filters) as [FilterName, ...FilterName[]];
export const filterOf = (name: FilterName): Filter => filters[name];
export type FilterValue = Choice | string | number | boolean;
export type Filters = Partial<Record<FilterName, FilterValue>>;

/** Filters of companies that must hold for the same round, if `from` or `to` is among them. */
const OF_ROUND: readonly FilterName[] = ['from', 'to', 'funding_stage', 'investor', 'led'];

/**
 * The filters of companies that a single round must satisfy together; none without a period. Then `funding_stage` and
 * `investor` may each hold for a different round. Exclusions and `all` of several stages never apply to a single round.
 */
export function roundFilters(requested: Filters): readonly FilterName[] {
  if (requested.from === undefined && requested.to === undefined) return [];
  const isOfOne = (name: FilterName): boolean => {
    const { mode = 'any' } = requested[name] as Partial<Choice>;
    return mode === 'any' || (mode === 'all' && name === 'investor');
  };
  const names = OF_ROUND.filter((name) => requested[name] !== undefined && isOfOne(name));
  return names.includes('investor') ? names : names.filter((name) => name !== 'led');
}

/** The filters of each fact that records lack, with their number. A period is one fact, and so are all that one round must satisfy and what one investor must be. */
export function unknownFacts(unknown: Readonly<Record<string, unknown>>): Map<readonly string[], number> {
  const { from, to = from } = unknown;
  const ofRound: readonly string[] = OF_ROUND.filter((name) => to !== undefined && unknown[name] === to);
  const together = [ofRound, kindsGiven(unknown)].filter(({ length }) => length > 0);
  const others = Object.keys(unknown).filter((name) => !together.flat().includes(name));
  const facts = [...together, ...others.map((name) => [name])];
  return new Map(facts.map((names) => [names, Number(unknown[names[0] ?? ''])]));
}

/** The parameters of all filters, for spreading into a query schema. */
export const filterShape = Object.fromEntries(FILTER_NAMES.map((name) => [name, filters[name].schema])) as Record<
  FilterName,
  Base['schema']
>;

/** Filters with relative ages replaced by the day that they mean at `now`. */
export const datedFilters = (filters: Filters, now: Date): Filters =>
  typeof filters.stale === 'boolean'
    ? { ...filters, stale: `${filters.stale ? '<' : '>='} ${staleBefore(now)}` }
    : filters;

export const isChoice = (name: FilterName): boolean => ['facet', 'party'].includes(filters[name].test);

export const facetOf = ({ kind }: FacetFilter): Facet => facets[kind];

export const partiesOf = ({ parties, moreParties = {} }: PartyFilter, types: readonly RecordType[]): NamedType[] => [
  ...new Set([...parties, ...types.flatMap((type) => moreParties[type] ?? [])]),
];

/** Prefix of fields that rounds inherit from their company. */
export const COMPANY_FIELD = 'company.';

/** The filter by the parties of a type whose values a facet filter compares; undefined if it compares those of the type. */
export function partyFilterOf(type: RecordType, name: FilterName): 'investor' | undefined {
  const filter = filterOf(name);
  return filter.test === 'facet' ? filter.ofParties?.[type] : undefined;
}

/**
 * The fields of a type that a filter applies to; empty if it does not apply to the type. Of values of parties, those that state
 * whether the parties are known.
 */
export function fieldsOf(type: RecordType, name: FilterName): readonly string[] {
  const filter = filterOf(name);
  const party = partyFilterOf(type, name);
  if (party !== undefined) return fieldsOf(type, party);
  if (filter.test === 'role') return filter.types[type] ?? fieldsOf(type, filter.of as FilterName);
  if (filter.test === 'party') return filter.types[type] ?? [];
  if (filter.test !== 'facet') return pathsIn(type, filter).slice(0, 1);
  if (filter.isOfPartiesAlone) return [];
  return filter.isOfCompany && type === 'rounds'
    ? pathsIn('companies', filter).map((path) => COMPANY_FIELD + path)
    : pathsIn(type, filter);
}

/** The paths of a filter that records of a type have. */
const pathsIn = (type: RecordType, { fields }: Pick<FacetFilter, 'fields'>): readonly string[] =>
  fields.filter((path) => Object.hasOwn(entityOf(type).record.shape, path.split('.')[0] ?? ''));

/** The path of the values that a facet filter compares in records of a type, which may be parties of others; undefined for none. */
export function valuePathIn(type: RecordType, name: FilterName): string | undefined {
  const filter = filterOf(name);
  return filter.test === 'facet' ? pathsIn(type, filter)[0] : undefined;
}

/** The types whose records have the values that a facet filter of a type compares: the type, or those of its parties. */
export function typesWithValues(type: RecordType, name: FilterName): readonly RecordType[] {
  const party = partyFilterOf(type, name);
  return party === undefined ? [type] : filters[party].parties.filter((each) => valuePathIn(each, name) !== undefined);
}

export const hasFilter = (type: RecordType, name: FilterName): boolean => fieldsOf(type, name).length > 0;

export const filtersOf = (type: RecordType): FilterName[] => FILTER_NAMES.filter((name) => hasFilter(type, name));

export const facetFieldsOf = (type: RecordType): readonly (readonly [FilterName, string])[] =>
  FILTER_NAMES.flatMap((name) => {
    const [field] = fieldsOf(type, name);
    const isOwn = filters[name].test === 'facet' && partyFilterOf(type, name) === undefined;
    return isOwn && field !== undefined ? [[name, field] as const] : [];
  });

/** Parses the filters of a query. Throws `invalid_parameter` for a malformed value. */
export function pickFilters(query: Readonly<Record<string, unknown>>): Filters {
  const presentNames = FILTER_NAMES.filter((name) => query[name] !== undefined);
  return Object.fromEntries(
    presentNames.map((name) => [name, isChoice(name) ? parseChoice(name, String(query[name])) : query[name]]),
  ) as Filters;
}

/** The filters of types by what their parties are. */
export const kindFilters = (types: readonly RecordType[]): FilterName[] =>
  FILTER_NAMES.filter((name) => types.every((type) => partyFilterOf(type, name) !== undefined));

/** The filters of rounds by what their investors are that are given. */
export const kindsGiven = (given: Readonly<Record<string, unknown>>): FilterName[] =>
  kindFilters(['rounds']).filter((name) => given[name] !== undefined);
