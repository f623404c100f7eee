import type { ROLE_TYPES } from '../../src/contract/vocabulary.ts';
import { CUT_OFF_ORGANIZATIONS, NO_PEOPLE, NO_PERSONAL_ACCOUNTS, ORGANIZATION_NAMES } from './decisions.ts';
import { byWorth, type Fact, factValues, type Subject, shippableFacts } from './facts.ts';
import type { Links } from './links.ts';
import { personHeadline, personOverview } from './people-text.ts';
import { groupReadings, newestDate, type Reading, readingsOf, type SourceLine } from './sources.ts';
import type { Tally } from './tally.ts';
import { cleanText, nameKey } from './text.ts';

/** People: those with a sourced role, a talk or investments. */

type RoleType = (typeof ROLE_TYPES)[number];

export interface Role {
  organization: string;
  organization_slug?: string;
  organization_type?: 'companies' | 'investors';
  title: string;
  role_type?: RoleType;
  is_current: null;
  as_of: string | null;
}

export interface PersonLine {
  name: string;
  slug: string;
  headline?: string;
  overview?: string;
  roles?: Role[];
  angel_investments?: number;
  twitter?: string;
  as_of: string | null;
  sources: SourceLine[];
}

/** A person before names are linked. */
export interface Person {
  name: string;
  slug: string;
  roles: { organization: string; title: string; asOf: string | null; readings: Reading[] }[];
  talks: string[];
  angelInvestments: number | null;
  angelAsOf: string | null;
  twitter: string | null;
  readings: Reading[];
}

const FOUNDED = 'Founder';

/** The people that ship. */
export function peopleFrom(subjects: readonly Subject[], tally: Tally): Person[] {
  return subjects.flatMap((subject) => {
    const person = personFrom(subject);
    const hasFacts = person.roles.length > 0 || person.talks.length > 0 || person.angelInvestments !== null;
    if (NO_PEOPLE.has(subject.slug)) tally.leaveOut('people', 'an organisation');
    else if (!hasFacts) tally.leaveOut('people', 'no role, talk or investment with a sufficient source');
    return hasFacts && !NO_PEOPLE.has(subject.slug) ? [person] : [];
  });
}

function personFrom(subject: Subject): Person {
  const angel = shippableFacts(subject, 'angel_investments_known')[0];
  const account = shippableFacts(subject, 'twitter')[0];
  const twitter = account === undefined ? null : personalAccount(String(account.value));
  const talks = shippableFacts(subject, 'spoke_at');
  return {
    name: subject.name,
    slug: subject.slug,
    roles: rolesFrom(shippableFacts(subject, 'role')),
    talks: [...new Set(talks.flatMap((talk) => factValues.texts.parse(talk.value)))].sort(),
    angelInvestments: angel === undefined ? null : factValues.count.parse(angel.value),
    angelAsOf: angel?.as_of ?? null,
    twitter,
    readings: [
      ...(angel === undefined ? [] : readingsOf(angel, 'angel_investments')),
      ...(account === undefined || twitter === null ? [] : readingsOf(account, 'twitter')),
      // A talk is shipped with the event; here it is what the overview says.
      ...talks.flatMap((talk) => readingsOf(talk, 'overview')),
    ],
  };
}

/** One role for each organisation, under the most telling title. */
function rolesFrom(facts: readonly Fact[]): Person['roles'] {
  const byOrganization = new Map<string, { title: string; organization: string; fact: Fact }[]>();
  for (const fact of facts) {
    const { title, organization } = factValues.role.parse(fact.value);
    if (CUT_OFF_ORGANIZATIONS.has(organization)) continue;
    const name = ORGANIZATION_NAMES[organization] ?? organization;
    const key = nameKey(name.replace(/ \(.*\)$/, ''));
    byOrganization.set(key, [
      ...(byOrganization.get(key) ?? []),
      { title: plainTitle(title), organization: name, fact },
    ]);
  }
  return [...byOrganization.values()].map((named) => {
    const telling = named.filter(({ title }) => title !== FOUNDED);
    const best = (telling.length > 0 ? telling : named).sort(
      (a, b) => byWorth(a.fact, b.fact) || b.title.length - a.title.length,
    );
    const { title, organization, fact } = best[0] ?? { title: FOUNDED, organization: '', fact: named[0]?.fact as Fact };
    const readings = named.filter((other) => other.title === title || isFounding(other.title) === isFounding(title));
    return {
      title,
      organization,
      asOf: fact.as_of,
      readings: readings.flatMap((other) => readingsOf(other.fact, 'roles')),
    };
  });
}

function plainTitle(title: string): string {
  if (title === 'Founder or co-founder') return FOUNDED;
  const words = title.replace(/\s*&\s*/g, ' and ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Whether a title says that the person founded the organisation. */
export function isFounding(title: string): boolean {
  return /\bfounder\b/i.test(title);
}

function roleTypeOf(title: string, isOfInvestor: boolean): RoleType | null {
  if (isFounding(title)) return 'founder';
  if (/\b(CEO|CTO|COO|CFO|CIO|Co-CIO|Chief|President|Executive Director)\b/.test(title)) return 'executive';
  if (/\b(board|chairman)\b/i.test(title)) return 'board';
  return isOfInvestor && /\bpartner\b/i.test(title) ? 'investor' : null;
}

function personalAccount(text: string): string | null {
  const handle = /^(?:https?:\/+(?:www\.)?(?:twitter|x)\.com\/)?@?(\w{1,15})$/.exec(cleanText(text))?.[1];
  return handle === undefined || NO_PERSONAL_ACCOUNTS.has(handle.toLowerCase()) ? null : `https://x.com/${handle}`;
}

/** A person as it is shipped; `eventNames` gives the name of an event by its slug. */
export function personLine(person: Person, links: Links, eventNames: ReadonlyMap<string, string>): PersonLine {
  const roles = person.roles.map((role) => roleLine(role, links));
  const talks = person.talks.flatMap((slug) => eventNames.get(slug) ?? []);
  const sources = groupReadings([...person.roles.flatMap((role) => role.readings), ...person.readings]);
  const { name, slug, angelInvestments, angelAsOf } = person;
  const said = { name, slug, roles, talks, angelInvestments, angelAsOf };
  return {
    name: person.name,
    slug: person.slug,
    headline: personHeadline(said),
    overview: personOverview(said),
    ...(roles.length === 0 ? {} : { roles }),
    ...(person.angelInvestments === null ? {} : { angel_investments: person.angelInvestments }),
    ...(person.twitter === null ? {} : { twitter: person.twitter }),
    as_of: newestDate(sources),
    sources,
  };
}

function roleLine(role: Person['roles'][number], links: Links): Role {
  const found = links.find(role.organization, ['companies', 'investors']);
  const isOfInvestor = links.find(role.organization, ['investors']) !== null;
  const type = roleTypeOf(role.title, isOfInvestor);
  return {
    organization: role.organization,
    ...(found === null
      ? {}
      : { organization_slug: found.slug, organization_type: found.type as 'companies' | 'investors' }),
    title: role.title,
    ...(type === null ? {} : { role_type: type }),
    is_current: null,
    as_of: role.asOf,
  };
}
