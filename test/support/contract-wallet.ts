import { randomBytes } from 'node:crypto';
import solc from 'solc';
import { createTestClient, type Hex, http, pad } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { chainOf, type FundedWallet } from '../../src/sandbox/chain.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';

/** A wallet that is a contract (ERC-1271): its owner signs, or its owner's key behind a byte that says which key it is. */
const SOURCE = `
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

contract ContractWallet {
    address private owner;

    function isValidSignature(bytes32 digest, bytes calldata given) external view returns (bytes4) {
        bytes calldata signature = given.length == 66 ? given[1:] : given;
        if (signature.length != 65) return 0xffffffff;
        address signer = ecrecover(
            digest, uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64])
        );
        return signer == owner && owner != address(0) ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}`;

/** Puts such a wallet on the chain, with tokens; its key is the owner's. */
export async function newContractWallet(sandbox: Sandbox, baseUnits: bigint): Promise<FundedWallet> {
  const { network, rpcUrl, chain } = sandbox;
  const client = createTestClient({ mode: 'anvil', chain: chainOf(network, rpcUrl), transport: http(rpcUrl) });
  const privateKey = generatePrivateKey();
  const address: Hex = `0x${randomBytes(20).toString('hex')}`;
  await client.setCode({ address, bytecode: compiled() });
  await client.setStorageAt({ address, index: 0, value: pad(privateKeyToAddress(privateKey)) });
  await chain.mint(address, baseUnits);
  return { address, privateKey };
}

function compiled(): Hex {
  const input = {
    language: 'Solidity',
    sources: { 'wallet.sol': { content: SOURCE } },
    settings: { evmVersion: 'cancun', outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } } },
  };
  const { contracts } = JSON.parse(solc.compile(JSON.stringify(input))) as {
    contracts: { 'wallet.sol': { ContractWallet: { evm: { deployedBytecode: { object: string } } } } };
  };
  return `0x${contracts['wallet.sol'].ContractWallet.evm.deployedBytecode.object}`;
}
