import { FUNDING_STAGES, type FundingStage } from '../../src/contract/vocabulary.ts';
import type { Place } from './companies.ts';
import { websiteAddress } from './companies.ts';
import { PORTFOLIO_NAMES } from './decisions.ts';
import { type Fact, factValues, type Subject, shippableFacts } from './facts.ts';
import { investorOverview, investorTagline } from './investor-text.ts';
import { distinct, type Links, type Reference } from './links.ts';
import { isFounding, type Person } from './people.ts';
import { groupReadings, newestDate, type Reading, readingsOf, type SourceLine } from './sources.ts';
import { nameKey } from './text.ts';

/** Investors, with the counts of their known rounds. */

/** An investor before names are linked. */
export interface Investor {
  name: string;
  slug: string;
  aliases: string[];
  website: string | null;
  place: Place | null;
  yearFounded: number | null;
  founders: string[];
  known: { rounds: number; led: number; companies: number; first: string; last: string } | null;
  knownAsOf: string | null;
  stages: readonly (readonly [stage: FundingStage, count: number])[];
  portfolio: string[];
  readings: Reading[];
}

export interface InvestorLine {
  name: string;
  slug: string;
  aliases?: string[];
  tagline: string;
  overview: string;
  website?: string;
  funding_stages?: FundingStage[];
  location_json?: Place;
  year_founded?: number;
  investments_count?: number;
  lead_count?: number;
  portfolio_count?: number;
  first_investment_date?: string;
  last_investment_date?: string;
  portfolio?: Reference[];
  founders?: Reference[];
  as_of: string | null;
  sources: SourceLine[];
}

/** The investors, those with most known rounds first, as the facts have them. */
export function investorsFrom(subjects: readonly Subject[], companyNames: ReadonlySet<string>): Investor[] {
  return subjects.map((subject) => investorFrom(subject, companyNames));
}

const KNOWN_FIELDS = [
  'investments_count',
  'lead_count',
  'portfolio_count',
  'first_investment_date',
  'last_investment_date',
];

function investorFrom(subject: Subject, companyNames: ReadonlySet<string>): Investor {
  const [known] = shippableFacts(subject, 'investments_known');
  const [stages] = shippableFacts(subject, 'stages_seen');
  const [examples] = shippableFacts(subject, 'portfolio_examples');
  const [website] = shippableFacts(subject, 'website');
  const [year] = shippableFacts(subject, 'year_founded');
  const founders = shippableFacts(subject, 'founder');
  const address = website === undefined ? null : websiteAddress(String(website.value));
  const place = placeOf(subject);
  return {
    name: subject.name,
    slug: subject.slug,
    aliases: aliasesOf(subject, companyNames),
    website: address,
    place: place?.place ?? null,
    yearFounded: year === undefined ? null : factValues.year.parse(year.value),
    founders: founders.map((fact) => factValues.text.parse(fact.value)),
    known: known === undefined ? null : factValues.investments.parse(known.value),
    knownAsOf: known?.as_of ?? null,
    stages: stages === undefined ? [] : stagesOf(stages),
    portfolio: examples === undefined ? [] : portfolioOf(examples),
    readings: [
      ...KNOWN_FIELDS.flatMap((field) => readingsIf(known, field)),
      ...readingsIf(stages, 'funding_stages'),
      ...readingsIf(examples, 'portfolio'),
      ...(address === null ? [] : readingsIf(website, 'website')),
      ...readingsIf(place?.fact, 'location_json'),
      ...readingsIf(year, 'year_founded'),
      ...founders.flatMap((fact) => readingsOf(fact, 'founders')),
    ],
  };
}

function readingsIf(fact: Fact | undefined, field: string): Reading[] {
  return fact === undefined ? [] : readingsOf(fact, field);
}

/** Other names, but not the name with its former one in brackets, nor the name of a company of ours. */
function aliasesOf(subject: Subject, companyNames: ReadonlySet<string>): string[] {
  const own = nameKey(subject.name);
  const aliases = subject.aliases.filter((alias) => {
    const key = nameKey(alias);
    return key !== own && !alias.startsWith(`${subject.name} (`) && (!companyNames.has(key) || companyNames.has(own));
  });
  const keys = aliases.map(nameKey);
  return aliases.filter((alias, index) => keys.indexOf(nameKey(alias)) === index);
}

