import type { Client } from '../client/client.ts';
import type { RecordData, RecordType } from '../contract/entities/index.ts';
import { statedValue } from '../contract/periods.ts';
import { roleAt, statedIn } from '../contract/person-roles.ts';
import { LIST_LIMIT_MAX } from '../contract/queries.ts';
import { listsOf, type RelatedList } from '../contract/relations.ts';
import {
  type Backer,
  backersOf,
  countsText,
  isGrant,
  kindsOf,
  type NamedReference,
  namedIn,
} from '../contract/rounds.ts';
import { DAGGER, isOfEditors, isUnsourced, UNSOURCED } from '../contract/unsourced.ts';
import { shortMoney } from '../contract/usd.ts';
import { countText } from '../contract/value-text.ts';
import { GRANT, labelOf, vocabularyLabel } from '../contract/vocabulary.ts';
import { isTerminal, print, printable, styled, terminalWidth, wrap } from './output.ts';

/** Entries of a list that are shown, unless all of them are requested. */
export const LISTED_MAX = 20;
/** Maximum of listed grants, which programs pay in numbers, and of similar companies. */
export const FEW_MAX = 5;

export interface RecordList {
  readonly name: string;
  /** Whether a source covers the list. */
  readonly known: boolean;
  readonly totalResults: number;
  readonly results: readonly RecordData[];
  /** Sections for people, where they differ from the list. */
  readonly sections?: readonly Section[];
}

interface Section {
  readonly heading: string;
  readonly max: number;
  readonly total: number;
  readonly entries: readonly Entry[];
}

interface Entry {
  readonly text: readonly string[];
  readonly record?: Pick<RecordData, 'type' | 'slug'>;
}

interface Extent {
  readonly isAll: boolean;
}

/** Reads the related lists of a record. Reads all rounds and investors of a company, because sections need them. */
export async function readLists(client: Client, record: RecordData, { isAll }: Extent): Promise<RecordList[]> {
  const lists: RecordList[] = [];
  for (const list of listsOf(record.type)) {
    const isWhole = record.type === 'companies' && (list.name === 'rounds' || list.name === 'investors');
    const isRanked = list.computed === 'similar';
    const page = await readEntries(client, record, { list, isWhole: isWhole || (isAll && !isRanked) });
    if (isRanked) lists.push({ ...page, sections: page.totalResults > 0 ? [similarOf(page)] : [] });
    else if (list.name === 'rounds' && !isWhole && page.known) lists.push(await roundsOf(client, record, page));
    else lists.push(page);
  }
  return record.type === 'companies' ? withBackers(record, lists) : lists;
}

async function readEntries(
  client: Client,
  { id }: RecordData,
  { list: { of, name }, isWhole }: { readonly list: RelatedList; readonly isWhole: boolean },
): Promise<RecordList> {
  const limit = isWhole ? LIST_LIMIT_MAX : LISTED_MAX;
  const read = (page: number) => client.related(of, String(id), name, { page, limit });
  const { known, totalResults, totalPages, results: first } = await read(1);
  const results = [...first];
  for (let page = 2; isWhole && page <= totalPages; page += 1) results.push(...(await read(page)).results);
  return { name, known, totalResults, results: results as unknown as RecordData[] };
}

const similarOf = ({ results }: RecordList): Section => ({
  heading: 'similar',
  max: FEW_MAX,
  total: results.length,
  entries: results.map(entryOf),
});

/** The rounds of an investor or a person, whose heading says how many of them are grants. */
async function roundsOf(client: Client, { type, id, slug }: RecordData, list: RecordList): Promise<RecordList> {
  const { totalResults: total, results } = list;
  let grants = results.filter(isGrant).length;
  if (results.length < total) {
    // Numbers are ids of investors only.
    const investor = type === 'people' ? slug : String(id);
    const filters = { investor, funding_stage: GRANT };
    const { covered } = await client.aggregate({ of: 'rounds', group_by: ['stage'], measure: ['count'], ...filters });
    grants = covered.records;
  }
  const counts = { rounds: total - grants, grants };
  const heading = `${kindsOf(counts).toLowerCase()} (${grants === 0 || grants === total ? countText(total) : countsText(counts)})`;
  return { ...list, sections: [{ heading, max: LISTED_MAX, total, entries: results.map(entryOf) }] };
}

