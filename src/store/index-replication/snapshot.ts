import { createHmac, timingSafeEqual } from 'node:crypto';
import { copyFileSync, createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { ServiceError } from '../../contract/errors.ts';
import { storedPepper } from '../access/keys.ts';
import type { SqlProgram } from '../sql.ts';
import { copyPages } from '../sqlite/backup.ts';

/** Path at which an instance serves copies of its index to other machines. */
export const SNAPSHOT_PATH = '/index-snapshot';

/** Validity of a ticket: clock skew plus the duration of a request. */
const TICKET_MS = 5 * 60_000;

/** A ticket for a copy: an HMAC with the database's secret, whose holder could read the records anyway. */
export function* newTicket(): SqlProgram<string> {
  return ticketOf((yield* storedPepper()) ?? '', Date.now());
}

/** Whether a ticket is of this database and recent. */
export function* acceptsTicket(ticket: string): SqlProgram<boolean> {
  const at = Number(ticket.slice(0, ticket.indexOf('.')));
  if (!Number.isSafeInteger(at) || Math.abs(Date.now() - at) > TICKET_MS) return false;
  const pepper = yield* storedPepper();
  if (pepper === undefined) return false;
  const [actual, expected] = [Buffer.from(ticket), Buffer.from(ticketOf(pepper, at))];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

const ticketOf = (pepper: string, at: number): string =>
  `${at}.${createHmac('sha256', pepper).update(`index snapshot ${at}`).digest('base64url')}`;

/** Serves copies of an index file, one at a time, because each needs as much disk space as the file. */
export function createSnapshotReader(): { readCopy(file: string): Promise<Readable> } {
  let isCopying = false;
  return {
    async readCopy(from) {
      if (isCopying) throw new ServiceError('unavailable', 'Another copy is in progress; retry later.');
      isCopying = true;
      const folder = mkdtempSync(join(tmpdir(), 'web3-bi-snapshot-'));
      const end = (): void => {
        isCopying = false;
        rmSync(folder, { recursive: true, force: true });
      };
      try {
        const file = join(folder, 'index.db');
        await copyPages(from, file);
        return createReadStream(file).once('close', end);
      } catch (error) {
        end();
        throw error;
      }
    },
  };
}

/**
 * Fetches a snapshot into a new file.
 * @param from a file of `web3-bi index snapshot`, or the URL of an instance of the same database
 * @throws if there is no snapshot, or the signal aborts
 */
export async function fetchSnapshot(
  from: string,
  file: string,
  { ticket, signal }: { readonly ticket: () => Promise<string>; readonly signal: AbortSignal },
): Promise<void> {
  if (!/^https?:/i.test(from)) {
    copyFileSync(from, file);
    return;
  }
  const headers = { Authorization: `Bearer ${await ticket()}` };
  const { ok, status, body } = await fetch(new URL(SNAPSHOT_PATH, from), { headers, redirect: 'error', signal });
  if (!ok || body === null) throw new Error(`${from} serves no index snapshot: status ${status}`);
  await pipeline(Readable.fromWeb(body as ReadableStream), createWriteStream(file, { flags: 'wx', mode: 0o600 }), {
    signal,
  });
}
