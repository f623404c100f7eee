import { spawn } from 'node:child_process';
import { bareEnvironment, PROGRAM, runProgram, temporaryFolder } from '../../support/program.ts';

const ROUNDS = 15;
const CHARACTERS_PER_TOKEN = 4;

const OPENING = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '0' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list', params: {} },
];

/** Cold start of `web3-bi mcp`, spawn to the answer of tools/list, against a bare `node -e 0`, in pairs. */
export async function mcpStart(): Promise<object> {
  const state = temporaryFolder();
  const environment = bareEnvironment({ WEB3_BI_STATE_DIR: state.path });
  await runProgram(['search', 'warm'], { WEB3_BI_STATE_DIR: state.path });
  const pairs = [];
  let characters = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const bare = await bareStart(environment);
    const mcp = await toolsListed(environment);
    characters = mcp.characters;
    pairs.push({ bare, mcp: mcp.ms, ratio: mcp.ms / bare });
  }
  state.remove();
  const result = {
    bareMs: median(pairs.map((pair) => pair.bare)),
    mcpMs: median(pairs.map((pair) => pair.mcp)),
    ratio: median(pairs.map((pair) => pair.ratio)),
    toolsListTokens: Math.ceil(characters / CHARACTERS_PER_TOKEN),
  };
  console.table(Object.fromEntries(Object.entries(result).map(([name, value]) => [name, Number(value.toFixed(2))])));
  return result;
}

function bareStart(env: Record<string, string>): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    spawn(process.execPath, ['-e', '0'], { env, stdio: 'ignore' }).once('exit', () =>
      resolve(performance.now() - startedAt),
    );
  });
}

function toolsListed(env: Record<string, string>): Promise<{ ms: number; characters: number }> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [PROGRAM, 'mcp'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  return new Promise((resolve) => {
    let received = '';
    let ms = 0;
    child.stdout.on('data', (chunk) => {
      received += chunk;
      if (ms > 0 || !/"id":2\}\n$/.test(received)) return;
      ms = performance.now() - startedAt;
      child.stdin.end();
    });
    child.once('exit', () => resolve({ ms, characters: received.trim().split('\n').at(-1)?.length ?? 0 }));
    for (const message of OPENING) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  });
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
