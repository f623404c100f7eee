import { setImmediate as turn } from 'node:timers/promises';
import { isMoney } from '../../contract/aggregate.ts';
import type { RecordType } from '../../contract/entities/index.ts';
import { type FieldError, ServiceError } from '../../contract/errors.ts';
import type { Author } from '../port/audit.ts';
import type { Rejected, RowInput, Upserted } from '../port/records.ts';
import { type LabelSpeller, readLabelSpeller } from '../records/label-spelling.ts';
import { FOLLOWED_ROWS } from '../records/records.ts';
import { unstorable } from '../records/validate-input.ts';
import type { Store } from '../store.ts';
import { roundName } from './complete-fields.ts';
import { differenceOf } from './differences.ts';
import { lackedColumn, wordFault } from './fault-wording.ts';
import { type ImportSource, NOT_UTF8 } from './import-source.ts';
import type { Proposal, RowMatcher } from './proposals.ts';
import type { Item, RowPlace } from './read-json.ts';
import {
  addError,
  addIgnored,
  addMatch,
  addUnlinked,
  addWarning,
  type DoubtfulValue,
  type ImportReport,
  type Note,
  newReport,
  rowPlace,
} from './report.ts';
import { createRowReader } from './row-reader.ts';
import { createCounter, derivedSlug } from './slugs.ts';
import { spellLabels } from './unknown-values.ts';

/** Rows of the first transaction, and the most. */
const BATCH_ROWS = 500;
const BATCH_ROWS_MAX = 2_000;
/** Other writers wait for a transaction, so that its rows become more or fewer until it takes about half of this or all. */
const BATCH_MS = 250;

export interface ImportRequest extends Pick<Store, 'records' | 'compactIndex'> {
  readonly type: RecordType;
  readonly source: ImportSource;
  /** Whether rows arrive as another program writes them, so that none waits for later ones. */
  readonly isLive?: boolean;
  readonly isDryRun: boolean;
  /** How many changes of a dry run to report field by field. */
  readonly differencesMax?: number;
  readonly author?: Author;
  /** Matches rows without a record's slug to existing records; without it, by slug, id and name alone. */
  readonly matcher?: RowMatcher | undefined;
  /** Ends the import after the rows read so far. */
  readonly signal: AbortSignal;
  readonly onBatch: (report: ImportReport) => void;
}

interface PendingRow extends RowPlace {
  readonly row: RowInput;
  /** The id of a row that is identified otherwise. */
  readonly id?: unknown;
  /** The record that it is or may be about. */
  readonly proposal?: Proposal | undefined;
  readonly doubtful?: readonly DoubtfulValue[];
}

/** Imports rows in atomic batches. An interrupted import keeps its completed batches; running it again completes it. */
export async function importRows(request: ImportRequest): Promise<ImportReport> {
  const { type, source, signal, onBatch } = request;
  const report = newReport(type);
  report.isCompared = request.matcher !== undefined;
  const prepare = createPreparer(request, report, await readLabelSpeller(request.records));
  const writeBatch = createBatchWriter(request, report);
  const batch: PendingRow[] = [];
  let batchRows = BATCH_ROWS;
  const aheadMax = request.isLive === true ? 0 : FOLLOWED_ROWS + 1;
  try {
    for await (const { item, following } of readAhead(source.items, aheadMax)) {
      // A row read after the signal may be incomplete.
      if (signal.aborted) break;
      report.read += 1;
      const pending = prepare(item);
      if (pending !== undefined) batch.push(pending);
      if (batch.length < batchRows) continue;
      const startedAt = performance.now();
      await writeBatch(batch.splice(0), following);
      batchRows = nextRows(batchRows, performance.now() - startedAt);
      onBatch(report);
      await turn();
    }
  } finally {
    // Even after a read error, earlier rows are imported.
    await writeBatch(batch, 0);
    if (!request.isDryRun) await request.compactIndex();
  }
  onBatch(report);
  report.isStopped = signal.aborted;
  return report;
}

function nextRows(rows: number, tookMs: number): number {
  if (tookMs < BATCH_MS / 2) return Math.min(2 * rows, BATCH_ROWS_MAX);
  return tookMs > BATCH_MS ? Math.max(rows / 2, BATCH_ROWS) : rows;
}

interface ReadItem {
  readonly item: Item;
  /** Rows that follow it for certain. */
  readonly following: number;
}

/** Reads the first rows before any is written, because a large import indexes all of its rows in bulk. */
async function* readAhead(items: AsyncIterable<Item>, aheadMax: number): AsyncGenerator<ReadItem> {
  const rest = items[Symbol.asyncIterator]();
  const ahead: Item[] = [];
  let fault: { readonly error: unknown } | undefined;
  try {
    while (ahead.length < aheadMax) {
      const { done, value } = await rest.next();
      if (done) break;
      ahead.push(value);
    }
  } catch (error) {
    fault = { error };
  }
  try {
    for (const [index, item] of ahead.entries()) yield { item, following: ahead.length - index - 1 };
    if (fault !== undefined) throw fault.error;
    for (let next = await rest.next(); next.done !== true; next = await rest.next())
      yield { item: next.value, following: 0 };
  } finally {
    await rest.return?.();
  }
}

