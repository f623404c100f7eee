import { foldName, slugify } from '../../src/contract/names.ts';
import type { Line } from './check.ts';
import type { ShippedCompany, UnlinkedProject } from './dataset.ts';
import { INVESTING_COMPANIES } from './decisions.ts';
import { investorOverview, investorTagline, type SaidInvestor } from './investor-text.ts';
import { type EditedInvestor, focusOf, type Investment, investorsFrom, stagesOf } from './investors.ts';
import type { Named } from './links.ts';
import type { Source } from './raw.ts';
import { editorsOf } from './resolve.ts';
import { FUNDERS, mergedGrants } from './rounds.ts';
import type { SlugBook } from './slugs.ts';
import { groupReadings, newestDate, type Reading, sourceName } from './sources.ts';

/** Investor records, with the counts of what is shipped: nothing is counted that the set does not hold. */

export function investorLines(
  companies: readonly (ShippedCompany | UnlinkedProject)[],
  sources: ReadonlyMap<string, Source>,
  slugs: SlugBook,
  people: readonly Named[],
): { investors: readonly SaidInvestor[]; lines: readonly Line[] } {
  const byName = investmentsByName(companies, sources);
  const taken = new Set([...companies, ...people].flatMap(({ name, slug }) => (slug === null ? [] : [foldName(name)])));
  const counts = new Map([...byName].map(([name, investments]) => [name, investments.length]));
  const found = investorsFrom(counts, (name) => taken.has(foldName(name)));
  const known = found
    .map((investor) => {
      const names = new Set([investor.name, ...investor.aliases].map(foldName));
      const investments = [...byName].flatMap(([name, list]) => (names.has(foldName(name)) ? list : []));
      return { ...investor, investments, stages: stagesOf(investments), focus: focusOf(investments) };
    })
    .filter(({ investments }) => investments.length > 0)
    .sort(
      (left, right) =>
        announcedCount(right) - announcedCount(left) ||
        right.investments.length - left.investments.length ||
        (left.name < right.name ? -1 : 1),
    );
  const given = slugs.assign(
    known.map(({ key, name, edited }) => ({
      key,
      // What the editors name may have had a record in the first edition: the same slug goes on.
      keys: edited === null ? [key] : [key, `v1:${slugify(name)}`],
      name,
    })),
  );
  const investors = known.map((investor, index) => ({ ...investor, slug: given[index] ?? '' }));
  const editors = editorsOf(sources);
  return { investors, lines: investors.map((investor) => investorLine(investor, editors)) };
}

const FIRM_FIELDS = ['logo', 'website', 'location_json', 'twitter'];

/** Investors with what the sources of a company state of the same firm. */
export function withFirms(investors: readonly Line[], companies: readonly Line[]): Line[] {
  const bySlug = new Map(companies.map((line) => [line.slug, line]));
  const slugs = new Map(INVESTING_COMPANIES.map(([name, slug]) => [name, slug]));
  return investors.map((line) => {
    const company = bySlug.get(slugs.get(String(line['name'])) ?? '');
    if (company === undefined) return line;
    const known = FIRM_FIELDS.filter((field) => company[field] !== undefined);
    const stated = (company['sources'] as SourceLine[]).flatMap((source) => {
      const fields = source.fields.filter((field) => known.includes(field));
      return fields.length === 0 ? [] : [{ ...source, fields }];
    });
    const sources = [...(line['sources'] as SourceLine[]), ...stated];
    const facts = Object.fromEntries(known.map((field) => [field, company[field]]));
    return {
      ...line,
      ...facts,
      as_of: newestDate(sources, [String(line['as_of'])]),
      sources,
    } as unknown as Line;
  });
}

type SourceLine = ReturnType<typeof groupReadings>[number];

const announcedCount = ({ investments }: Pick<SaidInvestor, 'investments'>): number =>
  investments.filter(({ stage }) => stage !== 'grant').length;

function investmentsByName(
  companies: readonly (ShippedCompany | UnlinkedProject)[],
  sources: ReadonlyMap<string, Source>,
): Map<string, Investment[]> {
  const byName = new Map<string, Investment[]>();
  const add = (name: string, investment: Investment): void => {
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [investment]);
    else known.push(investment);
  };
  for (const company of companies) {
    for (const round of company.rounds) {
      const shared = {
        company,
        date: round.date,
        isOfMonth: round.isOfMonth,
        stage: round.stage ?? null,
        amountUsd: null,
        paid: undefined,
        source: round.source,
        asOf: round.asOf,
      };
      for (const name of new Set([...(round.leads ?? []), ...(round.investors ?? [])]))
        add(name, { ...shared, isLead: (round.leads ?? []).includes(name) });
    }
    for (const grant of mergedGrants(company.grants)) {
      const source = sources.get(grant.source);
      if (source === undefined) throw new Error(`${grant.source} is not in data/raw/sources.json`);
      const shared = {
        company,
        date: grant.date ?? null,
        isOfMonth: grant.isOfMonth === true,
        stage: 'grant' as const,
        amountUsd: grant.amount,
        paid: grant.paid,
        isLead: false,
      };
      add(FUNDERS[grant.funder]?.name ?? grant.funder, {
        ...shared,
        source: sourceName(source, grant.path),
        asOf: grant.as_of,
      });
    }
  }
  return byName;
}

