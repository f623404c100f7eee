import type { VNode } from 'preact';
import type { RecordData } from '../data/values.tsx';

const HUES = 360;

/** A stable hue per name. */
function hueOf(name: string): number {
  let sum = 7;
  for (const letter of name.toLowerCase()) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 100_003;
  // Spreads the hues of similar names.
  return (sum * 137) % HUES;
}

/** A placeholder logo: the first letter in the record's colour. */
export function Tile({ name, isRound = false }: { name: string; isRound?: boolean }): VNode {
  const letter = (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? '?').toUpperCase();
  return (
    <svg class="tile-mark" viewBox="0 0 48 48" aria-hidden="true">
      <rect width="48" height="48" rx={isRound ? 24 : 11} fill={`hsl(${hueOf(name)} 48% 38%)`} />
      <text x="24" y="32">
        {letter}
      </text>
    </svg>
  );
}

/** The name whose initial marks a record: that of the company for a round. */
function markOf({ name, company }: RecordData): string {
  return (company as RecordData | null | undefined)?.name ?? name;
}

/** The placeholder logo of a record. */
export function RecordTile({ record }: { record: RecordData }): VNode {
  return <Tile name={markOf(record)} isRound={record.type === 'people'} />;
}