/** Splits the rounds of a company into funding rounds and grants, and its investors into those of each. */
function withBackers(company: RecordData, lists: readonly RecordList[]): RecordList[] {
  const all = lists.find(({ name }) => name === 'rounds')?.results ?? [];
  const [rounds, grants] = [all.filter((round) => !isGrant(round)), all.filter(isGrant)];
  const givers = backersOf(grants);
  const linked = lists.find(({ name }) => name === 'investors')?.results ?? [];
  const investors = [...backersOf(rounds)];
  const isCounted = ({ name, slug }: NamedReference): boolean =>
    [...investors, ...givers].some(
      ({ investor }) => investor.name === name || (slug != null && investor.slug === slug),
    );
  // Investors that the company or the investor names without a round.
  for (const investor of [...namedIn(company, 'investors'), ...linked])
    if (!isCounted(investor)) investors.push({ investor, led: 0, joined: 0 });
  const sections: Readonly<Record<string, readonly Section[]>> = {
    investors: [
      sectionOf('investors', investors.map(backerEntry('rounds'))),
      sectionOf('grant givers', givers.map(backerEntry('grants'))),
    ],
    rounds: [sectionOf('rounds', rounds.map(entryOf)), sectionOf('grants', grants.map(entryOf), FEW_MAX)],
  };
  return lists.map((list) => {
    const own = sections[list.name]?.filter(({ entries }) => entries.length > 0) ?? [];
    return own.length === 0 ? list : { ...list, sections: own };
  });
}

const sectionOf = (name: string, entries: readonly Entry[], max = LISTED_MAX): Section => ({
  heading: `${name} (${countText(entries.length)})`,
  max,
  total: entries.length,
  entries,
});

const backerEntry =
  (noun: string) =>
  ({ investor: { name, type, slug }, led, joined }: Backer): Entry => {
    const record = type == null || slug == null ? {} : { record: { type: type as RecordType, slug } };
    return { text: [name, ...partText(led, joined, noun)], ...record };
  };

/** How many of the rounds that it joined an investor led; nothing for one that it only joined. */
function partText(led: number, joined: number, noun: string): string[] {
  if (joined <= 1) return led > 0 ? ['led'] : [];
  if (led === 0) return [`${joined} ${noun}`];
  return [led === joined ? `led all ${joined} ${noun}` : `led ${led} of ${joined} ${noun}`];
}

/** Name, date, amount and valuation of a record; of a person, the role at the organisation that lists it, or the headline. */
function entryAt(owner: RecordData | undefined, record: RecordData): Entry {
  const { name, headline, start_date, amount_usd, amount_raw, valuation_usd } = record;
  const money = amount_usd == null ? null : `${amount_raw == null ? '' : '~'}${shortMoney(Number(amount_usd))}`;
  const role = owner && roleAt(record, owner);
  const title = role?.title ?? role?.role_type;
  const [who = null] = typeof headline === 'string' ? headline.split(';') : [];
  const dagger = role && isOfEditors(record, 'roles', role.as_of) ? ` ${DAGGER}` : '';
  const about = role && title ? `${vocabularyLabel(title)}${statedIn(role)}${dagger}` : who;
  const valued = valuation_usd == null ? null : `valued at ${shortMoney(Number(valuation_usd))}`;
  const mark = isUnsourced(record) ? UNSOURCED : null;
  const details = [statedValue(record, 'announced_date') ?? start_date, money, valued, mark, about].flatMap((part) =>
    part == null ? [] : [String(part)],
  );
  return { text: [name, ...details], record };
}

const entryOf = (record: RecordData): Entry => entryAt(undefined, record);

/** Lists as JSON; null for one that no source covers, which is not known to be empty. */
export const listsJson = (lists: readonly RecordList[], { isAll }: Extent): object =>
  Object.fromEntries(
    lists.map(({ name, known, totalResults, results }) => [
      name,
      known ? { totalResults, results: isAll ? results : results.slice(0, LISTED_MAX) } : null,
    ]),
  );

