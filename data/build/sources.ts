import type { Fact } from './facts.ts';
import { cleanText } from './text.ts';

/** Where facts were read: readable names of sources, grouped as a record carries them. */

export interface SourceLine {
  source: string;
  as_of: string | null;
  fields: string[];
}

/** One source of one field. */
export interface Reading {
  source: string;
  asOf: string | null;
  field: string;
}

/** The readings that a fact stands for when it is shipped as a field. */
export function readingsOf(fact: Fact, field: string): Reading[] {
  return sourceNames(fact.source).map((source) => ({ source, asOf: dateOf(source, fact.as_of), field }));
}

/** Sources that facts name together with a newer one, whose date they carry. */
const OLDER_SOURCES: readonly (readonly [source: RegExp, date: string])[] = [
  [/jaimindp\/raising_app@10c64340c682/, '2023-04-09'],
  [/index ids? (16029232009|45508682639)/, '2026'],
];

/** A page that a list names has no date of its own there; the list has. */
function dateOf(source: string, asOf: string | null): string | null {
  if (/^https?:/.test(source)) return null;
  return OLDER_SOURCES.find(([pattern]) => pattern.test(source))?.[1] ?? asOf;
}

/** The readings by source, with their fields in a fixed order. */
export function groupReadings(readings: readonly Reading[]): SourceLine[] {
  const groups = new Map<string, { asOf: string | null; fields: Set<string> }>();
  for (const { source, asOf, field } of readings) {
    const group = groups.get(source) ?? { asOf: null, fields: new Set<string>() };
    if (asOf !== null && (group.asOf === null || asOf > group.asOf)) group.asOf = asOf;
    group.fields.add(field);
    groups.set(source, group);
  }
  return [...groups]
    .map(([source, group]) => ({ source, as_of: group.asOf, fields: [...group.fields].sort() }))
    .sort((left, right) => (left.source < right.source ? -1 : 1));
}

/** The newest full date among the sources, or none. */
export function newestDate(lines: readonly SourceLine[]): string | null {
  const dates = lines.map((line) => line.as_of).filter((date) => date !== null && /^\d{4}-\d{2}-\d{2}$/.test(date));
  return dates.sort().at(-1) ?? null;
}

const LISTED_BY = /^(.*?)\s*\bvia (github\.com\/\S+)/;
const INVESTMENT_LISTS =
  'github.com/snobistisch/crypto-vc-investment-database@b0e89d82f509:docs/index.html + github.com/jaimindp/raising_app@10c64340c682:raises.csv';

/** The readable sources behind a source string: a page, the list that names it, or the parts of a sum. */
function sourceNames(raw: string): string[] {
  const text = cleanText(raw);
  const listedBy = LISTED_BY.exec(text);
  if (listedBy !== null) {
    const page = webAddress(listedBy[1] ?? '');
    return [...(page === null ? [] : [page]), repositoryName(listedBy[2] ?? '')];
  }
  if (text === 'computed from rounds') return sourceNames(INVESTMENT_LISTS);
  return text.split(' + ').map((part) => webAddress(part) ?? repositoryName(part));
}

/** The page that first announced a fact, when its source names one. */
export function announcementOf(fact: Fact): string | null {
  return webAddress(LISTED_BY.exec(cleanText(fact.source))?.[1] ?? '');
}

const COMMITS: Readonly<Record<string, string>> = {
  'efdevcon/api': '6c6cb72a43d0',
  'prgblockweek/prague-blockchain-week': 'c9778309460c',
};

/** A repository as github.com/OWNER/NAME@COMMIT:PATH, whichever way the fact wrote it. */
function repositoryName(text: string): string {
  const plain = text.replace(/ payload$/, '').replace(/:?docs\/index\.html payload$/, ':docs/index.html');
  const pathThenCommit = /^([\w-]+\/[\w-]+) (\S+) @([0-9a-f]+)$/.exec(plain);
  if (pathThenCommit) return `github.com/${pathThenCommit[1]}@${pathThenCommit[3]}:${pathThenCommit[2]}`;
  const pathAlone = /^([\w-]+\/[\w-]+) (\S+\/\S+)$/.exec(plain);
  const commit = COMMITS[pathAlone?.[1] ?? ''];
  if (pathAlone && commit !== undefined) return `github.com/${pathAlone[1]}@${commit}:${pathAlone[2]}`;
  return /^[\w-]+\/[\w-]+@[0-9a-f]{12}/.test(plain) ? `github.com/${plain}` : plain;
}

const TRACKING = /^(utm_.*|s|t|guccounter|guce_.*|ref|ref_src|fbclid|cldee|recipientid|esid)$/;

/** The first web address in a text, without what only follows the reader; null when there is none. */
function webAddress(text: string): string | null {
  const hasProtocol = /^https?:\/\//.test(text);
  if (!hasProtocol && !/^[\w-]+(\.[\w-]+)+\/\S+$/.test(text)) return null;
  if (!hasProtocol && text.startsWith('github.com/')) return null;
  const doubled = text.split(/(?<=\S)(?=https?:\/\/)/)[0] ?? text;
  const address = (hasProtocol ? doubled : `https://${doubled}`).split(' ')[0] ?? '';
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
  return url.href;
}

/** Whether an address is a front page, which announces nothing. */
export function isFrontPage(address: string): boolean {
  const url = new URL(address);
  return url.pathname === '/' || /^\/portfolio\/?$/.test(url.pathname);
}
