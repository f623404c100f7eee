import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { wrapFetchWithSIWx } from '@x402/extensions/sign-in-with-x';
import { type Hex, serializeErc6492Signature } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signInText } from '../../../src/contract/wallet-sign-in.ts';
import { purchasesResponse } from '../../../src/contract/x402.ts';
import type { FundedWallet } from '../../../src/sandbox/chain.ts';
import type { Store } from '../../../src/store/store.ts';
import { newContractWallet, newCounterfactualWallet } from '../../support/contract-wallet.ts';
import { openFilledStore, type PaidService, startPaidService } from '../../support/paid-service.ts';
import { temporaryFolder } from '../../support/program.ts';
import { type Sandbox, startSandbox } from '../../support/sandbox.ts';
import { ask, encoded, signed } from '../../support/signing.ts';
import { openTestWallet } from '../../support/wallets.ts';

const PRICE = 10_000n;
const SEARCH = '/api/v1/x402/search?q=acme';
const PURCHASES = '/api/v1/x402/purchases';

let sandbox: Sandbox;
let store: Store;
/** Two instances on one database, at one public address. */
let service: PaidService;
let other: PaidService;
beforeAll(async () => {
  sandbox = await startSandbox();
  store = await openFilledStore();
  service = await startPaidService(sandbox, { store });
  other = await startPaidService(sandbox, { store, app: { publicUrl: service.url } });
});
afterAll(async () => {
  await service.close();
  await other.close();
  await store.close();
  await sandbox.close();
});

const newWallet = (): Promise<FundedWallet> => sandbox.chain.newWallet(3n * PRICE);
const paidBy = async ({ address }: FundedWallet): Promise<bigint> =>
  (3n * PRICE - (await sandbox.chain.balanceOf(address))) / PRICE;

/** What the service offers to be signed, for any of its paths. */
async function offered(): Promise<any> {
  const response = await fetch(service.url + PURCHASES);
  const body = (await response.json()) as any;
  expect([response.status, body.accepts]).toEqual([402, []]);
  return body.extensions['sign-in-with-x'];
}

/** The header of a wallet, with what is different from what was offered. */
async function signIn(
  { privateKey, address }: FundedWallet,
  differences: object = {},
  write = (signature: Hex): Hex => signature,
): Promise<string> {
  const { info } = await offered();
  const unsigned = { ...info, address, chainId: sandbox.network, type: 'eip191', ...differences };
  const signature = await privateKeyToAccount(privateKey).signMessage({ message: signInText(unsigned) });
  return encoded({ ...unsigned, signature: write(signature), ...('signature' in differences && differences) });
}

const get = (path: string, header: string, url = service.url): Promise<Response> =>
  fetch(url + path, { headers: { 'SIGN-IN-WITH-X': header } });

describe('a wallet that signs in', () => {
  test('gets the very answer again that it has bought, without paying, with the receipt', async () => {
    const wallet = await newWallet();
    const first = await ask(service.url, encoded(await signed(sandbox, wallet)));
    const again = await get(SEARCH, await signIn(wallet));
    expect([again.status, await again.json()]).toEqual([200, await first.json()]);
    expect(again.headers.get('payment-response')).toBe(first.headers.get('payment-response'));
    expect(await paidBy(wallet)).toBe(1n);
  });

  test('as the stock client of the extension does it, where extensions are told', async () => {
    const wallet = await newWallet();
    await ask(service.url, encoded(await signed(sandbox, wallet)));
    const listed = await startPaidService(sandbox, { store, isDiscoverable: true });
    const again = await wrapFetchWithSIWx(fetch, privateKeyToAccount(wallet.privateKey))(listed.url + SEARCH);
    await listed.close();
    expect([again.status, await paidBy(wallet)]).toEqual([200, 1n]);
  });

  test('is asked to pay for what it has not bought', async () => {
    const wallet = await newWallet();
    await ask(service.url, encoded(await signed(sandbox, wallet)));
    const path = '/api/v1/x402/search?q=ada';
    const response = await get(path, await signIn(wallet));
    const body = (await response.json()) as any;
    expect([response.status, body.error]).toEqual([402, expect.stringContaining('(not_bought)')]);
    expect(body.accepts).toHaveLength(1);
  });

  test('sees its ledger and receipts, page by page, and nobody else’s', async () => {
    const [wallet, stranger] = [await newWallet(), await newWallet()];
    for (const query of ['acme', 'ada']) {
      await ask(service.url, encoded(await signed(sandbox, wallet)), `/api/v1/x402/search?q=${query}`);
    }
    const read = async (path: string, who = wallet) =>
      purchasesResponse.parse(await (await get(path, await signIn(who))).json());
    const newest = await read(`${PURCHASES}?limit=1`);
    const older = await read(`${PURCHASES}?limit=1&before=${newest.meta.next}`);
    const settled = { state: 'settled', amount_usd: '0.01', transaction: expect.stringMatching(/^0x[\da-f]{64}$/) };
    expect([...newest.data, ...older.data]).toMatchObject([
      { ...settled, item: expect.stringContaining('q=ada') },
      { ...settled, item: expect.stringContaining('q=acme') },
    ]);
    expect((await read(PURCHASES, stranger)).data).toEqual([]);
    expect(await paidBy(wallet)).toBe(2n);
  });

  test('from the command line of this program', async () => {
    const [funded, folder] = [await newWallet(), temporaryFolder()];
    await ask(service.url, encoded(await signed(sandbox, funded)));
    const { wallet } = openTestWallet({ sandbox, funded, url: service.url, folder: folder.path });
    expect(await wallet.purchases(service.url, 10)).toMatchObject([{ state: 'settled' }]);
    await wallet.close();
    folder.remove();
  });
});

