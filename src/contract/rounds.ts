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

export interface Backer {
  readonly investor: NamedReference;
  led: number;
  joined: number;
}

/** Who took part in some rounds, with or without a record: those who led most come first. */
export function backersOf(rounds: readonly RecordFields[]): readonly Backer[] {
  const byName = new Map<string, Backer>();
  for (const round of rounds) {
    const leads = new Set(namedIn(round, 'lead_investors').map(({ name }) => name));
    const all = [...namedIn(round, 'lead_investors'), ...namedIn(round, 'investors')];
    for (const investor of new Map(all.map((one) => [one.name, one])).values()) {
      const backer = byName.get(investor.name) ?? { investor, led: 0, joined: 0 };
      backer.joined += 1;
      if (leads.has(investor.name)) backer.led += 1;
      byName.set(investor.name, backer);
    }
  }
  return [...byName.values()].toSorted(
    (one, other) =>
      other.led - one.led || other.joined - one.joined || (one.investor.name < other.investor.name ? -1 : 1),
  );
}

/** Grants are counted apart from funding rounds. */
export interface RoundCounts {
  readonly rounds: number;
  readonly grants: number;
}

/** What a list of rounds contains. */
export function kindsOf({ rounds, grants }: RoundCounts): string {
  if (grants === 0) return 'Rounds';
  return rounds === 0 ? 'Grants' : 'Rounds and grants';
}

/** Counts of rounds and grants in words, such as `3 rounds, 14 grants`. */
export function countsText({ rounds, grants }: RoundCounts): string {
  const text = (count: number, noun: string): string =>
    count === 0 ? '' : `${count.toLocaleString('en-US')} ${count === 1 ? noun : `${noun}s`}`;
  return [text(rounds, 'round'), text(grants, 'grant')].filter(Boolean).join(', ') || '0 rounds';
}
