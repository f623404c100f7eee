/** What SQLite says when its file, disk or lock fails, not the statement. Longer codes begin with these. */
const FAULTS = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|READONLY|CORRUPT|NOTADB|CANTOPEN|PROTOCOL|NOMEM)(_|$)/;

export function isSqliteFault(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && FAULTS.test(code);
}
