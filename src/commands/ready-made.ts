import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { packageFolder } from './package.ts';

/**
 * Unpacks the database that the build has filled with the shipped data where there is none yet: filling one takes
 * seconds, unpacking a tenth of one. Where that cannot be done, nothing is there still, and it is filled as any other. Of several processes at once
 * one puts it there.
 */
export function placeReadyMade(file: string): void {
  const readyMade = join(packageFolder(), 'dist', 'shipped.db.br');
  // What a database that is gone has left in its log would be taken for changes of the new one.
  if (existsSync(file) || existsSync(`${file}-wal`) || !existsSync(readyMade)) return;
  const copy = `${file}.${process.pid}.new`;
  try {
    writeFileSync(copy, brotliDecompressSync(readFileSync(readyMade)));
    linkSync(copy, file);
  } catch {
    // Another process was first, or the file system has no links, or no space: opening the database says so.
  } finally {
    rmSync(copy, { force: true });
  }
}
