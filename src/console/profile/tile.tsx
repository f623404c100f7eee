import type { NamedReference } from '../../contract/rounds.ts';

const HUES = 12;

/** A stable hue per name: one of the classes `hue-0` and so on. */
function hueOf(name: string): number {
  let sum = 7;
  for (const letter of name.toLowerCase()) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 100_003;
  // Spreads the colours of similar names.
  return (sum * 137) % HUES;
}

/** The initials of the first two words, or of the first and last name of a person. */
function initialsOf(name: string, isPerson: boolean): string {
  const [first = '?', ...others] = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const second = isPerson ? others.at(-1) : others.find((word) => /^\p{Lu}/u.test(word));
  return [first, second ?? '']
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();
}

export function Tile({ name, isRound }: { name: string; isRound: boolean }) {
  return (
    <b class={`tile-mark hue-${hueOf(name)}${isRound ? ' round' : ''}`} aria-hidden="true">
      {initialsOf(name, isRound)}
    </b>
  );
}

type Marked = NamedReference & { readonly company?: unknown };

/** The name whose initial marks a record: that of the company for a round. */
const markOf = ({ name, company }: Marked): string => (company as NamedReference | null | undefined)?.name ?? name;

export function RecordTile({ record }: { record: Marked }) {
  return <Tile name={markOf(record)} isRound={record.type === 'people'} />;
}
