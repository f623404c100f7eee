import { createInterface } from 'node:readline';
import { ConfigError } from './config.ts';
import { canAsk, styled } from './output.ts';

const NOT_CONFIRMED = new ConfigError('Nothing is changed.');

/** Confirms an irreversible action. Asks only in a terminal, because a prompt would hang scripts. */
export async function confirm(question: string, flags: Readonly<Record<string, unknown>>): Promise<void> {
  if (flags['yes'] === true || !canAsk()) return;
  process.stderr.write(`${styled('yellow', question, process.stderr)} [y/N] `);
  // Without readline's own terminal mode, echo and Ctrl-C stay with the shell.
  const lines = createInterface({ input: process.stdin, terminal: false });
  for await (const answer of lines) {
    lines.close();
    if (/^\s*y(es)?\s*$/i.test(answer)) return;
    throw NOT_CONFIRMED;
  }
  // End of input leaves the cursor after the question.
  process.stderr.write('\n');
  throw NOT_CONFIRMED;
}
