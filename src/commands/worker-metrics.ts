import type { Worker } from 'node:cluster';
import type { MetricsSnapshot } from '../service/metrics.ts';

/** How long to wait for the metrics of a process, which may be exiting. */
const ANSWER_MS = 1_000;

/**
 * Messages about metrics between processes. The requester chooses `id`. Replaces prom-client's protocol, in which one
 * exiting worker fails the whole request.
 */
type MetricsMessage =
  | { readonly metrics: 'wanted of all'; readonly id: number }
  | { readonly metrics: 'of all'; readonly id: number; readonly snapshots: readonly MetricsSnapshot[] }
  | { readonly metrics: 'wanted'; readonly id: number }
  | { readonly metrics: 'counted'; readonly id: number; readonly snapshot: MetricsSnapshot };

const isMetricsMessage = (message: unknown): message is MetricsMessage =>
  typeof message === 'object' && message !== null && 'metrics' in message;

/** In the primary process: collects the metrics of all workers for one of them. Concurrent requests share a collection. */
export function createMetricsRelay(workers: ReadonlySet<Worker>): (asking: Worker) => void {
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
    const answers = await Promise.all([...workers].map(requestMetrics));
    return answers.filter((each) => each !== undefined);
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
    const answer = new Promise<readonly MetricsSnapshot[]>((resolve) => {
      waiting.set(id, resolve);
      setTimeout(() => resolve([]), 2 * ANSWER_MS).unref();
    });
    sendToPrimary({ metrics: 'wanted of all', id });
    const snapshots = await answer;
    waiting.delete(id);
    return snapshots.length > 0 ? snapshots : [await own()];
  };
}

function sendToPrimary(said: MetricsMessage): void {
  if (process.connected) process.send?.(said);
}
