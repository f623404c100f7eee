import type { Person } from './people.ts';
import { capitalized, counted, listed, listedSome, listedUpTo, monthWords, sentences, withArticle } from './text.ts';

/** The sentences about a person. A number of more standards would be found by who searches for the edition of an event. */

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
    ...(items.length === 0 ? [] : [`author of ${listedSome(items, 2)}`]),
    ...(angelInvestments === null ? [] : [`investor in ${counted(angelInvestments, 'known funding round')}`]),
    ...(spokeAt.length === 0 ? [] : [`speaker at ${listedUpTo(spokeAt, 2)}`]),
    ...(transcripts.length === 0 ? [] : ['speaker in Bitcoin transcripts']),
  ];
  return capitalized(parts.slice(0, 3).join('; '));
}

function roleWords({ roles }: SaidPerson): string {
  const [first] = roles;
  const names = roles.filter(({ title }) => title === first?.title).map(({ organization }) => organization);
  return `${first?.title} of ${listed(names.slice(0, ROLES_SAID_MAX))}`;
}

/** What is known of the person, with the dates of the sources: only the first sentence has the name. */
export function personOverview(person: SaidPerson): string {
  const { name, items, spokeAt, angelInvestments, transcripts, chains } = person;
  const on = chains.length === 0 ? '' : ` for ${listedUpTo(chains, 3)}`;
  const [first = '', ...others] = [
    ...rolesSaid(person),
    ...(items.length === 0 ? [] : [`named as an author of ${listedSome(items, ITEMS_SAID_MAX)}${on}`]),
    ...(spokeAt.length === 0 ? [] : [`listed as a speaker at ${listed(spokeAt)}`]),
    ...(transcripts.length === 0 ? [] : ['quoted in an open collection of transcripts on Bitcoin']),
    ...(angelInvestments === null ? [] : [`named as an investor in ${counted(angelInvestments, 'funding round')}`]),
  ];
  return first === '' ? '' : sentences([`${name} is ${first}`, ...others.map(capitalized)]);
}

/** Who says what somebody is, by the source; the others are applications for a grant. */
const SAID_IN: Readonly<Record<string, string>> = { editors: 'by our editors', devcon: 'in the archive of Devcon' };

/** Roles by what says them, those of one month and title together. */
function rolesSaid({ roles }: SaidPerson): string[] {
  const groups = new Map<string, string[]>();
  for (const { organization, title, source, asOf } of roles) {
    const place = SAID_IN[source] ?? `in a grant application of ${monthWords(asOf)}`;
    const role = `as ${withArticle(lowered(title))} of %, ${place}`;
    groups.set(role, [...(groups.get(role) ?? []), organization]);
  }
  return [...groups].map(([role, names]) => `named ${role.replace('%', () => listedUpTo(names, ITEMS_SAID_MAX))}`);
}

/** A title within a sentence: "senior engineer", "CTO". */
const lowered = (title: string): string =>
  title.replace(/\S+/g, (word) => (/[A-Z]{2}/.test(word) ? word : word.toLowerCase()));
