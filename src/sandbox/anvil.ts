import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { ServiceError } from '../contract/errors.ts';

const PACKAGE = '@foundry-rs/anvil';
const IS_WINDOWS = process.platform === 'win32';
const BINARY = IS_WINDOWS ? 'anvil.exe' : 'anvil';
const START_TIMEOUT_MS = 20_000;

/** Names of platforms in the package names. */
const PLATFORMS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'darwin', linux: 'linux', win32: 'win32' };
const ARCHITECTURES: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * Finds anvil in the dependencies, in a global package, or on the search path.
 * @param searchPath folders as in PATH
 */
export function findAnvil(searchPath: string): string {
  const folders = searchPath.split(delimiter).filter((folder) => folder !== '');
  const found =
    binaryOfPackage(import.meta.url) ?? folders.map(anvilIn).find((binary): binary is string => binary !== undefined);
  if (found !== undefined) return found;
  throw new ServiceError(
    'unavailable',
    `The sandbox runs its chain with anvil, which is not installed; install it with: npm i -g ${PACKAGE}`,
  );
}

/** The binary of the package; its bin script is a Node process that would leave the chain running when killed. */
function binaryOfPackage(file: string): string | undefined {
  try {
    const shim = createRequire(file).resolve(`${PACKAGE}/bin.mjs`);
    const platform = `${PLATFORMS[process.platform]}-${ARCHITECTURES[process.arch]}`;
    return createRequire(shim).resolve(`${PACKAGE}-${platform}/bin/${BINARY}`);
  } catch {
    return undefined;
  }
}

function anvilIn(folder: string): string | undefined {
  // npm's global folder contains packages on Windows, and links elsewhere.
  if (IS_WINDOWS) {
    const installed = binaryOfPackage(join(folder, 'node_modules', PACKAGE, 'bin.mjs'));
    if (installed !== undefined) return installed;
  }
  try {
    const file = realpathSync(join(folder, BINARY));
    if (file.endsWith('.mjs')) return binaryOfPackage(file);
    accessSync(file, constants.X_OK);
    return file;
  } catch {
    return undefined;
  }
}

/** Starts an empty chain on a free loopback port. */
export async function startAnvil(binary: string, chainId: number) {
  // Without these, anvil persists old states in the user's home.
  const words = ['--host', '127.0.0.1', '--port', '0', '--accounts', '0', '--max-persisted-states', '0'];
  // A process group of its own: Ctrl-C signals only this process, which stops the chain last.
  const child = spawn(binary, [...words, '--chain-id', String(chainId)], { detached: !IS_WINDOWS });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${await portOf(child)}`;
  const watchdog = IS_WINDOWS ? undefined : startWatchdog(child.pid);
  child.once('exit', () => watchdog?.kill('SIGKILL'));
  const close = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
    if (watchdog !== undefined && watchdog.exitCode === null && watchdog.signalCode === null)
      await once(watchdog, 'exit');
  };
  try {
    await silence(url);
  } catch (error) {
    await close();
    throw error;
  }
  return { url, close };
}

/** Turns the log off once the port is known, because each line would wake this process. */
async function silence(url: string): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setLoggingEnabled', params: [false] });
  const headers = { 'Content-Type': 'application/json' };
  await fetch(url, { method: 'POST', headers, body }).then((response) => response.text());
}

/** Reads the port from anvil's output, and keeps draining the pipe, because a full one would block anvil. */
async function portOf(child: ChildProcess): Promise<string> {
  let output = '';
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<string>((resolve, reject) => {
      const fail = (reason: string): void =>
        reject(new ServiceError('unavailable', 'anvil could not start.', { cause: new Error(reason) }));
      timer = setTimeout(() => fail('it does not say where it listens'), START_TIMEOUT_MS);
      child.once('error', ({ message }) => fail(message));
      child.once('exit', (code) => fail(`it ended with ${code}: ${output.trim()}`));
      const listen = (chunk: Buffer): void => {
        output += chunk;
        const port = /Listening on \S+:(\d+)/.exec(output)?.[1];
        if (port !== undefined) resolve(port);
      };
      child.stdout?.on('data', listen);
      child.stderr?.on('data', listen);
    });
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    clearTimeout(timer);
    for (const stream of [child.stdout, child.stderr]) stream?.removeAllListeners('data').resume();
  }
}

/** Ends the chain when this process dies without cleaning up: its end of the pipe is then closed. */
function startWatchdog(pid: number | undefined): ChildProcess {
  return spawn('/bin/sh', ['-c', 'read -r _; kill "$1"', 'sh', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}
