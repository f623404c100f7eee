import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';

/** From here on better-sqlite3 is one Node-API binding for every version of Node. Loading it into an older one ends the process. */
const NODE_API_MAJOR = 22;
/** What a checkout on an older Node has instead: better-sqlite3 12, compiled for that Node (build.ts). */
const OLDER_BINDING = 'better-sqlite3-node-20';

export type Sqlite = BetterSqlite3.Database;

/**
 * Opens a connection to an SQLite file (or `:memory:`), with the binding that fits the running Node.
 * @throws Error that names the Node to install, where no binding fits the running one; SqliteError as better-sqlite3 does
 */
export function openSqlite(path: string, options?: BetterSqlite3.Options): Sqlite {
  const Database = loadBinding(Number.parseInt(process.versions.node, 10));
  return new Database(path, options);
}

function loadBinding(nodeMajor: number): typeof BetterSqlite3 {
  const require = createRequire(import.meta.url);
  if (nodeMajor >= NODE_API_MAJOR) return require('better-sqlite3');
  try {
    return require(OLDER_BINDING);
  } catch (cause) {
    const wanted = `web3-bi needs Node ${NODE_API_MAJOR} or newer; this is Node ${process.versions.node}.`;
    throw new Error(wanted, { cause });
  }
}
