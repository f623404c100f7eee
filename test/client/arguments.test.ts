import { describe, expect, test } from 'vitest';
import {
  createClient,
  createWalletClient,
  keyAccess,
  ServiceError,
  type WalletClientOptions,
} from '../../src/library.ts';

const OPTIONS: WalletClientOptions = {
  privateKey: `0x${'1'.repeat(64)}`,
  network: 'eip155:84532',
  budgets: { perCallUsd: '0.01', perSessionUsd: '0.02', perDayUsd: '1' },
  ledgerFile: 'never-opened.db',
};

const thrownBy = (call: () => unknown): unknown => {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
};

const refused = (call: () => unknown) => {
  const error = thrownBy(call);
  if (!(error instanceof ServiceError)) throw new Error('It was not refused.', { cause: error });
  return { code: error.code, at: error.errors.map(({ location }) => location), message: error.message };
};

describe('createClient refuses at once', () => {
  test.each(['nonsense', '', 'ftp://bi.example.com'])('the address %j', (baseUrl) => {
    expect(refused(() => createClient(baseUrl, keyAccess('mk_x')))).toEqual({
      code: 'invalid_parameter',
      at: ['baseUrl'],
      message: 'baseUrl must be an http or https address, such as https://bi.example.com',
    });
  });

  test.each(['', 'two words', 'mk_\n', undefined as never])('the key %j', (key) => {
    expect(refused(() => keyAccess(key)).message).toBe('key must be an API key, such as mk_...');
  });

  test('a key in the place of an access', () => {
    expect(refused(() => createClient('https://bi.example.com', 'mk_x' as never)).at).toEqual(['access']);
  });
});

describe('createWalletClient refuses at once', () => {
  const REFUSED: readonly (readonly [Partial<Record<keyof WalletClientOptions, unknown>>, string])[] = [
    [{ privateKey: '' }, 'privateKey must be 0x and 64 hexadecimal digits'],
    [{ privateKey: undefined }, 'privateKey must be 0x and 64 hexadecimal digits'],
    [{ privateKey: `0x${'0'.repeat(64)}` }, 'privateKey must be 0x and 64 hexadecimal digits'],
    [{ privateKey: `0x${'f'.repeat(64)}` }, 'privateKey must be 0x and 64 hexadecimal digits'],
    [{ network: 'base' }, 'network must be one of eip155:84532, eip155:8453'],
    [{ payees: ['me'] }, 'payees.0 must be an address: 0x and 40 hexadecimal digits'],
    [{ budgets: undefined }, 'budgets must have the three budgets'],
    [
      { budgets: { ...OPTIONS.budgets, perDayUsd: '1 USD' } },
      'budgets.perDayUsd must be US dollars as text with up to six decimals, such as "0.05"',
    ],
    [
      { budgets: { ...OPTIONS.budgets, perCallUsd: 0.01 } },
      'budgets.perCallUsd must be US dollars as text with up to six decimals, such as "0.05"',
    ],
    [{ ledgerFile: '' }, 'ledgerFile must be the path of a file'],
    [{ rpcUrl: 'node' }, 'rpcUrl must be an http or https address'],
  ];
  test.each(REFUSED)('%j', (changed, message) => {
    expect(refused(() => createWalletClient('https://bi.example.com', { ...OPTIONS, ...changed } as never))).toEqual({
      code: 'invalid_parameter',
      at: [message.split(' ')[0]],
      message,
    });
  });

  test('no options at all, and an address that is none', () => {
    expect(refused(() => createWalletClient('https://bi.example.com', undefined as never)).at).toEqual(['privateKey']);
    expect(refused(() => createWalletClient('nonsense', OPTIONS)).at).toEqual(['baseUrl']);
  });

  test('and never shows the key', () => {
    const key = 'a'.repeat(63);
    const error = thrownBy(() => createWalletClient('https://bi.example.com', { ...OPTIONS, privateKey: key }));
    expect(String((error as Error).stack)).not.toContain(key);
  });

  test('but takes valid ones without opening a file', async () => {
    const client = createWalletClient('https://bi.example.com', { ...OPTIONS, payees: [`0x${'a'.repeat(40)}`] });
    await client.close();
  });
});
