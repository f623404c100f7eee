import { createInterface } from 'node:readline';
import { ConfigError } from './config.ts';
import { canAsk, styled } from './terminal.ts';

const NOT_CONFIRMED = new ConfigError('Nothing is changed.');

/** A yes to what cannot be undone. Only a person at a terminal is asked: scripts mean what they say. */
export async function confirm(question: string, flags: Readonly<Record<string, unknown>>): Promise<void> {
  if (flags['yes'] === true || !canAsk()) return;
  process.stderr.write(`${styled('yellow', question, process.stderr)} [y/N] `);
  // Without a terminal of its own the shell's keeps echo and Ctrl-C as they are.
  const lines = createInterface({ input: process.stdin, terminal: false });
  for await (const answer of lines) {
    lines.close();
    if (/^\s*y(es)?\s*$/i.test(answer)) return;
    throw NOT_CONFIRMED;
  }
  // The input has ended, and the cursor stands behind the question.
  process.stderr.write('\n');
  throw NOT_CONFIRMED;
}
