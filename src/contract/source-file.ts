/** A file of a public repository, parsed from a source such as github.com/OWNER/NAME@COMMIT:PATH. */
interface SourceFile {
  readonly repository: string;
  readonly path: string;
  /** Permanent link to the file at that commit. */
  readonly url: string;
}

const FILE_AT_COMMIT = /^github\.com\/([\w.-]+\/[\w.-]+)@([\da-f]{7,40}):(\S+)/;

/** Parses a source as a repository file. Undefined for any other source. */
export function sourceFile(source: string): SourceFile | undefined {
  const [, repository, commit, path] = FILE_AT_COMMIT.exec(source) ?? [];
  if (repository === undefined || path === undefined) return undefined;
  return { repository, path, url: `https://github.com/${repository}/blob/${commit}/${path}` };
}
