import type { Express } from 'express';
import { endpoints, isPriced } from '../../contract/endpoints.ts';
import { X402_VERSION } from '../../contract/x402.ts';
import { JSON_TYPE } from '../call.ts';
import type { ServiceDeps } from '../deps.ts';
import { createStaticDocument, serveDocument } from '../documents.ts';
import { openToPages } from '../middleware/cors.ts';
import { refuseMethod } from '../middleware/methods.ts';

const PATH = '/.well-known/x402';
const METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** What is sold here, where directories of x402 look for it: addresses that answer 402 with the price. */
export function mountWellKnown(app: Express, { paymentGate, publicUrl }: ServiceDeps): void {
  if (paymentGate === undefined) return;
  const base = publicUrl.replace(/\/$/, '');
  const sold = endpoints.filter(isPriced);
  const resources = sold.map(({ path, operation }) => base + path + (EXAMPLES[operation] ?? ''));
  const document = createStaticDocument(JSON.stringify({ version: X402_VERSION, resources }), JSON_TYPE);
  app.all(PATH, ...openToPages(METHODS));
  app.get(PATH, serveDocument(document));
  app.all(PATH, refuseMethod(METHODS));
}

/** Questions, because an address that lacks parameters answers 400. */
const EXAMPLES: Readonly<Record<string, string>> = {
  paidSearch: '?q=defi',
  paidAggregate: '?of=rounds&group_by=year',
  paidConnections: '?from=companies%2Funiswap&to=investors%2Fparadigm',
};
