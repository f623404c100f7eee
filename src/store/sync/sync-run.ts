import { setTimeout as sleep } from 'node:timers/promises';
import { entityOf, type NamedType, type RecordType } from '../../contract/entities/index.ts';
import { LIST_LENGTH_MAX } from '../../contract/fields.ts';
import { periodOf, utcDay } from '../../contract/periods.ts';
import { cached } from '../cached.ts';
import { derivedSlug } from '../import/slugs.ts';
import { createMatcher, type Matcher, nameWords } from '../matching/matcher.ts';
import { ownSite } from '../matching/resolver.ts';
import { OPERATOR } from '../port/audit.ts';
import type { Claim, PlacedClaim } from '../port/claims.ts';
import { isStated } from '../records/document.ts';
import type { Store } from '../store.ts';
import { type Connector, type ConnectorPage, SyncError } from './connector.ts';
import { createGet, type GetDeps, type Validator } from './http-get.ts';
import { type Counts, lastRunEndedAt, NO_COUNTS, type SyncReport, type SyncState } from './sync-state.ts';

/** Target of a new key: an existing record, a new one, or none. */
type Placement = { readonly record: number | string } | 'doubtful' | 'left';

/** Above this score, an uncertain match creates no record. */
const DOUBT_MIN = 50;

type PlaceClaim = (claim: Claim) => Promise<Placement>;

/** Matches new keys of a source to records by the identity rules. Loads the records of a type on first use. */
function createClaimPlacement({ records }: Store, { joinsOnly }: Connector): PlaceClaim {
  const isToMake = (type: RecordType, fields: Fields): boolean => !joinsOnly && isSufficient(type, fields);
  const matchers = new Map<NamedType, Promise<Matcher<number | string>>>();
  const load = async (type: NamedType): Promise<Matcher<number | string>> => {
    const matcher = createMatcher<number | string>(type);
    for await (const json of records.walk(type)) {
      const fields = JSON.parse(json) as Record<string, unknown>;
      matcher.count(fields);
      matcher.add(Number(fields['id']), fields);
    }
    return matcher;
  };
  const matcherOf = (type: NamedType): Promise<Matcher<number | string>> => cached(matchers, type, load);
  return async ({ type, key, fields }) => {
    if (type === 'rounds') {
      const slug = derivedSlug(type, fields);
      const found = slug === undefined ? undefined : await records.get(type, slug);
      return found === undefined ? (isToMake(type, fields) ? { record: key } : 'left') : { record: found.id };
    }
    const matcher = await matcherOf(type);
    const found = matcher.join(fields);
    if (found !== null) return { record: found.ref };
    if (!isToMake(type, fields)) return 'left';
    if ((matcher.possibleMatches(fields)[0]?.score ?? 0) > DOUBT_MIN) return 'doubtful';
    matcher.count(fields);
    matcher.add(key, fields);
    return { record: key };
  };
}

type Fields = Claim['fields'];

function isSufficient(type: RecordType, fields: Fields): boolean {
  const names: readonly [string, ...string[]] = [
    String(fields['name'] ?? ''),
    ...((fields['aliases'] ?? []) as string[]),
  ];
  const hasSite = typeof fields['website'] === 'string' && ownSite(names, fields['website']) !== null;
  switch (type) {
    case 'companies':
      return hasSite && (isStated(fields['tags']) || isStated(fields['chains']));
    case 'people':
      return nameWords(names[0]).length > 1 || isStated(fields['twitter']) || isStated(fields['github']);
    case 'investors':
      return hasSite || isStated(fields['fund_size_usd']);
    case 'events':
      return isStated(fields['start_date']);
    case 'rounds':
      return isStated(fields['amount_usd']) || isStated(fields['investors']);
    default:
      return true;
  }
}

export interface SyncRequest
  extends Pick<GetDeps, 'connector' | 'now' | 'userAgent' | 'onWait'>,
    Partial<Pick<GetDeps, 'fetch' | 'pause' | 'mirror' | 'key' | 'isForced'>> {
  readonly store: Store;
  readonly signal: AbortSignal;
  readonly since?: string | undefined;
  readonly limit?: number | undefined;
  readonly isDryRun?: boolean;
  readonly acceptsTerms?: boolean;
  /** Skips a source whose last run ended less than this before, unless it was interrupted. */
  readonly unlessWithinMs?: number | undefined;
  readonly onProgress?: (counts: Readonly<Counts>) => void;
}

