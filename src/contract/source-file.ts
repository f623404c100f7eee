/** A file of a public repository, as a source names it: github.com/OWNER/NAME@COMMIT:PATH. */
export interface SourceFile {
  readonly repository: string;
  readonly path: string;
  /** Where it can be read as it was then. */
  readonly url: string;
}

const FILE_AT_COMMIT = /^github\.com\/([\w.-]+\/[\w.-]+)@([\da-f]{7,40}):(\S+)/;

/** The file that a source is; undefined for any other source. */
export function sourceFile(source: string): SourceFile | undefined {
  const [, repository, commit, path] = FILE_AT_COMMIT.exec(source) ?? [];
  if (repository === undefined || path === undefined) return undefined;
  return { repository, path, url: `https://github.com/${repository}/blob/${commit}/${path}` };
}
