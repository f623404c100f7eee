import { callOverhead } from './overhead.ts';
import { mcpStart } from './start.ts';
import { drive, mcpSearch, restSearch, startTarget } from './traffic.ts';

const SECONDS = 4;
const LOAD_CLIENTS = 64;
const LOAD_SECONDS = 60;
const LOAD_PARTS = 6;

/** Start, tokens, what a call costs, and calls per second over HTTP. */
export async function mcpBench(): Promise<object> {
  const start = await mcpStart();
  const overhead = await callOverhead();
  show(overhead);
  const target = await startTarget();
  const http = [];
  await drive(mcpSearch(target), 16, 1);
  for (const clients of [1, 16, 64]) {
    const rest = await drive(restSearch(target), clients, SECONDS);
    const mcp = await drive(mcpSearch(target), clients, SECONDS);
    http.push({
      clients,
      ...mcp,
      restPerSecond: rest.perSecond,
      share: mcp.perSecond / rest.perSecond,
      memory: target.memory(),
    });
  }
  await target.stop();
  for (const row of http) show(row);
  return { start, overhead, http };
}

/** Many clients of both eras for a minute: errors, memory and the slowest answers, part by part. */
export async function mcpLoad(): Promise<object> {
  const target = await startTarget();
  await drive(mcpSearch(target), LOAD_CLIENTS, 2);
  const parts = [];
  for (let part = 0; part < LOAD_PARTS; part += 1) {
    const traffic = await drive(mcpSearch(target), LOAD_CLIENTS, LOAD_SECONDS / LOAD_PARTS);
    parts.push({ ...traffic, memory: target.memory() });
    show(parts.at(-1) ?? {});
  }
  await target.stop();
  return { clients: LOAD_CLIENTS, seconds: LOAD_SECONDS, parts };
}

function show(figures: object): void {
  const line = Object.entries(figures).map(([name, value]) => `${name} ${Number(value).toFixed(2)}`);
  console.log(line.join('  '));
}
