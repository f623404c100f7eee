import { setImmediate as turn } from 'node:timers/promises';
import type { RecordType } from '../../contract/entities/index.ts';
import { type FieldError, ServiceError } from '../../contract/errors.ts';
import type { Match } from '../matching/matcher.ts';
import type { Rejected, RowInput, Upserted } from '../port/records.ts';
import { unkeepable } from '../records/body.ts';
import type { Store } from '../store.ts';
import { roundName } from './complete.ts';
import { createRowReader } from './import-rows.ts';
import { type ImportSource, NOT_UTF8 } from './import-source.ts';
import type { Item } from './items.ts';
import { addError, addIgnored, addMatch, type ImportReport, newReport } from './report.ts';
import type { RowMatcher } from './row-matching.ts';
import { createCounter, derivedSlug } from './slugs.ts';

/** Rows a transaction: other writers wait while one is under way, and have their turn between two. */
const BATCH_ROWS = 1_000;

export interface ImportRequest extends Pick<Store, 'records' | 'compactIndex'> {
  readonly type: RecordType;
  readonly source: ImportSource;
  /** Tells what would become of the rows, and writes nothing. */
  readonly isDryRun: boolean;
  /** Joins rows that give no slug of a record to the records that they are about. */
  readonly matcher?: RowMatcher | undefined;
  /** Ends the import after what is read so far. */
  readonly signal: AbortSignal;
  /** Called after each batch. */
  readonly onBatch: (report: ImportReport) => void;
}

interface Pending {
  readonly line: number;
  readonly row: RowInput;
  /** Records that the row may be about although it becomes one of its own. */
  readonly doubts?: readonly Match<string>[];
}

/**
 * Reads rows and keeps them batch by batch. A batch is kept whole or not at all, so an import that is interrupted
 * leaves what its finished batches brought, and running it again completes it.
 */
export async function importRows(request: ImportRequest): Promise<ImportReport> {
  const { type, source, signal, onBatch } = request;
  const report = newReport(type, request.matcher !== undefined);
  const prepare = createPreparer(request, report);
  const keep = createKeeper(request, report);
  const batch: Pending[] = [];
  try {
    for await (const item of source.items) {
      // What comes after the signal may be half a row.
      if (signal.aborted) break;
      report.read += 1;
      const pending = prepare(item);
      if (pending !== undefined) batch.push(pending);
      if (batch.length < BATCH_ROWS) continue;
      await keep(batch.splice(0));
      onBatch(report);
      await turn();
    }
  } finally {
    // Also when the file cannot be read to its end: no row before the failure is lost.
    await keep(batch);
    if (!request.isDryRun) await request.compactIndex();
  }
  onBatch(report);
  report.isStopped = signal.aborted;
  return report;
}

/**
 * Makes rows of items. A record that gives no slug is found by its number; one that gives neither, and a round, which
 * has a number of its own in every list of rounds, gets a slug that is the same in every run.
 */
function createPreparer(
  { type, source, matcher }: ImportRequest,
  report: ImportReport,
): (item: Item) => Pending | undefined {
  const read = createRowReader(type, source.format === 'csv');
  const seen = createCounter();
  const note = (name: string): void => addIgnored(report, name);
  const slugOf = (fields: Readonly<Record<string, unknown>>): string | undefined => {
    const slug = derivedSlug(type, fields);
    const times = slug === undefined ? 1 : seen(slug);
    return times === 1 ? slug : `${slug}-${times}`;
  };
  const prepare = (line: number, value: object): Pending | undefined => {
    if (hasText(value, NOT_UTF8)) {
      return refuse(report, line, [{ location: 'body', message: 'the row is not UTF-8 text; save the file as UTF-8' }]);
    }
    const { fields, id } = read(value, note);
    const unkept = unkeepable(fields);
    if (unkept.length > 0) return refuse(report, line, unkept);
    const number = recordNumber(id);
    const isNamed = fields['name'] !== undefined || type === 'rounds';
    if (fields['slug'] === undefined && id !== undefined && !isNamed) {
      if (number !== undefined) return { line, row: { type, input: fields, id: number } };
      return refuse(report, line, [{ location: 'body.id', message: 'id must be a whole number' }]);
    }
    if (matcher !== undefined && isNamed) {
      const { join, doubts, slug: own } = matcher.match(fields, derivedSlug(type, fields));
      if (join !== null) addMatch(report, 'joined', { line, slug: join.ref, rule: join.rule });
      for (const { ref, rule } of doubts) addMatch(report, 'doubtful', { line, slug: ref, rule });
      const input = own === undefined ? fields : { ...fields, slug: own };
      return { line, doubts, row: { type, input, ...(join === null ? {} : { joined: 'changes' }) } };
    }
    const slug = fields['slug'] ?? slugOf(fields);
    const input = slug === undefined ? fields : { ...fields, slug };
    const name = type === 'rounds' ? roundName(fields) : undefined;
    const isByNumber = fields['slug'] === undefined && number !== undefined && type !== 'rounds';
    const extra = { ...(name === undefined ? {} : { nameWhenNew: name }), ...(isByNumber ? { id: number } : {}) };
    return { line, row: { type, input, ...extra } };
  };
  return (item) => {
    if ('fault' in item) return refuse(report, item.line, [{ location: 'body', message: item.fault }]);
    try {
      return prepare(item.line, item.value);
    } catch (error) {
      // A text of the row is JSON that is not accepted.
      if (!(error instanceof ServiceError)) throw error;
      return refuse(report, item.line, [{ location: 'body', message: error.message }]);
    }
  };
}

/** Whether a text is part of a value, or of a name in it. A row is nested no deeper than JSON may be. */
function hasText(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value.includes(text);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => hasText(item, text));
  for (const name in value)
    if (name.includes(text) || hasText((value as Record<string, unknown>)[name], text)) return true;
  return false;
}

/** A record number as files write it; undefined for the identifiers of others. */
function recordNumber(id: unknown): number | undefined {
  const isWritten = typeof id === 'number' || (typeof id === 'string' && /^\d+$/.test(id.trim()));
  const number = isWritten ? Number(id) : 0;
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

function refuse(report: ImportReport, line: number, faults: readonly FieldError[]): undefined {
  report.failed += 1;
  for (const { location, message } of faults) {
    const field = location === 'body' ? null : location.replace(/^body\./, '');
    // An empty cell is as good as none.
    const isEmpty = field !== null && message.startsWith(`${field} is required`);
    addError(report, { line, field, message: isEmpty ? `\`${field}\` is empty` : message });
  }
}

function createKeeper(
  { records, isDryRun, matcher }: ImportRequest,
  report: ImportReport,
): (batch: Pending[]) => Promise<void> {
  const seen = createCounter();
  const keepAll = isDryRun ? records.dryRun : records.upsertMany;
  return async (batch) => {
    if (batch.length === 0) return;
    const outcomes = await keepAll(batch.map(({ row }) => row));
    outcomes.forEach((outcome: Upserted | Rejected, index) => {
      if (outcome.change === 'refused') refuse(report, batch[index]?.line ?? 0, outcome.faults);
      // A trial forgets its batches: a record that came earlier in the run would not be made again.
      else if (isDryRun && seen(outcome.slug) > 1 && outcome.change === 'created') report.updated += 1;
      else report[outcome.change] += 1;
    });
    if (isDryRun || matcher === undefined) return;
    await matcher.noteKept(
      outcomes.flatMap((outcome, index) =>
        outcome.change === 'refused' ? [] : { ...outcome, doubts: batch[index]?.doubts ?? [] },
      ),
    );
  };
}
