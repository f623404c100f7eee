interface Token {
  readonly symbol: string;
  readonly address: `0x${string}`;
  readonly decimals: number;
  /** EIP-712 domain of the token contract. With a wrong name, every signature is invalid and no error names the cause. */
  readonly domain: { readonly name: string; readonly version: string };
}

interface Network {
  readonly label: string;
  readonly chainId: number;
  /** Whether its tokens have no value. */
  readonly isTest: boolean;
  readonly explorer: string;
  readonly token: Token;
}

export const NETWORKS = {
  'eip155:84532': {
    label: 'Base Sepolia',
    chainId: 84532,
    isTest: true,
    explorer: 'https://sepolia.basescan.org',
    token: {
      symbol: 'USDC',
      address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      decimals: 6,
      domain: { name: 'USDC', version: '2' },
    },
  },
  'eip155:8453': {
    label: 'Base',
    chainId: 8453,
    isTest: false,
    explorer: 'https://basescan.org',
    token: {
      symbol: 'USDC',
      address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      decimals: 6,
      domain: { name: 'USD Coin', version: '2' },
    },
  },
} as const satisfies Record<string, Network>;

export type NetworkId = keyof typeof NETWORKS;
