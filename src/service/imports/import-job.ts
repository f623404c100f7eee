import { Readable } from 'node:stream';
import { capitalize } from '../../contract/capitalize.ts';
import { isNamedType, type RecordType } from '../../contract/entities/index.ts';
import { importRows } from '../../store/import/import.ts';
import { readSource } from '../../store/import/import-source.ts';
import { type ImportReport, placeText } from '../../store/import/report.ts';
import { createMatcher, type Fields, type Matcher } from '../../store/matching/matcher.ts';
import { reasonOf } from '../../store/matching/reasons.ts';
import type { Author } from '../../store/port/audit.ts';
import type { CandidatePair } from '../../store/port/duplicates.ts';
import type { Records, Rejected, RowInput, Upserted } from '../../store/port/records.ts';
import { matchedFields } from '../../store/records/duplicates.ts';
import type { Store } from '../../store/store.ts';

export const DIFFERENCES_MAX = 20;
/** Records of an import that are listed as created, and as changed. */
const WRITTEN_MAX = 10;
/** Records of an undo that are listed. */
export const UNDONE_MAX = 50;

/** Uploaded rows, for a dry run or an import under the user's name. */
export interface ImportJob {
  readonly type: RecordType;
  /** In blocks, each of which is read in one turn of the event loop. */
  readonly content: readonly Uint8Array[];
  readonly isDryRun: boolean;
  /** The records that new rows are about, by the slug that a row would get; blank for a new record. Others are matched if a rule is certain. */
  readonly chosen: Readonly<Record<string, string>>;
  readonly author: Author;
}

export type ImportResult = Awaited<ReturnType<typeof runImport>>;

export async function runImport(store: Pick<Store, 'records' | 'compactIndex' | 'duplicates'>, job: ImportJob) {
  const { records, compactIndex } = store;
  const { type, isDryRun, author } = job;
  const duplicates = createDuplicateCheck(records, job);
  const written = new Map<string, WrittenChange>();
  const watched: Records = {
    ...records,
    dryRun: (rows) => duplicates.compare(rows, (matched) => records.dryRun(matched)),
    upsertMany: async (rows, ...how) => {
      const outcomes = await duplicates.compare(rows, (matched) => records.upsertMany(matched, ...how));
      for (const outcome of outcomes)
        if (isWritten(outcome) && !written.has(outcome.slug)) written.set(outcome.slug, outcome.change);
      return outcomes;
    },
  };
  const { signal } = new AbortController();
  const blocks = job.content.map(({ buffer, byteOffset, length }) => Buffer.from(buffer, byteOffset, length));
  const source = await readSource(Readable.from(blocks), { type }, signal);
  const options = { isDryRun, author, differencesMax: DIFFERENCES_MAX, signal, onBatch: () => undefined };
  const report = await importRows({ records: watched, compactIndex, type, source, ...options });
  const pairs = isDryRun ? [] : await store.duplicates.add(duplicates.pairs);
  return {
    report,
    /** Rows of no record's slug that are or may be about existing records. */
    duplicates:
      type === 'rounds'
        ? similarRounds(report)
        : duplicates.found.map((found, index): ProbableDuplicate => ({ ...found, pair: pairs[index] })),
    /** The records that were created and changed. */
    written: {
      created: await readWritten(records, type, slugsOf(written, 'created')),
      updated: await readWritten(records, type, slugsOf(written, 'updated')),
    },
  };
}

type WrittenChange = 'created' | 'updated';

const isWritten = (outcome: Upserted | Rejected): outcome is Upserted & { readonly change: WrittenChange } =>
  outcome.change === 'created' || outcome.change === 'updated';

const slugsOf = (written: ReadonlyMap<string, WrittenChange>, change: WrittenChange): readonly string[] =>
  [...written].flatMap(([slug, its]) => (its === change ? [slug] : []));

/** The number of the records, and the first ones. */
async function readWritten(records: Records, type: RecordType, slugs: readonly string[]) {
  const found = await Promise.all(slugs.slice(0, WRITTEN_MAX).map((slug) => records.get(type, slug)));
  const first = found.flatMap((record) =>
    record === undefined ? [] : [{ slug: record.slug, name: String(matchedFields(record.json)['name']) }],
  );
  return { count: slugs.length, first };
}

