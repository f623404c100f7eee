import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPacked, MIB_MAX, PACKAGES_MAX } from './packed.ts';

/** Tells how large an installation is; exit 1 when it is larger than it may be. */
const folder = mkdtempSync(join(tmpdir(), 'web3-bi-size-'));
const { packages, mib } = installPacked(folder);
rmSync(folder, { recursive: true });
console.log(`${packages} packages (at most ${PACKAGES_MAX}), ${mib.toFixed(1)} MiB (at most ${MIB_MAX})`);
if (packages > PACKAGES_MAX || mib > MIB_MAX) process.exitCode = 1;
