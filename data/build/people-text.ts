import type { Role } from './people.ts';
import { capitalized, listed, listedUpTo, monthWords, sentences, variantOf } from './text.ts';

/** The sentences about a person. */

export interface PersonFacts {
  name: string;
  slug: string;
  roles: readonly Role[];
  talks: readonly string[];
  angelInvestments: number | null;
  angelAsOf: string | null;
}

const HEADLINE_ROLES_MAX = 2;

/** Who the person is, in a line. */
export function personHeadline(person: PersonFacts): string {
  const roles = person.roles.slice(0, HEADLINE_ROLES_MAX).map((role) => `${role.title} of ${role.organization}`);
  const deeds = [
    ...(person.angelInvestments === null ? [] : [`investor in ${person.angelInvestments} known funding rounds`]),
    ...(person.talks.length === 0 || roles.length > 1 ? [] : [`speaker at ${listedUpTo(person.talks, 2)}`]),
  ];
  return capitalized([...(roles.length === 0 ? [] : [listed(roles)]), ...deeds].join('; '));
}

/** What is known of the person, with the dates of the sources. */
export function personOverview(person: PersonFacts): string {
  const { name, roles, talks, angelInvestments } = person;
  const isUnnamed = roles.length === 0;
  const invests = angelInvestments === null ? null : angelSentence(person, angelInvestments);
  const spoke = isUnnamed && invests === null ? `${name} spoke at` : 'Talks are on record at';
  return sentences([
    ...roles.map((role) => roleSentence(person, role)),
    invests,
    talks.length === 0 ? null : `${spoke} ${listed(talks)}`,
  ]);
}

function roleSentence(person: PersonFacts, role: Role): string {
  const title = role.title === 'Founder' ? 'a founder' : lowerTitle(role.title);
  const plain = `${person.name} is named as ${title} of ${role.organization}`;
  if (role.as_of === null) return plain;
  const dated = monthWords(role.as_of);
  return variantOf(`${person.slug} ${role.organization}`, [
    `${plain} in a source of ${dated}`,
    `A source of ${dated} names ${person.name} as ${title} of ${role.organization}`,
    `As of ${dated}, ${person.name} is recorded as ${title} of ${role.organization}`,
  ]);
}

/** "co-founder and CEO": a title inside a sentence. */
function lowerTitle(title: string): string {
  return title.replace(/\S+/g, (word) => (/[A-Z]{2}/.test(word) ? word : word.toLowerCase()));
}

function angelSentence(person: PersonFacts, count: number): string {
  const dated = person.angelAsOf === null ? '' : ` as of ${monthWords(person.angelAsOf)}`;
  const start = person.roles.length === 0 ? `${person.name} has invested in` : 'Known investments:';
  return `${start} ${count} known Web3 and crypto funding rounds${dated}`.replace(/: (\d+) known/, ': $1');
}
