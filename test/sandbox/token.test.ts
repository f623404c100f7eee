import {
  createTestClient,
  type Hex,
  hashTypedData,
  http,
  parseAbi,
  parseSignature,
  publicActions,
  toHex,
  walletActions,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NETWORKS } from '../../src/contract/networks.ts';
import { chainOf, type FundedWallet, RECEIPT_OPTIONS } from '../../src/sandbox/chain.ts';
import { type Sandbox, startSandbox } from '../support/sandbox.ts';

const AUTHORIZATION = 'address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce';
const abi = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function balanceOf(address account) view returns (uint256)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function transferFrom(address from, address to, uint256 value) returns (bool)',
  `function transferWithAuthorization(${AUTHORIZATION}, uint8 v, bytes32 r, bytes32 s)`,
  `function transferWithAuthorization(${AUTHORIZATION}, bytes signature)`,
  `function receiveWithAuthorization(${AUTHORIZATION}, uint8 v, bytes32 r, bytes32 s)`,
  `function receiveWithAuthorization(${AUTHORIZATION}, bytes signature)`,
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
]);

const FIELDS = AUTHORIZATION.split(', ').map((field) => {
  const [type = '', name = ''] = field.split(' ');
  return { name, type };
});
const TYPES = {
  TransferWithAuthorization: FIELDS,
  ReceiveWithAuthorization: FIELDS,
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
};

let sandbox: Sandbox;
let payer: FundedWallet;
const token = NETWORKS['eip155:84532'].token;
const payee = privateKeyToAccount(generatePrivateKey()).address;
const stranger = privateKeyToAccount(generatePrivateKey()).address;

beforeAll(async () => {
  sandbox = await startSandbox();
  payer = await sandbox.chain.newWallet(1_000n);
});
afterAll(() => sandbox.close());

function reader() {
  const { rpcUrl, network } = sandbox;
  return createTestClient({ mode: 'anvil', chain: chainOf(network, rpcUrl), transport: http(rpcUrl) })
    .extend(publicActions)
    .extend(walletActions);
}

interface Authorization {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: bigint;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly nonce: Hex;
}

const anAuthorization = (given: Partial<Authorization> = {}): Authorization => ({
  from: payer.address,
  to: payee,
  value: 100n,
  validAfter: 0n,
  validBefore: 10_000_000_000n,
  nonce: generatePrivateKey(),
  ...given,
});

const argsOf = ({ from, to, value, validAfter, validBefore, nonce }: Authorization) =>
  [from, to, value, validAfter, validBefore, nonce] as const;

function digestOf(primaryType: keyof typeof TYPES, message: object): Hex {
  const domain = { ...token.domain, chainId: 84_532, verifyingContract: token.address };
  return hashTypedData({ domain, types: TYPES, primaryType, message: message as Record<string, unknown> });
}

const signed = async (primaryType: keyof typeof TYPES, message: object): Promise<Hex> =>
  sign({ hash: digestOf(primaryType, message), privateKey: payer.privateKey, to: 'hex' });

/** Result of simulating a call of the token. */
async function saysTo(account: Hex, functionName: string, args: readonly unknown[]): Promise<string> {
  const call = { address: token.address, abi: abi as readonly unknown[], functionName, args, account };
  try {
    await reader().simulateContract(call as never);
    return 'fine';
  } catch (error) {
    return /reverted with the following reason:\n(.+)/.exec(String(error))?.[1] ?? String(error);
  }
}

