import { inspect } from 'node:util';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createServer } from '../../src/mcp/server.ts';
import type { FundedWallet as Funded } from '../../src/sandbox/chain.ts';
import { PRICE } from '../sandbox/stock-seller.ts';
import { temporaryFolder } from '../support/program.ts';
import { type Sandbox, startSandbox } from '../support/sandbox.ts';
import { leaksOf } from '../support/secrets.ts';
import { type Seller, startSeller } from '../support/seller.ts';
import { BUDGETS, openTestWallet, type TestWallet, type TestWalletOptions } from '../support/wallets.ts';

const TOKENS_MAX = 2_250;
const TOKEN_CHARACTERS = 4;
const FUNDS = 100n * PRICE;

let sandbox: Sandbox;
let service: Seller;
let funded: Funded;
let folder: ReturnType<typeof temporaryFolder>;
const open: TestWallet[] = [];
/** Everything that a model, or a log, was given. */
const told: string[] = [];

type Person = 'accepts' | 'declines' | 'refuses in the form';

/** An MCP client in this process, of a server with a wallet; with a person, when it can ask one. */
async function connect(
  more: Partial<TestWalletOptions> = {},
  person?: Person,
  onAsk: (text: string) => void = () => {},
) {
  const opened = openTestWallet({ sandbox, funded, url: service.url, folder: folder.path, ...more });
  open.push(opened);
  const log = { error: (thrown: unknown) => void told.push(inspect(thrown, { depth: 9 })) };
  const server = createServer({ client: opened.paid.free, access: 'wallet', paid: opened.paid, log, version: '0.0.0' });
  const [left, right] = InMemoryTransport.createLinkedPair();
  await server.connect(left);
  const mcp = new Client(
    { name: 'test', version: '0' },
    { capabilities: person === undefined ? {} : { elicitation: { form: {} } } },
  );
  if (person !== undefined) {
    mcp.setRequestHandler('elicitation/create', async (request) => {
      onAsk(request.params.message);
      if (person === 'declines') return { action: 'decline' };
      return { action: 'accept', content: { pay: person === 'accepts' } };
    });
  }
  await mcp.connect(right);
  const call = async (name: string, args: Record<string, unknown>) => {
    const result = (await mcp.callTool({ name, arguments: args })) as any;
    told.push(JSON.stringify(result));
    return { ...result, text: result.content[0].text as string };
  };
  return { mcp, call };
}

const spent = async (): Promise<bigint> => FUNDS - (await sandbox.chain.balanceOf(funded.address));

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  service = await startSeller(sandbox);
  funded = await sandbox.chain.newWallet(FUNDS);
  folder = temporaryFolder();
});
afterEach(async () => {
  for (const { wallet } of open.splice(0)) await wallet.close();
  await service.close();
  expect(leaksOf([funded.privateKey], { texts: told.splice(0), folder: folder.path })).toEqual([]);
  folder.remove();
});

describe('tools/list with a wallet', () => {
  test('has the tools that pay, and says that they do', async () => {
    const { mcp } = await connect();
    const { tools } = await mcp.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['search', false],
      ['get_entity', false],
      ['aggregate', false],
      ['connect', false],
      ['health', true],
      ['wallet', true],
    ]);
    expect(JSON.stringify({ tools }).length / TOKEN_CHARACTERS).toBeLessThan(TOKENS_MAX);
    expect(JSON.stringify(tools)).not.toContain('$ref');
  });
});

describe('a paid answer that is not one', () => {
  test.each([
    ['aggregate', { of: 'rounds', group_by: ['stage'] }, {}],
    ['aggregate', { of: 'rounds', group_by: ['stage'] }, { rows: [], columns: 5, groups: 0, covered: {} }],
    ['connect', { from: 'companies/a', to: 'companies/b' }, { paths: [{}], complete: true }],
    ['search', { query: 'a' }, { companies: [{ id: 1, name: 'a', slug: 'a', aliases: 5 }] }],
    ['get_entity', { type: 'companies', id: 'a' }, { companies: [{ id: 1, name: 'b', slug: 'b', aliases: [5] }] }],
  ])('is said to have been charged, by %s %j', async (name, args, data) => {
    service.change({
      paid: async ({ settle, response }) => {
        const receipt = Buffer.from(JSON.stringify(await settle())).toString('base64');
        response.writeHead(200, { 'PAYMENT-RESPONSE': receipt }).end(JSON.stringify({ data, meta: {} }));
      },
    });
    const { isError, text } = await (await connect()).call(name, args);
    expect([isError, await spent()]).toEqual([true, PRICE]);
    expect(text).toContain('0.01 USD were charged once with transaction 0x');
    expect(text).not.toContain('Nothing was charged');
    expect(text).not.toContain('bought before that');
  });
});

