import { countText, joinTexts } from './value-text.ts';
import { GRANT } from './vocabulary.ts';

/** Rounds and grants of a record: who backed them, and their counts in words. */

type RecordFields = Readonly<Record<string, unknown>>;

export const isGrant = ({ stage }: RecordFields): boolean => stage === GRANT;

export interface NamedReference {
  readonly name: string;
  readonly type?: string | null;
  readonly slug?: string | null;
  /** Why a page shows it. */
  readonly reason?: string;
}

export const namedIn = (record: RecordFields, field: string): readonly NamedReference[] =>
  (record[field] ?? []) as readonly NamedReference[];

/** What identifies a record among those of all types. */
type Identified = Partial<Pick<NamedReference, 'type' | 'slug'>>;

/** Whether two references are of one record. */
export const isSameRecord = (one: Identified, other: Identified): boolean =>
  one.type === other.type && one.slug === other.slug;

/** The company of a round; of one that names none, the round. */
export const companyOf = (round: RecordFields): NamedReference => (round['company'] ?? round) as NamedReference;

export const isLedBy = (round: RecordFields, record: Identified): boolean =>
  namedIn(round, 'lead_investors').some((lead) => isSameRecord(lead, record));

/** Who is named in a round, those who led it first; some in both lists. */
export const partiesIn = (round: RecordFields): readonly NamedReference[] =>
  ['lead_investors', 'investors'].flatMap((field) => namedIn(round, field));

export const leadNames = (round: RecordFields): readonly string[] =>
  namedIn(round, 'lead_investors').map(({ name }) => name);

export interface Backer {
  readonly investor: NamedReference;
  led: number;
  joined: number;
}

/** Who took part in some rounds, with or without a record: those who led most come first. One record may have several names. */
export function backersOf(rounds: readonly RecordFields[]): readonly Backer[] {
  const backers = new Map<string, Backer>();
  const keyOf = ({ type, slug, name }: NamedReference): string => (slug == null ? ` ${name}` : `${type}/${slug}`);
  for (const round of rounds) {
    const leads = new Set(namedIn(round, 'lead_investors').map(keyOf));
    // Of the names in one round, that of the lead stays.
    const all = [...namedIn(round, 'investors'), ...namedIn(round, 'lead_investors')];
    for (const [key, investor] of new Map(all.map((one) => [keyOf(one), one]))) {
      const backer = backers.get(key) ?? { investor, led: 0, joined: 0 };
      backer.joined += 1;
      if (leads.has(key)) backer.led += 1;
      backers.set(key, backer);
    }
  }
  return [...backers.values()].toSorted(
    (one, other) =>
      other.led - one.led || other.joined - one.joined || (one.investor.name < other.investor.name ? -1 : 1),
  );
}

/** Grants are counted apart from funding rounds. */
export interface RoundCounts {
  readonly rounds: number;
  readonly grants: number;
}

export function kindsOf({ rounds, grants }: RoundCounts): string {
  if (grants === 0) return 'Rounds';
  return rounds === 0 ? 'Grants' : 'Rounds and grants';
}

/** Counts of rounds and grants in words, such as `3 rounds, 14 grants`, with words before the noun. */
export function countsText({ rounds, grants }: RoundCounts, before = ''): string {
  const text = (count: number, noun: string): string =>
    count === 0 ? '' : `${countText(count)} ${before}${count === 1 ? noun : `${noun}s`}`;
  return joinTexts(', ', text(rounds, 'round'), text(grants, 'grant')) || '0 rounds';
}
