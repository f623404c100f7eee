import { readFileSync } from 'node:fs';
import { domainSeparator } from 'viem';
import { describe, expect, test } from 'vitest';
import { NETWORKS, type NetworkId } from '../../src/contract/networks.ts';
import { COMPILED, compiledModule } from './compile.ts';

describe('the contracts of the sandbox', () => {
  test('are what their sources compile to', () => {
    expect(readFileSync(COMPILED, 'utf8'), 'npm run contracts writes it anew').toBe(compiledModule());
  });
});

describe('the pinned tokens', () => {
  // As the real contracts answer DOMAIN_SEPARATOR().
  test.each<[NetworkId, string]>([
    ['eip155:84532', '0x71f17a3b2ff373b803d70a5a07c046c1a2bc8e89c09ef722fcb047abe94c9818'],
    ['eip155:8453', '0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f'],
  ])('of %s have the domain of the real contract', (network, separator) => {
    const { chainId, token } = NETWORKS[network];
    const domain = { ...token.domain, chainId, verifyingContract: token.address };
    expect(domainSeparator({ domain })).toBe(separator);
  });
});