/** Claims per transaction, to bound the time that other writers wait. */
const BATCH = 100;
const LEASE = 'sync';
const LEASE_MS = 180_000;
/** Guard: maximum share of changed keys; sources with fewer keys than the minimum are not guarded. */
const CHANGED_MAX = 0.2;
const ABSENT_MAX = 0.05;
const GUARDED_MIN = 3;
/** Guard: maximum share of a page's entries that fail the schema. */
const UNREADABLE_MAX = 0.2;

interface SyncRun extends SyncRequest {
  readonly state: SyncState;
  readonly counts: Counts;
  readonly seenAt: string;
  readonly known: ReadonlyMap<string, number | null>;
  readonly place: PlaceClaim;
  readonly seen: Set<string>;
  readonly fresh: Map<string, Validator>;
  readonly holder: string;
}

/**
 * Runs a sync: requests changed pages and applies their claims page by page, so that an interrupted run resumes. One
 * run at a time per database. Errors of the source are reported, not thrown.
 */
export async function syncSource(request: SyncRequest): Promise<SyncReport> {
  const { store, connector, now } = request;
  const startedAt = now();
  const counts = { ...NO_COUNTS };
  const holder = crypto.randomUUID();
  const reportOf = (status: SyncReport['status'], message: string | null, isResumed = false): SyncReport => ({
    ...{ source: connector.source, status, message, isDryRun: request.isDryRun === true, isResumed },
    ...{ started_at: startedAt.toISOString(), ended_at: now().toISOString(), ...counts },
  });
  if (!(await store.claims.lease(LEASE, holder, LEASE_MS)))
    return reportOf(
      'busy',
      'Another sync of this database is in progress; retry when it has ended, or three minutes after it was killed.',
    );
  try {
    const state = await readState(store, connector.source);
    const { unlessWithinMs = 0 } = request;
    const agoMs = startedAt.getTime() - lastRunEndedAt(state);
    // Instances of a service decide before one of them has the lease.
    if (unlessWithinMs > 0 && agoMs < unlessWithinMs)
      return reportOf('skipped', `The last run ended at ${state.last?.ended_at}, less than the given hours ago.`);
    const isResumed = state.cut !== undefined && isCompleteRun(request);
    const run: SyncRun = {
      ...request,
      ...{ state, counts, holder },
      place: createClaimPlacement(store, connector),
      seen: new Set(),
      seenAt: isResumed ? (state.cut?.seenAt ?? '') : momentAfter(startedAt, state),
      known: await store.claims.keys(connector.source),
      fresh: new Map(),
    };
    const ended = await runConnector(run).catch((error: unknown) => failureOf(error, request.signal));
    const report = reportOf(ended.status, ended.message, isResumed);
    if (!run.isDryRun) await saveOutcome(run, ended, report);
    return report;
  } finally {
    await store.claims.release(LEASE, holder);
  }
}

async function readState(store: Store, source: string): Promise<SyncState> {
  const known = (await store.claims.sources()).find((each) => each.source === source);
  return JSON.parse(known?.state ?? '{}') as SyncState;
}

interface RunEnd extends Pick<SyncReport, 'status' | 'message'> {
  readonly retryAt?: Date | undefined;
  /** Cursor and validators are those before the run. */
  readonly isComplete?: boolean;
}

/** Time of the run, later than all earlier ones even if the clock was set back. */
function momentAfter(now: Date, { completeAt, last, cut }: SyncState): string {
  const earlier = [completeAt, last?.started_at, cut?.seenAt].map((moment) => Date.parse(moment ?? '') || 0);
  return new Date(Math.max(now.getTime(), ...earlier.map((moment) => moment + 1))).toISOString();
}

const isCompleteRun = ({ since, limit, isDryRun }: SyncRequest): boolean =>
  since === undefined && limit === undefined && isDryRun !== true;

