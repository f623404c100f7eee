import { isoDate } from '../contract/fields.ts';
import { HOUR_MS } from '../contract/periods.ts';
import { countText } from '../contract/value-text.ts';
import type { Conflict } from '../store/port/claims.ts';
import type { Store } from '../store/store.ts';
import type { Connector } from '../store/sync/connector.ts';
import { connectors } from '../store/sync/connectors/index.ts';
import { type SyncRequest, syncSource } from '../store/sync/sync-run.ts';
import type { SyncReport, SyncState } from '../store/sync/sync-state.ts';
import { type Command, DRY_RUN_FLAG, type FlagValues, FORCE_FLAG, numberOption, option } from './command.ts';
import { type Settings, splitList, UsageError } from './config.ts';
import { withStore } from './configured-store.ts';
import { print, printable, printJson, printTable, printToStderr, shownTime } from './output.ts';
import { packageVersion } from './package.ts';
import { createProgress } from './progress.ts';
import { shippedBy, shippedRows } from './shipped-data.ts';
import { INTERRUPTED, interruptible } from './stop-signal.ts';
import { didYouMean } from './suggest.ts';
import { scheduleOf } from './sync-schedule.ts';

const CONFLICTS_MAX = 1_000;
const SECOND_MS = 1_000;

export const command: Command = {
  usage: 'sync [SOURCE]',
  completes: ['list', ...connectors.map(({ source }) => source)],
  about:
    'Update records from a source on the network. Without one, or with list, list the sources and their last runs.',
  example: 'web3-bi sync chain-registry --dry-run',
  flags: {
    all: { type: 'boolean', description: 'Sync every source of WEB3_BI_SYNC.' },
    since: option('DAY', 'Take only data of this day or later.'),
    limit: numberOption('Read at most so many entries.'),
    'if-older': numberOption('Skip a source whose last run ended less than so many hours ago.'),
    'dry-run': DRY_RUN_FLAG,
    force: {
      ...FORCE_FLAG,
      description: 'Continue a run that a guard stopped because of many changes, or read everything again.',
    },
    'accept-terms': {
      type: 'boolean',
      description: 'You have read the terms of a source whose facts may not be redistributed.',
    },
    conflicts: {
      type: 'boolean',
      description: 'List conflicts between trusted sources; records keep their first value.',
    },
    drop: { type: 'boolean', description: 'Remove all claims of SOURCE.' },
  },
  createsDatabase: true,
  run: ({ settings, flags, positionals: [first] }) => {
    const name = first === 'list' ? undefined : first;
    checkFlags(flags, name);
    return withStore(settings, async (store) => {
      if (flags['conflicts'] === true) return showConflicts(await store.claims.conflicts(CONFLICTS_MAX), flags);
      if (name === undefined && flags['all'] !== true) return list(store, flags);
      const chosen = flags['all'] === true ? [...scheduleOf(settings.sync).keys()] : [name ?? ''];
      if (chosen.length === 0)
        throw new UsageError('No source is switched on; name them, such as WEB3_BI_SYNC=chain-registry,eips=12h.');
      const sources = chosen.map(connectorOf);
      if (flags['drop'] === true) return drop(store, sources[0] as Connector, flags);
      const reports = await syncAll(store, sources, { settings, flags });
      if (flags['json'] === true) printJson(flags['all'] === true ? reports : reports[0]);
      if (reports.some(({ status }) => status === 'interrupted')) return INTERRUPTED;
      return reports.every(({ status }) => status === 'done' || status === 'skipped') ? 0 : 1;
    });
  },
};

function checkFlags(flags: FlagValues, name: string | undefined): void {
  const { since } = flags;
  if (since !== undefined && !isoDate.safeParse(since).success)
    throw new UsageError('--since must be a day, such as 2026-01-31.');
  if (name !== undefined && flags['all'] === true) throw new UsageError('Give a SOURCE or --all, not both.');
  if (name === undefined && flags['drop'] === true) throw new UsageError('--drop needs a SOURCE.');
}

function connectorOf(name: string): Connector {
  const found = connectors.find(({ source }) => source === name);
  if (found !== undefined) return found;
  const names = connectors.map(({ source }) => source);
  throw new UsageError(`There is no source ${name}.${didYouMean(name, names)} Sources are ${names.join(', ')}.`);
}

interface SyncOptions {
  readonly settings: Settings;
  readonly flags: FlagValues;
}

async function syncAll(store: Store, sources: readonly Connector[], given: SyncOptions): Promise<SyncReport[]> {
  // Report missing settings before the first request.
  const requests = sources.map((connector) => requestOf(given, connector));
  const reports: SyncReport[] = [];
  return interruptible(['SIGINT', 'SIGTERM'], async (signal) => {
    for (const each of requests) {
      if (signal.aborted) break;
      const { show, end } = createProgress(undefined);
      const onProgress: SyncRequest['onProgress'] = ({ bytes, read }) => show(bytes, read);
      const onWait: SyncRequest['onWait'] = (reason, milliseconds) =>
        printToStderr(`${each.connector.source}: ${reason}; asked again in ${Math.ceil(milliseconds / SECOND_MS)} s`);
      const request = { ...each, store, signal, onProgress, onWait };
      const report = await syncSource(request).finally(end);
      reports.push(report);
      if (given.flags['json'] !== true) showReport(report);
    }
    return reports;
  });
}

