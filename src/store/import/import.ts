import { setImmediate as turn } from 'node:timers/promises';
import type { RecordType } from '../../contract/entities/index.ts';
import { type FieldError, ServiceError } from '../../contract/errors.ts';
import { type ImportPart, type ImportTarget, importTargets } from '../../contract/import-names.ts';
import { foldName } from '../../contract/names.ts';
import { FUNDING_STAGES } from '../../contract/vocabulary.ts';
import type { Match } from '../matching/matcher.ts';
import type { Rejected, RowInput, Upserted } from '../port/records.ts';
import { FOLLOWED_ROWS } from '../records/records.ts';
import { unstorable } from '../records/validate-input.ts';
import type { Store } from '../store.ts';
import { type FieldReader, fieldReaders, labelReader } from './fields.ts';
import { type ImportSource, NOT_UTF8 } from './import-source.ts';
import type { Item } from './read-json.ts';
import type { Note } from './references.ts';
import { addError, addIgnored, addMatch, type ImportReport, newReport } from './report.ts';
import type { RowMatcher } from './row-matching.ts';
import { createCounter, derivedSlug, readSlug } from './slugs.ts';
import { isEmpty, readList, readUrl } from './values.ts';

/** Rows per transaction, to bound the time that other writers wait. */
const BATCH_ROWS = 500;

export interface ImportRequest extends Pick<Store, 'records' | 'compactIndex'> {
  readonly type: RecordType;
  readonly source: ImportSource;
  /** Whether rows arrive as another program writes them, so that none waits for later ones. */
  readonly isLive?: boolean;
  /** Reports results without writing. */
  readonly isDryRun: boolean;
  /** Matches rows without a record's slug to existing records. */
  readonly matcher?: RowMatcher | undefined;
  /** Ends the import after the rows read so far. */
  readonly signal: AbortSignal;
  readonly onBatch: (report: ImportReport) => void;
}

interface PendingRow {
  readonly line: number;
  readonly row: RowInput;
  /** Possible matches of a row imported as a new record. */
  readonly possibleMatches?: readonly Match<string>[];
}