export const DUPLICATES_MAX = 20;
/** In a larger database, comparing a file with all records takes too long. */
const COMPARED_MAX = 200_000;

/** A row that is or may be about a record of another name. */
interface ProbableDuplicate {
  readonly name: string;
  readonly record: { readonly slug: string; readonly name: string };
  readonly reason: string;
  /** Slug that the row gets as a new record; absent for rounds. */
  readonly slug?: string;
  /** Whether the row changes the record. */
  readonly isMatched?: boolean;
  /** The pair that waits for a decision, after an import. */
  readonly pair?: number | undefined;
}

/** Matches rows to the records that existed before the import, and compares those that become new ones with them. */
function createDuplicateCheck(records: Records, { type, chosen, isDryRun }: ImportJob) {
  const found: ProbableDuplicate[] = [];
  const pairs: CandidatePair[] = [];
  let matcher: Promise<KnownRecords | undefined> | undefined;
  /** The record that a row without its slug or id is about. */
  const targetOf = ({ input, id }: RowInput, known: KnownRecords | undefined): string | undefined => {
    const own = String(input.slug);
    if (known === undefined || id !== undefined || known.slugs.has(own)) return undefined;
    const target = Object.hasOwn(chosen, own) ? chosen[own] : known.join(input)?.ref;
    return target !== undefined && known.slugs.has(target) ? target : undefined;
  };
  const compareRow = async ({ input }: RowInput, { id }: Upserted, isMatched: boolean): Promise<void> => {
    const slug = String(input.slug);
    const known = await matcher;
    const match = known?.join(input) ?? known?.possibleMatches(input)[0];
    const record = match && (await records.get(type, match.ref));
    if (!isNamedType(type) || match === undefined || record === undefined) return;
    const { rule, score } = match;
    const fields = matchedFields(record.json);
    const reason = reasonOf(rule, type, [fields, input as Fields]);
    const name = String(input['name']);
    found.push({ name, slug, isMatched, record: { slug: record.slug, name: String(fields['name']) }, reason });
    pairs.push({ type, left: record.id, right: id, rule, score });
  };
  return {
    found,
    pairs,
    compare: async <Outcome extends Upserted | Rejected>(
      rows: readonly RowInput[],
      write: (matched: readonly RowInput[]) => Promise<readonly Outcome[]>,
    ): Promise<readonly Outcome[]> => {
      matcher ??= loadMatcher(records, type);
      const known = await matcher;
      const targets = rows.map((row) => targetOf(row, known));
      const outcomes = await write(rows.map((row, index) => joinedTo(row, targets[index])));
      for (const [index, row] of rows.entries()) {
        const outcome = outcomes[index];
        const isMatched = targets[index] !== undefined;
        if (found.length >= DUPLICATES_MAX || outcome === undefined || outcome.change === 'refused') continue;
        const isOpen = outcome.change === 'created' && !Object.hasOwn(chosen, String(row.input.slug));
        if (isDryRun ? isMatched || isOpen : isOpen) await compareRow(row, outcome, isMatched);
      }
      return outcomes;
    },
  };
}

const joinedTo = (row: RowInput, slug: string | undefined): RowInput =>
  slug === undefined ? row : { ...row, input: { ...row.input, slug }, joined: 'changes' };

const similarRounds = ({ matches }: ImportReport): ProbableDuplicate[] =>
  matches.doubtful.slice(0, DUPLICATES_MAX).map(({ slug, rule, ...row }) => ({
    name: capitalize(placeText(row)),
    record: { slug, name: slug },
    reason: rule,
  }));

interface KnownRecords extends Matcher<string> {
  readonly slugs: ReadonlySet<string>;
}

/** Undefined for rounds, and in a database with too many records. */
async function loadMatcher(records: Records, type: RecordType): Promise<KnownRecords | undefined> {
  if (!isNamedType(type)) return undefined;
  const { total } = await records.search({ types: [type], text: '', window: { offset: 0, limit: 0 } });
  if (total > COMPARED_MAX) return undefined;
  const matcher = createMatcher<string>(type);
  const slugs = new Set<string>();
  for await (const json of records.walk(type)) {
    const fields = matchedFields(json);
    matcher.count(fields);
    matcher.add(String(fields['slug']), fields);
    slugs.add(String(fields['slug']));
  }
  return { ...matcher, slugs };
}
