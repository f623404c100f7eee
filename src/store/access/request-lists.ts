import { type RequestEntry, type RequestQuery, STATUS_CLASSES } from '../port/request-log.ts';
import { all, type SqlProgram, type Value } from '../sql/program.ts';

const COLUMNS = `requests.id, requests.at, key_id, keys.name AS key_name, request_id, method, route, status, ms, code,
  requests.address`;

/** Requests of an account by its number, the newest first. */
export function listRequests(accountId: number, query: Omit<RequestQuery, 'account'>): SqlProgram<RequestEntry[]> {
  const { before, limit } = query;
  const parts = partsOf(accountId, query).map(({ where, parameters }) => ({
    sql: `SELECT * FROM (SELECT * FROM requests WHERE ${where}${before === undefined ? '' : ' AND id < ?'}
      ORDER BY id DESC LIMIT ?) AS part`,
    parameters: [...parameters, ...(before === undefined ? [] : [before]), limit],
  }));
  const sql = `SELECT ${COLUMNS} FROM (${parts.map((part) => part.sql).join(' UNION ALL ')}) AS requests
    JOIN keys ON keys.id = key_id ORDER BY requests.id DESC LIMIT ?`;
  return all<RequestEntry>(sql, ...parts.flatMap(({ parameters }) => parameters), limit);
}

interface Part {
  readonly where: string;
  readonly parameters: readonly Value[];
}

/** A list is put together of one list per class, each read from an index: so none reads more rows than it shows. */
function partsOf(accountId: number, { keyId, requestId, statusClass }: Omit<RequestQuery, 'account'>): Part[] {
  if (requestId !== undefined) {
    return [{ where: 'request_id = ? AND account_id = ?', parameters: [requestId, accountId] }];
  }
  const classes = statusClass === undefined ? STATUS_CLASSES : [statusClass];
  return classes.map((one) =>
    keyId === undefined
      ? { where: `account_id = ? AND class = ${one}`, parameters: [accountId] }
      : { where: `key_id = ? AND account_id = ? AND class = ${one}`, parameters: [keyId, accountId] },
  );
}
