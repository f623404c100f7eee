import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** One answered request. */
interface Answered {
  readonly method: string;
  /** The path as it was defined: raw paths would make a series of each. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
  readonly errorCode: string | undefined;
}

/** refused: answered 402. settled: money moved. delivered and undelivered: what became of the answer to a paid request. */
type PaymentEvent = 'refused' | 'settled' | 'delivered' | 'undelivered';

/** What the service counts of itself. */
export interface Metrics {
  answered(request: Answered): void;
  /** Something that happened to a payment. */
  payment(event: PaymentEvent): void;
  /** Everything counted so far, as Prometheus reads it. */
  text(): Promise<string>;
  readonly contentType: string;
}

const PREFIX = 'web3_bi_';
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts requests, and what Node says of the process. The only place that knows the library. */
export function createMetrics(): Metrics {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  const labelNames = ['method', 'route', 'status'];
  const requests = new Counter({
    name: `${PREFIX}http_requests_total`,
    help: 'Requests answered.',
    labelNames,
    registers,
  });
  const durations = new Histogram({
    name: `${PREFIX}http_request_duration_seconds`,
    help: 'Time from the headers of a request to the end of its answer.',
    labelNames,
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const errors = new Counter({
    name: `${PREFIX}http_errors_total`,
    help: 'Errors answered, by code; those that end in limit_exceeded are refusals by quota or burst limit.',
    labelNames: ['code'],
    registers,
  });
  const payments = new Counter({
    name: `${PREFIX}payments_total`,
    help: 'Payments refused and settled, and paid answers that went out or could not.',
    labelNames: ['event'],
    registers,
  });
  return {
    payment: (event) => payments.inc({ event }),
    answered: ({ method, route, status, seconds, errorCode }) => {
      requests.inc({ method, route, status });
      durations.observe({ method, route, status }, seconds);
      if (errorCode !== undefined) errors.inc({ code: errorCode });
    },
    text: () => register.metrics(),
    contentType: register.contentType,
  };
}
