import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { packageFolder } from './package.ts';

/**
 * Unpacks the prefilled database of the build if the file is missing, which is ten times faster than filling one. On
 * failure, nothing is left and the database is filled normally. With concurrent processes, one wins.
 */
export function copyPrebuiltDatabase(file: string): void {
  const prebuilt = join(packageFolder(), 'dist', 'shipped.db.br');
  // The leftover write-ahead log of a deleted database would be replayed into the new one.
  if (existsSync(file) || existsSync(`${file}-wal`) || !existsSync(prebuilt)) return;
  const copy = `${file}.${process.pid}.new`;
  try {
    writeFileSync(copy, brotliDecompressSync(readFileSync(prebuilt)));
    linkSync(copy, file);
  } catch {
    // Another process won, or linking failed; opening the database reports real problems.
  } finally {
    rmSync(copy, { force: true });
  }
}
