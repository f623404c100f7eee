import type { Person } from './people.ts';
import { capitalized, listed, listedSome, listedUpTo, sentences, withArticle } from './text.ts';

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
    ...(angelInvestments === null ? [] : ['angel investor']),
    ...(spokeAt.length === 0 ? [] : [`speaker at ${listedUpTo(spokeAt, 2)}`]),
  ];
  if (parts.length === 0 && transcripts.length > 0) return 'Quoted in Bitcoin transcripts';
  return capitalized(parts.slice(0, 3).join('; '));
}

function roleWords({ roles }: SaidPerson): string {
  const [first] = roles;
  const names = roles.filter(({ title }) => title === first?.title).map(({ organization }) => organization);
  return `${first?.title} of ${listed(names.slice(0, ROLES_SAID_MAX))}`;
}

/** What is known of the person: only the first sentence has the name. */
export function personOverview(person: SaidPerson): string {
  const { name, items, spokeAt, angelInvestments, transcripts, documented } = person;
  const on = documented.length === 0 ? '' : ` for ${listedUpTo(documented, 3)}`;
  const [first, ...others] = [
    ...rolesSaid(person),
    ...(items.length === 0 ? [] : [`is an author of ${listedSome(items, ITEMS_SAID_MAX)}${on}`]),
    ...(spokeAt.length === 0 ? [] : [`spoke at ${listed(spokeAt)}`]),
    ...(angelInvestments === null ? [] : ['is an angel investor']),
  ];
  if (first === undefined)
    return transcripts.length === 0 ? '' : `${name} is quoted in an open collection of transcripts on Bitcoin.`;
  return sentences([`${name} ${first}`, ...others.map((said) => capitalized(said.replace(/^is (an? )?/, '')))]);
}

/**
 * The source that states a role, by its name; of our own editors nothing is said, and the others are repositories of
 * applications, of which only the day is known that they were copied.
 */
const SAID_IN: Readonly<Record<string, string>> = { editors: '', devcon: ', according to the archive of Devcon' };
const SAID_IN_GRANTS = ', according to the grants repository of the Web3 Foundation';

/** Roles by what says them, those of one title together. */
function rolesSaid({ roles }: SaidPerson): string[] {
  const groups = new Map<string, string[]>();
  for (const { organization, title, source } of roles) {
    const by = SAID_IN[source] ?? SAID_IN_GRANTS;
    const role = `is ${withArticle(lowered(title))} of %${by}`;
    groups.set(role, [...(groups.get(role) ?? []), organization]);
  }
  return [...groups].map(([role, names]) => role.replace('%', () => listedUpTo(names, ITEMS_SAID_MAX)));
}

/** A title within a sentence: "senior engineer", "CTO". */
const lowered = (title: string): string =>
  title.replace(/\S+/g, (word) => (/[A-Z]{2}/.test(word) ? word : word.toLowerCase()));
