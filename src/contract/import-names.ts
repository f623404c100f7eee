import { NAMED_TYPES, RECORD_TYPES, type RecordType } from './entities/index.ts';
import { inputOf } from './input.ts';
import { foldName } from './names.ts';

/** Columns or keys of an import file that map to part of a field, such as one coordinate of a location. */
export type ImportPart =
  | 'location_json.city'
  | 'location_json.country'
  | 'domain'
  | 'company_slug'
  | 'company_website'
  | 'company_slugs'
  | 'currency'
  | 'id'
  | 'type';

/** Target of a column name: a field or a part. A name of the record's own takes precedence over an alias. */
export interface ImportTarget {
  readonly to: string;
  readonly isOwn: boolean;
}

type Aliases = Readonly<Record<string, readonly string[]>>;

/** Aliases of fields, for every type that has the field. */
const COMMON: Aliases = {
  name: ['full_name', 'display_name', 'title'],
  aliases: ['alias', 'aka', 'also_known_as', 'other_names'],
  logo: ['logo_url', 'image', 'image_url', 'icon', 'avatar', 'avatar_url', 'photo', 'photo_url'],
  tagline: ['short_description', 'one_liner', 'slogan'],
  headline: ['title', 'job_title', 'position'],
  overview: ['description', 'bio', 'biography', 'about', 'long_description', 'summary'],
  website: ['website_url', 'url', 'homepage', 'homepage_url', 'web', 'site', 'link'],
  tags: ['tag', 'categories', 'category', 'sectors', 'sector', 'industries', 'industry', 'topics'],
  chains: ['chain', 'blockchains', 'blockchain', 'networks', 'network', 'ecosystems', 'ecosystem'],
  token_symbols: ['tickers', 'ticker', 'symbols', 'symbol', 'token_symbol', 'tokens', 'token'],
  location_json: ['location', 'headquarters', 'hq', 'place', 'based_in'],
  year_founded: ['founded', 'founded_year', 'founding_year', 'foundation_year', 'year'],
  founded_date: ['date_founded', 'founded_on', 'founding_date'],
  total_employees: ['employee_count', 'employees', 'employees_count', 'headcount', 'team_size'],
  total_funding_usd: ['total_funding', 'total_funding_amount', 'total_raised', 'funding_total'],
  founders: ['founder', 'founded_by', 'co_founders', 'cofounders'],
  twitter: ['x', 'twitter_url', 'twitter_handle', 'x_url', 'x_handle', 'x_twitter'],
  github: ['github_url', 'github_handle', 'github_org', 'github_organization'],
};

const OF_TYPE: Readonly<Partial<Record<RecordType, Aliases>>> = {
  companies: {
    name: ['company_name', 'company', 'organization_name', 'project_name', 'project', 'startup'],
    slug: ['company_slug'],
    team: ['team_members', 'members'],
    investors: ['investor', 'backers', 'backed_by'],
    acquired_by: ['acquirer', 'acquirer_name', 'acquirer_slug', 'acquiring_company', 'bought_by'],
    status_since: ['closed_on', 'closed_at', 'closed_date', 'acquired_on', 'acquired_at', 'acquisition_date'],
  },
  people: {
    name: ['person_name', 'person'],
    slug: ['person_slug'],
    roles: ['role', 'positions', 'experience'],
    events: ['event_slugs', 'event_slug', 'event', 'speaks_at'],
    angel_investments: ['angel_rounds', 'investments_count'],
  },
  investors: {
    name: ['investor_name', 'investor', 'firm_name', 'firm', 'fund_name', 'organization_name'],
    slug: ['investor_slug'],
    focus: [...(COMMON['tags'] ?? []), 'tags', 'focus_tags', 'focus_areas', 'focus_area', 'investment_focus'],
    funding_stages: ['stages', 'investment_stages', 'stage'],
    fund_size_usd: ['fund_size', 'aum', 'assets_under_management'],
    investments_count: ['investments', 'investment_count', 'number_of_investments', 'rounds_count'],
    portfolio_count: ['portfolio_size', 'portfolio_companies_count'],
    first_investment_date: ['first_investment'],
    last_investment_date: ['last_investment', 'latest_investment', 'latest_investment_date'],
    portfolio: ['portfolio_companies', 'investees'],
  },
  events: {
    name: ['event_name', 'event'],
    slug: ['event_slug'],
    start_date: ['start', 'starts', 'starts_at', 'starts_on', 'date'],
    end_date: ['end', 'ends', 'ends_at', 'ends_on'],
    format: ['event_format'],
    organizers: ['organizer', 'organisers', 'organiser', 'hosts', 'host', 'organized_by'],
    speakers: ['speaker', 'speaker_slugs'],
    sponsors: ['sponsor', 'sponsor_slugs', 'partners'],
    series_slug: ['series'],
  },
  rounds: {
    name: ['round_name'],
    slug: ['round_slug'],
    company: ['company_name', 'organization', 'organization_name', 'project', 'startup'],
    announced_date: ['date', 'announced', 'announced_at', 'announced_on', 'announcement_date'],
    stage: ['round_type', 'round', 'funding_round', 'funding_stage', 'funding_type', 'series'],
    amount_usd: ['amount', 'raised', 'raised_amount', 'amount_raised', 'money_raised'],
    valuation_usd: ['valuation', 'post_money_valuation'],
    lead_investors: ['lead_investor', 'leads', 'lead', 'led_by'],
    investors: ['investor', 'all_investors', 'participants', 'backers'],
    announcement: ['announcement_url', 'primary_source', 'source_url', 'press_release', 'url', 'link'],
  },
};

