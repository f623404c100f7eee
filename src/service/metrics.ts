import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ConnectionCounts, Store } from '../store/store.ts';
import type { SyncReport } from '../store/sync/sync-state.ts';

interface CompletedRequest {
  readonly method: string;
  /** The route pattern; raw paths would create unbounded series. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
  readonly errorCode: string | undefined;
}

/** refused: answered 402. settled: money moved. delivered, undelivered: whether the paid response was fully sent. */
type PaymentEvent = 'refused' | 'settled' | 'delivered' | 'undelivered';

export type Metrics = ReturnType<typeof createMetrics>;

/** Metrics of one process, serialized for another. */
export type MetricsSnapshot = object;

interface MetricsOptions {
  readonly version?: string;
  /** Read at each scrape. */
  readonly store?: Pick<Store, 'status'>;
  /** Collects the metrics of other processes, where several serve together. */
  readonly gather?: (own: () => Promise<MetricsSnapshot>) => () => Promise<readonly MetricsSnapshot[]>;
}

const PREFIX = 'web3_bi_';
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Few buckets, because every operation has its own series. */
const STORE_BUCKETS_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];

/** Creates request and process metrics. The only file that imports prom-client. */
export function createMetrics({ version = '', store, gather }: MetricsOptions = {}) {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  const counter = (name: string, help: string, labelNames: readonly string[]) =>
    new Counter({ name: PREFIX + name, help, labelNames, registers });
  const histogram = (name: string, help: string, labelNames: readonly string[], buckets = BUCKETS_SECONDS) =>
    new Histogram({ name: PREFIX + name, help, labelNames, buckets, registers });
  const perRequest = ['method', 'route', 'status'];
  const requests = counter('http_requests_total', 'Requests answered.', perRequest);
  const durations = histogram(
    'http_request_duration_seconds',
    'Time from the headers of a request to the end of its response.',
    perRequest,
  );
  const errors = counter(
    'http_errors_total',
    'Errors answered, by code; those that end in limit_exceeded are refusals by quota or burst limit.',
    ['code'],
  );
  const calls = histogram('mcp_call_duration_seconds', 'Time of an MCP message; each is one HTTP request too.', [
    'method',
    'tool',
    'outcome',
  ]);
  const payments = counter('payments_total', 'Payments refused and settled, and paid responses delivered or not.', [
    'event',
  ]);
  const operations = histogram(
    'store_duration_seconds',
    'Time of an operation of the store, with its wait for a connection to the database.',
    ['operation'],
    STORE_BUCKETS_SECONDS,
  );
  const spans = counter('spans_total', 'Spans of traces exported and dropped.', ['outcome']);
  const countSync = syncCounters(registers);
  exposeBuild(register, version);
  if (store !== undefined) exposeDatabase(register, store);
  const all = gather?.(() => register.getMetricsAsJSON());
  return {
    countPayment: (event: PaymentEvent) => payments.inc({ event }),
    observeRequest: ({ method, route, status, seconds, errorCode }: CompletedRequest) => {
      requests.inc({ method, route, status });
      durations.observe({ method, route, status }, seconds);
      if (errorCode !== undefined) errors.inc({ code: errorCode });
    },
    /** Counts an MCP message, however many internal requests it made. */
    observeMcpCall: ({
      method,
      tool,
      isRefused,
      seconds,
    }: {
      method: string;
      tool: string;
      isRefused: boolean;
      seconds: number;
    }) => calls.observe({ method, tool, outcome: isRefused ? 'refused' : 'answered' }, seconds),
    /** Observes a store operation, including the wait for a connection. */
    observeStoreOperation: (operation: string, seconds: number) => operations.observe({ operation }, seconds),
    spans: (outcome: 'exported' | 'dropped', count: number) => spans.inc({ outcome }, count),
    countSync,
    /** The metrics of all processes in Prometheus text format. */
    text: async () =>
      all === undefined ? register.metrics() : AggregatorRegistry.aggregate([...(await all())]).metrics(),
    contentType: register.contentType,
  };
}

function syncCounters(registers: Registry[]): (report: SyncReport) => void {
  const make = (name: string, help: string, label: string) =>
    new Counter({ name: `${PREFIX}sync_${name}`, help, labelNames: ['source', label], registers });
  const runs = make('runs_total', 'Runs of scheduled syncs, by how they ended.', 'status');
  const claims = make('claims_total', 'Claims of sources processed by scheduled syncs, by result.', 'change');
  const done = new Gauge({
    name: `${PREFIX}sync_last_done_timestamp_seconds`,
    help: 'When the last scheduled sync of a source was done.',
    labelNames: ['source'],
    registers,
    aggregator: 'max',
  });
  return (report) => {
    const { source, status, ended_at } = report;
    runs.inc({ source, status });
    for (const change of ['created', 'joined', 'updated', 'unchanged', 'refused'] as const)
      claims.inc({ source, change }, report[change]);
    if (status === 'done') done.set({ source }, Date.parse(ended_at) / 1_000);
  };
}

function exposeBuild(register: Registry, version: string): void {
  const gauge = new Gauge({
    name: `${PREFIX}build_info`,
    help: 'The version of the program, and of Node.',
    labelNames: ['version', 'node'],
    registers: [register],
    aggregator: 'first',
  });
  gauge.set({ version, node: process.version }, 1);
}

/** Gauges of database connections and replication lag; SQLite has neither. */
function exposeDatabase(register: Registry, { status }: Pick<Store, 'status'>): void {
  const registers = [register];
  const { connections } = status();
  if (connections === undefined) return;
  const ofConnections = (name: string, help: string, count: (counts: ConnectionCounts) => number): void => {
    const gauge = new Gauge({
      name: PREFIX + name,
      help,
      labelNames: ['server'],
      registers,
      collect: () => {
        for (const [server, counts] of Object.entries(status().connections ?? {})) gauge.set({ server }, count(counts));
      },
    });
  };
  ofConnections('database_connections', 'Connections to the database.', ({ open }) => open);
  ofConnections('database_connections_in_use', 'Connections that an operation has.', ({ inUse }) => inUse);
  ofConnections('database_waiting', 'Operations that wait for a connection.', ({ waiting }) => waiting);
  const ofLag = (name: string, help: string, measure: () => number | undefined): void => {
    const lag: Gauge = new Gauge({
      name: PREFIX + name,
      help,
      registers,
      aggregator: 'max',
      collect: () => {
        const measured = measure();
        if (measured === undefined) lag.remove();
        else lag.set(measured);
      },
    });
  };
  const ofIndex = 'Lag of the search index of this machine, in';
  ofLag('index_lag_seconds', `${ofIndex} seconds.`, () => status().index?.lagSeconds);
  ofLag('index_lag_changes', `${ofIndex} changes of records.`, () => status().index?.lagChanges);
  if (connections.replica === undefined) return;
  ofLag('replica_lag_seconds', 'Lag of the read replica.', () => status().replicaLagSeconds);
}
