#!/usr/bin/env node
import { join } from 'node:path';
import { loadCompiled } from './commands/compiled.ts';

const args = process.argv.slice(2);

// Hosts wait for this command each time they start, so the build has it in one file that is compiled beforehand.
const compiled = args[0] === 'mcp' ? loadCompiled(join(import.meta.dirname, 'mcp.cjs')) : undefined;

async function start(): Promise<void> {
  const { runCommand } = (compiled ?? (await import('./commands/run.ts'))) as typeof import('./commands/run.ts');
  process.exitCode = await runCommand(args);
}

void start();
