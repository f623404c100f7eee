import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

interface KeyValue {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: string };
}

interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly flags: number;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  readonly status: { readonly code?: number };
}

interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[];
  }[];
}

export interface OtlpReceiver {
  readonly url: string;
  /** Received bodies, in order. */
  readonly bodies: string[];
  readonly headers: IncomingHttpHeaders[];
  readonly paths: string[];
  /** Responses to the next exports; without one, they wait. */
  answerWith(answer: { status: number; body?: string } | undefined): void;
  spans(): ReceivedSpan[];
  /** Attributes of the process that sent the last export. */
  resource(): Record<string, string | undefined>;
  close(): Promise<void>;
}

export const attributesOf = ({ attributes }: { readonly attributes: readonly KeyValue[] }) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

/** A receiver of traces by OTLP/HTTP in JSON, on a free port of loopback. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const bodies: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const paths: string[] = [];
  let answer: { status: number; body?: string } | undefined = { status: 200 };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    headers.push(request.headers);
    paths.push(request.url ?? '');
    if (answer === undefined) return;
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(answer.body ?? '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const parsed = (): ExportRequest[] => bodies.map((body) => JSON.parse(body) as ExportRequest);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    headers,
    paths,
    answerWith: (next) => {
      answer = next;
    },
    spans: () =>
      parsed().flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    resource: () => {
      const sent = parsed().at(-1)?.resourceSpans[0]?.resource;
      return sent === undefined ? {} : attributesOf(sent);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
