import { randomBytes } from 'node:crypto';
import solc from 'solc';
import {
  concat,
  createTestClient,
  encodeAbiParameters,
  getContractAddress,
  type Hex,
  http,
  pad,
  serializeErc6492Signature,
} from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { CREATE2_DEPLOYER, chainOf, type FundedWallet } from '../../src/sandbox/chain.ts';
import type { Sandbox } from './sandbox.ts';

/** A contract wallet (ERC-1271): the owner signs, optionally with a leading byte that selects the key. */
const SOURCE = `
// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

contract ContractWallet {
    address private owner;

    constructor(address first) { owner = first; }

    function isValidSignature(bytes32 digest, bytes calldata given) external view returns (bytes4) {
        bytes calldata signature = given.length == 66 ? given[1:] : given;
        if (signature.length != 65) return 0xffffffff;
        address signer = ecrecover(
            digest, uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64])
        );
        return signer == owner && owner != address(0) ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}`;

/** Deploys a contract wallet with tokens; its key is the owner's. */
export async function newContractWallet(sandbox: Sandbox, baseUnits: bigint): Promise<FundedWallet> {
  const { network, rpcUrl, chain } = sandbox;
  const client = createTestClient({ mode: 'anvil', chain: chainOf(network, rpcUrl), transport: http(rpcUrl) });
  const privateKey = generatePrivateKey();
  const address: Hex = `0x${randomBytes(20).toString('hex')}`;
  await client.setCode({ address, bytecode: compiled('deployedBytecode') });
  await client.setStorageAt({ address, index: 0, value: pad(privateKeyToAddress(privateKey)) });
  await chain.mint(address, baseUnits);
  return { address, privateKey };
}

interface CounterfactualWallet extends FundedWallet {
  /** The owner's signature with the deployment data of the wallet (ERC-6492). */
  wrap(signature: Hex): Hex;
}

/** A contract wallet that is not deployed yet, with tokens at its future address. */
export async function newCounterfactualWallet({ chain }: Sandbox, baseUnits: bigint): Promise<CounterfactualWallet> {
  const privateKey = generatePrivateKey();
  const owner = encodeAbiParameters([{ type: 'address' }], [privateKeyToAddress(privateKey)]);
  const [salt, bytecode] = [pad('0x00'), concat([compiled('bytecode'), owner])];
  const address = getContractAddress({ opcode: 'CREATE2', from: CREATE2_DEPLOYER, salt, bytecode });
  await chain.mint(address, baseUnits);
  const deployment = { address: CREATE2_DEPLOYER, data: concat([salt, bytecode]) };
  const wrap = (signature: Hex): Hex => serializeErc6492Signature({ ...deployment, signature });
  return { address, privateKey, wrap };
}

function compiled(form: 'bytecode' | 'deployedBytecode'): Hex {
  const input = {
    language: 'Solidity',
    sources: { 'wallet.sol': { content: SOURCE } },
    settings: { evmVersion: 'cancun', outputSelection: { '*': { '*': ['evm.bytecode', 'evm.deployedBytecode'] } } },
  };
  const { contracts } = JSON.parse(solc.compile(JSON.stringify(input))) as {
    contracts: { 'wallet.sol': { ContractWallet: { evm: Record<typeof form, { object: string }> } } };
  };
  return `0x${contracts['wallet.sol'].ContractWallet.evm[form].object}`;
}