/**
 * Prepares rows. A record without slug is identified by its id; without both, and for rounds, whose ids differ per
 * list, the slug is derived deterministically.
 */
function createPreparer(
  { type, source, matcher }: ImportRequest,
  report: ImportReport,
  spell: LabelSpeller,
): (item: Item) => PendingRow | undefined {
  const read = createRowReader(type, source.format === 'csv');
  const seen = createCounter();
  const slugOf = (fields: Readonly<Record<string, unknown>>, note: Note): string | undefined => {
    const slug = derivedSlug(type, fields);
    const times = slug === undefined ? 1 : seen(slug);
    if (times === 1 || slug === undefined) return slug;
    note({ field: 'slug', value: slug, message: REPEATED });
    return `${slug}-${times}`;
  };
  const prepare = (place: RowPlace, value: object, note: Note): PendingRow | undefined => {
    if (hasText(value, NOT_UTF8)) return refuseRow(report, place, 'the row is not UTF-8 text; save the file as UTF-8');
    const { fields, id, companySite } = read(value, note);
    if (Object.keys(fields).length === 0 && hasListOfObjects(value))
      return refuseRow(report, place, `a list is in here; call it ${type}, or give it alone`);
    if (isTotal(fields)) return refuseRow(report, place, TOTAL);
    spellLabels(fields, spell, note);
    const unkept = unstorable(fields);
    if (unkept.length > 0) return refuse(report, place, unkept, fields);
    const number = recordNumber(id);
    const otherId = fields['slug'] === undefined ? { id } : {};
    const isNamed = fields['name'] !== undefined || type === 'rounds';
    if (fields['slug'] === undefined && id !== undefined && !isNamed) {
      if (number !== undefined) return { ...place, row: { type, input: fields, id: number } };
      return refuse(report, place, [{ location: 'body.id', message: NO_ID }], { id });
    }
    if (matcher !== undefined && isNamed) {
      const matched = matcher.match({ ...place, row: report.read, fields, id: number, companySite });
      const { written, proposal, isRepeated = false } = matched;
      if (proposal !== undefined) addMatch(report, proposal);
      else if (isRepeated) note({ field: 'slug', value: String(written?.input.slug), message: REPEATED });
      if (written !== undefined) return { ...place, ...otherId, proposal, row: { type, ...written } };
      report.leftOut += 1;
      return undefined;
    }
    const slug = fields['slug'] ?? slugOf(fields, note);
    const input = slug === undefined ? fields : { ...fields, slug };
    const name = type === 'rounds' ? roundName(fields) : undefined;
    const isByNumber = fields['slug'] === undefined && number !== undefined && type !== 'rounds';
    const extra = { ...(name === undefined ? {} : { nameWhenNew: name }), ...(isByNumber ? { id: number } : {}) };
    return { ...place, ...otherId, row: { type, input, ...extra } };
  };
  return (item) => {
    if ('fault' in item) return refuseRow(report, item, item.fault);
    if (source.format === 'csv') report.columns ??= Object.keys(item.value);
    try {
      const doubtful: DoubtfulValue[] = [];
      const pending = prepare(rowPlace(item), item.value, (noted) =>
        typeof noted === 'string' ? addIgnored(report, noted) : doubtful.push(noted),
      );
      return pending && { ...pending, doubtful };
    } catch (error) {
      // The row contains text with unacceptable JSON.
      if (!(error instanceof ServiceError)) throw error;
      return refuseRow(report, item, error.message);
    }
  };
}

const TOTAL = 'this seems to be a total of other rows, not a record; if it is one, state more of it than numbers';
const TOTAL_NAME = /^(?:grand |overall |sub-? ?)?(?:totals?|sum|summe|gesamt|somme|suma|soma|合计|总计|小计)(?:\W|$)/i;

/** Whether a row is called a total and states only numbers, as the last line of a sheet does. */
function isTotal({ name, company, stage_raw: _, ...stated }: Readonly<Record<string, unknown>>): boolean {
  const { name: called = name } = (company ?? {}) as { readonly name?: unknown };
  const others = Object.entries(stated).filter(([, value]) => value !== null);
  const isOfNumbers = others.every(([field, value]) => isMoney(field) || typeof value === 'number');
  return others.length > 0 && isOfNumbers && TOTAL_NAME.test(String(called).trim());
}

const NO_ID = 'id is the number of no record, and the row has no name or slug; give it one';
const OTHER_ID = 'is left out, because it is of another database; a row is found by its slug or name';
const OVERRULED = 'is left out, because it follows the rounds on record';
const REPEATED =
  'is that of an earlier row too; each of them is a record of its own, numbered, unless a column slug or id says otherwise';

