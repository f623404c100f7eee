import cluster, { type Worker } from 'node:cluster';
import type { MetricsSnapshot } from '../service/metrics.ts';
import { startFollowing } from '../store/open.ts';
import { announceListening, type Ready } from './banner.ts';
import { type Settings, secretsOf } from './config.ts';
import { servedIndex } from './configured-store.ts';
import { stopSignal } from './stop-signal.ts';

/** Consecutive worker deaths after which the service gives up. */
const DEATHS_MAX = 10;
const DEATHS_WITHIN_MS = 60_000;
const STOP = 'stop';
/** Maps Node's code to large pages where available; requests touch most of it. */
const WORKER_FLAGS = ['--use-largepages=silent'];

interface Listening extends Ready {
  readonly event: 'listening';
}

const isListening = (said: unknown): said is Listening =>
  typeof said === 'object' && said !== null && 'event' in said && said.event === 'listening';

/** Serves with several processes until too many die. The first starts alone, to report a wrong setting once. */
export async function superviseWorkers(settings: Settings): Promise<number> {
  // Installed before the ready event, because a signal may follow at once.
  const stopped = stopSignal();
  // Workers accept connections themselves. A connection passed by the primary to a dying worker would hang.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ execArgv: [...process.execArgv, ...WORKER_FLAGS] });
  const workerPool = createWorkerPool(secretsOf(settings));
  const first = await workerPool.start();
  if (first === undefined) return 1;
  // The first worker has migrated the schema. Its searches wait meanwhile.
  const follower = await startFollowing(settings.database_url, servedIndex(settings));
  const others = await Promise.all(Array.from({ length: settings.workers - 1 }, () => workerPool.start()));
  if (others.includes(undefined)) {
    await workerPool.stop();
    await follower?.close();
    return 1;
  }
  announceListening({ url: first.url, workers: settings.workers, ownerLink: first.ownerLink }, settings);
  const code = await Promise.race([stopped.then(() => 0), workerPool.failed]);
  await workerPool.stop();
  await follower?.close();
  return code;
}

/** @param secrets variables removed from this process's environment */
function createWorkerPool(secrets: Readonly<Record<string, string>>) {
  const workers = new Set<Worker>();
  const relayMetrics = createMetricsRelay(workers);
  let deaths: number[] = [];
  let isStopping = false;
  let fail: (code: number) => void;
  const failed = new Promise<number>((resolve) => {
    fail = resolve;
  });

  function replace(): void {
    const now = Date.now();
    deaths = [...deaths.filter((at) => now - at < DEATHS_WITHIN_MS), now];
    if (deaths.length > DEATHS_MAX) fail(1);
    else void start();
  }

  /** Starts a worker, which is replaced when it dies. Undefined if it died before it listened. */
  function start(): Promise<Listening | undefined> {
    const worker = cluster.fork(secrets);
    workers.add(worker);
    relayMetrics(worker);
    return new Promise((resolve) => {
      let hasListened = false;
      worker.on('message', (said: unknown) => {
        if (!isListening(said)) return;
        hasListened = true;
        // It was not connected before.
        if (isStopping) worker.send(STOP);
        resolve(said);
      });
      worker.once('exit', () => {
        workers.delete(worker);
        resolve(undefined);
        if (!isStopping && (hasListened || deaths.length > 0)) replace();
      });
    });
  }

  return {
    start,
    /** Resolves to the exit code when too many workers have died. */
    failed,
    stop: async (): Promise<void> => {
      isStopping = true;
      const ended = [...workers].map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
      for (const worker of workers) if (worker.isConnected()) worker.send(STOP);
      await Promise.all(ended);
    },
  };
}

/** Resolves on the primary's message, or when it is gone. Signals to the process group, as from a terminal, are left to the primary. */
export function stopOfWorker(): Promise<void> {
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  return new Promise((resolve) => {
    process.on('message', (said) => {
      if (said === STOP) resolve();
    });
    process.once('disconnect', resolve);
  });
}

/** How long to wait for the metrics of a process, which may be exiting. */
const ANSWER_MS = 1_000;

/** Messages about metrics between processes. In prom-client's own protocol, one exiting worker fails the whole request. */
type MetricsMessage =
  | { readonly metrics: 'wanted of all'; readonly id: number }
  | { readonly metrics: 'of all'; readonly id: number; readonly snapshots: readonly MetricsSnapshot[] }
  | { readonly metrics: 'wanted'; readonly id: number }
  | { readonly metrics: 'counted'; readonly id: number; readonly snapshot: MetricsSnapshot };

const isMetricsMessage = (message: unknown): message is MetricsMessage =>
  typeof message === 'object' && message !== null && 'metrics' in message;

/** In the primary process: collects the metrics of all workers for one of them. Concurrent requests share a collection. */
function createMetricsRelay(workers: ReadonlySet<Worker>): (asking: Worker) => void {
  let lastId = 0;
  const requestMetrics = (worker: Worker): Promise<MetricsSnapshot | undefined> =>
    new Promise((resolve) => {
      lastId += 1;
      const id = lastId;
      const hear = (said: unknown): void => {
        if (isMetricsMessage(said) && said.metrics === 'counted' && said.id === id) end(said.snapshot);
      };
      const end = (snapshot?: MetricsSnapshot): void => {
        clearTimeout(timer);
        worker.off('message', hear).off('exit', giveUp);
        resolve(snapshot);
      };
      const giveUp = (): void => end();
      const timer = setTimeout(giveUp, ANSWER_MS);
      worker.on('message', hear).once('exit', giveUp);
      if (worker.isConnected()) worker.send({ metrics: 'wanted', id } satisfies MetricsMessage);
    });
  const askAll = async (): Promise<MetricsSnapshot[]> => {
    const snapshots = await Promise.all([...workers].map(requestMetrics));
    return snapshots.filter((each) => each !== undefined);
  };
  let underWay: Promise<MetricsSnapshot[]> | undefined;
  return (asking) => {
    asking.on('message', async (said: unknown) => {
      if (!isMetricsMessage(said) || said.metrics !== 'wanted of all') return;
      underWay ??= askAll().finally(() => {
        underWay = undefined;
      });
      const snapshots = await underWay;
      if (asking.isConnected()) asking.send({ metrics: 'of all', id: said.id, snapshots } satisfies MetricsMessage);
    });
  };
}

/** In a worker: metrics of all workers, or only its own if the others are unavailable. */
export function gatherMetrics(own: () => Promise<MetricsSnapshot>): () => Promise<readonly MetricsSnapshot[]> {
  const waiting = new Map<number, (snapshots: readonly MetricsSnapshot[]) => void>();
  let asked = 0;
  process.on('message', async (said: unknown) => {
    if (!isMetricsMessage(said)) return;
    if (said.metrics === 'of all') waiting.get(said.id)?.(said.snapshots);
    if (said.metrics !== 'wanted') return;
    const snapshot = await own();
    sendToPrimary({ metrics: 'counted', id: said.id, snapshot });
  });
  return async () => {
    asked += 1;
    const id = asked;
    const received = new Promise<readonly MetricsSnapshot[]>((resolve) => {
      waiting.set(id, resolve);
      setTimeout(() => resolve([]), 2 * ANSWER_MS).unref();
    });
    sendToPrimary({ metrics: 'wanted of all', id });
    const snapshots = await received;
    waiting.delete(id);
    return snapshots.length > 0 ? snapshots : [await own()];
  };
}

function sendToPrimary(said: MetricsMessage): void {
  if (process.connected) process.send?.(said);
}
