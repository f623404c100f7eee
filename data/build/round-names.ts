import type { Line } from './check.ts';
import { moneyWords, monthWords } from './text.ts';

/** Names of rounds and of the programmes that grants come from, as a reader sees them. */

const PROGRAMS: readonly (readonly [start: RegExp, words: string])[] = [
  [/^retropgf/, 'RetroPGF '],
  [/^retrofunding_?/, 'Retro Funding '],
  [/^scf-/, 'Stellar Community Fund '],
  [/^stip-/, 'STIP '],
  [/^GR(?=\d)/, 'Grants Round '],
  [/^GG(?=\d)/, 'Gitcoin Grants '],
  [/^(?=(Alpha|Beta)$)/, 'Gitcoin Grants '],
];

/** A programme in words: of "retrofunding_s8_onchain_builders", as its register has it, "Retro Funding S8 Onchain Builders". */
export function programName(pool: string): string {
  const [start, words] = PROGRAMS.find(([known]) => known.test(pool)) ?? [/^/, ''];
  const rest = pool.replace(start, '');
  return /^[a-z0-9_-]+$/.test(rest)
    ? words + rest.replace(/(^|[_-])(\w)/g, (_, divider, first) => (divider && ' ') + first.toUpperCase())
    : words + rest;
}

/** Rounds of which each name says enough to tell it from the others, as far as their facts do: programme, month, day, then size. */
export function withOwnNames(rounds: readonly Line[]): Line[] {
  const named = new Map(rounds.map((line) => [line, line.name]));
  for (let level = 1; level < namesOf(rounds[0] as Line).length; level += 1) {
    const counts = new Map<string, number>();
    for (const name of named.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
    for (const [line, name] of named) if ((counts.get(name) ?? 0) > 1) named.set(line, namesOf(line)[level] ?? name);
  }
  return [...named].map(([line, name]) => ({ ...line, name }));
}

/** The names that a round may have, the shortest first. */
function namesOf({ name, ...line }: Line): string[] {
  const date = String(line['announced_date'] ?? '');
  const month = date === '' ? '' : monthWords(date.slice(0, 7));
  const day = line['month_only'] === undefined ? date : month;
  const base = name.replace(/ \(\d{4}\)$/, '') + (line['stage'] === 'grant' ? `, ${line['stage_raw']}` : '');
  const size = line['amount_usd'] === undefined ? 'undisclosed' : moneyWords(Number(line['amount_usd']));
  const within = (...words: string[]): string => {
    const known = words.filter((word) => word !== '');
    return known.length === 0 ? base : `${base} (${known.join(', ')})`;
  };
  return [
    name,
    within(date.slice(0, 4)),
    within(month),
    within(day),
    within(line['month_only'] === undefined ? day : date.slice(0, 4), size),
  ];
}