function failureOf(error: unknown, signal: AbortSignal): RunEnd {
  if (signal.aborted) return { status: 'interrupted', message: 'Interrupted; the next run resumes from here.' };
  if (!(error instanceof SyncError)) throw error;
  const { message, isGuard, retryAt } = error;
  if (!isGuard) return { status: 'failed', message: `The source ${message}.`, retryAt };
  return { status: 'stopped', message: `The source ${message}. If that is right, run it again with --force.` };
}

async function runConnector(run: SyncRun): Promise<RunEnd> {
  const { connector, state, counts, now } = run;
  if (connector.isRestricted && state.acceptedTermsAt === undefined && run.acceptsTerms !== true)
    throw new SyncError(`has terms of its own (${connector.terms}): read them, then add --accept-terms`);
  if (state.nextAt !== undefined && state.nextAt > now().toISOString() && run.isForced !== true)
    throw new SyncError(`allows no requests before ${state.nextAt}`);
  const get = createGet({
    fetch: globalThis.fetch,
    pause: (ms) => sleep(ms, undefined, { signal: run.signal }),
    isForced: false,
    ...run,
    validators: run.isForced ? {} : (state.validators ?? {}),
    usedThisMonth: state.months?.[periodOf(now()).month] ?? 0,
  });
  const cursor = isCompleteRun(run) ? (state.cut?.cursor ?? null) : null;
  const today = utcDay(now());
  for await (const page of connector.pages({ cursor, since: run.since ?? null, today, get })) {
    await applyPage(run, page);
    if (run.limit !== undefined && counts.read >= run.limit) return { status: 'done', message: null };
    if (isCompleteRun(run) && page.cursor !== null) await saveCursor(run, page.cursor);
  }
  return { status: 'done', message: null, isComplete: isCompleteRun(run) && (await isCovered(run)) };
}

async function applyPage(run: SyncRun, { entries }: ConnectorPage): Promise<void> {
  const claims = claimsOf(run, entries);
  run.signal.throwIfAborted();
  for (let at = 0; at < claims.length; at += BATCH) await applyBatch(run, claims.slice(at, at + BATCH));
}

/** The claims of a page. Throws if too many entries fail the schema, because the source has changed. */
function claimsOf(run: SyncRun, entries: ConnectorPage['entries']): Claim[] {
  const { connector, counts, seen, since = '', limit = Number.POSITIVE_INFINITY } = run;
  const claims: Claim[] = [];
  const faults: string[] = [];
  let read = 0;
  for (const { value, url, day } of entries) {
    if (counts.read + read >= limit) break;
    read += 1;
    const parsed = connector.entry.safeParse(value);
    if (!parsed.success) {
      faults.push(`${parsed.error.issues[0]?.path.join('.')}: ${parsed.error.issues[0]?.message}`);
      continue;
    }
    for (const draft of connector.claims(parsed.data, { url, day })) {
      if ((draft.as_of ?? day) < since) continue;
      if (seen.has(draft.key)) counts.duplicate += 1;
      else claims.push({ as_of: day, url, ...draft, fields: cleanFields(draft.type, draft.fields) });
      seen.add(draft.key);
    }
  }
  if (faults.length > read * UNREADABLE_MAX)
    throw new SyncError(`has changed its format: ${faults.length} of ${read} entries cannot be read (${faults[0]})`);
  counts.read += read;
  counts.unreadable += faults.length;
  return claims;
}

async function applyBatch(run: SyncRun, batch: readonly Claim[]): Promise<void> {
  const { store, connector, counts, known, signal, seenAt, state } = run;
  signal.throwIfAborted();
  const placed: PlacedClaim[] = [];
  for (const claim of batch) {
    const record = known.get(claim.key);
    const placement = record == null ? await run.place(claim) : { record };
    if (typeof placement === 'string') counts[placement] += 1;
    else placed.push({ ...claim, ...placement });
  }
  if (placed.length === 0) return;
  if (!(await store.claims.lease(LEASE, run.holder, LEASE_MS)))
    throw new SyncError('took so long that another sync has begun');
  const changedMax = Math.max(GUARDED_MIN, Math.floor(known.size * CHANGED_MAX));
  const changed = (state.cut?.changed ?? 0) + counts.updated;
  const taken = await store.claims.apply({
    ...{ from: connector, claims: placed, seenAt, forgetBefore: state.completeAt ?? null },
    ...{ changesMax: run.isForced ? Number.MAX_SAFE_INTEGER : changedMax - changed, isDryRun: run.isDryRun === true },
  });
  if (typeof taken === 'number')
    throw new SyncError(`would change more than ${changedMax} of the ${known.size} known entries`, {
      isGuard: true,
    });
  for (const { change } of taken) counts[change] += 1;
  run.onProgress?.(counts);
}

