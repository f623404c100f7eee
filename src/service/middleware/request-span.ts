import type { Attributes, Span } from '../tracing.ts';
import type { RequestGroup } from './request-group.ts';

/** A request that is over, as its span tells it. */
interface Told {
  readonly method: string;
  /** The path as it was defined; undefined when nothing is there. */
  readonly route: string | undefined;
  /** The address as it was asked. */
  readonly address: string;
  readonly status: number;
  readonly errorCode: string | undefined;
  /** Whether the answer went out whole. */
  readonly isWhole: boolean;
  /** What a call of another protocol is about, and what stopped it. */
  readonly mcp: { readonly method: string; readonly tool: string } | undefined;
  readonly refused: RequestGroup['refused'];
}

/** Methods that the semantic conventions of HTTP know. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'];

/** Ends the span of a request, in the names of OpenTelemetry's semantic conventions. */
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

/** What is our fault, and an answer that did not go out. A refusal is none: the service has done what it should. */
function errorOf({ status, errorCode, isWhole, refused }: Told): string | undefined {
  const failed = refused !== undefined && refused.status >= 500 ? refused : { status, code: errorCode };
  if (failed.status >= 500) return failed.code ?? String(failed.status);
  return isWhole ? undefined : 'cut_off';
}

/** Parts of a path that name a record or a page, in the form of an id or a slug: an invitation is a secret. */
const SHOWN_PART = /^\{(idOrSlug|slug|id|type|code)\}$/;
const PLAIN = /^(?!(0x)?[\da-f]{40})[a-z\d]+(-[a-z\d]+)*$/;

/** The path that was asked, with the name of the part wherever something else than an id or a slug stands. */
function pathOf(route: string, address: string): string {
  const asked = (address.split('?', 1)[0] ?? '').split('/');
  const parts = route.split('/').map((part, at) => {
    const given = asked[at] ?? '';
    return SHOWN_PART.test(part) && PLAIN.test(given) ? given : part;
  });
  return parts.join('/');
}
