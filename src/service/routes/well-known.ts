import type { Express } from 'express';
import { endpoints, isPriced, type Operation } from '../../contract/endpoints.ts';
import { X402_VERSION } from '../../contract/x402.ts';
import { JSON_TYPE } from '../call.ts';
import type { ServiceDeps } from '../deps.ts';
import { allowAnyOrigin } from '../middleware/cors.ts';
import { refuseMethod } from '../middleware/error-handler.ts';
import { createStaticDocument, type StaticDocument, sendDocument } from '../static-documents.ts';

const PATH = '/.well-known/x402';
const METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** Lists paid resources for x402 directories: URLs that respond 402 with the price. */
export function mountWellKnown(app: Express, { paymentGate, publicUrl, store }: ServiceDeps): void {
  if (paymentGate === undefined) return;
  const listing = (hasEnds: boolean): StaticDocument => {
    const listed = endpoints.filter(
      (endpoint) => isPriced(endpoint) && (hasEnds || endpoint.operation !== CONNECTIONS),
    );
    const resources = listed.map(({ path, operation }) => publicUrl + path + (EXAMPLES[operation] ?? ''));
    return createStaticDocument(JSON.stringify({ version: X402_VERSION, resources }), JSON_TYPE);
  };
  const [whole, withoutConnections] = [listing(true), listing(false)];
  app.route(PATH).all(...allowAnyOrigin(METHODS));
  app.get(PATH, async (request, response) => {
    const ends = await Promise.all(ENDS.map(([type, slug]) => store.records.get(type, slug)));
    await sendDocument(ends.includes(undefined) ? withoutConnections : whole, request, response);
  });
  app.route(PATH).all(refuseMethod(METHODS));
}

const CONNECTIONS = 'paidConnections' satisfies Operation;
/** Connections have a price only if both records exist; those of the shipped set are public. */
const ENDS = [
  ['companies', 'uniswap'],
  ['investors', 'paradigm'],
] as const;
const [from, to] = ENDS.map((end) => encodeURIComponent(end.join('/')));

/** Example queries, because a URL without required parameters responds 400. */
const EXAMPLES: Readonly<Record<string, string>> = {
  paidSearch: '?q=defi',
  paidAggregate: '?of=rounds&group_by=year',
  [CONNECTIONS]: `?from=${from}&to=${to}`,
};
