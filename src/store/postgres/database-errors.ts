/**
 * What PostgreSQL says when it is away, stopping, out of something, or locked for too long: by SQLSTATE, of which the
 * first two characters are the class. A prepared statement that is missing, or there already, is of another connection of a
 * pooler that has come in between.
 */
const STATES = /^(08|53|57|58|XX00[12]|25006|26000|40001|40P01|42P05|55P03|3D000|28)/;
/** What the system says of a connection. */
const CONNECTION = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_|ENOENT|EACCES|EADDR)/;
/** What the client says without a code. */
const SAID =
  /^(Connection terminated|timeout e|Query read timeout|Client (has encountered|was closed)|The server does not)/;

export function isPostgresFault(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return STATES.test(code) || CONNECTION.test(code);
  return typeof message === 'string' && SAID.test(message);
}