/** Prints lists, and returns whether any entry has the mark of what only the editors state. */
export function showLists(owner: RecordData, lists: readonly RecordList[], { isAll }: Extent): boolean {
  let areMarked = false;
  for (const { name, known, totalResults, results, sections } of lists) {
    const heading = `${labelOf(name).toLowerCase()} (${countText(totalResults)})`;
    const entries = results.map((each) => entryAt(owner, each));
    const whole = { heading, max: LISTED_MAX, total: totalResults, entries };
    for (const section of sections ?? (known ? [whole] : [])) areMarked = showSection(section, { isAll }) || areMarked;
  }
  return areMarked;
}

function showSection({ heading, max, total, entries }: Section, { isAll }: Extent): boolean {
  const shown = isAll ? entries : entries.slice(0, max);
  print('');
  print(styled('bold', heading));
  const widths = widthsOf(shown);
  for (const entry of shown) showEntry(entry, widths);
  if (total > shown.length) print(styled('dim', `  and ${countText(total - shown.length)} more; --all shows them`));
  return shown.some(({ text }) => text.some((part) => part.endsWith(DAGGER)));
}

/** Names wrap at the width that the other columns and the addresses leave. */
const NAME_WIDTH_MIN = 20;
/** Maximum width of other columns, which longer cells exceed. */
const CELL_WIDTH_MAX = 32;

/** Prints an entry in columns with the address of its record, on a line of its own if both do not fit. */
function showEntry({ text, record }: Entry, widths: readonly number[]): void {
  const parts = text.map(printable);
  const address = record === undefined ? '' : `[${record.type}/${record.slug}]`;
  const shownAddress = styled('dim', address);
  if (!isTerminal()) {
    print(`  ${[...parts, ...(address === '' ? [] : [shownAddress])].join('  ')}`);
    return;
  }
  const [name = '', ...rest] = wrap(parts[0] ?? '', widths[0] ?? 0);
  const cells = widths.map((width, column) => {
    const part = column === 0 ? name : (parts[column] ?? '');
    return AMOUNT.test(part) ? part.padStart(width) : part.padEnd(width);
  });
  const line = `  ${cells.join('  ')}`;
  if (rest.length === 0 && line.length + address.length + 2 <= terminalWidth()) {
    print(`${line}  ${shownAddress}`.trimEnd());
    return;
  }
  const isWithin = line.trimEnd().length <= terminalWidth();
  const lines = isWithin ? [line.slice(INDENT).trimEnd(), ...rest] : wrap(parts.join('  '), terminalWidth() - INDENT);
  for (const each of lines) print(`  ${each.trim()}`);
  if (address !== '') print(`    ${shownAddress}`);
}

const AMOUNT = /^~?\$/;

function widthsOf(entries: readonly Entry[]): readonly number[] {
  const longest = Math.max(0, ...entries.map(({ text }) => text.length));
  const lengths = (column: number) => entries.map(({ text }) => text[column]?.length ?? 0);
  const [names = 0, ...others] = Array.from({ length: longest }, (_, column) => {
    const fitting = lengths(column).filter((width) => column === 0 || width <= CELL_WIDTH_MAX);
    // Before the addresses, either all cells have one width, or each its own.
    const isRagged = column > 0 && column === longest - 1 && fitting.length < entries.length;
    return isRagged ? 0 : Math.max(0, ...fitting);
  });
  const besides = others.reduce((sum, width) => sum + width + GAP, INDENT + GAP);
  const isOnOneLine = (width: number, { text: [name = ''], record }: Entry): boolean =>
    name.length <= width &&
    besides + width + (record === undefined ? 0 : record.type.length + record.slug.length + '[/]'.length) <=
      terminalWidth();
  // The width with which the most entries are one line, the widest of equal ones.
  const best = lengths(0)
    .filter((width) => width >= NAME_WIDTH_MIN)
    .map((width) => ({ width, count: entries.filter((entry) => isOnOneLine(width, entry)).length }))
    .sort((one, other) => other.count - one.count || other.width - one.width);
  const room = Math.max(NAME_WIDTH_MIN, terminalWidth() - besides);
  return [Math.min(names, best[0]?.width ?? NAME_WIDTH_MIN, room), ...others];
}

const GAP = 2;
const INDENT = 2;
