import { AsyncLocalStorage } from 'node:async_hooks';
import { getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { runCommand } from '../../src/commands/run.ts';
import type { Ended } from './program.ts';

/** What a command uses of its process. */
const NAMES = ['env', 'stdin', 'stdout', 'stderr'] as const;
type Globals = Pick<NodeJS.Process, (typeof NAMES)[number]>;

// A run has its own, also of runs that overlap; all else has those of this process.
const runs = new AsyncLocalStorage<Globals>();
for (const name of NAMES) {
  const { get, value } = Object.getOwnPropertyDescriptor(process, name) ?? {};
  const own = get ?? (() => value);
  const ofRun = () => runs.getStore()?.[name] ?? own.call(process);
  Object.defineProperty(process, name, { configurable: true, enumerable: true, get: ofRun });
}

const COMMANDS = pathToFileURL(join(import.meta.dirname, '..', '..', 'dist', 'commands', 'run.mjs')).href;

/**
 * Runs a command of the build in this process. Fails if it leaves what would keep its own process from ending.
 * @param columns width of the terminal that its streams are, which shows both outputs as one; without it they are pipes
 */
export async function runInProcess(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  input: string,
  columns?: number,
): Promise<Ended> {
  const program = (await import(/* @vite-ignore */ COMMANDS)) as { runCommand: typeof runCommand };
  const stdout = createSink();
  const stderr = columns === undefined ? createSink() : stdout;
  const stdin = Readable.from([Buffer.from(input)], { objectMode: false });
  if (columns !== undefined)
    for (const stream of [stdin, stdout.stream]) Object.assign(stream, { isTTY: true, columns });
  const globals = { env: { ...env }, stdin, stdout: stdout.stream, stderr: stderr.stream } as unknown as Globals;
  begin();
  try {
    const code = await runs.run(globals, () => program.runCommand(words));
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    await end(words);
  }
}

function createSink() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}

/** Without connections and children, because those of tests look alike. */
const RESOURCES = ['Timeout', 'Immediate', 'TCPServerWrap', 'MessagePort', 'FSReqCallback', 'FSReqPromise'];
const EVENTS = ['SIGINT', 'SIGTERM', 'exit', 'message', 'disconnect'];
/** Turns of the event loop in which threads and files come to be closed. */
const TURNS_MAX = 10_000;

let underWay = 0;
let before = { held: new Map<string, number>(), priority: 0 };

function begin(): void {
  if (underWay === 0) before = { held: countHeld(), priority: getPriority() };
  underWay += 1;
}

async function end(words: readonly string[]): Promise<void> {
  underWay -= 1;
  // Only a privileged user may raise what an import has lowered.
  if (process.getuid?.() === 0) setPriority(before.priority);
  for (let turns = 0; underWay === 0; turns += 1) {
    const left = [...countHeld()].filter(([name, count]) => count > (before.held.get(name) ?? 0));
    if (left.length === 0) return;
    if (turns === TURNS_MAX) throw new Error(`web3-bi ${words.join(' ')} has left ${left.join('; ')}`);
    await turn();
  }
}

/** What keeps this process running, and who listens to its events. */
function countHeld(): Map<string, number> {
  const counts = new Map(EVENTS.map((name) => [name, process.listenerCount(name)]));
  for (const name of process.getActiveResourcesInfo().filter((each) => RESOURCES.includes(each)))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
