import { companyOverview, companyTagline } from './company-text.ts';
import { DOUBTFUL_FIELDS, DOUBTFUL_TAGS, LEFT_OUT_COMPANIES, MERGED_COMPANIES, SHARED_HOSTS } from './decisions.ts';
import { type Fact, factValues, type Subject, shippableFacts } from './facts.ts';
import { chainsFrom, tagsFrom } from './labels.ts';
import { distinct, type Links, type Reference } from './links.ts';
import type { Person } from './people.ts';
import { isFounding } from './people.ts';
import type { Round } from './rounds.ts';
import { groupReadings, newestDate, type Reading, readingsOf, type SourceLine } from './sources.ts';
import type { Tally } from './tally.ts';
import { cleanText, nameKey } from './text.ts';

/** Companies: merged, checked and written as records. */

export interface Place {
  city: string | null;
  country: string | null;
}

/** A company before names are linked. */
export interface Company {
  name: string;
  slug: string;
  aliases: string[];
  isAmbiguous: boolean;
  website: string | null;
  tags: string[];
  chains: string[];
  tokens: string[];
  place: Place | null;
  yearFounded: number | null;
  stage: 'public' | 'acquired' | null;
  stageAsOf: string | null;
  founders: string[];
  twitter: string | null;
  github: string | null;
  rounds: Round[];
  readings: Reading[];
}

export interface CompanyLine {
  name: string;
  slug: string;
  aliases?: string[];
  tagline: string;
  overview: string;
  website?: string;
  tags?: string[];
  chains?: string[];
  token_symbols?: string[];
  location_json?: Place;
  year_founded?: number;
  company_stage?: 'public' | 'acquired';
  founders?: Reference[];
  twitter?: string;
  github?: string;
  as_of: string | null;
  sources: SourceLine[];
}

/** The companies that ship, the best known first. */
export function companiesFrom(
  subjects: readonly Subject[],
  rounds: ReadonlyMap<string, Round[]>,
  tally: Tally,
): Company[] {
  const companies = mergeSubjects(subjects, tally).map((subject) =>
    companyFrom(subject, rounds.get(subject.slug) ?? []),
  );
  const kept = companies.filter((company) => {
    const reason =
      LEFT_OUT_COMPANIES[company.slug] ?? (hasSubstance(company) ? null : 'too few facts with a sufficient source');
    if (reason !== null) tally.leaveOut('companies', reason);
    return reason === null;
  });
  return kept.sort((left, right) => fameOf(right) - fameOf(left) || (left.slug < right.slug ? -1 : 1));
}

/** Facts of a company under its second name, or a second time under its web domain, join those of the first. */
function mergeSubjects(subjects: readonly Subject[], tally: Tally): Subject[] {
  const bySlug = new Map<string, Subject>();
  const byDomain = new Map<string, string>();
  for (const subject of subjects) {
    const website = websiteOf(subject)?.address ?? null;
    const domain = website === null ? '' : new URL(website).host.replace(/^www\./, '');
    const target = bySlug.get(MERGED_COMPANIES[subject.slug] ?? byDomain.get(domain) ?? '');
    if (target === undefined) {
      bySlug.set(subject.slug, { ...subject, aliases: [...subject.aliases], facts: [...subject.facts] });
      if (domain !== '') byDomain.set(domain, subject.slug);
    } else {
      target.aliases.push(subject.name);
      target.facts.push(...subject.facts);
      tally.count('companies merged into one of another name');
    }
  }
  return [...bySlug.values()];
}

function companyFrom(subject: Subject, rounds: Round[]): Company {
  const readings: Reading[] = [];
  const take = (field: string, as: string): Fact[] => {
    const isDoubtful = (DOUBTFUL_FIELDS[subject.slug] ?? []).includes(field);
    const facts = isDoubtful ? [] : shippableFacts(subject, field);
    for (const fact of facts) readings.push(...readingsOf(fact, as));
    return facts;
  };
  const only = (field: string, as: string): Fact | undefined => {
    const [best] = shippableFacts(subject, field);
    if (best !== undefined) readings.push(...readingsOf(best, as));
    return best;
  };
  const doubtfulTags = DOUBTFUL_TAGS[subject.slug] ?? [];
  const website = websiteOf(subject);
  if (website !== null) readings.push(...readingsOf(website.fact, 'website'));
  const twitter = accountOf(shippableFacts(subject, 'twitter')[0], twitterAddress);
  const github = accountOf(shippableFacts(subject, 'github')[0], githubAddress);
  if (twitter !== null) readings.push(...readingsOf(twitter.fact, 'twitter'));
  if (github !== null) readings.push(...readingsOf(github.fact, 'github'));
  const tags = tagsFrom(textsOf(take('category_tags', 'tags')).filter((tag) => !doubtfulTags.includes(tag)));
  const chains = chainsFrom(textsOf(take('chains', 'chains')));
  const place = only('hq_location', 'location_json');
  const year = only('year_founded', 'year_founded');
  const status = shippableFacts(subject, 'status').find((fact) => ['public', 'acquired'].includes(String(fact.value)));
  if (status !== undefined) readings.push(...readingsOf(status, 'company_stage'));
  return {
    name: subject.name,
    slug: subject.slug,
    aliases: subject.aliases,
    isAmbiguous: subject.ambiguous_name,
    website: website?.address ?? null,
    tags,
    chains,
    tokens: [...new Set(take('token_symbol', 'token_symbols').map((fact) => factValues.text.parse(fact.value)))],
    place: place === undefined ? null : factValues.place.parse(place.value),
    yearFounded: year === undefined ? null : factValues.year.parse(year.value),
    stage: status === undefined ? null : (String(status.value) as 'public' | 'acquired'),
    stageAsOf: status?.as_of ?? null,
    founders: take('founder', 'founders').map((fact) => factValues.text.parse(fact.value)),
    twitter: twitter?.address ?? null,
    github: github?.address ?? null,
    rounds,
    readings: readings.filter((reading) => hasValue(reading.field, tags, chains)),
  };
}