describe('a wallet that is a contract', () => {
  /** The response at a path to its owner's signature in a given encoding. */
  async function told(
    url: string,
    wallet: FundedWallet,
    write?: (signature: Hex) => Hex,
  ): Promise<[number, string | undefined]> {
    const response = await get(PURCHASES, await signIn(wallet, {}, write), url);
    const { error, meta } = (await response.json()) as { error?: string; meta?: { payer?: string } };
    return [response.status, error ?? meta?.payer?.toLowerCase()];
  }

  test('signs in as the contract judges it', async () => {
    const wallet = await newContractWallet(sandbox, 3n * PRICE);
    await ask(service.url, encoded(await signed(sandbox, wallet)));
    const factory = { address: sandbox.payTo as Hex, data: '0x' } as const;
    const forms: ((signature: Hex) => Hex)[] = [
      (signature) => signature,
      (signature) => `0x01${signature.slice(2)}`,
      (signature) => serializeErc6492Signature({ ...factory, signature }),
    ];
    for (const write of forms) expect(await told(service.url, wallet, write)).toEqual([200, wallet.address]);
    const again = await get(SEARCH, await signIn(wallet));
    expect([again.status, await paidBy(wallet)]).toEqual([200, 1n]);
  });

  test('signs in before it is on the chain, with what puts it there, and not with the signature of its owner alone', async () => {
    const wallet = await newCounterfactualWallet(sandbox, 0n);
    const stranger = { ...wallet, privateKey: (await newWallet()).privateKey };
    expect(await told(service.url, wallet, wallet.wrap)).toEqual([200, wallet.address.toLowerCase()]);
    const refusal = [402, expect.stringContaining('(invalid_signature)')];
    expect(await told(service.url, stranger, wallet.wrap)).toEqual(refusal);
    expect(await told(service.url, wallet)).toEqual(refusal);
  });

  test('is refused with a signature of another, and where no node judges; 503 while the node is away', async () => {
    const wallet = await newContractWallet(sandbox, 3n * PRICE);
    const { privateKey } = await newWallet();
    const refusal = [402, expect.stringContaining('(invalid_signature)')];
    expect(await told(service.url, { ...wallet, privateKey })).toEqual(refusal);
    expect(await told(service.url, wallet, (signature) => `${signature}00`)).toEqual(refusal);
    const blind = await startPaidService(sandbox, { store, rpcUrl: undefined, app: { publicUrl: service.url } });
    expect(await told(blind.url, wallet)).toEqual(refusal);
    await blind.close();
    sandbox.rpc.failAlways('rpc', { at: 'before', answer: 'reset' });
    const [status] = await told(service.url, wallet);
    sandbox.rpc.clearFaults();
    expect(status).toBe(503);
  });
});

