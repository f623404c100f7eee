import { randomUUID } from 'node:crypto';
import { attempt } from '../contract/attempt.ts';
import type { Log } from '../service/logging.ts';
import type { Metrics } from '../service/metrics.ts';
import type { Tracing, TracingOptions } from '../service/tracing.ts';
import { splitList } from './config.ts';

type Environment = Record<string, string | undefined>;

interface TracingDeps {
  readonly version: string;
  readonly log: Log;
  readonly metrics: Metrics;
}

const DEFAULT_ENDPOINT = 'http://localhost:4318';
const TRACES_PATH = 'v1/traces';
const TIMEOUT_MS = 10_000;
const PROTOCOL = 'http/json';

/** OTEL_TRACES_SAMPLER values: which root spans are kept, alone or where no parent decides. */
const ROOT_SAMPLERS = ['always_on', 'always_off', 'traceidratio'];
const PARENT_BASED = 'parentbased_';
const SAMPLERS = [...ROOT_SAMPLERS, ...ROOT_SAMPLERS.map((name) => PARENT_BASED + name)];

/** Exports traces by OpenTelemetry's variables; without them loads nothing. Invalid values are logged and ignored, as its standard requires. */
export async function startTracing(environment: Environment, deps: TracingDeps): Promise<Tracing | undefined> {
  if (!isAsked(environment)) return undefined;
  const warn = (variable: string, wrong: string): void => deps.log.warn({ variable }, `${variable} ${wrong}`);
  const read = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const options = optionsOf(read, warn);
  // Headers may contain a key, and Node writes the environment into crash reports and passes it to child processes.
  for (const name of HEADERS) delete environment[name];
  if (options === undefined) return undefined;
  const { createTracing } = await import('../service/tracing.ts');
  const resource = {
    'service.name': 'web3-bi',
    'service.version': deps.version,
    'service.instance.id': randomUUID(),
    ...options.resource,
  };
  return createTracing({ ...options, ...deps, resource });
}

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'] as const;
const HEADERS = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'] as const;

/** Tracing is opt-in: the default endpoint of the standard is not used. */
function isAsked(environment: Environment): boolean {
  if (environment['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return false;
  return ['OTEL_TRACES_EXPORTER', ...ENDPOINTS].some((name) => Boolean(environment[name]?.trim()));
}

type ReadVariable = (name: string) => string | undefined;
type Warn = (variable: string, wrong: string) => void;

function optionsOf(read: ReadVariable, warn: Warn): Omit<TracingOptions, keyof TracingDeps> | undefined {
  const exporters = splitList(read('OTEL_TRACES_EXPORTER') ?? 'otlp');
  const isUnknown = exporters.some((name) => name !== 'otlp');
  if (isUnknown) warn('OTEL_TRACES_EXPORTER', 'is otlp or none here; another exporter is left out');
  if (!exporters.includes('otlp')) return undefined;
  const url = urlOf(read, warn);
  if (url === undefined) return undefined;
  for (const name of ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL']) {
    if ((read(name) ?? PROTOCOL) !== PROTOCOL) warn(name, `is ${PROTOCOL} here; traces are sent that way`);
  }
  const name = read('OTEL_SERVICE_NAME');
  return {
    url,
    headers: Object.assign({}, ...HEADERS.map((variable) => headersOf(variable, read, warn))),
    timeoutMs: timeoutOf(read, warn),
    resource: {
      ...pairsOf('OTEL_RESOURCE_ATTRIBUTES', read, warn),
      ...(name !== undefined && { 'service.name': name }),
    },
    sampler: samplerOf(read, warn),
  };
}

/** The traces endpoint verbatim, else the common endpoint with the traces path appended. */
function urlOf(read: ReadVariable, warn: Warn): string | undefined {
  const variable = ENDPOINTS.find((name) => read(name) !== undefined) ?? ENDPOINTS[1];
  const endpoint = read(variable) ?? DEFAULT_ENDPOINT;
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '') {
    warn(variable, 'must be an http or https address without a user; no traces are exported');
    return undefined;
  }
  if (variable === ENDPOINTS[1]) url.pathname = `${url.pathname.replace(/\/$/, '')}/${TRACES_PATH}`;
  return url.href;
}

/** Parses comma-separated `NAME=VALUE` pairs with percent-encoded values. */
function pairsOf(variable: string, read: ReadVariable, warn: Warn): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const pair of (read(variable) ?? '').split(',').filter((part) => part.trim() !== '')) {
    const at = pair.indexOf('=');
    const value = attempt(() => decodeURIComponent(pair.slice(at + 1).trim()));
    if (at > 0 && value !== undefined) pairs[pair.slice(0, at).trim()] = value;
    else warn(variable, 'must be NAME=VALUE with commas between; other parts are ignored');
  }
  return pairs;
}

function headersOf(variable: string, read: ReadVariable, warn: Warn): Record<string, string> {
  const pairs = pairsOf(variable, read, warn);
  try {
    return Object.fromEntries(new Headers(pairs));
  } catch {
    warn(variable, 'must be names and values of HTTP headers; they are left out');
    return {};
  }
}

function timeoutOf(read: ReadVariable, warn: Warn): number {
  const variable =
    ['OTEL_EXPORTER_OTLP_TRACES_TIMEOUT', 'OTEL_EXPORTER_OTLP_TIMEOUT'].find((name) => read(name) !== undefined) ?? '';
  const setting = read(variable);
  if (setting === undefined) return TIMEOUT_MS;
  if (/^[1-9]\d{0,5}$/.test(setting)) return Number(setting);
  warn(variable, `must be milliseconds; ${TIMEOUT_MS} are taken`);
  return TIMEOUT_MS;
}

function samplerOf(read: ReadVariable, warn: Warn): TracingOptions['sampler'] {
  const name = read('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on';
  if (!SAMPLERS.includes(name)) {
    warn('OTEL_TRACES_SAMPLER', `must be one of ${SAMPLERS.join(', ')}; parentbased_always_on is taken`);
    return { followsParent: true, ratio: 1 };
  }
  const followsParent = name.startsWith(PARENT_BASED);
  if (!name.endsWith('ratio')) return { followsParent, ratio: name.endsWith('on') ? 1 : 0 };
  const ratio = Number(read('OTEL_TRACES_SAMPLER_ARG') ?? 1);
  if (ratio >= 0 && ratio <= 1) return { followsParent, ratio };
  warn('OTEL_TRACES_SAMPLER_ARG', 'must be a number from 0 to 1; every trace is kept');
  return { followsParent, ratio: 1 };
}
