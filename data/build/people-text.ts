import type { Person } from './people.ts';
import { capitalized, counted, listed, listedUpTo, monthWords, sentences, variantOf } from './text.ts';

/** The sentences about a person. */

export interface SaidPerson extends Person {
  readonly slug: string;
  /** Names of the events where talks are on record. */
  readonly spokeAt: readonly string[];
  readonly angelInvestments: number | null;
}

const ROLES_SAID_MAX = 2;
const ITEMS_SAID_MAX = 6;

/** Who the person is, in a line. */
export function personHeadline(person: SaidPerson): string {
  const { roles, items, spokeAt, angelInvestments, transcripts } = person;
  const parts = [
    ...(roles.length === 0 ? [] : [roleWords(person)]),
    ...(items.length === 0 ? [] : [`author of ${listedUpTo(items, 2)}`]),
    ...(angelInvestments === null ? [] : [`investor in ${counted(angelInvestments, 'known funding round')}`]),
    ...(spokeAt.length === 0 ? [] : [`speaker at ${listedUpTo(spokeAt, 2)}`]),
    ...(transcripts.length === 0 ? [] : ['speaker in Bitcoin transcripts']),
  ];
  return capitalized(parts.slice(0, 3).join('; '));
}

function roleWords({ roles }: SaidPerson): string {
  const names = [...new Set(roles.map(({ organization }) => organization))].slice(0, ROLES_SAID_MAX);
  return `${roles[0]?.title} of ${listed(names)}`;
}

/** What is known of the person, with the dates of the sources. */
export function personOverview(person: SaidPerson): string {
  const { name, slug, roles, items, spokeAt, angelInvestments, chains } = person;
  const on = chains.length === 0 ? '' : ` for ${listedUpTo(chains, 3)}`;
  return sentences([
    items.length === 0
      ? null
      : variantOf(slug, [
          `${name} is named as an author of ${listedUpTo(items, ITEMS_SAID_MAX)}${on}`,
          `Among the authors of ${listedUpTo(items, ITEMS_SAID_MAX)}${on} is ${name}`,
        ]),
    ...roles
      .slice(0, 4)
      .map(
        ({ organization, title, asOf }) =>
          `A grant application on record in ${monthWords(asOf)} names ${name} as ${title.toLowerCase()} of ${organization}`,
      ),
    spokeAt.length === 0 ? null : `Talks of ${name} are on record at ${listed(spokeAt)}`,
    person.transcripts.length === 0 ? null : `Transcripts of talks by ${name} are in an open collection on Bitcoin`,
    angelInvestments === null ? null : `Announcements name ${name} in ${counted(angelInvestments, 'funding round')}`,
  ]);
}
