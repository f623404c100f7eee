import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints, isPriced } from '../../src/contract/endpoints.ts';
import { NETWORKS } from '../../src/contract/networks.ts';
import { aRound } from '../support/builders.ts';
import { type Console, startConsole } from '../support/console.ts';
import { freshLease } from '../support/lease-requests.ts';

/** What offers a search for money. */
const OFFER = /0\.01 USD|pay per (request|search)|\/api\/v1\/x402|WEB3_BI_WALLET/i;
const TRANSACTION = `0x${'ab'.repeat(32)}`;
const OPERATOR = 'operator@example.com';
const PAYER = `0x${'cd'.repeat(20)}`;

let idle: Console;
let seller: Console;
let sandboxed: Console;
beforeAll(async () => {
  idle = await startConsole();
  seller = await startConsole([aRound(), aRound({ name: 'A grant', stage: 'grant' })], { selling: {} });
  sandboxed = await startConsole([], { selling: { isOnLocalChain: true } });
  // Payments are shown to the account of the first owner.
  for (const service of [seller, sandboxed]) await service.person({ account: 'operator', email: OPERATOR });
});
afterAll(async () => {
  for (const service of [idle, seller, sandboxed]) await service?.close();
});

const textOf = async (service: Console, path: string): Promise<string> => (await fetch(service.url + path)).text();

