import { slugify } from '../../src/contract/names.ts';
import { AS_ANNOUNCED_OTHERWISE, SAME_INVESTORS } from './decisions.ts';

/** What the address of an announcement says of its round, against what the round says: "raises-25m-led-by-a16z". */

export interface StatedRound {
  readonly slug: string;
  readonly announcement?: string;
  readonly amount_usd?: string;
  readonly lead_investors?: readonly { readonly name: string }[];
  readonly investors?: readonly { readonly name: string }[];
}

/** What rounds say otherwise than their own announcement, but for those of which a reader decided why. */
export function announcementFaults(rounds: readonly StatedRound[]): string[] {
  const decided = new Map(AS_ANNOUNCED_OTHERWISE.map(([slug, reason]) => [slug, reason]));
  const faults = rounds.flatMap((round) => {
    const fault = amountFault(round) ?? leadFault(round);
    return fault === null ? [] : [{ slug: round.slug, fault }];
  });
  const needless = [...decided.keys()].filter((slug) => !faults.some((fault) => fault.slug === slug));
  return [
    ...faults.filter(({ slug }) => !decided.has(slug)).map(({ slug, fault }) => `rounds ${slug}: ${fault}`),
    ...needless.map((slug) => `rounds ${slug}: agrees with its announcement, so AS_ANNOUNCED_OTHERWISE needs no line`),
  ];
}

const UNITS: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9 };
/** "25m", "$3-5-million", "over-20-million", "1-1b". */
const AMOUNT =
  /(?<![a-z0-9])(?:usd?|dollars?)?-?(\d{1,4}(?:[-.,]\d{1,3})?)-?(millions?|mln|mil|mm|mn|m|billions?|bn|b|k)(?:-dollars?|-usd?|usd|plus)?(?![a-z0-9])/g;
/** "e2-1-million" is in euros: the round has dollars. */
const FOREIGN_AMOUNT = /(?<![a-z0-9])(?:e|eur|gbp|chf|cad|inr|rs)-?\d[\d-]*(?:million|m|mln)/g;
/** The amount after or before such words is no round's: a valuation, or what a fund manages. */
const VALUE_BEFORE = /(?:(?:valu\w*|worth|hits)(?:-[a-z]+){0,2}|-at(?:-an?)?)-$/;
const VALUE_AFTER = /^-(?:valu\w*|market|managed|assets)/;
/** All that was raised so far, and no round. */
const TOTAL_AFTER = /^-(?:in-total|total|to-date)/;
const MORE_THAN = /(over|more-than|nearly|about|almost|around)-$/;

interface StatedAmount {
  readonly digits: string;
  readonly unit: number;
  readonly isRough: boolean;
  /** Whether it is all that was raised so far. */
  readonly isTotal: boolean;
}

/** The amounts of money raised that an address states. */
export function amountsOf(announcement: string): StatedAmount[] {
  const path = pathOf(announcement);
  return [...path.matchAll(AMOUNT)].flatMap((found) => {
    const before = path.slice(0, found.index);
    const after = path.slice(found.index + found[0].length);
    if (VALUE_BEFORE.test(before) || VALUE_AFTER.test(after)) return [];
    const unit = UNITS[found[2]?.[0] ?? ''] ?? 1;
    const isRough = MORE_THAN.test(before);
    return [{ digits: found[1] ?? '', unit, isRough, isTotal: TOTAL_AFTER.test(after) }];
  });
}

