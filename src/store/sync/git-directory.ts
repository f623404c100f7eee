import { gunzipSync } from 'node:zlib';
import { attempt } from '../../contract/attempt.ts';
import { utcDay } from '../../contract/periods.ts';
import { type ConnectorPage, type ConnectorRequest, SyncError } from './connector.ts';

const BLOCK = 512;
const INVALID = 'responds with an invalid archive';
/** Of an unpacked archive; a compressed one may expand a thousandfold. */
const UNPACKED_BYTES_MAX = 512 * 1024 * 1024;

export interface TarFile {
  /** Path below the archive's top folder. */
  readonly path: string;
  readonly day: string;
  text(): string;
}

const textAt = (header: Buffer, from: number, length: number): string =>
  header.toString('utf8', from, from + length).replace(/\0.*$/s, '');

/** The files of a gzipped tar archive (ustar), as created by Git hosts. */
function* filesOf(archive: Buffer): Generator<TarFile> {
  const bytes = unpacked(archive);
  let longName: string | undefined;
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const header = bytes.subarray(at, at + BLOCK);
    const size = numberAt(header, 124);
    const content = bytes.subarray(at + BLOCK, at + BLOCK + size);
    const kind = String.fromCharCode(header[156] ?? 0);
    at += BLOCK * (1 + Math.ceil(size / BLOCK));
    // An overlong path precedes its file as a pax header.
    if (kind === 'x') longName = /\d+ path=(.*)\n/.exec(content.toString('utf8'))?.[1];
    if (kind !== '0' && kind !== '\0') continue;
    const [prefix, name] = [textAt(header, 345, 155), textAt(header, 0, 100)];
    const path = longName ?? (prefix === '' ? name : `${prefix}/${name}`);
    longName = undefined;
    if (path === '') continue;
    const day = utcDay(new Date(numberAt(header, 136) * 1_000));
    yield { path: path.slice(path.indexOf('/') + 1), day, text: () => content.toString('utf8') };
  }
}

const NUMBER_LENGTH = 12;

/** A size or time in octal digits. A negative size would read the same headers again without end. */
function numberAt(header: Buffer, from: number): number {
  const digits = textAt(header, from, NUMBER_LENGTH).trim();
  if (!/^[0-7]*$/.test(digits)) throw new SyncError(INVALID);
  return Number.parseInt(digits || '0', 8);
}

function unpacked(archive: Buffer): Buffer {
  try {
    return gunzipSync(archive, { maxOutputLength: UNPACKED_BYTES_MAX });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new SyncError(`sends an archive of more than ${UNPACKED_BYTES_MAX} unpacked bytes`, { cause });
    throw new SyncError(INVALID, { cause });
  }
}

interface Directory {
  readonly owner: string;
  readonly name: string;
  readonly branch: string;
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
  return attempt(() => JSON.parse(file.text()));
}