/** Every document that is reached from the quick start, by its path. */
async function documentsOf(service: Console): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const waiting = ['/docs', '/llms.txt'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (texts.has(path) || !/^\/(docs|llms)/.test(path)) continue;
    const text = await textOf(service, path);
    texts.set(path, text);
    waiting.push(...[...text.matchAll(/href="(\/[^"#]*)/g)].map((match) => match[1] ?? ''));
  }
  return texts;
}

describe('where nothing is sold', () => {
  test('no document offers a search for money', async () => {
    const documents = await documentsOf(idle);
    expect(documents.size).toBeGreaterThan(20);
    const offering = [...documents].filter(([, text]) => OFFER.test(text));
    const isOfManual = (path: string): boolean => path.startsWith('/docs/guides/');
    expect(offering.map(([path]) => path).filter((path) => !isOfManual(path))).toEqual([]);
    // The manual is of every service, and says that this one sells nothing.
    expect(offering.length).toBeGreaterThan(0);
    for (const [, text] of offering) expect(text).toContain('This service takes no payments');
  });

  test('the document of payments says so', async () => {
    const text = await textOf(idle, '/docs/x402');
    expect(text).toContain('This service takes no payments.');
    expect(text).not.toContain('0.01');
    expect(text).toContain('Use a key instead');
  });

  test.each(['none', 'api_access'] as const)('no page of an account with the plan %s does', async (plan) => {
    const person = await idle.person({ account: plan, plan });
    for (const path of ['/account', '/account/plan', '/account/data', '/account/payments']) {
      expect([path, OFFER.exec((await person.get(path)).text)?.[0]]).toEqual([path, undefined]);
    }
  });
});

describe('where searches are sold', () => {
  test.each(['/docs', '/docs/mcp', '/docs/x402', '/docs/reference', '/docs/errors/plan_required', '/llms.txt'])(
    '%s says so',
    async (path) => {
      expect(await textOf(seller, path)).toMatch(OFFER);
    },
  );

  test('the document of payments says on which network, and that its money is for tests', async () => {
    const text = (await textOf(seller, '/docs/x402')).replaceAll(/<[^>]*>/g, ' ');
    expect(text).toContain('This instance: Base Sepolia, test money without value.');
    expect(text).toMatch(/Base Sepolia\s+this instance\s/);
    expect(text).not.toMatch(/Base\s+this instance\s/);
  });

  test('the plans and the refusal without a plan say so', async () => {
    const person = await seller.person({ account: 'no plan', plan: 'none' });
    expect((await person.get('/account/plan')).text).toMatch(OFFER);
    expect((await person.get('/account/data')).text).toMatch(OFFER);
  });
});

test('the page of the plan has the command for the operator, and for others whom to ask', async () => {
  const customer = await seller.person({ account: 'customer' });
  const asked = (await customer.get('/account/plan')).text;
  expect(asked).toContain('Ask the operator of this service, and name the account customer.');
  expect(asked).not.toContain('set-plan');
  const operator = seller.visitor();
  await operator.signIn(OPERATOR);
  const { text } = await operator.get('/account/plan');
  expect(text).toMatch(/account set-plan operator enterprise.*Not on npm yet.*in\s+place of <code>web3-bi<\/code>/s);
  expect((await operator.get('/account/health')).text).toMatch(
    /0 events, 1 round, 1 grant.*Newest funding round.*Date not known/s,
  );
  const audit = (await operator.get('/account/audit')).text;
  expect(audit).toContain('>Signed in<');
  expect(audit).not.toContain('>session.begin<');
});

test('only who sees the payments has them in the menu', async () => {
  const customer = await seller.person({ account: 'without payments' });
  const operator = seller.visitor();
  await operator.signIn(OPERATOR);
  expect((await customer.get('/account')).text).not.toContain('href="/account/payments"');
  expect((await operator.get('/account')).text).toContain('href="/account/payments"');
});

test('the document of payments and the plans name all that is sold', async () => {
  const guide = await textOf(seller, '/docs/x402');
  const plans = (await (await seller.person()).get('/account/plan')).text;
  for (const endpoint of endpoints.filter(({ access }) => access === 'payment')) {
    expect(guide).toContain(`GET ${endpoint.path}`);
    const name = endpoint.path.split('/').at(-1) ?? '';
    expect([name, plans.includes(name)]).toEqual([name, isPriced(endpoint)]);
  }
});

describe('GET /account/payments', () => {
  /** The pages of the operator after one payment that was settled: all payments, and that one. */
  async function pageAfterPayment(service: Console): Promise<{ list: string; one: string }> {
    const { payments } = service.store;
    const token = NETWORKS['eip155:84532'].token.address.toLowerCase();
    const nonce = `0x${'01'.repeat(32)}`;
    const item = '/api/v1/x402/search?q=acme';
    const lease = await freshLease(payments, { token, payer: PAYER, nonce, pay_to: PAYER, item });
    await payments.settling(lease, { data: '{}', meta: '{}' });
    await payments.settled(lease, TRANSACTION);
    const operator = service.visitor();
    await operator.signIn(OPERATOR);
    const list = (await operator.get('/account/payments')).text;
    const [, one = ''] = /href="(\/account\/payments\/\d+)"/.exec(list) ?? [];
    return { list, one: (await operator.get(one)).text };
  }

  test('links transactions on a public chain to its explorer', async () => {
    const { list, one } = await pageAfterPayment(seller);
    for (const text of [list, one]) {
      expect(text).toContain(`href="https://sepolia.basescan.org/tx/${TRANSACTION}"`);
      expect(text).toContain(`href="https://sepolia.basescan.org/address/${PAYER}"`);
    }
    expect(list).not.toContain('>$0.005</text>');
    expect(list).toContain('>$0.01</text>');
    // Beside the time on a phone.
    expect(list).toMatch(/<td class="number main"[^>]*>\$0\.01</);
    // Days below the chart are in equal steps at each width, up to today.
    for (const widths of ['', '1', '12']) {
      const shown = [...list.matchAll(/<text(?: class="at-(\d)")? x="([\d.]+)%" y="183">/g)];
      const places = shown.flatMap(([, from = '', place]) =>
        from === '' || widths.includes(from) ? [Number(place)] : [],
      );
      const steps = places.slice(1).map((place, index) => Math.round(place - (places[index] ?? 0)));
      expect([widths, places.at(-1), places.length > 3, new Set(steps).size]).toEqual([widths, 98.3, true, 1]);
    }
  });

  test('shows those on a local chain whole, without a link to where nobody knows them', async () => {
    const { list, one } = await pageAfterPayment(sandboxed);
    for (const text of [list, one]) {
      expect(text).toContain(`>${TRANSACTION}</code>`);
      expect(text).not.toContain('basescan');
      expect(text).toContain('a copy of the chain on this machine');
    }
    expect(one.replaceAll(/<[^>]*>/g, ' ')).toMatch(
      /settled\s+Paid on the chain\..*Parameter q\s+acme.*Request id\s+req_1/s,
    );
  });

  test('says in words why one failed', async () => {
    const { payments } = seller.store;
    const nonce = `0x${'02'.repeat(32)}`;
    const item = '/api/v1/x402/search?q=acme';
    const request = { token: PAYER, payer: PAYER, nonce, pay_to: PAYER, valid_before: 1, item, request_id: 'req_2' };
    const lease = await freshLease(payments, request);
    await payments.failed(lease, 'invalid_exact_evm_insufficient_balance');
    const operator = seller.visitor();
    await operator.signIn(OPERATOR);
    expect((await operator.get('/account/payments?state=failed')).text).toContain('>insufficient balance<');
    const { text } = await operator.get(`/account/payments/${lease.id}`);
    expect(text).toContain('The wallet holds less of the token than the price');
  });

  test('shows nobody else a payment', async () => {
    const other = await seller.person({ account: 'another' });
    expect((await other.get('/account/payments/1')).status).toBe(404);
  });
});
