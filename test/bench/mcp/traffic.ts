import { readFileSync } from 'node:fs';
import { MODERN } from '../../support/mcp-clients.ts';
import { runProgram, startProgram, temporaryFolder } from '../../support/program.ts';

const QUERIES = [
  'coinbase',
  'dex arbitrum',
  'wallet',
  'uniswap',
  'lending',
  'nft marketplace',
  'paradigm',
  'hackathon',
];
const MIB_PER_KIB = 1 / 1024;
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The program, serving the shipped data to a key without limits. */
export interface Target {
  readonly url: string;
  readonly key: string;
  /** Memory of the process, in MiB; 0 where the system does not say. */
  memory(): number;
  stop(): Promise<void>;
}

export async function startTarget(): Promise<Target> {
  const folder = temporaryFolder();
  const settings = { WEB3_BI_STATE_DIR: folder.path, WEB3_BI_BURST_PER_SECOND: '0', WEB3_BI_LOG_LEVEL: 'error' };
  const program = await startProgram(['serve', '--port', '0'], settings);
  const words = ['key', 'create', '--account', 'bench', '--plan', 'enterprise', '--name', 'bench', '--json'];
  const { key } = JSON.parse((await runProgram(words, settings)).stdout) as { key: string };
  return {
    url: program.url,
    key,
    memory: () => memoryOf(program.pid),
    stop: async () => {
      await program.stop();
      folder.remove();
    },
  };
}

function memoryOf(pid: number | undefined): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * MIB_PER_KIB;
  } catch {
    return 0;
  }
}

/** Asks once; rejects for anything but the answer that is wanted. */
export type Ask = (index: number) => Promise<void>;

const queryOf = (index: number): string => QUERIES[index % QUERIES.length] ?? '';

/** A search through REST. */
export function restSearch({ url, key }: Target): Ask {
  return async (index) => {
    const query = encodeURIComponent(queryOf(index));
    const answer = await fetch(`${url}/api/v1/search?type=all&query=${query}`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    const body = await answer.text();
    if (answer.status !== 200 || !body.includes('"success":true')) throw new Error(`REST answered ${answer.status}`);
  };
}

/** The same search through MCP, every second one in the newest revision. */
export function mcpSearch({ url, key }: Target): Ask {
  return async (index) => {
    const isModern = index % 2 === 0;
    const params = { name: 'search', arguments: { query: queryOf(index) }, ...(isModern && { _meta: META }) };
    const modern = { 'MCP-Protocol-Version': MODERN, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'search' };
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(isModern && modern),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: index, method: 'tools/call', params }),
    });
    const body = await answer.text();
    if (answer.status !== 200 || !body.includes('"structuredContent"'))
      throw new Error(`MCP answered ${answer.status}`);
  };
}

export interface Traffic {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
}

/** So many clients, each asking again as soon as it has its answer. */
export async function drive(ask: Ask, clients: number, seconds: number): Promise<Traffic> {
  const times: number[] = [];
  let errors = 0;
  let next = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  const client = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      const askedAt = performance.now();
      const index = next;
      next += 1;
      try {
        await ask(index);
        times.push(performance.now() - askedAt);
      } catch {
        errors += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const elapsed = (performance.now() - startedAt) / 1_000;
  times.sort((left, right) => left - right);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  return { perSecond: times.length / elapsed, p50: at(0.5), p99: at(0.99), errors };
}