const SOURCES_MAX = 8;
const PORTFOLIO_MAX = 12;

function investorLine(investor: SaidInvestor, editors: Source) {
  const { investments, stages, focus, edited } = investor;
  const dates = investments.flatMap(({ date }) => (date === null ? [] : [date])).sort();
  const companies = [...new Map(investments.map(({ company }) => [company.slug, company])).values()].flatMap(
    ({ name, slug }) => (slug === null ? [] : [{ name, slug }]),
  );
  const rounds = investments.filter(({ stage }) => stage !== 'grant');
  const led = rounds.filter(({ isLead }) => isLead).length;
  const sources = groupReadings(readingsOf(investor, editors));
  return {
    name: investor.name,
    slug: investor.slug,
    ...(investor.aliases.length === 0 ? {} : { aliases: [...investor.aliases] }),
    tagline: investorTagline(investor),
    overview: investorOverview(investor),
    ...(edited?.website == null ? {} : { website: edited.website }),
    ...(investor.type === null ? {} : { investor_type: investor.type }),
    ...(focus.length === 0 ? {} : { focus }),
    ...(stages.length === 0 ? {} : { funding_stages: stages }),
    ...(edited?.place == null ? {} : { location_json: edited.place }),
    ...(edited?.founded == null ? {} : { year_founded: edited.founded }),
    ...(edited?.fundSizeUsd == null ? {} : { fund_size_usd: edited.fundSizeUsd }),
    investments_count: rounds.length,
    lead_count: led,
    portfolio_count: companies.length,
    ...investedBetween(investments),
    portfolio: companies.slice(0, PORTFOLIO_MAX),
    as_of: newestDate(sources, dates),
    sources,
  } as unknown as Line;
}

function investedBetween(investments: readonly Investment[]) {
  const dated = investments.flatMap(({ date, isOfMonth }) => (date === null ? [] : [{ date, isOfMonth }]));
  const sorted = dated.sort((left, right) => (left.date < right.date ? -1 : Number(left.date > right.date)));
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return {};
  const isOfMonth = (one: typeof first): boolean =>
    sorted.filter(({ date }) => date === one.date).every((same) => same.isOfMonth);
  const months = [
    ...(isOfMonth(first) ? ['first_investment_date'] : []),
    ...(isOfMonth(last) ? ['last_investment_date'] : []),
  ];
  return {
    first_investment_date: first.date,
    last_investment_date: last.date,
    ...(months.length === 0 ? {} : { month_only: months }),
  };
}

const COUNTED = ['investments_count', 'lead_count', 'portfolio', 'portfolio_count', 'funding_stages'];
const DATED = ['first_investment_date', 'last_investment_date'];
const DERIVED_FOCUS = 'derived from the categories of the companies that it funded';
const DERIVED_TYPE = 'derived from the words of its name';

function readingsOf({ investments, focus, isTypeDerived, type, edited }: SaidInvestor, editors: Source): Reading[] {
  const counted = investments
    .slice(0, SOURCES_MAX)
    .flatMap(({ source, asOf, date }) =>
      ['name', ...COUNTED, ...(date === null ? [] : DATED)].map((field) => ({ source, asOf, field })),
    );
  const typed: Reading[] =
    type === null || edited?.type != null
      ? []
      : isTypeDerived
        ? [{ source: DERIVED_TYPE, asOf: null, field: 'investor_type' }]
        : [{ source: investments[0]?.source ?? '', asOf: null, field: 'investor_type' }];
  return [
    ...counted,
    ...typed,
    ...editedReadings(edited, editors),
    ...(focus.length === 0 ? [] : [{ source: DERIVED_FOCUS, asOf: null, field: 'focus' }]),
  ];
}

function editedReadings(edited: EditedInvestor | null, editors: Source): Reading[] {
  if (edited === null) return [];
  const { type, website, place, founded, fundSizeUsd, asOf, path } = edited;
  const facts = {
    investor_type: type,
    website,
    location_json: place,
    year_founded: founded,
    fund_size_usd: fundSizeUsd,
  };
  const fields = Object.entries(facts).flatMap(([field, value]) => (value === null ? [] : [field]));
  return fields.map((field) => ({ source: sourceName(editors, path), asOf, field }));
}
