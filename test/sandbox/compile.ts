import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import solc from 'solc';

const FOLDER = join(import.meta.dirname, '..', '..', 'src', 'sandbox', 'token');
export const COMPILED = join(FOLDER, 'compiled.ts');

/** The contracts of the sandbox, by the constant that holds the code of each. */
const CONTRACTS = {
  USDC_RUNTIME: { file: 'usdc.sol', name: 'Usdc' },
  MULTICALL3_RUNTIME: { file: 'multicall3.sol', name: 'Multicall3' },
} as const;

interface Output {
  readonly errors?: readonly { readonly formattedMessage: string }[];
  readonly contracts: Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>>;
}

/** The module with the code of every contract, compiled from its source; throws what the compiler complains of. */
export function compiledModule(): string {
  const files = Object.values(CONTRACTS).map(({ file }) => file);
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(files.map((file) => [file, { content: readFileSync(join(FOLDER, file), 'utf8') }])),
    settings: {
      optimizer: { enabled: true, runs: 200 },
      // Fixed, so that a compiler with another default gives the same code; no metadata, so that a comment changes nothing.
      evmVersion: 'cancun',
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } },
    },
  };
  const { errors = [], contracts } = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  const lines = Object.entries(CONTRACTS).map(([constant, { file, name }]) => {
    const code = contracts[file]?.[name]?.evm.deployedBytecode.object;
    return `/** Runtime code of \`${name}\` in ${file}. */\nexport const ${constant} =\n  '0x${code}';\n`;
  });
  return `// Made by npm run contracts; do not edit.\n\n${lines.join('\n')}`;
}

// Run as a script, it writes the module. Last, because it uses the constants above.
if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(COMPILED, compiledModule());