/** Labels that were all dropped leave no field, and so no source. */
function hasValue(field: string, tags: readonly string[], chains: readonly string[]): boolean {
  return (field !== 'tags' || tags.length > 0) && (field !== 'chains' || chains.length > 0);
}

function textsOf(facts: readonly Fact[]): string[] {
  return facts.flatMap((fact) => factValues.texts.parse(fact.value));
}

function websiteOf(subject: Subject): { address: string; fact: Fact } | null {
  if ((DOUBTFUL_FIELDS[subject.slug] ?? []).includes('website')) return null;
  return accountOf(shippableFacts(subject, 'website')[0], websiteAddress);
}

function accountOf(
  fact: Fact | undefined,
  read: (text: string) => string | null,
): { address: string; fact: Fact } | null {
  const address = fact === undefined ? null : read(cleanText(String(fact.value)));
  return fact === undefined || address === null ? null : { address, fact };
}

/** The front page of a site over https, or null for a page on a host that everybody uses. */
export function websiteAddress(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { host } = new URL(text);
  return SHARED_HOSTS.has(host.replace(/^www\./, '')) ? null : `https://${host}/`;
}

function twitterAddress(text: string): string | null {
  const handle = /^https?:\/\/(?:www\.|mobile\.)?(?:twitter|x)\.com\/@?(\w{1,15})\/?(?:[?#].*)?$/i.exec(text)?.[1];
  return handle === undefined ? null : `https://x.com/${handle}`;
}

function githubAddress(text: string): string | null {
  const owner = /^https?:\/\/(?:www\.)?github\.com\/(?:orgs\/)?([\w.-]+)/i.exec(text)?.[1];
  return owner === undefined ? null : `https://github.com/${owner}`;
}

/** A website or a round is enough; else it takes two kinds of facts, tags and an account for example. */
function hasSubstance(company: Company): boolean {
  const { tags, chains, tokens, place, yearFounded, founders, twitter, github } = company;
  if (company.website !== null || company.rounds.length > 0) return true;
  const kinds = [tags.length, chains.length, tokens.length, founders.length].filter((length) => length > 0).length;
  return kinds + [place, yearFounded, twitter, github].filter((value) => value !== null).length >= 2;
}

function fameOf(company: Company): number {
  const sources = new Set(company.readings.map((reading) => reading.source)).size;
  return company.rounds.length * 2 + sources + new Set(company.readings.map((reading) => reading.field)).size;
}

/** A company as it is shipped. */
export function companyLine(company: Company, links: Links, people: readonly Person[]): CompanyLine {
  const founded = foundersOf(company, links, people);
  const sources = groupReadings([...company.readings, ...founded.readings]);
  const said = { ...company, founders: founded.founders.map((founder) => founder.name) };
  return {
    name: company.name,
    slug: company.slug,
    ...(company.aliases.length === 0 ? {} : { aliases: company.aliases }),
    tagline: companyTagline(said),
    overview: companyOverview(said),
    ...(company.website === null ? {} : { website: company.website }),
    ...(company.tags.length === 0 ? {} : { tags: company.tags }),
    ...(company.chains.length === 0 ? {} : { chains: company.chains }),
    ...(company.tokens.length === 0 ? {} : { token_symbols: company.tokens }),
    ...(company.place === null ? {} : { location_json: company.place }),
    ...(company.yearFounded === null ? {} : { year_founded: company.yearFounded }),
    ...(company.stage === null ? {} : { company_stage: company.stage }),
    ...(founded.founders.length === 0 ? {} : { founders: founded.founders }),
    ...(company.twitter === null ? {} : { twitter: company.twitter }),
    ...(company.github === null ? {} : { github: company.github }),
    as_of: newestDate(
      sources.length === 0 ? groupReadings(company.rounds.flatMap((round) => round.readings)) : sources,
    ),
    sources: sources.length === 0 ? overviewSources(company) : sources,
  };
}

/** A company known by its rounds alone carries their sources: its overview is made of them. */
function overviewSources(company: Company): SourceLine[] {
  return groupReadings(
    company.rounds.flatMap((round) => round.readings.map((reading) => ({ ...reading, field: 'overview' }))),
  );
}

/** Founders that the company's facts name, and people whose role there is to have founded it. */
function foundersOf(
  company: Company,
  links: Links,
  people: readonly Person[],
): { founders: Reference[]; readings: Reading[] } {
  const own = [company.name, ...company.aliases].map(nameKey);
  const roles = people.flatMap((person) =>
    person.roles
      .filter((role) => isFounding(role.title) && own.includes(nameKey(role.organization)))
      .map((role) => ({ person, role })),
  );
  const named = company.founders.map((name) => links.refer(name, ['people']));
  const known = roles.map(({ person }): Reference => ({ name: person.name, slug: person.slug }));
  return {
    founders: distinct([...named, ...known]),
    readings: roles.flatMap(({ role }) => role.readings.map((reading) => ({ ...reading, field: 'founders' }))),
  };
}
