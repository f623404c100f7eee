import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldName, slugify } from '../../src/contract/names.ts';
import { EVENT_TYPES } from '../../src/contract/vocabulary.ts';
import { coreName, isSharedHost, siteOf } from '../../src/store/matching/resolver.ts';
import type { Line, Lines } from './check.ts';
import { chainsFrom, tagsFrom } from './labels.ts';
import { capitalized, cleanText, listed, periodWords, withArticle } from './text.ts';

/**
 * The share-alike pack of privacy projects: records that the main set does not have, under ODbL 1.0 and in files of their
 * own. Nothing of it goes into the main set, and nothing of the main set into it but the slugs that are taken.
 */

interface Project {
  readonly name: string;
  readonly website?: string;
  readonly twitter?: string;
  readonly github?: string;
  readonly tags?: readonly string[];
  readonly chains?: readonly string[];
  readonly status?: string;
  readonly as_of: string;
  readonly source: string;
}

interface Member {
  readonly name: string;
  readonly org: string;
  readonly title: string;
  readonly twitter?: string;
  readonly github?: string;
  readonly as_of: string;
  readonly source: string;
}

interface Meeting {
  readonly name: string;
  readonly start: string;
  readonly end: string;
  readonly city?: string;
  readonly country?: string;
  readonly website?: string;
  readonly type?: string;
  readonly as_of: string;
  readonly source: string;
}

const FOLDER = join(import.meta.dirname, '..', 'packs', 'privacy');

const read = <Row>(name: string): Row[] =>
  readFileSync(join(FOLDER, 'raw', `${name}.ndjson`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);

/** The lines of the pack; what the main set has already is left out. */
export function privacyPack(main: Lines): Pick<Lines, 'companies' | 'people' | 'events'> {
  const companies = companiesOf(main);
  return { companies, people: peopleOf(main, companies), events: eventsOf(main) };
}

function companiesOf(main: Lines): Line[] {
  const domains = new Set(main.companies.flatMap((line) => siteOf(String(line['website'] ?? ''))?.domain ?? []));
  const names = new Set(
    main.companies.flatMap((line) => [line.name, ...((line['aliases'] as string[]) ?? [])].map(coreName)),
  );
  const slugs = takenSlugs(main.companies);
  return read<Project>('projects').flatMap((project) => {
    const name = cleanText(project.name);
    const site = project.website === undefined ? null : siteOf(project.website);
    const isOwn = site !== null && !isSharedHost(site, foldName(name)) && !domains.has(site.domain);
    if (!isOwn || names.has(coreName(name)) || (project.tags ?? []).length === 0) return [];
    domains.add(site.domain);
    names.add(coreName(name));
    const tags = tagsFrom(project.tags ?? []);
    const chains = chainsFrom(project.chains ?? []);
    const kind = `privacy project${chains.length === 0 ? '' : ` on ${listed(chains.slice(0, 4))}`}`;
    const others = tags.filter((tag) => tag !== 'Privacy');
    const filed = others.length === 0 ? '' : ` It is filed under ${listed(others)}.`;
    const fields = ['name', 'website', 'tags'];
    const line = {
      name,
      slug: slugs(name),
      tagline: capitalized(kind),
      overview: `${name} is ${withArticle(kind)}.${filed}`,
      website: `https://${site.host}/`,
      tags,
      ...(chains.length === 0 ? {} : { chains }),
      ...(project.status === 'closed' ? { company_stage: 'closed' } : {}),
      ...(project.twitter === undefined ? {} : { twitter: `https://x.com/${project.twitter}` }),
      ...(project.github === undefined ? {} : { github: `https://github.com/${project.github}` }),
    };
    const more = ['chains', 'company_stage', 'twitter', 'github'].filter((field) => field in line);
    return [{ ...line, as_of: project.as_of, sources: [sourceLine(project, [...fields, ...more])] }];
  });
}

function peopleOf(main: Lines, companies: readonly Line[]): Line[] {
  const names = new Set(main.people.map((line) => foldName(line.name)));
  const slugs = takenSlugs(main.people);
  const slugOfName = new Map([...main.companies, ...companies].map((line) => [foldName(line.name), line.slug]));
  return read<Member>('people').flatMap((member) => {
    const name = cleanText(member.name);
    if (name.split(' ').length < 2 || names.has(foldName(name))) return [];
    names.add(foldName(name));
    const title = cleanText(member.title);
    const organization = slugOfName.get(foldName(member.org));
    const linked =
      organization === undefined ? {} : { organization_slug: organization, organization_type: 'companies' };
    const line = {
      name,
      slug: slugs(name),
      headline: `${capitalized(title)} of ${member.org}`,
      overview: `${name} is on the team of ${member.org}, as ${title}.`,
      roles: [
        { organization: member.org, ...linked, title: capitalized(title), is_current: null, as_of: member.as_of },
      ],
      ...(member.twitter === undefined ? {} : { twitter: `https://x.com/${member.twitter}` }),
      ...(member.github === undefined ? {} : { github: `https://github.com/${member.github}` }),
    };
    const more = ['twitter', 'github'].filter((field) => field in line);
    return [{ ...line, as_of: member.as_of, sources: [sourceLine(member, ['name', 'roles', ...more])] }];
  });
}

function eventsOf(main: Lines): Line[] {
  const slugs = takenSlugs(main.events);
  const countries = new Intl.DisplayNames(['en'], { type: 'region' });
  return read<Meeting>('events').map((event) => {
    const isPlace = event.country !== undefined && event.country !== 'xx';
    const country = isPlace ? (countries.of(event.country.toUpperCase()) ?? null) : null;
    const place = event.city === undefined || !isPlace ? null : { city: event.city, country };
    const type = EVENT_TYPES.find((known) => known === event.type);
    const where = place === null ? '' : ` in ${event.city}`;
    const tagline = `Web3 ${type ?? 'event'} on privacy${where}, ${periodWords(event.start, event.end)}`;
    const line = {
      name: event.name,
      slug: slugs(event.name),
      tagline,
      overview: `${event.name} is ${withArticle(tagline)}.`,
      ...(event.website === undefined ? {} : { website: event.website }),
      start_date: event.start,
      end_date: event.end,
      ...(place === null ? {} : { location_json: place }),
      ...(type === undefined ? {} : { event_type: type }),
    };
    const stated = ['name', 'start_date', 'end_date', 'website', 'location_json', 'event_type'];
    return {
      ...line,
      as_of: event.as_of,
      sources: [
        sourceLine(
          event,
          stated.filter((field) => field in line),
        ),
      ],
    };
  });
}

/** Gives slugs that neither the main set nor the pack has. */
function takenSlugs(lines: readonly Line[]): (name: string) => string {
  const taken = new Set(lines.map(({ slug }) => slug));
  return (name) => {
    const plain = slugify(name) || 'privacy';
    const free = [
      plain,
      `${plain}-privacy`,
      ...Array.from({ length: 9 }, (_, index) => `${plain}-privacy-${index + 2}`),
    ];
    const slug = free.find((candidate) => !taken.has(candidate)) ?? plain;
    taken.add(slug);
    return slug;
  };
}

const sourceLine = ({ source, as_of }: { source: string; as_of: string }, fields: readonly string[]) => ({
  source,
  as_of,
  fields: [...fields].sort(),
});
