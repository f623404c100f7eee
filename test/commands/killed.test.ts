import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { openSqlite } from '../../src/store/sqlite/driver.ts';
import { isLong } from '../support/length.ts';
import { type Running, runProgram, startProgram, temporaryFolder } from '../support/program.ts';

const CHANGES = isLong ? 500 : 75;
const KILLS = isLong ? 20 : 3;
const WRITERS = 4;

const folder = temporaryFolder();
const file = join(folder.path, 'killed.db');
const environment = { WEB3_BI_STATE_DIR: folder.path, WEB3_BI_DATA: 'none', WEB3_BI_BURST_PER_SECOND: '0' };
const database = ['--database', `sqlite:${file}`];

/** The service in a process of its own, which is killed and started again on one port. */
interface Killable {
  /** Sends a request until it is answered, across restarts of the process. */
  ask(method: string, path: string, given?: Sent): Promise<{ status: number; body: any }>;
  kills: number;
  stop(): Promise<void>;
}

interface Sent {
  readonly body?: object;
  readonly once?: string;
}

async function startKillable(key: string): Promise<Killable> {
  let running: Promise<Running> = startProgram(['serve', '--port', '0', ...database], environment);
  let answered = 0;
  // At most so many answers between two kills that all kills happen within the changes.
  const killAfter = () => answered + randomInt(5, CHANGES / KILLS);
  let next = killAfter();

  const killable: Killable = {
    kills: 0,
    ask: async (method, path, given = {}) => {
      for (;;) {
        const { url } = await running;
        const answer = await send(url, key, { method, path, ...given });
        if (answer === undefined) continue;
        answered += 1;
        if (answered >= next && killable.kills < KILLS) {
          killable.kills += 1;
          next = killAfter();
          // Others are in the middle of a change at this moment.
          running = running.then(async (program) => {
            await program.stop('SIGKILL');
            return startProgram(['serve', '--port', '0', ...database], environment);
          });
        }
        return answer;
      }
    },
    stop: async () => {
      await (await running).stop();
    },
  };
  return killable;
}

type Request = Sent & { readonly method: string; readonly path: string };

/** The answer, or undefined when there was none. */
async function send(url: string, key: string, { method, path, body, once }: Request) {
  try {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        ...(once === undefined ? {} : { 'Idempotency-Key': once }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as any };
  } catch {
    return undefined;
  }
}

/** A record as its writer left it. */
interface Written {
  readonly id: number;
  readonly slug: string;
  readonly tagline: string | null;
  readonly isDeleted: boolean;
}

/** Creates, changes and deletes records one after another, each change until it is answered. */
async function write(service: Killable, { name, changes }: { name: string; changes: number }): Promise<Written[]> {
  const records: Written[] = [];
  for (let left = changes; left > 0; ) {
    const title = `${name} ${records.length}`;
    const body = { name: title, slug: title.replace(' ', '-'), tags: ['Killed', name] };
    const created = await service.ask('POST', '/companies', { body, once: body.slug });
    expect(created.status).toBe(201);
    const { id, slug } = created.body.data;
    left -= 1;
    let tagline: string | null = null;
    if (left > 0) {
      tagline = `of ${title}`;
      expect((await service.ask('PATCH', `/companies/${slug}`, { body: { tagline } })).status).toBe(200);
      left -= 1;
    }
    const isDeleted = left > 0 && records.length % 3 === 0;
    if (isDeleted) {
      // Sent again after a deletion whose answer was lost, there is nothing left to delete.
      expect([200, 404]).toContain((await service.ask('DELETE', `/companies/${slug}`)).status);
      left -= 1;
    }
    records.push({ id, slug, tagline, isDeleted });
  }
  return records;
}

let key = '';
beforeAll(async () => {
  const made = await runProgram(
    ['key', 'create', '--account', 'writer', '--plan', 'enterprise', '--name', 'w', '--level', 'delete', ...database],
    environment,
  );
  key = made.stdout.trim();
});
afterAll(() => folder.remove());

describe('web3-bi serve, killed while it changes records', () => {
  test(`has each of ${CHANGES} answered changes once, and none half, after ${KILLS} kills`, async () => {
    const service = await startKillable(key);
    const names = Array.from({ length: WRITERS }, (_, index) => `Writer${index}`.toLowerCase());
    const written = await Promise.all(names.map((name) => write(service, { name, changes: CHANGES / WRITERS })));
    await service.stop();
    expect(service.kills).toBe(KILLS);

    const plain = openSqlite(file);
    expect(plain.pragma('integrity_check', { simple: true })).toBe('ok');
    plain.close();
    const store = await openStore(`sqlite:${file}`);
    const live = written.flat().filter(({ isDeleted }) => !isDeleted);
    for (const { id, slug, tagline, isDeleted } of written.flat()) {
      const found = await store.records.get('companies', slug);
      const shown = found && (JSON.parse(found.json) as { tagline: string | null });
      expect([slug, found?.id, shown?.tagline]).toEqual([
        slug,
        isDeleted ? undefined : id,
        isDeleted ? undefined : tagline,
      ]);
      const log = await store.audit.list({ type: 'companies', id, limit: 10 });
      const done = ['create', ...(tagline === null ? [] : ['merge']), ...(isDeleted ? ['delete'] : [])];
      expect([slug, log.map(({ action }) => action)]).toEqual([slug, done.reverse()]);
      // The index has it exactly when the record is there.
      const ofName = await store.records.search({ types: ['companies'], text: slug, window: { offset: 0, limit: 1 } });
      const [first] = ofName.results.map((json) => (JSON.parse(json) as { slug: string }).slug);
      expect(first === slug).toBe(!isDeleted);
    }
    const all = await store.records.search({ types: ['companies'], text: '', window: { offset: 0, limit: 1 } });
    expect(all.total).toBe(live.length);
    // What was answered was counted.
    const [counted] = await store.keys.list('writer');
    expect(counted?.requests_this_month).toBeGreaterThanOrEqual(CHANGES);
    await store.close();
  }, 300_000);
});