/** Imports rows in atomic batches. An interrupted import keeps its completed batches; running it again completes it. */
export async function importRows(request: ImportRequest): Promise<ImportReport> {
  const { type, source, signal, onBatch } = request;
  const report = newReport(type, request.matcher !== undefined);
  const prepare = createPreparer(request, report);
  const writeBatch = createBatchWriter(request, report);
  const batch: PendingRow[] = [];
  const aheadMax = request.isLive === true ? 0 : FOLLOWED_ROWS + 1;
  try {
    for await (const { item, following } of readAhead(source.items, aheadMax)) {
      // A row read after the signal may be incomplete.
      if (signal.aborted) break;
      report.read += 1;
      const pending = prepare(item);
      if (pending !== undefined) batch.push(pending);
      if (batch.length < BATCH_ROWS) continue;
      await writeBatch(batch.splice(0), following);
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
): (item: Item) => PendingRow | undefined {
  const read = createRowReader(type, source.format === 'csv');
  const seen = createCounter();
  const note = (name: string): void => addIgnored(report, name);
  const slugOf = (fields: Readonly<Record<string, unknown>>): string | undefined => {
    const slug = derivedSlug(type, fields);
    const times = slug === undefined ? 1 : seen(slug);
    return times === 1 ? slug : `${slug}-${times}`;
  };
  const prepare = (line: number, value: object): PendingRow | undefined => {
    if (hasText(value, NOT_UTF8))
      return refuse(report, line, [{ location: 'body', message: 'the row is not UTF-8 text; save the file as UTF-8' }]);
    const { fields, id } = read(value, note);
    const unkept = unstorable(fields);
    if (unkept.length > 0) return refuse(report, line, unkept);
    const number = recordNumber(id);
    const isNamed = fields['name'] !== undefined || type === 'rounds';
    if (fields['slug'] === undefined && id !== undefined && !isNamed) {
      if (number !== undefined) return { line, row: { type, input: fields, id: number } };
      return refuse(report, line, [{ location: 'body.id', message: 'id must be a whole number' }]);
    }
    if (matcher !== undefined && isNamed) {
      const { join, possibleMatches, slug: own } = matcher.match(fields, derivedSlug(type, fields));
      if (join !== null) addMatch(report, 'joined', { line, slug: join.ref, rule: join.rule });
      for (const { ref, rule } of possibleMatches) addMatch(report, 'doubtful', { line, slug: ref, rule });
      const input = own === undefined ? fields : { ...fields, slug: own };
      return { line, possibleMatches, row: { type, input, ...(join === null ? {} : { joined: 'changes' }) } };
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
      // The row contains text with unacceptable JSON.
      if (!(error instanceof ServiceError)) throw error;
      return refuse(report, item.line, [{ location: 'body', message: error.message }]);
    }
  };
}

/** Whether a text occurs in a value or in a key of it. Depth is bounded by JSON parsing. */
function hasText(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value.includes(text);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => hasText(item, text));
  for (const name in value)
    if (name.includes(text) || hasText((value as Record<string, unknown>)[name], text)) return true;
  return false;
}

/** A numeric record id; undefined for foreign identifiers. */
function recordNumber(id: unknown): number | undefined {
  const isWritten = typeof id === 'number' || (typeof id === 'string' && /^\d+$/.test(id.trim()));
  const number = isWritten ? Number(id) : 0;
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

function refuse(report: ImportReport, line: number, faults: readonly FieldError[]): undefined {
  report.failed += 1;
  for (const { location, message } of faults) {
    const field = location === 'body' ? null : location.replace(/^body\./, '');
    // An empty cell counts as missing.
    const isEmpty = field !== null && message.startsWith(`${field} is required`);
    addError(report, { line, field, message: isEmpty ? `\`${field}\` is empty` : message });
  }
}

function createBatchWriter(
  { records, isDryRun, matcher }: ImportRequest,
  report: ImportReport,
): (batch: PendingRow[], following: number) => Promise<void> {
  const seen = createCounter();
  return async (batch, following) => {
    if (batch.length === 0) return;
    const rows = batch.map(({ row }) => row);
    const outcomes = await (isDryRun ? records.dryRun(rows) : records.upsertMany(rows, undefined, following));
    outcomes.forEach((outcome: Upserted | Rejected, index) => {
      if (outcome.change === 'refused') refuse(report, batch[index]?.line ?? 0, outcome.faults);
      // A dry run rolls batches back, so a record of an earlier batch would be counted as created again.
      else if (isDryRun && seen(outcome.slug) > 1 && outcome.change === 'created') report.updated += 1;
      else report[outcome.change] += 1;
    });
    if (isDryRun || matcher === undefined) return;
    await matcher.noteKept(
      outcomes.flatMap((outcome, index) =>
        outcome.change === 'refused' ? [] : { ...outcome, doubts: batch[index]?.possibleMatches ?? [] },
      ),
    );
  };
}

/** A parsed row with fields under their record names. */
interface ReadRow {
  readonly fields: Record<string, unknown>;
  /** The id used by the exporter. */
  readonly id: unknown;
}

/** Bounds the cache; a garbage file could have new names in every row. */
const NAMES_KNOWN_MAX = 10_000;
/** Free text, so placeholder words such as "none" are valid values. */
const NEVER_EMPTY_WORDS = new Set(['name', 'slug']);

/** Creates the row parser of a type. It maps names and values leniently; the store validates. */
function createRowReader(type: RecordType, isText: boolean): (value: object, note: Note) => ReadRow {
  const readers = fieldReaders(type, isText);
  const targetOf = createTargets(type);
  return (value, note) => {
    const fields: Record<string, unknown> = {};
    const parts: Parts = {};
    const own = new Set<string>();
    for (const [name, content] of Object.entries(value)) {
      const target = targetOf(name);
      if (target === undefined) note(name);
      else if (
        isStatedValue(target, content) &&
        (target.isOwn || fields[target.to] === undefined) &&
        !own.has(target.to)
      ) {
        if (target.isOwn) own.add(target.to);
        readInto(target, content, { fields, parts, readers, note });
      }
    }
    completeFields(type, fields, parts, note);
    return { fields, id: parts.id };
  };
}

function createTargets(type: RecordType): (name: string) => ImportTarget | undefined {
  const targets = importTargets(type);
  const known = new Map<string, ImportTarget | undefined>();
  return (name) => {
    if (known.has(name)) return known.get(name);
    const target = targets.get(foldName(name));
    if (known.size < NAMES_KNOWN_MAX) known.set(name, target);
    return target;
  };
}

const isStatedValue = ({ to }: ImportTarget, content: unknown): boolean =>
  NEVER_EMPTY_WORDS.has(to) ? content !== null && content !== undefined && content !== '' : !isEmpty(content);

interface FieldTarget {
  readonly fields: Record<string, unknown>;
  readonly parts: Parts;
  readonly readers: ReadonlyMap<string, FieldReader>;
  readonly note: Note;
}

function readInto({ to }: ImportTarget, content: unknown, { fields, parts, readers, note }: FieldTarget): void {
  const read = readers.get(to);
  if (read === undefined) {
    parts[to as keyof Parts] ??= content;
    return;
  }
  const value = read(content, note);
  if (value !== undefined) fields[to] = value;
}

/** Columns of a row that are parts of fields. */
type Parts = Partial<Record<ImportPart, unknown>>;

type Fields = Record<string, unknown>;

/** As in the contract's shortText. */
const LINE_LENGTH_MAX = 500;

/** Combines parts into fields: location, website, stage with raw label, roles, and the name of a round. */
function completeFields(type: RecordType, fields: Fields, parts: Parts, note: Note): void {
  if (parts.type !== undefined && parts.type !== type) note('type');
  completePlace(fields, parts);
  if (parts.domain !== undefined) fields['website'] ??= readUrl(parts.domain);
  shortenLine(fields, type === 'people' ? 'headline' : 'tagline');
  if (type === 'companies') completeCompany(fields);
  if (type === 'people' && parts.company_slugs !== undefined) addRoles(fields, parts.company_slugs);
  if (type === 'rounds') completeRound(fields, parts);
}

function completePlace(fields: Fields, parts: Parts): void {
  const { 'location_json.city': city, 'location_json.country': country } = parts;
  if (fields['location_json'] !== undefined || (city ?? country) === undefined) return;
  fields['location_json'] = { ...(city === undefined ? {} : { city }), ...(country === undefined ? {} : { country }) };
}

/** Truncates an overlong line at a word boundary; without an overview, the text becomes one. */
function shortenLine(fields: Fields, field: string): void {
  const text = fields[field];
  if (typeof text !== 'string' || text.length <= LINE_LENGTH_MAX) return;
  fields['overview'] ??= text;
  fields[field] = `${text.slice(0, LINE_LENGTH_MAX - 1).replace(/\s+\S*$/, '')}…`;
}

function completeCompany(fields: Fields): void {
  const founded = fields['founded_date'];
  const year = /^\s*(\d{4})\s*$/.exec(String(founded ?? ''))?.[1];
  if (year !== undefined) {
    fields['year_founded'] ??= Number(year);
    delete fields['founded_date'];
  }
  completeStage(fields, 'funding_stage', 'funding_stage_raw');
}

const readStage = labelReader(FUNDING_STAGES);

/** A stage label outside the vocabulary is stored as raw text, with a null stage. */
function completeStage(fields: Fields, field: string, rawField: string): void {
  const stated = fields[field] ?? fields[rawField];
  if (stated === undefined) return;
  const label = String(stated);
  const raw = String(fields[rawField] ?? label);
  const stage = readStage(label) ?? null;
  fields[field] = stage;
  fields[rawField] = stage !== null && readStage(raw) === stage ? null : raw;
}

/** Adds organisations as roles, unless there is a role for them. */
function addRoles(fields: Fields, organizations: unknown): void {
  const roles = [...((fields['roles'] ?? []) as Fields[])];
  const known = new Set(
    roles
      .flatMap((role) => [role['organization'], role['organization_slug']])
      .map((name) => foldName(String(name ?? ''))),
  );
  for (const item of readList(organizations)) {
    const organization = String(item);
    if (known.has(foldName(organization))) continue;
    known.add(foldName(organization));
    roles.push({ organization });
  }
  fields['roles'] = roles;
}

function completeRound(fields: Fields, parts: Parts): void {
  completeStage(fields, 'stage', 'stage_raw');
  const date = fields['announced_date'];
  if (typeof date === 'string' && /^\d{4}-\d{2}$/.test(date))
    Object.assign(fields, { announced_date: `${date}-01`, month_only: ['announced_date'] });
  const slug = readSlug('companies', parts.company_slug);
  const company = fields['company'] as Fields | undefined;
  if (slug !== undefined && company?.['slug'] === undefined) fields['company'] = { ...company, slug };
}

/** Name of an unnamed round, such as "Acme Series A (2024)". Undefined without a company. */
function roundName(fields: Fields): string | undefined {
  const { name, slug } = (fields['company'] ?? {}) as { name?: string; slug?: string };
  if (name === undefined && slug === undefined) return undefined;
  const year = String(fields['announced_date'] ?? '').slice(0, 4);
  return `${name ?? slug} ${stageWords(fields['stage'])}${year === '' ? '' : ` (${year})`}`;
}

const STAGE_WORDS: Readonly<Record<string, string>> = {
  pre_seed: 'pre-seed round',
  seed: 'seed round',
  angel: 'angel round',
  strategic: 'strategic round',
  pre_series_a: 'pre-Series A',
  initial_coin_offering: 'ICO',
  m_and_a: 'acquisition',
};

function stageWords(stage: unknown): string {
  if (typeof stage !== 'string') return 'funding round';
  const series = /^series_([a-h])$/.exec(stage)?.[1];
  return series === undefined ? (STAGE_WORDS[stage] ?? stage.replaceAll('_', ' ')) : `Series ${series.toUpperCase()}`;
}
