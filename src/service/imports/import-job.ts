import { Readable } from 'node:stream';
import { isNamedType, type RecordType } from '../../contract/entities/index.ts';
import { isSameAddress } from '../../contract/names.ts';
import { valueText } from '../../contract/value-text.ts';
import { importRows } from '../../store/import/import.ts';
import { readSource } from '../../store/import/import-source.ts';
import { createMatcher, type Fields, type Matcher } from '../../store/matching/matcher.ts';
import { reasonOf } from '../../store/matching/reasons.ts';
import type { Author } from '../../store/port/audit.ts';
import type { Records, Rejected, RowInput, Upserted } from '../../store/port/records.ts';
import { matchedFields } from '../../store/records/duplicates.ts';
import type { Store } from '../../store/store.ts';

export const DIFFERENCES_MAX = 20;
const CHUNK_BYTES = 1 << 16;

/** Uploaded rows, for a dry run or an import under the user's name. */
export interface ImportJob {
  readonly type: RecordType;
  readonly content: string | Uint8Array;
  readonly isDryRun: boolean;
  readonly author: Author;
}

export interface Difference {
  readonly name: string;
  readonly change: Upserted['change'];
  readonly target: string;
  readonly fields: readonly { readonly name: string; readonly before: string; readonly after: string }[];
}

export type ImportResult = Awaited<ReturnType<typeof runImport>>;

export async function runImport({ records, compactIndex }: Pick<Store, 'records' | 'compactIndex'>, job: ImportJob) {
  const { type, isDryRun, author } = job;
  const differences: Difference[] = [];
  const duplicates = createDuplicateCheck(records, type);
  const watched: Records = {
    ...records,
    upsertMany: (rows, _author, following) => records.upsertMany(rows, author, following),
    dryRun: async (rows) => {
      const outcomes = await records.dryRun(rows);
      await collect(records, { type, rows, outcomes, differences });
      await duplicates.compare(rows.filter((_, index) => outcomes[index]?.change === 'created'));
      return outcomes;
    },
  };
  const { signal } = new AbortController();
  const source = await readSource(Readable.from(chunksOf(bytesOf(job.content))), { type }, signal);
  const options = { isDryRun, signal, onBatch: () => undefined };
  const report = await importRows({ records: watched, compactIndex, type, source, ...options });
  return {
    report,
    /** The first changes of a dry run. */
    differences,
    /** New rows of a dry run that may be about existing records. */
    duplicates: duplicates.found,
  };
}

const bytesOf = (content: string | Uint8Array): Buffer =>
  typeof content === 'string'
    ? Buffer.from(content)
    : Buffer.from(content.buffer, content.byteOffset, content.byteLength);

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) yield bytes.subarray(start, start + CHUNK_BYTES);
}

interface DryRunBatch {
  readonly type: RecordType;
  readonly rows: readonly RowInput[];
  readonly outcomes: readonly (Upserted | Rejected)[];
  readonly differences: Difference[];
}

const textOf = (value: unknown): string => valueText(value, { titled: (title, name) => `${title} at ${name}` });

/** Compares the first rows with the stored records, field by field. */
async function collect(records: Records, { type, rows, outcomes, differences }: DryRunBatch): Promise<void> {
  for (const [index, outcome] of outcomes.entries()) {
    if (differences.length >= DIFFERENCES_MAX) return;
    if (outcome.change !== 'created' && outcome.change !== 'updated') continue;
    const input = rows[index]?.input ?? {};
    const found = outcome.change === 'updated' ? await records.get(type, outcome.slug) : undefined;
    const before = found === undefined ? {} : (JSON.parse(found.json) as Record<string, unknown>);
    const fields = Object.entries(input)
      .map(([name, value]) => ({ name, before: textOf(before[name]), after: textOf(value) }))
      .filter(({ name: field, before: now, after }) => field !== 'slug' && now !== after && !isSameAddress(now, after));
    const name = String(input['name'] ?? before['name'] ?? outcome.slug);
    differences.push({ name, change: outcome.change, target: outcome.slug, fields });
  }
}

export const DUPLICATES_MAX = 20;
/** In a larger database, comparing a file with all records takes too long for a preview. */
const COMPARED_MAX = 200_000;

/** A new row that may be about an existing record. */
interface ProbableDuplicate {
  readonly name: string;
  readonly record: { readonly slug: string; readonly name: string };
  readonly reason: string;
}

/** Compares the rows of a preview that would be new records with the existing ones. */
function createDuplicateCheck(records: Records, type: RecordType) {
  const found: ProbableDuplicate[] = [];
  let matcher: Promise<Matcher<string> | undefined> | undefined;
  return {
    found,
    compare: async (rows: readonly RowInput[]): Promise<void> => {
      if (!isNamedType(type) || rows.length === 0) return;
      matcher ??= loadMatcher(records, type);
      const known = await matcher;
      if (known === undefined) return;
      for (const { input } of rows) {
        if (found.length >= DUPLICATES_MAX) return;
        const match = known.join(input) ?? known.possibleMatches(input)[0];
        const record = match && (await records.get(type, match.ref));
        if (match === undefined || record === undefined) continue;
        const fields = matchedFields(record.json);
        const reason = reasonOf(match.rule, type, [fields, input as Fields]);
        found.push({
          name: String(input['name']),
          record: { slug: record.slug, name: String(fields['name']) },
          reason,
        });
      }
    },
  };
}

/** Undefined in a database with too many records. */
async function loadMatcher(records: Records, type: RecordType): Promise<Matcher<string> | undefined> {
  const { total } = await records.search({ types: [type], text: '', window: { offset: 0, limit: 0 } });
  if (!isNamedType(type) || total > COMPARED_MAX) return undefined;
  const matcher = createMatcher<string>(type);
  for await (const json of records.walk(type)) {
    const fields = matchedFields(json);
    matcher.count(fields);
    matcher.add(String(fields['slug']), fields);
  }
  return matcher;
}
