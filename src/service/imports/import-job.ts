import { Readable } from 'node:stream';
import { capitalize } from '../../contract/capitalize.ts';
import { isNamedType, type RecordType } from '../../contract/entities/index.ts';
import { shortMoney } from '../../contract/usd.ts';
import { importRows } from '../../store/import/import.ts';
import { readSource } from '../../store/import/import-source.ts';
import { type Decisions, isJoined, type Proposal, type RowChoice } from '../../store/import/proposals.ts';
import { createRowMatcher } from '../../store/import/row-matching.ts';
import type { MatchRule } from '../../store/matching/matcher.ts';
import { reasonOf } from '../../store/matching/reasons.ts';
import type { Author } from '../../store/port/audit.ts';
import type { Records, Rejected, Upserted } from '../../store/port/records.ts';
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
  /** What becomes of rows, by their number. */
  readonly chosen: Readonly<Record<number, string>>;
  /** What becomes of the other rows that may be about a record. */
  readonly unsure?: Decisions['unsure'];
  readonly author: Author;
}

export type ImportResult = Awaited<ReturnType<typeof runImport>>;

export async function runImport(store: Pick<Store, 'records' | 'compactIndex' | 'duplicates'>, job: ImportJob) {
  const { records, compactIndex } = store;
  const { type, isDryRun, author, chosen, unsure } = job;
  const written = new Map<string, WrittenChange>();
  const watched: Records = {
    ...records,
    upsertMany: async (...given) => {
      const outcomes = await records.upsertMany(...given);
      for (const outcome of outcomes)
        if (isWritten(outcome) && !written.has(outcome.slug)) written.set(outcome.slug, outcome.change);
      return outcomes;
    },
  };
  const { signal } = new AbortController();
  const blocks = job.content.map(({ buffer, byteOffset, length }) => Buffer.from(buffer, byteOffset, length));
  const source = await readSource(Readable.from(blocks), { type }, signal);
  const options = { isDryRun, author, differencesMax: DIFFERENCES_MAX, signal, onBatch: () => undefined };
  const matcher = await createRowMatcher(store, type, { unsure, chosen: ({ row }) => chosen[row] });
  const report = await importRows({ records: watched, compactIndex, type, source, matcher, ...options });
  const { doubtful, joined } = report.matches;
  return {
    report,
    /** The first rows that may be, and that are, about records that they do not name by slug. */
    doubtful: await described(records, type, doubtful),
    joined: await described(records, type, joined),
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

/** A row that is or may be about records, with what a person needs to choose. */
export interface ProposedRow extends Omit<Proposal, 'options'> {
  readonly options: readonly ProposedRecord[];
}

interface ProposedRecord {
  readonly choice: RowChoice;
  readonly type: RecordType;
  readonly slug: string;
  readonly name: string;
  /** Whether there is a record yet; a preview has none of an earlier row. */
  readonly isKept: boolean;
  /** What tells it from others: the website, or the day and amount of a round; of an earlier row of the file, nothing. */
  readonly detail: string;
  readonly reason: string;
}

/** Adds to proposals what their records are. */
async function described(records: Records, type: RecordType, proposals: readonly Proposal[]): Promise<ProposedRow[]> {
  const rows: ProposedRow[] = [];
  for (const { options, ...proposal } of proposals) {
    const found: ProposedRecord[] = [];
    for (const { choice, slug, rule, detail: apart } of options) {
      const of = isJoined(choice) ? type : 'companies';
      const record = await records.get(of, slug);
      const fields = JSON.parse(record?.json ?? '{}');
      const { website, announced_date: day, amount_usd: amount } = fields;
      const name = String(fields.name ?? `An earlier row (${slug})`);
      const detail = [website, day, amount && shortMoney(Number(amount))].filter(Boolean).join(', ');
      const reason = isNamedType(of)
        ? reasonOf(rule as MatchRule, of, [fields, proposal.stated])
        : capitalize(`${rule}, ${apart}`);
      found.push({ choice, type: of, slug, name, isKept: record !== undefined, detail, reason });
    }
    rows.push({ ...proposal, options: found });
  }
  return rows;
}