/** Whether a text occurs in a value or in a key of it. Depth is bounded by JSON parsing. */
function hasText(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value.includes(text);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => hasText(item, text));
  for (const name in value)
    if (name.includes(text) || hasText((value as Record<string, unknown>)[name], text)) return true;
  return false;
}

/** Whether a list of objects is in an object, or in one within it. */
const hasListOfObjects = (value: object): boolean =>
  [value, ...Object.values(value)].some((each) => Object.values(each ?? {}).some(isListOfObjects));
const isListOfObjects = (value: unknown): boolean => Array.isArray(value) && typeof value[0] === 'object';

/** A numeric record id; undefined for foreign identifiers. */
function recordNumber(id: unknown): number | undefined {
  const isWritten = typeof id === 'number' || (typeof id === 'string' && /^\d+$/.test(id.trim()));
  const number = isWritten ? Number(id) : 0;
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

const refuseRow = (report: ImportReport, row: RowPlace, message: string): undefined =>
  refuse(report, row, [{ location: 'body', message }]);

function refuse(
  report: ImportReport,
  row: RowPlace,
  faults: readonly FieldError[],
  fields: Readonly<Record<string, unknown>> = {},
): undefined {
  const { company } = fields as { readonly company?: string | { readonly name?: unknown } };
  const name = fields['name'] ?? (typeof company === 'object' ? company?.name : company);
  report.failed += 1;
  for (const { location, message } of faults) {
    const field = location === 'body' ? null : location.replace(/^body\./, '');
    // An empty cell counts as missing.
    const isMissing = field !== null && message.startsWith(`${field} is required`);
    if (isMissing && lacksColumn(report, field)) continue;
    const value = fields[field ?? ''];
    const missing = `\`${field}\` is ${report.columns === undefined ? 'missing' : 'empty'}`;
    const said = isMissing ? missing : wordFault(message, field ?? '', value);
    addError(report, { ...rowPlace(row), field, message: said }, { name, value });
  }
}

/** Whether a CSV file has no column for a field, which is reported once. */
function lacksColumn(report: ImportReport, field: string): boolean {
  const message = lackedColumn(report, field);
  if (message !== undefined && !report.errorCounts.has(message)) addError(report, { line: 1, field, message });
  return message !== undefined;
}

/** A round is named after its company, so that only that is missing where there is none. */
function faultsOfRound({ company }: RowInput['input'], faults: readonly FieldError[]): readonly FieldError[] {
  if (!faults.some(({ location }) => location === 'body.name')) return faults;
  const { id } = (company ?? {}) as { readonly id?: unknown };
  const message =
    id === undefined ? 'company is required' : `company ${id} is the number of no company; give its name or slug`;
  return [{ location: 'body.company', message }];
}

function createBatchWriter(
  { type, records, isDryRun, differencesMax = 0, author, matcher }: ImportRequest,
  report: ImportReport,
): (batch: PendingRow[], following: number) => Promise<void> {
  const seen = createCounter();
  return async (batch, following) => {
    if (batch.length === 0) return;
    const rows = batch.map(({ row }) => row);
    const outcomes = await (isDryRun ? records.dryRun(rows) : records.upsertMany(rows, author, following));
    outcomes.forEach((outcome: Upserted | Rejected, index) => {
      const pending = batch[index] as PendingRow;
      const { doubtful = [], id, row } = pending;
      const place = rowPlace(pending);
      if (outcome.change === 'refused') {
        const faults = type === 'rounds' ? faultsOfRound(row.input, outcome.faults) : outcome.faults;
        refuse(report, place, faults, row.input);
        return;
      }
      for (const value of doubtful) addWarning(report, value, place);
      for (const field of outcome.overruled ?? [])
        addWarning(report, { field, value: String(row.input[field]), message: OVERRULED }, place);
      if (id !== undefined && String(id).trim() !== String(outcome.id))
        addWarning(report, { field: 'id', value: String(id), message: OTHER_ID }, place);
      // A dry run rolls batches back, so a record of an earlier batch would be counted as created again.
      const isAgain = isDryRun && seen(outcome.slug) > 1 && outcome.change === 'created';
      report[isAgain ? 'updated' : outcome.change] += 1;
      if (outcome.unlinked) addUnlinked(report, outcome.unlinked);
      if (!isDryRun || isAgain || outcome.change === 'unchanged') return;
      if (report.differences.length < differencesMax) report.differences.push(differenceOf(type, place.line, outcome));
      else report.moreDifferences += 1;
    });
    if (isDryRun) return;
    await matcher?.noteKept?.(
      outcomes.flatMap((outcome, index) =>
        outcome.change === 'refused' ? [] : { ...outcome, proposal: batch[index]?.proposal },
      ),
    );
  };
}
