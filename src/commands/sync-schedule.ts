import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { HOUR_MS } from '../contract/periods.ts';
import type { Log } from '../service/logging.ts';
import type { Metrics } from '../service/metrics.ts';
import type { Store } from '../store/store.ts';
import { lastRunEndedAt, type SyncReport, type SyncState } from '../store/sync/sync-state.ts';
import { ConfigError, type Settings, secretsOf, splitList } from './config.ts';
import { packageFolder } from './package.ts';
import { didYouMean } from './suggest.ts';

const HOURS_USUAL = 24;
const CHECK_EVERY_MS = 60_000;
/** Earliest repetition of a run that gave no report. */
const RETRY_MS = HOUR_MS;
const OUTPUT_BYTES_MAX = 1 << 20;

export function scheduleOf(setting: string | undefined): ReadonlyMap<string, number> {
  const parts = splitList(setting ?? '').map((part) => part.split('='));
  return new Map(
    parts.map(([source = '', hours = '']) => [source, (Number.parseInt(hours, 10) || HOURS_USUAL) * HOUR_MS]),
  );
}

/** Throws ConfigError if the setting names a source that there is not. Loads the sources only if any is named. */
export async function checkSchedule(setting: string | undefined): Promise<void> {
  const named = [...scheduleOf(setting).keys()];
  if (named.length === 0) return;
  const { connectors } = await import('../store/sync/connectors/index.ts');
  const sources = connectors.map(({ source }) => source);
  const unknown = named.find((name) => !sources.includes(name));
  if (unknown === undefined) return;
  throw new ConfigError(
    `WEB3_BI_SYNC names ${unknown}, which is no source.${didYouMean(unknown, sources)} Sources are ${sources.join(', ')}.`,
  );
}

interface Scheduling {
  readonly store: Store;
  readonly settings: Settings;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Syncs due sources one at a time, in processes of their own. A lease in the database excludes other instances. */
export function startSchedule({ store, settings, log, metrics }: Scheduling): { close(): Promise<void> } {
  const schedule = scheduleOf(settings.sync);
  const ending = new AbortController();
  /** Last starts, so that a run without a report, as of a process that was killed, is not repeated every minute. */
  const begunAt = new Map<string, number>();
  const syncDue = async (): Promise<void> => {
    const known = new Map((await store.claims.sources()).map(({ source, state }) => [source, state]));
    for (const [source, every] of schedule) {
      const state = JSON.parse(known.get(source) ?? '{}') as SyncState;
      const retryAt = (begunAt.get(source) ?? 0) + Math.min(every, RETRY_MS);
      const due = Math.max(Date.parse(state.nextAt ?? '') || 0, lastRunEndedAt(state) + every, retryAt);
      if (due > Date.now() || ending.signal.aborted) continue;
      begunAt.set(source, Date.now());
      const report = await runSync(source, { settings, hours: every / HOUR_MS, signal: ending.signal });
      // Another instance runs it, or has just done so; look again in a minute.
      if (report.status === 'busy' || report.status === 'skipped') return void begunAt.delete(source);
      metrics.countSync(report);
      log[report.status === 'failed' ? 'error' : 'info']({ sync: report }, `sync of ${source}: ${report.status}`);
    }
  };
  let running: Promise<void> | undefined;
  const checkDue = (): void => {
    running ??= syncDue()
      .catch((error: unknown) => {
        if (!ending.signal.aborted) log.error({ err: error }, 'a scheduled sync did not run');
      })
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(checkDue, CHECK_EVERY_MS);
  checkDue();
  return {
    close: async () => {
      clearInterval(timer);
      ending.abort();
      await running;
    },
  };
}

function runSync(
  source: string,
  { settings, hours, signal }: { readonly settings: Settings; readonly hours: number; readonly signal: AbortSignal },
): Promise<SyncReport> {
  const { database_url, state_dir } = settings;
  const env = {
    ...process.env,
    ...secretsOf(settings),
    WEB3_BI_DATABASE_URL: database_url,
    WEB3_BI_STATE_DIR: state_dir,
  };
  const program = [join(packageFolder(), 'dist', 'main.js'), 'sync', source, '--json', '--if-older', String(hours)];
  return new Promise((resolve, reject) => {
    const options = { env, signal, killSignal: 'SIGINT', maxBuffer: OUTPUT_BYTES_MAX } as const;
    execFile(process.execPath, program, options, (error, stdout, stderr) => {
      // A stopped or failed run still prints a report.
      if (stdout !== '') resolve(JSON.parse(stdout) as SyncReport);
      else reject(error ?? new Error(stderr));
    });
  });
}
