import { parseAbi } from 'viem';

/** Functions of the token that the sandbox calls; payments use the ABI of @x402/evm. */
export const usdcAbi = parseAbi([
  'function init(string name, string version)',
  'function mint(address to, uint256 value)',
  'function blacklist(address account)',
  'function balanceOf(address account) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);