describe('search with a wallet', () => {
  test('pays, and shows the receipt in its three places', async () => {
    const { call } = await connect();
    const result = await call('search', { query: 'Uniswap', type: 'companies' });
    const [transfer] = (await sandbox.chain.transfersTo(sandbox.payTo)).slice(-1);
    const transaction = transfer?.transaction;
    const { network, payTo } = sandbox;
    expect(result._meta['x402/payment-response']).toEqual({
      success: true,
      transaction,
      network,
      payer: funded.address,
    });
    expect(result.structuredContent).toMatchObject({
      totalResults: 1,
      results: [{ type: 'companies', name: 'Uniswap', funding_stage: 'seed' }],
      next: null,
      receipt: {
        transaction,
        network,
        payTo,
        payer: funded.address,
        amountUsd: '0.01',
        state: 'settled',
        cached: false,
      },
    });
    expect(result.text.split('\n')[0]).toBe(`Paid 0.01 USD to ${payTo}, transaction ${transaction} on ${network}.`);
    expect(await spent()).toBe(PRICE);
  });

  test('gives an equal search again for nothing, with the receipt it was paid with', async () => {
    const { call } = await connect();
    const first = await call('search', { query: 'Uniswap', type: 'companies' });
    const second = await call('search', { type: 'companies', query: ' Uniswap ', detail: 'full' });
    expect(second.structuredContent.receipt).toEqual({ ...first.structuredContent.receipt, cached: true });
    expect(second.text).toMatch(/^Free: paid before, 0\.01 USD at /);
    expect([second._meta, await spent()]).toEqual([first._meta, PRICE]);
  });

  test('knows another process of the state folder, which has paid', async () => {
    await (await connect()).call('search', { query: 'Uniswap', type: 'companies' });
    const { structuredContent } = await (await connect()).call('search', { query: 'Uniswap', type: 'companies' });
    expect([structuredContent.receipt.cached, await spent()]).toEqual([true, PRICE]);
  });

  test.each([
    [{ type: 'events' }, 'x402 does not sell events.'],
    [{ country: 'France' }, 'x402 does not sell searches with country.'],
    [{ sort: 'name' }, 'x402 does not sell searches with sort.'],
    [{ fields: ['twitter'] }, 'x402 does not sell the field twitter.'],
  ])('of what is not sold, %j, says so and what would help', async (args, text) => {
    const { isError, ...result } = await (await connect()).call('search', { query: 'x', ...args });
    expect(isError).toBe(true);
    expect(result.text).toContain(`${text} (not_sold) Nothing was charged.`);
    expect(result.text).toContain('WEB3_BI_API_KEY');
    expect(service.requests.unpaid).toBe(0);
  });

  test('of tools that are not sold, such as those for research, does not say that there is no wallet', async () => {
    const opened = openTestWallet({ sandbox, funded, url: service.url, folder: folder.path });
    open.push(opened);
    const search = opened.paid.free.search({ type: 'all', query: 'x' });
    await expect(search).rejects.toThrow('x402 does not sell searches by this tool.');
  });

  test('can be told to pay less, never more', async () => {
    const { call } = await connect();
    const lowered = await call('search', { query: 'a', max_price_usd: 0.005 });
    expect(lowered.text).toBe(
      'Not paid because of the wallet budget: the price of 0.01 USD is above max_price_usd, 0.005 USD. (budget_exceeded) Nothing was charged. Call again with a higher max_price_usd, which cannot go beyond the budgets, or do without.',
    );
    service.change({ item: (item) => ({ ...item, maxAmountRequired: '30000' }) });
    for (const max_price_usd of ['cheap', '-1', '1e3', {}]) {
      const refused = await call('search', { query: 'a', max_price_usd });
      expect(refused.text).toContain('max_price_usd must be an amount of US dollars, such as 0.05.');
    }
    const raised = await call('search', { query: 'a', max_price_usd: '1000' });
    expect(raised.text).toContain('0.02 of 0.02 USD of this call is left. (budget_exceeded) Nothing was charged.');
    expect(service.signatures.size).toBe(0);
  });

  test.each([
    ['session', { perSession: 2n * PRICE }, /0\.00 of 0\.02 USD of this session is left, until its end/],
    ['day', { perDay: 2n * PRICE }, /0\.00 of 0\.02 USD of this UTC day is left, until \d{4}-\d\d-\d\dT00:00:00\.000Z/],
  ])('stops at the budget of the %s, and says what is left until when', async (_name, budget, text) => {
    const { call } = await connect({ budgets: { ...BUDGETS, ...budget } });
    for (const query of ['a', 'b']) expect((await call('search', { query })).isError).toBeUndefined();
    const refused = await call('search', { query: 'c' });
    expect(refused.text).toMatch(text);
    expect(refused.text).toContain('(budget_exceeded) Nothing was charged. Do not call again for something new');
    expect((await call('search', { query: 'a' })).structuredContent.receipt.cached).toBe(true);
    expect(await spent()).toBe(2n * PRICE);
  });

  test('says what became of the money when it is not served', async () => {
    service.change({
      paid: async ({ settle, refuse }) => {
        await settle();
        refuse('nonce_already_used');
      },
    });
    const { call } = await connect({ rpcUrl: sandbox.rpcUrl });
    const { text } = await call('search', { query: 'a' });
    const [transfer] = (await sandbox.chain.transfersTo(sandbox.payTo)).slice(-1);
    expect(text).toBe(
      `The service settled the payment but sent no response. (paid_not_served) 0.01 USD were charged once with transaction ${transfer?.transaction}. An identical call requests the response with the same signature and is not charged again. Tell the person; web3-bi wallet receipts has the proof.`,
    );
  });

  test('says so when the wallet is empty', async () => {
    const empty = await sandbox.chain.newWallet(0n);
    const { text } = await (await connect({ funded: empty })).call('search', { query: 'a' });
    expect(text).toContain('The service refused the payment: the wallet holds too little. (payment_refused)');
    expect(text).toContain('ask the person to send USDC to the wallet');
  });
});

