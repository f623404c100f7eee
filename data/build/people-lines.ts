import { foldName, slugify } from '../../src/contract/names.ts';
import type { Line } from './check.ts';
import type { Links } from './links.ts';
import { isKnown, type Person } from './people.ts';
import { personHeadline, personOverview } from './people-text.ts';
import { rawLines, type Source } from './raw.ts';
import { EDITORS } from './resolve.ts';
import { roleTypeOf } from './role-types.ts';
import { type Announced as AnnouncedRound, announcedRounds } from './rounds.ts';
import type { SlugBook } from './slugs.ts';
import { groupReadings, newestDate, type SourceLine, sourceName } from './sources.ts';

/** People records: those known by what they did, and the private investors of announced rounds. */

interface Announced {
  readonly slug: string;
  readonly name: string;
}

export interface ShippedPerson extends Person {
  readonly slug: string;
  readonly angelInvestments: number | null;
  /** What states the rounds that the person invested in. */
  readonly invested: readonly Pick<AnnouncedRound, 'source' | 'asOf'>[];
}

/** The people that ship, with their slugs, the better known first. */
export function shippedPeople(people: readonly Person[], slugs: SlugBook): ShippedPerson[] {
  const rounds = [...announcedRounds().values()].flat();
  const investors = rawLines<Announced>('announced-people').map(({ slug, name }) => {
    const named = rounds.filter(
      ({ leads = [], investors: others = [] }) => leads.includes(name) || others.includes(name),
    );
    return { slug, name, invested: named };
  });
  // A reader found that the investors are the authors and speakers of these names: no other person of the field bears one.
  const known = people.filter(
    (person) => isKnown(person) || investors.some(({ name }) => foldName(name) === foldName(person.name)),
  );
  const matched = known.map((person) => ({
    person,
    investor: investors.find(({ name }) => foldName(name) === foldName(person.name)),
  }));
  const alone = investors.filter((investor) => !matched.some((match) => match.investor === investor));
  const all = [
    ...matched.map(({ person, investor }) => ({
      ...person,
      ...investmentsOf(investor),
      key: person.key,
      keys: [`announced:${investor?.slug ?? ''}`, person.key, ...slugBefore(person)],
    })),
    ...alone.map((investor) => ({
      ...nobodyElse(investor.name),
      ...investmentsOf(investor),
      key: `announced:${investor.slug}`,
      keys: [`announced:${investor.slug}`],
    })),
  ].sort(
    (left, right) =>
      fameOf(right) - fameOf(left) ||
      (left.name < right.name ? -1 : left.name > right.name ? 1 : left.key < right.key ? -1 : 1),
  );
  const given = slugs.assign(
    all.map(({ key, keys, name }) => ({ key, keys, name, hint: `${name} ${key.split(':')[1] ?? ''}` })),
  );
  return all.map(({ keys: _, ...person }, index) => ({ ...person, slug: given[index] ?? '' }));
}

/** The key of the former record of a person whom the editors name: the same slug goes on. */
const slugBefore = ({ name, roles }: Person): string[] =>
  roles.some(({ source }) => source === EDITORS) ? [`v1:${slugify(name)}`] : [];

const investmentsOf = (investor: Pick<ShippedPerson, 'invested'> | undefined) => ({
  angelInvestments: investor === undefined ? null : investor.invested.length,
  invested: investor?.invested ?? [],
});

const nobodyElse = (name: string): Omit<Person, 'key'> => ({
  name,
  aliases: [],
  twitter: null,
  github: null,
  items: [],
  chains: [],
  documented: [],
  talks: [],
  transcripts: [],
  roles: [],
  readings: [],
  joins: [],
});

function fameOf({ items, talks, roles, angelInvestments }: Omit<ShippedPerson, 'slug'>): number {
  return items.length + talks.length * 2 + roles.length + (angelInvestments ?? 0) * 2;
}

export interface PersonContext {
  readonly links: Links;
  readonly slugOfTalk: ReadonlyMap<string, string>;
  readonly nameOfSlug: ReadonlyMap<string, string>;
  readonly sources: ReadonlyMap<string, Source>;
}

/** A person as it is shipped. */
export function personLine(person: ShippedPerson, { links, slugOfTalk, nameOfSlug }: PersonContext): Line {
  // Events are listed with the newest first.
  const talks = [
    ...new Set([...slugOfTalk].flatMap(([key, slug]) => (person.talks.includes(key) ? [slug] : []))),
  ].reverse();
  const spokeAt = talks.flatMap((slug) => nameOfSlug.get(slug) ?? []);
  const invested = person.invested
    .slice(0, 10)
    .map(({ source, asOf }) => ({ source, asOf, field: 'angel_investments' }));
  const sources = groupReadings([...person.readings, ...invested]);
  const roles = person.roles.map(({ organization, title, asOf }) => {
    const found = links.find(organization, ['companies', 'investors']);
    return {
      organization,
      ...(found === null ? {} : { organization_slug: found.slug, organization_type: found.type }),
      title,
      role_type: roleTypeOf(title) ?? 'other',
      is_current: /^(former|ex)\b/i.test(title) ? false : null,
      as_of: asOf,
    };
  });
  // Two names of one team are one role.
  const keyOf = (role: (typeof roles)[number]): string =>
    `${role.organization_slug ?? role.organization} ${role.title}`;
  const distinct = roles.filter((role, index) => roles.findIndex((other) => keyOf(other) === keyOf(role)) === index);
  const said = { ...person, spokeAt };
  return {
    name: person.name,
    slug: person.slug,
    ...(person.aliases.length === 0 ? {} : { aliases: person.aliases }),
    headline: personHeadline(said),
    overview: personOverview(said),
    ...(distinct.length === 0 ? {} : { roles: distinct }),
    ...(talks.length === 0 ? {} : { events: talks.map((slug) => ({ name: nameOfSlug.get(slug) ?? slug, slug })) }),
    ...(person.chains.length === 0 ? {} : { tags: person.chains }),
    ...(person.angelInvestments === null ? {} : { angel_investments: person.angelInvestments }),
    ...(person.twitter === null ? {} : { twitter: person.twitter }),
    ...(person.github === null ? {} : { github: person.github }),
    as_of: newestDate(sources),
    sources,
  };
}

/** Companies or investors with their founders: the people of the set whose role says that they founded it. */
export function withFounders(
  type: 'companies' | 'investors',
  lines: readonly Line[],
  people: readonly ShippedPerson[],
  { links, sources }: PersonContext,
): Line[] {
  const founded = people.flatMap(({ name, slug, roles }) =>
    roles.flatMap(({ organization, title, source, path, asOf }) => {
      const firm = /founder/i.test(title) ? links.find(organization, [type]) : null;
      const place = sources.get(source);
      return firm === null || place === undefined
        ? []
        : [
            {
              firm: firm.slug,
              founder: { name, slug },
              reading: { source: sourceName(place, path), asOf, field: 'founders' },
            },
          ];
    }),
  );
  const ofFirm = new Map<string, typeof founded>();
  for (const one of founded) ofFirm.set(one.firm, [...(ofFirm.get(one.firm) ?? []), one]);
  return lines.map((line) => {
    const own = ofFirm.get(line.slug);
    if (own === undefined) return line;
    const { as_of, sources: stated, ...fields } = line as Line & { sources: SourceLine[] };
    return {
      ...fields,
      founders: [...new Map(own.map(({ founder }) => [founder.slug, founder])).values()],
      as_of,
      sources: [...stated, ...groupReadings(own.map(({ reading }) => reading))],
    } as unknown as Line;
  });
}