function requestOf({ settings, flags }: SyncOptions, connector: Connector): Omit<SyncRequest, 'store' | 'signal'> {
  const { sync_contact, sync_keys, sync_mirror } = settings;
  if (connector.needsContact && sync_contact === undefined)
    throw new UsageError(
      `${connector.title} requires a contact; set WEB3_BI_SYNC_CONTACT to a mail address or web page.`,
    );
  const keyPrefix = `${connector.source}=`;
  const named = splitList(sync_keys ?? '').find((part) => part.startsWith(keyPrefix));
  return {
    connector,
    now: () => new Date(),
    userAgent: `web3-bi/${packageVersion()}${sync_contact === undefined ? '' : ` (${sync_contact})`}`,
    mirror: sync_mirror,
    key: named?.slice(keyPrefix.length),
    since: flags['since'] as string | undefined,
    limit: flags['limit'] as number | undefined,
    isDryRun: flags['dry-run'] === true,
    isForced: flags['force'] === true,
    unlessWithinMs: Number(flags['if-older'] ?? 0) * HOUR_MS,
    acceptsTerms: flags['accept-terms'] === true,
  };
}

const SHOWN = [
  'created',
  'joined',
  'updated',
  'unchanged',
  'left',
  'doubtful',
  'withheld',
  'refused',
  'absent',
] as const;

function showReport(report: SyncReport): void {
  const counts = SHOWN.filter((name) => report[name] > 0).map((name) => `${report[name]} ${name}`);
  const done = report.isDryRun ? 'would be' : 'done';
  if (report.read === 0 && report.not_modified > 0) print(`${report.source}: nothing has changed since the last run`);
  else if (report.status === 'done' || report.read > 0)
    print(`${report.source}: ${report.read} read${counts.length === 0 ? '' : `, ${done}: ${counts.join(', ')}`}`);
  if (report.message !== null) printToStderr(`${report.source}: ${report.message}`);
}

async function drop(store: Store, { source }: Connector, flags: FlagValues): Promise<undefined> {
  const dropped = await store.claims.drop(source);
  if (flags['json'] === true) printJson({ source, dropped });
  else print(`All claims of ${source} are removed; ${dropped} records had no other source.`);
}

async function list({ claims }: Store, flags: FlagValues): Promise<undefined> {
  const known = new Map((await claims.sources()).map((each) => [each.source, each]));
  const rows = [...shippedRows()];
  const shipped = shippedBy(
    rows,
    connectors.map(({ origin }) => origin),
  );
  const sources = connectors.map(({ source, origin, title, licence, isRestricted, terms, keyHeader }) => {
    const { keys = 0, isWithheld = false, state = '{}' } = known.get(source) ?? {};
    const { last, nextAt, cut } = JSON.parse(state) as SyncState;
    return {
      ...{ source, title, licence, redistributable: !isRestricted, terms, takes_key: keyHeader !== undefined },
      ...{ entries: keys, withheld: isWithheld, last_run: last?.ended_at ?? null, last_status: last?.status ?? null },
      ...{ next_allowed: nextAt ?? null, is_cut_off: cut !== undefined },
      shipped: shipped.get(origin) ?? { records: 0, as_of: null },
    };
  });
  if (flags['json'] === true) return void printJson(sources);
  printTable(
    [
      ['SOURCE', 'LAST RUN', 'SYNCED', 'SHIPPED', 'AS OF', 'LICENCE'],
      ...sources.map((each) => [
        each.source,
        lastRunOf(each),
        countText(each.entries),
        countText(each.shipped.records),
        each.shipped.as_of ?? '-',
        each.redistributable ? each.licence : 'not shareable',
      ]),
    ],
    { whole: ['SOURCE', 'LAST RUN', 'SYNCED', 'SHIPPED', 'AS OF'], dropped: ['SHIPPED', 'SYNCED'] },
  );
  printToStderr(
    `SYNCED: entries that runs on this database read. SHIPPED: how many of the ${countText(rows.length)} records of the package have facts of the source, the newest from the day AS OF. data/SOURCES.md has the other sources.`,
  );
}

interface LastRun {
  readonly last_run: string | null;
  readonly last_status: string | null;
  readonly next_allowed: string | null;
}

function lastRunOf({ last_run, last_status, next_allowed }: LastRun): string {
  if (last_run === null) return 'never';
  return next_allowed === null
    ? `${last_status} ${shownTime(last_run)}`
    : `${last_status}, wait until ${shownTime(next_allowed)}`;
}

function showConflicts(conflicts: readonly Conflict[], flags: FlagValues): undefined {
  if (flags['json'] === true) return void printJson(conflicts);
  if (conflicts.length === 0) print('No trusted sources differ.');
  for (const { type, slug, field, values } of conflicts) {
    print(`${type}/${slug} ${field}`);
    for (const { source, as_of, value } of values)
      print(`  ${printable(`${JSON.stringify(value)}  ${source} (${as_of ?? 'undated'})`)}`);
  }
}
