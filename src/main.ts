#!/usr/bin/env node
import nodeModule from 'node:module';
import { join } from 'node:path';
import { loadWithCodeCache } from './commands/code-cache.ts';

const args = process.argv.slice(2);

// Node 22 and later. In the folder of the build, because others can write to the temporary one.
const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };
enableCompileCache?.(join(import.meta.dirname, 'compile-cache'));

// MCP hosts wait for each start, so the build bundles this command into one file with a V8 code cache.
const compiled = args[0] === 'mcp' ? loadWithCodeCache(join(import.meta.dirname, 'mcp.cjs')) : undefined;

async function start(): Promise<void> {
  const { runCommand } = (compiled ?? (await import('./commands/run.ts'))) as typeof import('./commands/run.ts');
  process.exitCode = await runCommand(args);
}

void start();
