import { createHash } from 'node:crypto';
import type { AttemptLimit, Attempts, BrowserInfo, Member, Session, Sessions, SessionUse } from '../port/members.ts';
import { first, number, type Runner, run, type SqlProgram } from '../sql.ts';
import { hashToken, newToken } from '../tokens.ts';
import { memberTable } from './members.ts';

const MINUTE_MS = 60_000;
const LIFE_MS = 7 * 24 * 60 * MINUTE_MS;
const IDLE_MS = 12 * 60 * MINUTE_MS;
/** Interval of secret rotation, which reveals stolen secrets. */
const ROTATE_MS = 15 * MINUTE_MS;
/** Overlap after a rotation, for concurrent requests. */
const GRACE_MS = MINUTE_MS;
/** Ended sessions are kept this long to identify their later use. */
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

const BY_HASH = `SELECT * FROM sessions WHERE token_hash = ?
  UNION ALL SELECT * FROM sessions WHERE previous_hash = ? LIMIT 1`;
const INSERT = `INSERT INTO sessions (person_id, token_hash, form_token, agent_hash, address, created_at, used_at, rotated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`;
const TOUCH = 'UPDATE sessions SET used_at = ?, address = ? WHERE id = ?';
const ROTATE = 'UPDATE sessions SET previous_hash = token_hash, token_hash = ?, rotated_at = ? WHERE id = ?';
const END = 'UPDATE sessions SET ended_at = coalesce(ended_at, ?) WHERE id = ?';
const SWEEP = `DELETE FROM sessions WHERE id IN
  (SELECT id FROM sessions WHERE created_at < ? ORDER BY id LIMIT ${SWEEP_MAX})`;

export function createSessions({ query, transaction, transactionIfFree }: Runner, now: () => Date): Sessions {
  return {
    begin: async (memberId, client) => {
      const token = newToken();
      return { token, session: await transaction('members', begin(memberId, { token, client }, now())) };
    },
    use: async (token, client) => {
      // Most uses need no write and therefore no lock.
      const { use, change } = await query(examine(token, client, now()));
      if (change === undefined) return use;
      if (use.state !== 'open') return transaction('members', useAndWrite(token, client, now()));
      // Recording a use may be skipped; a rotated secret must be stored before it is returned.
      const { token: _, ...unchanged } = use;
      return (await transactionIfFree('members', useAndWrite(token, client, now()))) ?? unchanged;
    },
    endById: (id) => transaction('members', run(END, now().toISOString(), id)),
  };
}

interface NewSession {
  readonly token: string;
  readonly client: BrowserInfo;
}

function* begin(memberId: number, { token, client }: NewSession, at: Date): SqlProgram<Session> {
  const moment = at.toISOString();
  yield* run(SWEEP, new Date(at.getTime() - LIFE_MS - KEEP_MS).toISOString());
  yield* memberTable.signedIn(memberId, moment);
  const secrets = [hashToken(token), newToken(), agentHash(client.agent)];
  const row = yield* first<Row>(INSERT, memberId, ...secrets, client.address, moment, moment, moment);
  // Both exist: the session was just written, and it references the member.
  return toSession(row as Row, (yield* memberTable.byId(memberId)) as Member);
}

interface ExaminedSession {
  readonly use: SessionUse;
  readonly change?: () => SqlProgram<void>;
}

function* useAndWrite(token: string, client: BrowserInfo, at: Date): SqlProgram<SessionUse> {
  const { use, change } = yield* examine(token, client, at);
  if (change !== undefined) yield* change();
  return use;
}

/** Evaluates a session secret and determines the required write. */
function* examine(token: string, { agent, address }: BrowserInfo, at: Date): SqlProgram<ExaminedSession> {
  const hash = hashToken(token);
  const row = yield* first<Row>(BY_HASH, hash, hash);
  const member = row && (yield* memberTable.byId(row.person_id));
  if (row === undefined || member === undefined) return { use: { state: 'unknown' } };
  const moment = at.toISOString();
  if (row.ended_at !== null) return { use: { state: 'ended', member } };
  if (since(row.created_at, at) > LIFE_MS || since(row.used_at, at) > IDLE_MS)
    return { use: { state: 'expired', member } };
  const isReplaced = !row.token_hash.equals(hash);
  const isLate = isReplaced && since(row.rotated_at, at) > GRACE_MS;
  if (isLate || !row.agent_hash.equals(agentHash(agent)))
    return { use: { state: 'stolen', member }, change: () => run(END, moment, row.id) };
  const session = toSession(row, member);
  const touch = (): SqlProgram<void> => run(TOUCH, moment, address, row.id);
  if (!isReplaced && since(row.rotated_at, at) >= ROTATE_MS) {
    const next = newToken();
    const change = function* rotate(): SqlProgram<void> {
      yield* run(ROTATE, hashToken(next), moment, row.id);
      yield* touch();
    };
    return { use: { state: 'open', session, token: next }, change };
  }
  const isOld = since(row.used_at, at) > MINUTE_MS;
  return { use: { state: 'open', session }, ...(isOld && { change: touch }) };
}

const since = (moment: string, at: Date): number => at.getTime() - new Date(moment).getTime();

/** Hash of the user agent; the text is not needed. */
const agentHash = (agent: string): Buffer => createHash('sha256').update(agent).digest();

const toSession = ({ id, form_token, created_at }: Row, member: Member): Session => ({
  id,
  member,
  formToken: form_token,
  created_at,
});

/** Expired windows deleted with each new one. */
const ATTEMPTS_SWEPT_MAX = 100;

const COUNT = `INSERT INTO attempts (subject, began_at, ends_at, tries) VALUES (?, ?, ?, 1)
  ON CONFLICT (subject) DO UPDATE SET
    tries = CASE WHEN attempts.ends_at <= excluded.began_at THEN 1 ELSE attempts.tries + 1 END,
    began_at = CASE WHEN attempts.ends_at <= excluded.began_at THEN excluded.began_at ELSE attempts.began_at END,
    ends_at = CASE WHEN attempts.ends_at <= excluded.began_at THEN excluded.ends_at ELSE attempts.ends_at END
  RETURNING tries`;
const SWEEP_ATTEMPTS = `DELETE FROM attempts WHERE subject IN (SELECT subject FROM attempts WHERE ends_at <= ? LIMIT ${ATTEMPTS_SWEPT_MAX})`;

export function createAttempts({ transaction }: Runner, now: () => Date): Attempts {
  return {
    take: (limits) => transaction('members', take(limits, now().getTime())),
    forget: (subject) => transaction('rows', run('DELETE FROM attempts WHERE subject = ?', subject)),
  };
}

function* take(limits: readonly AttemptLimit[], at: number): SqlProgram<Awaited<ReturnType<Attempts['take']>>> {
  yield* run(SWEEP_ATTEMPTS, at);
  for (const { subject, max, windowMs } of limits) {
    const tries = yield* number(COUNT, subject, at, at + windowMs);
    if (tries > max) return { subject, isFirst: tries === max + 1 };
  }
  return undefined;
}