describe('the token', () => {
  test('calls itself as USDC does', async () => {
    const ask = (functionName: 'name' | 'version' | 'symbol' | 'decimals') =>
      reader().readContract({ address: token.address, abi, functionName });
    const answers = await Promise.all([ask('name'), ask('version'), ask('symbol'), ask('decimals')]);
    expect(answers).toEqual(['USDC', '2', 'USDC', 6]);
  });

  test('transfers with an authorization signed in either form', async () => {
    const authorization = anAuthorization();
    const signature = await signed('TransferWithAuthorization', authorization);
    const { r, s, v = 27n } = parseSignature(signature);
    const args = argsOf(authorization);
    expect(await saysTo(stranger, 'transferWithAuthorization', [...args, signature])).toBe('fine');
    expect(await saysTo(stranger, 'transferWithAuthorization', [...args, Number(v), r, s])).toBe('fine');
  });

  test('gives what is to be received to the payee only, signed in either form', async () => {
    const authorization = anAuthorization();
    const signature = await signed('ReceiveWithAuthorization', authorization);
    const { r, s, v = 27n } = parseSignature(signature);
    const args = argsOf(authorization);
    const received = 'receiveWithAuthorization';
    expect(await saysTo(payee, received, [...args, signature])).toBe('fine');
    expect(await saysTo(payee, received, [...args, Number(v), r, s])).toBe('fine');
    expect(await saysTo(stranger, received, [...args, signature])).toBe('FiatTokenV2: caller must be the payee');
  });

  test('refuses an authorization that was canceled', async () => {
    const authorization = anAuthorization();
    const { from, nonce } = authorization;
    const client = reader();
    await client.impersonateAccount({ address: stranger });
    await client.setBalance({ address: stranger, value: 10n ** 18n });
    const cancel = await signed('CancelAuthorization', { authorizer: from, nonce });
    const args = [from, nonce, cancel] as const;
    const call = { address: token.address, abi, functionName: 'cancelAuthorization', args, account: stranger } as const;
    const hash = await client.writeContract(call);
    await client.waitForTransactionReceipt({ hash, pollingInterval: 20, ...RECEIPT_OPTIONS });
    const transfer = [...argsOf(authorization), await signed('TransferWithAuthorization', authorization)];
    const used = 'FiatTokenV2: authorization is used or canceled';
    expect(await saysTo(stranger, 'transferWithAuthorization', transfer)).toBe(used);
    expect(await saysTo(stranger, 'cancelAuthorization', args)).toBe(used);
  });

  test('cancels an authorization, signed in either form', async () => {
    const { from, nonce } = anAuthorization();
    const signature = await signed('CancelAuthorization', { authorizer: from, nonce });
    const { r, s, v = 27n } = parseSignature(signature);
    expect(await saysTo(stranger, 'cancelAuthorization', [from, nonce, signature])).toBe('fine');
    expect(await saysTo(stranger, 'cancelAuthorization', [from, nonce, Number(v), r, s])).toBe('fine');
  });

  test.each<[string, Partial<Authorization>, string]>([
    ['is not valid yet', { validAfter: 9_999_999_999n }, 'FiatTokenV2: authorization is not yet valid'],
    ['has expired', { validBefore: 1n }, 'FiatTokenV2: authorization is expired'],
    ['is for more than there is', { value: 1_001n }, 'ERC20: transfer amount exceeds balance'],
    ['goes to nobody', { to: '0x0000000000000000000000000000000000000000' }, 'ERC20: transfer to the zero address'],
  ])('refuses an authorization that %s, with the words of USDC', async (_name, given, reason) => {
    const authorization = anAuthorization(given);
    const args = [...argsOf(authorization), await signed('TransferWithAuthorization', authorization)];
    expect(await saysTo(stranger, 'transferWithAuthorization', args)).toBe(reason);
  });

  test.each<[string, (signature: Hex) => readonly unknown[], string]>([
    ['of nothing but zeros', () => [toHex('', { size: 65 })], "ECRecover: invalid signature 'v' value"],
    ['that is too short', (signature) => [signature.slice(0, -2)], 'ECRecover: invalid signature length'],
    [
      'with the v of another chain',
      (signature) => [`${signature.slice(0, -2)}25`],
      "ECRecover: invalid signature 'v' value",
    ],
    [
      'with the other twin of s',
      (signature) => [`${signature.slice(0, 66)}${'f'.repeat(64)}${signature.slice(-2)}`],
      "ECRecover: invalid signature 's' value",
    ],
  ])('refuses a signature %s', async (_name, spoil, reason) => {
    const authorization = anAuthorization();
    const signature = await signed('TransferWithAuthorization', authorization);
    const args = [...argsOf(authorization), ...spoil(signature)];
    expect(await saysTo(stranger, 'transferWithAuthorization', args)).toBe(reason);
  });

  test('refuses what somebody else signed', async () => {
    const authorization = anAuthorization({ from: stranger });
    const args = [...argsOf(authorization), await signed('TransferWithAuthorization', authorization)];
    expect(await saysTo(stranger, 'transferWithAuthorization', args)).toBe('FiatTokenV2: invalid signature');
  });

  test('is an ERC-20 token like any other', async () => {
    expect(await saysTo(payer.address, 'transfer', [payee, 1_000n])).toBe('fine');
    expect(await saysTo(payer.address, 'transfer', [payee, 1_001n])).toBe('ERC20: transfer amount exceeds balance');
    expect(await saysTo(payer.address, 'approve', [stranger, 1n])).toBe('fine');
    const spent = [payer.address, payee, 1n];
    expect(await saysTo(stranger, 'transferFrom', spent)).toBe('ERC20: transfer amount exceeds allowance');
  });
});

describe('Multicall3', () => {
  test('answers several calls in one', async () => {
    const contract = { address: token.address, abi } as const;
    const contracts = [
      { ...contract, functionName: 'name' },
      { ...contract, functionName: 'balanceOf', args: [payer.address] },
    ] as const;
    expect(await reader().multicall({ contracts, allowFailure: false })).toEqual(['USDC', 1_000n]);
  });
});