/** Whether a complete run saw nearly all known keys. Unseen ones stay; absence deletes nothing. */
async function isCovered({ store, connector, counts, known, seenAt, isForced, state }: SyncRun): Promise<boolean> {
  if (counts.not_modified > 0 || connector.listsNewOnly) return false;
  counts.absent = known.size === 0 ? 0 : await store.claims.unseen(connector.source, state.cut?.seenAt ?? seenAt);
  if (isForced || counts.absent <= Math.max(GUARDED_MIN, known.size * ABSENT_MAX)) return true;
  throw new SyncError(`omits ${counts.absent} of the ${known.size} known entries`, { isGuard: true });
}

const MONTHS_KEPT = 2;

/** The state including this run's requests of the month. */
function counted({ state, counts, now }: SyncRun): SyncState {
  const month = periodOf(now()).month;
  const months = { ...state.months, [month]: (state.months?.[month] ?? 0) + counts.requests };
  const latest = Object.entries(months)
    .sort(([one], [other]) => one.localeCompare(other))
    .slice(-MONTHS_KEPT);
  return { ...state, months: Object.fromEntries(latest) };
}

const saveState = ({ store, connector }: SyncRun, state: SyncState): Promise<void> =>
  store.claims.saveState(connector, JSON.stringify(state));

function saveCursor(run: SyncRun, cursor: string): Promise<void> {
  const changed = (run.state.cut?.changed ?? 0) + run.counts.updated;
  return saveState(run, { ...counted(run), cut: { cursor, seenAt: run.seenAt, changed } });
}

async function saveOutcome(run: SyncRun, ended: RunEnd, report: SyncReport): Promise<void> {
  const { store, state, fresh, seenAt, now } = run;
  const isDone = ended.status === 'done' && isCompleteRun(run);
  // An interrupted or failed run keeps its cursor for the next one.
  const kept = isDone ? undefined : (await readState(store, report.source)).cut;
  const { cut: _, ...rest } = counted(run);
  await saveState(run, {
    ...rest,
    ...(kept && { cut: kept }),
    // Validators of this run only, or they would accumulate; an unchanged list does not list its files.
    ...(isDone && { validators: { ...(run.counts.read === 0 && state.validators), ...Object.fromEntries(fresh) } }),
    ...(ended.isComplete && {
      completeAt: seenAt,
      ...(state.completeAt !== undefined && { goneBefore: state.completeAt }),
    }),
    ...(run.acceptsTerms && state.acceptedTermsAt === undefined && { acceptedTermsAt: now().toISOString() }),
    nextAt: ended.retryAt?.toISOString(),
    last: report,
  });
  if (ended.isComplete) await store.claims.markUnlisted(report.source);
  await store.audit.note({
    author: OPERATOR,
    action: 'sync',
    type: 'claims',
    id: null,
    before: undefined,
    after: report,
  });
}

const TEXT_LENGTH_MAX = 2_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what is taken out are control characters
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/g;

/** Removes control and bidi characters, unknown values and fields of other types, and truncates text. */
function cleanFields(type: RecordType, fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { shape } = entityOf(type).record;
  const entries = Object.entries(fields).map(([name, value]) => [name, clean(value)] as const);
  return Object.fromEntries(entries.filter(([name, value]) => Object.hasOwn(shape, name) && isStatedValue(value)));
}

const isStatedValue = (value: unknown): boolean => value !== '' && isStated(value);

function clean(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(CONTROL, ' ').trim().slice(0, TEXT_LENGTH_MAX);
  if (Array.isArray(value)) return value.map(clean).filter(isStatedValue).slice(0, LIST_LENGTH_MAX);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, clean(inner)]));
}