describe('a sign-in is refused', () => {
  const minutes = (count: number): string => new Date(Date.now() + count * 60_000).toISOString();
  const evil = 'https://evil.example';

  test.each<[string, string, () => object]>([
    ['for another host', 'invalid_origin', () => ({ domain: 'evil.example' })],
    ['for an address elsewhere', 'invalid_origin', () => ({ uri: `${evil}/api/v1/x402/search` })],
    ['for an address that is none', 'invalid_origin', () => ({ uri: 'x' })],
    ['for another network', 'invalid_network', () => ({ chainId: 'eip155:8453' })],
    ['that is too old', 'expired', () => ({ issuedAt: minutes(-6), expirationTime: minutes(1) })],
    ['of half a minute later', 'expired', () => ({ issuedAt: minutes(0.6), expirationTime: minutes(4) })],
    ['of no time', 'expired', () => ({ issuedAt: 'x' })],
    ['that has expired', 'expired', () => ({ expirationTime: minutes(-1) })],
    ['that is not valid yet', 'not_yet_valid', () => ({ notBefore: minutes(1) })],
    ['with a signature of something else', 'invalid_signature', () => ({ signature: `0x${'1'.repeat(130)}` })],
    ['in the name of another wallet', 'invalid_signature', () => ({ address: sandbox.payTo })],
    ['whose lines hide another', 'invalid_sign_in', () => ({ statement: `x\nURI: ${evil}` })],
    ['without a nonce', 'invalid_sign_in', () => ({ nonce: '' })],
  ])('%s: 402 %s, and nothing is told', async (_which, code, differences) => {
    const wallet = await newWallet();
    await ask(service.url, encoded(await signed(sandbox, wallet)));
    for (const path of [SEARCH, PURCHASES]) {
      const response = await get(path, await signIn(wallet, differences()));
      const body = (await response.json()) as any;
      expect([path, response.status, body.error]).toEqual([path, 402, expect.stringContaining(`(${code})`)]);
      expect(body).not.toHaveProperty('data');
    }
  });

  test('when it was used before, at any instance, and for another path', async () => {
    const wallet = await newWallet();
    await ask(service.url, encoded(await signed(sandbox, wallet)));
    const header = await signIn(wallet);
    expect((await get(SEARCH, header)).status).toBe(200);
    const replays = [await get(SEARCH, header), await get(SEARCH, header, other.url), await get(PURCHASES, header)];
    expect(replays.map(({ status }) => status)).toEqual([402, 402, 402]);
    const [, atOther] = (await Promise.all(replays.map((replay) => replay.json()))) as any[];
    expect(atOther.error).toContain('(nonce_already_used)');
  });

  test('8 at once with one header, over two instances: one is answered', async () => {
    const wallet = await newWallet();
    await ask(service.url, encoded(await signed(sandbox, wallet)));
    const header = await signIn(wallet);
    const urls = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? service.url : other.url));
    const responses = await Promise.all(urls.map((url) => get(SEARCH, header, url)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 402, 402, 402, 402, 402, 402, 402]);
  });

  test('429 when wallets that have bought nothing keep coming from one address', async () => {
    const limited = await startPaidService(sandbox, { store, burstPerSecond: 20, app: { publicUrl: service.url } });
    const wallet = await newWallet();
    const headers = await Promise.all(Array.from({ length: 101 }, () => signIn(wallet)));
    const ask = async (header: string, index: number): Promise<number> =>
      (await get(index % 2 === 0 ? PURCHASES : SEARCH, header, limited.url)).status;
    expect(new Set(await Promise.all(headers.slice(1).map(ask)))).toEqual(new Set([200, 402]));
    expect(await ask(headers[0] ?? '', 0)).toBe(429);
    await limited.close();
  });

  test('by the wallet, when what it is offered is for another service', async () => {
    const [funded, folder] = [await newWallet(), temporaryFolder()];
    const { wallet } = openTestWallet({
      sandbox,
      funded,
      url: service.url,
      folder: folder.path,
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        return new Response((await response.text()).replaceAll(new URL(service.url).host, 'evil.example'), response);
      },
    });
    await expect(wallet.purchases(service.url, 10)).rejects.toThrow('for another service');
    await wallet.close();
    folder.remove();
  });

  test.each<[string, (send: (chunk: string) => Promise<void>) => Promise<string>, string]>([
    ['a list without end', async () => JSON.stringify({ data: [], meta: { payer: '0x0', next: 7 } }), 'none'],
    [
      'a body without end',
      async (send) => {
        for (;;) await send(' '.repeat(1024 * 1024));
      },
      'unreachable',
    ],
    ['a body that never comes', () => new Promise(() => undefined), 'unreachable'],
    ['a redirect', async () => '', 'unreachable'],
  ])(
    'by the wallet, which is not kept by %s',
    async (name, write, expected) => {
      const [funded, folder] = [await newWallet(), temporaryFolder()];
      let asked = 0;
      const server = createServer(async (request, response) => {
        const base = `http://${request.headers.host}`;
        if (request.headers['sign-in-with-x'] === undefined) {
          const { info, ...rest } = await offered();
          const ours = { ...info, domain: request.headers.host, uri: base };
          const extensions = { 'sign-in-with-x': { ...rest, info: ours } };
          return void response.writeHead(402).end(JSON.stringify({ x402Version: 2, accepts: [], extensions }));
        }
        asked += 1;
        if (name === 'a redirect') return void response.writeHead(307, { Location: service.url }).end();
        response.writeHead(200);
        // The client has gone.
        response.on('error', () => undefined);
        const send = (chunk: string) =>
          new Promise<void>((resolve, reject) => {
            response.write(chunk, (error) => (error ? reject(error) : resolve()));
          });
        await write(send).then(
          (body) => response.end(body),
          () => undefined,
        );
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const retryPolicy = { tryMs: 3_000, totalMs: 3_000, pauseMs: 20 };
      const { wallet } = openTestWallet({ sandbox, funded, url, folder: folder.path, retryPolicy });
      const got = await wallet.purchases(url, 10).then(
        (list) => (list.length === 0 ? 'none' : 'some'),
        (error: { code?: string }) => error.code,
      );
      expect([got, asked]).toEqual([expected, 1]);
      await wallet.close();
      folder.remove();
      server.closeAllConnections();
      server.close();
    },
    20_000,
  );
});
