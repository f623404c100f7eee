import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodePaymentSignatureHeader, HTTPFacilitatorClient } from '@x402/core/http';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { requirementsOf } from '../sandbox/stock-seller.ts';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

/** Default responses to a signed request; a test may override them. */
export interface Paid {
  readonly payment: PaymentPayload;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Number of earlier signed requests. */
  readonly before: number;
  settle(): Promise<{ success: boolean; transaction: string; network: string; payer?: string; errorReason?: string }>;
  /** The default 200, with added or removed headers. */
  serve(headers: Record<string, string>): void;
  /** The default 402. */
  refuse(reason: string): void;
}

export interface SellerOptions {
  /** Format of the price: fields of the specification, stock x402 v2, or both. */
  readonly dialect?: 'specification' | 'stock' | 'both';
  /** Changes the payment requirements; `asked` counts earlier offers. */
  readonly item?: (item: Record<string, unknown>, asked: number) => Record<string, unknown>;
  /** Overrides the response to an unsigned request; returns whether it did. */
  readonly unpaid?: (required: object, response: ServerResponse) => boolean;
  readonly paid?: (paid: Paid) => Promise<void> | void;
}

export interface Seller {
  readonly url: string;
  /** Distinct nonces of received signatures. */
  readonly signatures: Set<string>;
  /** Received requests, signed and unsigned. */
  readonly requests: { unpaid: number; paid: number };
  /** Received payment headers, in order. */
  readonly headers: string[];
  change(options: SellerOptions): void;
  close(): Promise<void>;
}

const COMPANY = {
  logo: null,
  tagline: 'Answers for money',
  overview: null,
  company_stage: null,
  funding_stage: 'seed',
  total_funding_usd: '2000000.00',
  founded_date: null,
  employee_count: 7,
  is_verified: false,
};

/** A service with the paid search of the specification and the real facilitator. A search has one result, a company, unless it is for people or `nobody`. */
export async function startSeller(sandbox: Sandbox, given: SellerOptions = {}): Promise<Seller> {
  let options = given;
  const facilitator = new HTTPFacilitatorClient({ url: sandbox.facilitatorUrl });
  const signatures = new Set<string>();
  const headers: string[] = [];
  const requests = { unpaid: 0, paid: 0 };
  const server = createServer(async (request, response) => {
    if (request.url?.startsWith('/api/health')) return json(response, 200, HEALTH);
    const signed = request.headers['payment-signature'];
    const required = offerOf(sandbox, options, requests.unpaid, url + request.url);
    const refuse = (reason: string): void =>
      json(
        response,
        402,
        { ...required, error: reason },
        { 'PAYMENT-REQUIRED': encode({ ...required, error: reason }) },
      );
    if (typeof signed !== 'string') {
      requests.unpaid += 1;
      if (options.unpaid?.(required, response) !== true) refuse('Payment required');
      return;
    }
    const payment = decodePaymentSignatureHeader(signed);
    const { nonce } = (payment.payload as { authorization: { nonce: string } }).authorization;
    const before = requests.paid;
    requests.paid += 1;
    signatures.add(nonce);
    headers.push(signed);
    const requirements = requirementsOf(sandbox);
    const serve = (more: Record<string, string>): void => json(response, 200, answerOf(url + request.url), more);
    const settle = () => facilitator.settle({ ...payment, accepted: requirements }, requirements);
    const paid: Paid = { payment, request, response, before, settle, serve, refuse };
    try {
      await (options.paid ?? usual)(paid);
    } catch (error) {
      json(response, 503, { error: String(error) });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    signatures,
    headers,
    requests,
    change: (changed) => {
      options = changed;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Settles and serves, as specified. */
export async function usual({ settle, serve, refuse }: Paid): Promise<void> {
  const settled = await settle();
  if (!settled.success) return refuse(settled.errorReason ?? 'refused');
  const { success, transaction, network, payer } = settled;
  serve({ 'PAYMENT-RESPONSE': encode({ success, transaction, network, payer }) });
}

function offerOf(sandbox: Sandbox, options: SellerOptions, asked: number, url: string): Record<string, unknown> {
  const stock: PaymentRequirements = requirementsOf(sandbox);
  const { amount, extra, ...common } = stock;
  const plain = { ...common, maxAmountRequired: amount, description: 'One search' };
  const items = { specification: plain, stock, both: { ...plain, amount, extra } };
  const { dialect = 'specification', item = (same: Record<string, unknown>) => same } = options;
  const resource = { url, description: 'Search', mimeType: 'application/json' };
  return { x402Version: 2, error: 'Payment required', resource, accepts: [item({ ...items[dialect] }, asked)] };
}

function answerOf(address: string): object {
  const { searchParams } = new URL(address);
  const query = searchParams.get('q') ?? '';
  const slug = query.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-') || 'all';
  const found = { id: 7, name: query, slug, website: `https://${slug}.io`, ...COMPANY };
  const isNone = searchParams.get('type') === 'people' || query.startsWith('nobody');
  return {
    data: { companies: isNone ? [] : [found], people: [], investors: [] },
    meta: {
      query,
      type: searchParams.get('type'),
      page: 1,
      limit: Number(searchParams.get('limit')),
      total: isNone ? 0 : 1,
    },
  };
}

const HEALTH = {
  status: 'operational',
  timestamp: '2026-11-21T12:00:00.000Z',
  responseTime: 1,
  services: { database: 'operational', api: 'operational' },
};

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
}
