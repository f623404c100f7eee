import { createHash } from 'node:crypto';
import type { Client, Person, Session, Sessions, SessionUse } from '../port/people.ts';
import { hashToken, newToken } from '../tokens.ts';
import type { Sqlite } from './database.ts';
import { createPeopleTable } from './people.ts';

const MINUTE_MS = 60_000;
const LIFE_MS = 7 * 24 * 60 * MINUTE_MS;
const IDLE_MS = 12 * 60 * MINUTE_MS;
/** A secret is replaced this often, so that a stolen one shows. */
const ROTATE_MS = 15 * MINUTE_MS;
/** How long the old secret still works: requests that were under way carry it. */
const GRACE_MS = MINUTE_MS;
/** Ended sessions are kept this long, so that who shows one is recognised. */
const KEEP_MS = 30 * 24 * 60 * MINUTE_MS;
const SWEEP_MAX = 100;

interface Row {
  readonly id: number;
  readonly person_id: number;
  readonly token_hash: Buffer;
  readonly form_token: string;
  readonly agent_hash: Buffer;
  readonly created_at: string;
  readonly used_at: string;
  readonly rotated_at: string;
  readonly ended_at: string | null;
}

export function createSessions(database: Sqlite, now: () => Date): Sessions {
  const people = createPeopleTable(database);
  const { byHash, insert, touch, rotate, end, signedIn, sweep } = prepare(database);

  const begin = database.transaction((personId: number, client: Client, token: string): Session => {
    const at = now();
    const moment = at.toISOString();
    sweep.run(new Date(at.getTime() - LIFE_MS - KEEP_MS).toISOString());
    signedIn.run(moment, personId);
    const { agent, address } = client;
    const given = { person: personId, hash: hashToken(token), formToken: newToken(), agent: agentHash(agent) };
    const row = insert.get({ ...given, address, moment }) as Row;
    return toSession(row, people.byId(personId) as Person);
  });

  /** What a secret leads to at this moment, and what is to be written because of it. */
  function examine(token: string, { agent, address }: Client): Examined {
    const hash = hashToken(token);
    const row = byHash.get(hash, hash);
    const person = row && people.byId(row.person_id);
    if (row === undefined || person === undefined) return { use: { state: 'unknown' } };
    const at = now();
    if (row.ended_at !== null) return { use: { state: 'ended', person } };
    if (since(row.created_at, at) > LIFE_MS || since(row.used_at, at) > IDLE_MS) {
      return { use: { state: 'expired', person } };
    }
    const isReplaced = !row.token_hash.equals(hash);
    const isLate = isReplaced && since(row.rotated_at, at) > GRACE_MS;
    if (isLate || !row.agent_hash.equals(agentHash(agent))) {
      return { use: { state: 'stolen', person }, write: () => void end.run(at.toISOString(), row.id) };
    }
    const session = toSession(row, person);
    if (!isReplaced && since(row.rotated_at, at) >= ROTATE_MS) {
      const next = newToken();
      const write = (): void => {
        rotate.run(hashToken(next), at.toISOString(), row.id);
        touch.run(at.toISOString(), address, row.id);
      };
      return { use: { state: 'open', session, token: next }, write };
    }
    const isOld = since(row.used_at, at) > MINUTE_MS;
    return {
      use: { state: 'open', session },
      ...(isOld && { write: () => void touch.run(at.toISOString(), address, row.id) }),
    };
  }

  const examineAndWrite = database.transaction((token: string, client: Client): SessionUse => {
    const { use, write } = examine(token, client);
    write?.();
    return use;
  });

  return {
    begin: async (personId, client) => {
      const token = newToken();
      return { token, session: begin.immediate(personId, client, token) };
    },
    use: async (token, client) => {
      // Most uses write nothing, and so need no lock.
      const { use, write } = examine(token, client);
      return write === undefined ? use : examineAndWrite.immediate(token, client);
    },
    endById: async (id) => void end.run(now().toISOString(), id),
  };
}

function prepare(database: Sqlite) {
  const byHash = database.prepare<[Buffer, Buffer], Row>(
    'SELECT * FROM sessions WHERE token_hash = ? UNION ALL SELECT * FROM sessions WHERE previous_hash = ? LIMIT 1',
  );
  const insert = database.prepare<[object], Row>(
    `INSERT INTO sessions (person_id, token_hash, form_token, agent_hash, address, created_at, used_at, rotated_at)
     VALUES (@person, @hash, @formToken, @agent, @address, @moment, @moment, @moment) RETURNING *`,
  );
  const touch = database.prepare('UPDATE sessions SET used_at = ?, address = ? WHERE id = ?');
  const rotate = database.prepare(
    'UPDATE sessions SET previous_hash = token_hash, token_hash = ?, rotated_at = ? WHERE id = ?',
  );
  const end = database.prepare('UPDATE sessions SET ended_at = coalesce(ended_at, ?) WHERE id = ?');
  const signedIn = database.prepare('UPDATE members SET last_sign_in_at = ? WHERE id = ?');
  const sweep = database.prepare(
    `DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE created_at < ? ORDER BY id LIMIT ${SWEEP_MAX})`,
  );
  return { byHash, insert, touch, rotate, end, signedIn, sweep };
}

/** A use, with the write that belongs to it. */
interface Examined {
  readonly use: SessionUse;
  readonly write?: () => void;
}

const since = (moment: string, at: Date): number => at.getTime() - new Date(moment).getTime();

/** A browser as it names itself; the text itself is not needed. */
const agentHash = (agent: string): Buffer => createHash('sha256').update(agent).digest();

const toSession = ({ id, form_token, created_at }: Row, person: Person): Session => ({
  id,
  person,
  formToken: form_token,
  created_at,
});