describe('a price above the threshold', () => {
  const confirmAbove = PRICE - 1n;

  test('is paid when the person agrees, who is told price, payee and search', async () => {
    const asked: string[] = [];
    const { call } = await connect({ confirmAbove }, 'accepts', (text) => asked.push(text));
    expect((await call('search', { query: 'Uniswap' })).structuredContent.receipt.state).toBe('settled');
    expect(asked).toEqual([
      `Pay 0.01 USD to ${sandbox.payTo} for the search "Uniswap" at ${new URL(service.url).host}?`,
    ]);
    expect(await spent()).toBe(PRICE);
  });

  test.each(['declines', 'refuses in the form'] as const)('is not paid when the person %s', async (person) => {
    const { call } = await connect({ confirmAbove }, person);
    const { text } = await call('search', { query: 'Uniswap' });
    expect(text).toContain('The person did not agree to the payment. (not_confirmed) Nothing was charged.');
    expect([service.signatures.size, await spent()]).toEqual([0, 0n]);
  });

  test('is not paid where the host cannot ask', async () => {
    const { call } = await connect({ confirmAbove });
    const { text } = await call('search', { query: 'Uniswap' });
    expect(text).toContain('this host cannot ask for it. (not_confirmed) Nothing was charged.');
    expect(service.signatures.size).toBe(0);
  });

  test('is not asked about when it is not above', async () => {
    const { call } = await connect({ confirmAbove: PRICE });
    expect((await call('search', { query: 'Uniswap' })).structuredContent.receipt.state).toBe('settled');
  });
});

