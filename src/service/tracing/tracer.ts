import { AsyncLocalStorage } from 'node:async_hooks';
import { newSpanId, newTraceId, type Trace, traceOf } from '../middleware/trace.ts';
import type { Parent, Span, Tracing } from '../tracing.ts';
import { createExporter, type EndedSpan, type ExporterOptions, KIND } from './exporter.ts';

/** Sampling: the caller's decision if followed, otherwise by ratio. */
interface Sampler {
  readonly followsParent: boolean;
  /** From 0 to 1. */
  readonly ratio: number;
}

export interface TracingOptions extends ExporterOptions {
  readonly sampler: Sampler;
}

/** Bounds the child spans of a request. */
const CHILDREN_MAX = 128;

interface RequestInProgress {
  readonly trace: Trace;
  readonly isKept: boolean;
  /** Offset from the monotonic clock to wall-clock time in milliseconds, the same for all spans of a request. */
  readonly offsetMs: number;
  children: number;
  isEnded: boolean;
}

/** Tracing with an OTLP exporter. The current request is found through AsyncLocalStorage. */
export function createTracing({ sampler, ...options }: TracingOptions): Tracing {
  const current = new AsyncLocalStorage<RequestInProgress>();
  const exporter = createExporter(options);

  type Began = Pick<EndedSpan, 'kind' | 'name' | 'parentSpanId' | 'isParentRemote'> &
    Partial<Pick<EndedSpan, 'attributes'>>;

  function spanOf(serving: RequestInProgress, trace: Trace, began: Began): Span {
    const startMs = serving.offsetMs + performance.now();
    let isEnded = false;
    return {
      trace,
      end: ({ name = began.name, attributes, error } = {}) => {
        if (isEnded) return;
        isEnded = true;
        exporter.add({
          ...began,
          name,
          traceId: trace.traceId,
          spanId: trace.spanId,
          startMs,
          endMs: serving.offsetMs + performance.now(),
          attributes: { ...began.attributes, ...attributes, ...(error !== undefined && { 'error.type': error }) },
          hasFailed: error !== undefined,
        });
      },
    };
  }

  return {
    serve: (parent, handle) => {
      const traceId = parent?.traceId ?? newTraceId();
      const isKept = decide(sampler, traceId, parent);
      const trace = traceOf(traceId, flagged(parent, isKept));
      const offsetMs = Date.now() - performance.now();
      const serving: RequestInProgress = { trace, isKept, offsetMs, children: 0, isEnded: false };
      const isParentRemote = parent !== undefined;
      const span = spanOf(serving, trace, {
        kind: KIND.server,
        name: 'HTTP',
        parentSpanId: parent?.spanId,
        isParentRemote,
      });
      const end: Span['end'] = (details) => {
        serving.isEnded = true;
        if (isKept) span.end(details);
      };
      current.run(serving, () => handle({ trace, end }));
    },
    begin: (name, { isCall = false, attributes = {} } = {}) => {
      const serving = current.getStore();
      if (serving === undefined || !serving.isKept || serving.isEnded) return undefined;
      serving.children += 1;
      if (serving.children > CHILDREN_MAX) {
        exporter.drop(1);
        return undefined;
      }
      const { traceId, spanId: parentSpanId, flags } = serving.trace;
      const kind = isCall ? KIND.client : KIND.internal;
      return spanOf(serving, traceOf(traceId, flags, newSpanId()), {
        kind,
        name,
        parentSpanId,
        isParentRemote: false,
        attributes,
      });
    },
    close: exporter.close,
  };
}

const SAMPLED = 1;
/** Random digits of the trace id used for sampling: as many as a double represents exactly. */
const DECIDING_DIGITS = 13;
const DECIDING_MAX = 16 ** DECIDING_DIGITS;

function decide({ followsParent, ratio }: Sampler, traceId: string, parent: Parent | undefined): boolean {
  if (followsParent && parent !== undefined) return (Number.parseInt(parent.flags, 16) & SAMPLED) === SAMPLED;
  return Number.parseInt(traceId.slice(-DECIDING_DIGITS), 16) >= (1 - ratio) * DECIDING_MAX;
}

/** The caller's flags with our sampling decision. */
function flagged(parent: Parent | undefined, isKept: boolean): string {
  const others = Number.parseInt(parent?.flags ?? '0', 16) & ~SAMPLED;
  return (others | Number(isKept)).toString(16).padStart(2, '0');
}
