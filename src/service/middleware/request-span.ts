import type { Attributes, Span } from '../tracing.ts';
import type { RequestGroup } from './request-group.ts';

/** A completed request, for its span. */
interface Told {
  readonly method: string;
  /** The route pattern; undefined for an unknown path. */
  readonly route: string | undefined;
  /** The requested URL. */
  readonly address: string;
  readonly status: number;
  readonly errorCode: string | undefined;
  /** Whether the response was fully sent. */
  readonly isWhole: boolean;
  /** Subject and refusal of a call of another protocol. */
  readonly mcp: { readonly method: string; readonly tool: string } | undefined;
  readonly refused: RequestGroup['refused'];
}

/** Methods known to OpenTelemetry's HTTP semantic conventions. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'];

/** Ends the span of a request, with attributes of OpenTelemetry's semantic conventions. */
export function endSpan(span: Span, told: Told): void {
  const { method, route, address, status, mcp } = told;
  const known = METHODS.includes(method);
  const place: Attributes = route === undefined ? {} : { 'http.route': route, 'url.path': pathOf(route, address) };
  const call: Attributes = mcp === undefined ? {} : { 'mcp.method.name': mcp.method, ...toolOf(mcp.tool) };
  const error = errorOf(told);
  span.end({
    name: [known ? method : 'HTTP', route].filter((part) => part !== undefined).join(' '),
    attributes: {
      'http.request.method': known ? method : '_OTHER',
      ...place,
      'http.response.status_code': status,
      ...call,
    },
    error,
  });
}

const toolOf = (tool: string): Attributes => (tool === 'none' ? {} : { 'gen_ai.tool.name': tool });

/** The error type of server faults and incompletely sent responses. Refusals are not errors of the server. */
function errorOf({ status, errorCode, isWhole, refused }: Told): string | undefined {
  const failed = refused !== undefined && refused.status >= 500 ? refused : { status, code: errorCode };
  if (failed.status >= 500) return failed.code ?? String(failed.status);
  return isWhole ? undefined : 'cut_off';
}

/** Path parameters that are ids or slugs; others, such as an invitation, may be secret. */
const SHOWN_PART = /^\{(idOrSlug|slug|id|type|code)\}$/;
const PLAIN = /^(?!(0x)?[\da-f]{40})[a-z\d]+(-[a-z\d]+)*$/;

/** The requested path, with parameter names in place of other values. */
function pathOf(route: string, address: string): string {
  const asked = (address.split('?', 1)[0] ?? '').split('/');
  const parts = route.split('/').map((part, at) => {
    const given = asked[at] ?? '';
    return SHOWN_PART.test(part) && PLAIN.test(given) ? given : part;
  });
  return parts.join('/');
}
