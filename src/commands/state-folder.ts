import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder for state where the platform wants it. */
export function stateFolder(environment: Readonly<Record<string, string | undefined>>): string {
  if (process.platform === 'win32')
    return join(environment['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'web3-bi');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'web3-bi');
  return join(environment['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'web3-bi');
}
