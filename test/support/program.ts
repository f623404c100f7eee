import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { runInProcess } from './in-process.ts';
import { keptRun, noteSecret, teeing } from './kept-run.ts';
import { V8_OPTIONS } from './v8-options.ts';

export const PROGRAM = join(import.meta.dirname, '..', '..', 'dist', 'main.js');

/** A temporary state folder of one test. */
export function temporaryFolder(): { path: string; remove(): unknown } {
  const kept = keptRun();
  const path = mkdtempSync(join(kept ?? tmpdir(), 'web3-bi-test-'));
  return { path, remove: () => kept === undefined && rmSync(path, { recursive: true, force: true }) };
}

/** Default state folder of started programs, instead of the user's. */
const STATE = temporaryFolder();
process.once('exit', STATE.remove);

/** The program as an installation links it, in a folder of the search path, where it is called web3-bi. */
const BIN = join(STATE.path, 'bin');
const INSTALLED = join(BIN, 'web3-bi');
mkdirSync(BIN);
symlinkSync(PROGRAM, INSTALLED);

/** The words that run a program on a version of Node. */
const commandOf = (node: string, program: string): readonly [string, ...string[]] =>
  node === process.execPath ? [node, ...V8_OPTIONS, program] : [node, program];

/** A minimal environment. */
export function bareEnvironment(more: Record<string, string> = {}): Record<string, string> {
  noteSecret(more['WEB3_BI_WALLET_KEY']);
  return { PATH: [BIN, process.env['PATH']].join(delimiter), XDG_STATE_HOME: STATE.path, ...teeing(), ...more };
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command of the built program in this process, where its modules are loaded once. It has an environment and streams of
 * its own, which are no terminal.
 */
export function runProgram(
  words: readonly string[],
  environment: Record<string, string> = {},
  input = '',
): Promise<Ended> {
  // What a process writes can be kept.
  if (keptRun() !== undefined) return runProcess(words, environment, input);
  return runInProcess(words, bareEnvironment(environment), input);
}

/** Runs the real program in a process of its own until it exits: for what is about a process, or another build of it. */
export function runProcess(
  words: readonly string[],
  environment: Record<string, string> = {},
  input = '',
  { program = INSTALLED, node = process.execPath } = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const [command, ...first] = commandOf(node, program);
    const env = bareEnvironment(environment);
    const child = execFile(command, [...first, ...words], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

/** Runs a command as runProgram does, with streams that say they are a terminal of so many columns. */
export async function runAsInTerminal(
  words: readonly string[],
  environment: Record<string, string> = {},
  typed = '',
  columns = 80,
): Promise<Omit<Ended, 'stderr'>> {
  if (keptRun() !== undefined) return runInTerminal(words, environment, typed, columns);
  const { code, stdout } = await runInProcess(
    words,
    bareEnvironment({ TERM: 'xterm', ...environment }),
    typed,
    columns,
  );
  return { code, stdout };
}

/**
 * Runs the real program in a terminal, where what it writes to stdout and stderr comes together with what
 * is typed. Ends of lines and colours are as a program gets them, without what moves the cursor.
 */
export function runInTerminal(
  words: readonly string[],
  environment: Record<string, string> = {},
  typed = '',
  columns = 80,
): Promise<Omit<Ended, 'stderr'>> {
  const quoted = [process.execPath, INSTALLED, ...words].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  return new Promise((resolve) => {
    const child = execFile(
      'script',
      ['--quiet', '--return', '--command', `stty cols ${columns}; ${quoted}`, '/dev/null'],
      { env: bareEnvironment({ TERM: 'xterm', ...environment }) },
      (error, stdout) => {
        const code = typeof error?.code === 'number' ? error.code : 0;
        resolve({ code, stdout: stdout.replaceAll('\r\n', '\n') });
      },
    );
    child.stdin?.end(typed);
  });
}

export interface Running {
  readonly url: string;
  /** The complete ready line. */
  readonly ready: Readonly<Record<string, unknown>>;
  readonly pid: number | undefined;
  /** Output on stderr so far. */
  readonly stderr: readonly string[];
  /** The exit code, or the signal that ended it. */
  readonly exited: Promise<number | string | null>;
  signal(name: NodeJS.Signals): void;
  stop(signal?: NodeJS.Signals): Promise<number | string | null>;
}

/** Starts a serving command and waits for its ready line. Shutdown has no delay, unless the environment sets one. */
export async function startProgram(
  words: readonly string[],
  environment: Record<string, string> = {},
  { program = PROGRAM, node = process.execPath } = {},
): Promise<Running> {
  const [command, ...first] = commandOf(node, program);
  const child = spawn(command, [...first, ...words], {
    env: bareEnvironment({ WEB3_BI_STOP_DELAY_MS: '0', ...environment }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stderr: string[] = [];
  child.stderr.on('data', (chunk) => stderr.push(String(chunk)));
  const exited = new Promise<number | string | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? code)),
  );
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk)));
    child.once('close', (code) => reject(new Error(`ended with ${code} before it was ready: ${stderr.join('')}`)));
  });
  const ready = JSON.parse(line) as { url: string };
  return {
    url: ready.url,
    ready,
    pid: child.pid,
    stderr,
    exited,
    signal: (name) => void child.kill(name),
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return exited;
    },
  };
}

/** Processes that a process has started. */
export function childrenOf(pid: number | undefined): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number));
  return pairs.filter(([, parent]) => parent === pid).map(([child = 0]) => child);
}

/** Whether there is a process of this id. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
