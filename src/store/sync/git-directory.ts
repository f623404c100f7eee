import type { ConnectorPage, ConnectorRequest } from './connector.ts';
import { filesOf, type TarFile } from './tarball.ts';

interface Directory {
  readonly owner: string;
  readonly name: string;
  readonly branch: string;
  /** Paths of entries. */
  readonly path: RegExp;
  /** Parses a file: null if it has no entry, undefined if it is malformed. */
  readonly read: (file: TarFile) => unknown;
}

const GIT_HOSTS = ['codeload.github.com'] as const;

/** Common properties of connectors to a directory on GitHub: one conditional request for the branch's archive. */
export function gitDirectory({ owner, name, branch, path, read }: Directory) {
  const repository = `github.com/${owner}/${name}`;
  return {
    origin: repository,
    terms: `https://${repository}`,
    hosts: GIT_HOSTS,
    rate: { perSecond: 1 },
    isRestricted: false,
    async *pages({ get }: ConnectorRequest): AsyncGenerator<ConnectorPage> {
      const archive = await get(`https://codeload.github.com/${owner}/${name}/tar.gz/refs/heads/${branch}`);
      if (archive === null) return;
      yield { entries: entriesOf(archive.body), cursor: null };
    },
  };

  function* entriesOf(archive: Buffer) {
    for (const file of filesOf(archive)) {
      if (!path.test(file.path)) continue;
      yield { value: { path: file.path, content: read(file) }, url: `${repository}:${file.path}`, day: file.day };
    }
  }
}

/** A file's JSON; undefined if malformed, which fails the schema. */
export function jsonOf(file: TarFile): unknown {
  try {
    return JSON.parse(file.text());
  } catch {
    return undefined;
  }
}
