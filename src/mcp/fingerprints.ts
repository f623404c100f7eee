import { createHash } from 'node:crypto';

/** A tool as it is listed. */
export interface Definition {
  readonly name: string;
  readonly [part: string]: unknown;
}

/**
 * The SHA-256 of each definition of a tool, in hexadecimal, by its name: of its JSON with the keys of every object in order and
 * without spaces, so that a host can compute it from what it was listed, and see whether a tool is still what a person agreed to.
 */
export const fingerprintsOf = (definitions: readonly Definition[]): Record<string, string> =>
  Object.fromEntries(
    definitions.map((definition) => [
      definition.name,
      createHash('sha256')
        .update(JSON.stringify(ordered(definition)))
        .digest('hex'),
    ]),
  );

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, ordered(each)] as const);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}
