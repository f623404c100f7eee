import { ServiceError } from '../../contract/errors.ts';

const BINDING = 'better-sqlite3';
const REINSTALL =
  `run npm rebuild ${BINDING} --ignore-scripts=false in the folder where web3-bi-mcp is installed, ` +
  'or install it again with the Node.js that runs it';

/**
 * Does what loads the native binding of SQLite. When the binding is missing or of another Node.js or platform, the error
 * is `unavailable` with a remedy: nothing that is tried again can work before it is installed.
 */
export function loadingBinding<Result>(load: () => Result): Result {
  try {
    const loaded = load();
    return loaded instanceof Promise ? (loaded.catch(refuse) as Result) : loaded;
  } catch (error) {
    return refuse(error);
  }
}

function refuse(error: unknown): never {
  const fault = faultOf(error as NodeJS.ErrnoException);
  if (fault === undefined) throw error;
  throw new ServiceError('unavailable', `SQLite cannot be loaded: ${fault}`, { cause: error, remedy: REINSTALL });
}

function faultOf({ code, message }: NodeJS.ErrnoException): string | undefined {
  const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  if (isMissing && message.includes(BINDING)) return `the package ${BINDING} is not installed`;
  if (message.startsWith('Could not locate the bindings file'))
    return `the binding of ${BINDING} is missing, because its install script did not run`;
  if (code !== 'ERR_DLOPEN_FAILED') return undefined;
  const { version, platform, arch } = process;
  return `the binding of ${BINDING} is not for Node.js ${version} on ${platform}-${arch}`;
}