describe('get_entity with a wallet', () => {
  test('looks among what was bought before it pays', async () => {
    const { call } = await connect();
    await call('search', { query: 'Uniswap', type: 'companies' });
    for (const asked of [
      { id: 7 },
      { slug: 'uniswap' },
      { name: 'UNISWAP' },
      { domain: 'uniswap.io' },
      { id: 'uniswap' },
    ]) {
      const { structuredContent, text } = await call('get_entity', { type: 'companies', ...asked });
      expect(structuredContent).toMatchObject({
        entities: [{ status: 'exact', record: { slug: 'uniswap' } }],
        receipts: [{ cached: true }],
      });
      expect(text).toMatch(/^Free: paid before/);
    }
    expect(await spent()).toBe(PRICE);
  });

  test('pays once for a record that it does not know', async () => {
    const { call } = await connect();
    const result = await call('get_entity', { type: 'companies', id: 'uniswap' });
    expect(result.structuredContent).toMatchObject({
      entities: [{ status: 'exact', record: { slug: 'uniswap' } }],
      receipts: [{ cached: false, state: 'settled' }],
    });
    expect(result._meta['x402/payment-response']).toMatchObject({ success: true, payer: funded.address });
    expect(await spent()).toBe(PRICE);
  });

  test.each([
    ['of a type', { type: 'companies', id: 'nobody-at-all' }],
    ['of any type', { id: 'nobody-at-all' }],
  ])('pays one search for a record %s that nobody has', async (_, asked) => {
    const { call } = await connect();
    const { structuredContent } = await call('get_entity', asked);
    expect(structuredContent).toMatchObject({ entities: [{ status: 'none', candidates: [] }] });
    expect(await spent()).toBe(PRICE);
  });

  test('names a record of another type that was bought before', async () => {
    const { call } = await connect();
    await call('search', { query: 'Uniswap', type: 'companies' });
    const { structuredContent } = await call('get_entity', { type: 'people', id: 'uniswap' });
    expect(structuredContent).toMatchObject({
      entities: [{ status: 'none', candidates: [{ type: 'companies', slug: 'uniswap' }] }],
    });
    expect(await spent()).toBe(2n * PRICE);
  });

  test('says what was bought when the budget of the call ends among several', async () => {
    const { call } = await connect();
    const items = ['aave', 'lido', 'maker'].map((id) => ({ type: 'companies', id }));
    const { isError, text } = await call('get_entity', { items });
    expect(isError).toBe(true);
    expect(text).toContain(
      '0.00 of 0.02 USD of this call is left. (budget_exceeded) 2 of the records were bought before that, for 0.02 USD',
    );
    const { structuredContent } = await call('get_entity', { items });
    expect(structuredContent.entities.map(({ status }: any) => status)).toEqual(['exact', 'exact', 'exact']);
    expect(await spent()).toBe(3n * PRICE);
  });

  test('says what was bought, and what to do, when the service fails among several', async () => {
    service.change({
      unpaid: (_required, response) => {
        if (service.requests.unpaid > 1) response.writeHead(503, { 'Content-Type': 'text/plain' }).end('away');
        return service.requests.unpaid > 1;
      },
    });
    const { call } = await connect();
    const { isError, text } = await call('get_entity', {
      items: ['aave', 'lido'].map((id) => ({ type: 'companies', id })),
    });
    expect([isError, await spent()]).toEqual([true, PRICE]);
    expect(text).toContain('1 of the records were bought before that, for 0.01 USD; they are kept');
    expect(text).toContain('For the one that failed: Nothing was charged. Retrying is safe, after 5 seconds');
  });

  test.each([
    [{ type: 'events', id: 'devcon' }, 'x402 does not sell events.'],
    [{ type: 'companies', id: 'x', include: ['people'] }, 'x402 does not sell related lists (include).'],
    [{ type: 'companies', id: 42 }, 'x402 does not sell records by number'],
  ])('of what is not sold, %j, says so', async (args, text) => {
    const result = await (await connect()).call('get_entity', args);
    expect(result.text).toContain(text);
    expect(service.requests.unpaid).toBe(0);
  });
});

describe('wallet', () => {
  test('shows address, balance, budgets and receipts', async () => {
    const { call } = await connect({ rpcUrl: sandbox.rpcUrl });
    await call('search', { query: 'Uniswap', type: 'companies' });
    const { structuredContent, text } = await call('wallet', {});
    expect(structuredContent).toMatchObject({
      address: funded.address,
      network: 'eip155:84532',
      balanceUsd: '0.99',
      budgets: {
        perCallUsd: '0.02',
        session: { limitUsd: '0.50', usedUsd: '0.01', leftUsd: '0.49' },
        day: { limitUsd: '1.00', usedUsd: '0.01', leftUsd: '0.99' },
      },
      receipts: [{ state: 'settled', amountUsd: '0.01' }],
      quote: null,
    });
    expect(text).toContain(`Wallet ${funded.address} on Base Sepolia (eip155:84532), USDC.\nBalance 0.99 USD.`);
  });

  test.each([
    [{ quote: { query: 'Aave', type: 'companies' } }],
    [{ quote: '{"query":"Aave","type":"companies"}' }],
    [{ quote: true, query: 'Aave', type: 'companies' }],
    [{ quote: 'Aave', type: 'companies' }],
  ])('gives a price without paying, asked with %j', async (args) => {
    const { call } = await connect();
    const { structuredContent } = await call('wallet', args);
    expect(structuredContent.quote).toEqual({
      priceUsd: '0.01',
      isKept: false,
      payTo: sandbox.payTo,
      network: sandbox.network,
      refusal: null,
      needsConsent: false,
    });
    await call('search', { query: 'Aave', type: 'companies' });
    expect((await call('wallet', args)).structuredContent.quote).toMatchObject({ priceUsd: '0.00', isKept: true });
    expect([service.signatures.size, await spent()]).toEqual([1, PRICE]);
  });

  test('cannot raise a budget', async () => {
    const { call } = await connect();
    const { text } = await call('wallet', { max_usd_per_day: '100' });
    expect(text).toContain('max_usd_per_day: not known here');
  });
});