const PARTS: Readonly<Record<ImportPart, { readonly of: readonly RecordType[]; readonly names: readonly string[] }>> = {
  id: { of: RECORD_TYPES, names: ['id'] },
  type: { of: RECORD_TYPES, names: ['type'] },
  currency: { of: ['companies', 'investors', 'rounds'], names: ['currency', 'currency_code'] },
  'location_json.city': {
    of: NAMED_TYPES,
    names: ['location_json.city', 'location.city', 'city', 'hq_city', 'headquarters_city'],
  },
  'location_json.country': {
    of: NAMED_TYPES,
    names: ['location_json.country', 'location.country', 'country', 'hq_country', 'headquarters_country'],
  },
  domain: { of: NAMED_TYPES, names: ['domain', 'web_domain', 'website_domain', 'domain_name'] },
  company_slug: { of: ['rounds'], names: ['company_slug', 'project_slug', 'organization_slug'] },
  company_website: {
    of: ['rounds'],
    names: ['company_website', 'website', 'website_url', 'homepage', 'company_url', 'company_domain', 'domain'],
  },
  company_slugs: {
    of: ['people'],
    names: ['company_slugs', 'company_slug', 'companies', 'company', 'organizations', 'organization', 'employer'],
  },
};

/** Every column name accepted for a type, folded. The record's own field names take precedence. */
export function importTargets(type: RecordType): ReadonlyMap<string, ImportTarget> {
  const fields = writableFields(type);
  const targets = new Map<string, ImportTarget>();
  const add = (name: string, to: string, isOwn: boolean): void => {
    const key = foldName(name);
    if (!targets.has(key)) targets.set(key, { to, isOwn });
  };
  for (const field of fields) add(field, field, true);
  for (const [part, { of, names }] of Object.entries(PARTS))
    if (of.includes(type)) for (const name of names) add(name, part, part === names[0]);
  for (const aliases of [OF_TYPE[type] ?? {}, COMMON]) {
    for (const field of fields) for (const name of aliases[field] ?? []) add(name, field, false);
  }
  // For a person, `title` is the job title, not the name.
  if (fields.includes('headline')) targets.set('title', { to: 'headline', isOwn: false });
  return targets;
}

/** A CSV file of companies as import takes it, with a list in a cell. */
export const SAMPLE_CSV =
  'name,website,tags,city,country,year_founded\nAcme,https://acme.example,DeFi|Wallets,Lisbon,Portugal,2021';

/** The columns of a file to import, by their names of the record. */
export const importColumnsOf = (type: RecordType): string[] =>
  writableFields(type).flatMap((field) => (field === 'location_json' ? ['city', 'country'] : field));

/** The importable fields of a type, in the order of its schema. */
export const writableFields = (type: RecordType): string[] => Object.keys(inputOf(type).shape);
