/** A value as typed in a POSIX shell. */
export const shellWord = (value: unknown): string =>
  /^[\w.,:/-]+$/.test(String(value)) ? String(value) : `'${String(value).replaceAll("'", `'\\''`)}'`;