/** The path alone, without the day that it may have, in small letters. */
function pathOf(announcement: string): string {
  const path = announcement.replace(/[?#].*/, '').replace(/^https?:\/\/[^/]+/, '');
  return path
    .toLowerCase()
    .replaceAll('%24', '')
    .replaceAll('$', '')
    .replace(FOREIGN_AMOUNT, '-')
    .replace(/\/20[12]\d\/\d\d?(\/\d\d?)?/, '');
}

function amountFault({ announcement, amount_usd: amount }: StatedRound): string | null {
  if (announcement === undefined || amount === undefined) return null;
  const stated = amountsOf(announcement);
  const fitting = stated.filter((one) => agrees(one, Number(amount)));
  const isFit = fitting.length > 0 ? fitting.some(({ isTotal }) => !isTotal) : stated.every(({ isTotal }) => isTotal);
  if (isFit) return null;
  const words = stated.map(({ digits, unit, isTotal }) => `${digits} x ${unit}${isTotal ? ' in all' : ''}`);
  return `its announcement states ${words.join(', ')}, the round ${amount}`;
}

/** Whether an amount is the stated one, rounded or cut. Some sites leave the point out: "183-million" is 18.3. */
function agrees({ digits, unit, isRough }: StatedAmount, amount: number): boolean {
  const value = amount / unit;
  const written = digits.replace(/[-,]/, '.');
  const places = written.split('.')[1]?.length ?? 0;
  if (isSame(Number(written), places, value)) return true;
  if (isRough && value >= Number(written) && value <= Number(written) * 1.5) return true;
  return places === 0 && [1, 2].some((point) => isSame(Number(written) / 10 ** point, point, value));
}

/** Either of the two may be the rounder one. */
function isSame(stated: number, places: number, value: number): boolean {
  const step = 10 ** -places;
  const own = 10 ** -(String(value).split('.')[1]?.length ?? 0);
  const gap = value - stated;
  return (gap > -step / 2 - 1e-9 && gap < step - 1e-9) || Math.abs(gap) <= (own < 1 ? own / 2 : 0) + 1e-9;
}

const LED_BY = /-(?:co-)?led-by-(.+?)(?=-to-|-for-|-at-|-with-|\/|$)/;
const LEAD_A_ROUND = /([a-z0-9-]+?)-(?:co-)?(?:leads-|lead-(?=\d|series|seed|round|funding))/;
const IN_LED_ROUND = /-in-([a-z0-9-]{3,30})-led-/;

/** The words of an address that name who led, or null. */
export function leadWordsOf(announcement: string): string | null {
  const path = pathOf(announcement);
  for (const pattern of [LED_BY, IN_LED_ROUND, LEAD_A_ROUND]) {
    const words = pattern.exec(path)?.[1];
    if (words !== undefined) return words;
  }
  return null;
}

function leadFault({ announcement, lead_investors: leads = [], investors = [] }: StatedRound): string | null {
  const words = announcement === undefined ? null : leadWordsOf(announcement);
  if (words === null) return null;
  const isNamed = ({ name }: { name: string }): boolean =>
    namesIn(name).some((key) => `-${words}-`.includes(`-${key}-`));
  if (!leads.some((lead) => isNamed(lead) || isNamed({ name: firstWord(lead.name) })))
    return `its announcement states that ${words} led, the round ${named(leads)}`;
  const left = investors.filter(
    ({ name }) => isNamed({ name }) && !leads.some((lead) => firstWord(lead.name) === firstWord(name)),
  );
  return left.length === 0
    ? null
    : `its announcement names ${named(left)} among those who led, the round ${named(leads)}`;
}

const firstWord = (name: string): string => name.split(' ')[0] ?? name;

const named = (investors: readonly { name: string }[]): string =>
  investors.map(({ name }) => name).join(', ') || 'nobody';

/** The words that an address may have for a firm: "Andreessen Horowitz (a16z crypto)" is a16z too. */
function namesIn(name: string): string[] {
  const [, outer = name, inner] = /^(.*?)\s*(?:\((.*)\))?$/.exec(name) ?? [];
  const former = SAME_INVESTORS.flatMap(([other, known]) => (known === name ? [other] : []));
  return [outer, ...(inner === undefined ? [] : [inner]), ...former]
    .map((part) => slugify(part.replace(/ (ventures|capital|crypto|partners|fund|group|labs|digital|global)$/i, '')))
    .filter((key) => key.length > 1);
}