function placeOf(subject: Subject): { place: Place; fact: Fact } | null {
  const [seat] = shippableFacts(subject, 'hq_location');
  if (seat !== undefined) return { place: factValues.place.parse(seat.value), fact: seat };
  const [country] = shippableFacts(subject, 'country');
  return country === undefined
    ? null
    : { place: { city: null, country: factValues.text.parse(country.value) }, fact: country };
}

function stagesOf(fact: Fact): Investor['stages'] {
  const counts = factValues.counts.parse(fact.value);
  return FUNDING_STAGES.flatMap((stage) => (counts[stage] === undefined ? [] : [[stage, counts[stage]] as const]));
}

function portfolioOf(fact: Fact): string[] {
  const names = [...new Set(factValues.texts.parse(fact.value).map((name) => PORTFOLIO_NAMES[name] ?? name))];
  const former = names.flatMap((name) => / \(ex ([^,)]+)/.exec(name)?.[1] ?? []);
  return names.filter((name) => !former.includes(name));
}

/** What an investor's names are linked with. */
export interface InvestorContext {
  links: Links;
  people: readonly Person[];
  /** Of companies with a common word as name: the names of their rounds' investors, without which none is linked. */
  backers: ReadonlyMap<string, ReadonlySet<string>>;
}

/** An investor as it is shipped. */
export function investorLine(investor: Investor, { links, people, backers }: InvestorContext): InvestorLine {
  const own = [investor.name, ...investor.aliases].map(nameKey);
  const portfolio = distinct(
    investor.portfolio.map((name) => {
      const company = links.refer(name, ['companies']);
      const known = backers.get(company.slug ?? '');
      return known === undefined || own.some((key) => known.has(key)) ? company : { name };
    }),
  );
  const founded = foundersOf(investor, links, people);
  const sources = groupReadings([...investor.readings, ...founded.readings]);
  const { known } = investor;
  return {
    name: investor.name,
    slug: investor.slug,
    ...(investor.aliases.length === 0 ? {} : { aliases: investor.aliases }),
    tagline: investorTagline(investor),
    overview: investorOverview(
      investor,
      founded.founders.map((founder) => founder.name),
      portfolio.map((company) => company.name),
    ),
    ...(investor.website === null ? {} : { website: investor.website }),
    ...(investor.stages.length === 0 ? {} : { funding_stages: investor.stages.map(([stage]) => stage) }),
    ...(investor.place === null ? {} : { location_json: investor.place }),
    ...(investor.yearFounded === null ? {} : { year_founded: investor.yearFounded }),
    ...(known === null
      ? {}
      : {
          investments_count: known.rounds,
          lead_count: known.led,
          portfolio_count: known.companies,
          first_investment_date: known.first,
          last_investment_date: known.last,
        }),
    ...(portfolio.length === 0 ? {} : { portfolio }),
    ...(founded.founders.length === 0 ? {} : { founders: founded.founders }),
    as_of: newestDate(sources),
    sources,
  };
}

/** Founders by the firm's facts, and people whose role there is to have founded it. */
function foundersOf(
  investor: Investor,
  links: Links,
  people: readonly Person[],
): { founders: Reference[]; readings: Reading[] } {
  const own = [investor.name, ...investor.aliases].map(nameKey);
  const roles = people.flatMap((person) =>
    person.roles
      .filter((role) => isFounding(role.title) && own.includes(nameKey(role.organization)))
      .map((role) => ({ person, role })),
  );
  const named = investor.founders.map((name) => links.refer(name, ['people']));
  return {
    founders: distinct([...named, ...roles.map(({ person }): Reference => ({ name: person.name, slug: person.slug }))]),
    readings: roles.flatMap(({ role }) => role.readings.map((reading) => ({ ...reading, field: 'founders' }))),
  };
}
