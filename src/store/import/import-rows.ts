import type { RecordType } from '../../contract/entities/index.ts';
import { type ImportTarget, importTargets } from '../../contract/import-names.ts';
import { foldName } from '../../contract/names.ts';
import { completeFields, type Parts } from './complete.ts';
import { type FieldReader, fieldReaders } from './fields.ts';
import type { Note } from './references.ts';
import { isEmpty } from './values.ts';

/** A parsed row with fields under their record names. */
export interface ReadRow {
  readonly fields: Record<string, unknown>;
  /** The id used by the exporter. */
  readonly id: unknown;
}

/** Bounds the cache; a garbage file could have new names in every row. */
const NAMES_KNOWN_MAX = 10_000;
/** Free text, so placeholder words such as "none" are valid values. */
const NEVER_EMPTY_WORDS = new Set(['name', 'slug']);

/** Creates the row parser of a type. It maps names and values leniently; the store validates. */
export function createRowReader(type: RecordType, isText: boolean): (value: object, note: Note) => ReadRow {
  const readers = fieldReaders(type, isText);
  const targetOf = createTargets(type);
  return (value, note) => {
    const fields: Record<string, unknown> = {};
    const parts: Parts = {};
    const own = new Set<string>();
    for (const [name, content] of Object.entries(value)) {
      const target = targetOf(name);
      if (target === undefined) note(name);
      else if (isSaid(target, content) && (target.isOwn || fields[target.to] === undefined) && !own.has(target.to)) {
        if (target.isOwn) own.add(target.to);
        place(target, content, { fields, parts, readers, note });
      }
    }
    completeFields(type, fields, parts, note);
    return { fields, id: parts.id };
  };
}

function createTargets(type: RecordType): (name: string) => ImportTarget | undefined {
  const targets = importTargets(type);
  const known = new Map<string, ImportTarget | undefined>();
  return (name) => {
    if (known.has(name)) return known.get(name);
    const target = targets.get(foldName(name));
    if (known.size < NAMES_KNOWN_MAX) known.set(name, target);
    return target;
  };
}

function isSaid({ to }: ImportTarget, content: unknown): boolean {
  return NEVER_EMPTY_WORDS.has(to) ? content !== null && content !== undefined && content !== '' : !isEmpty(content);
}

interface Place {
  readonly fields: Record<string, unknown>;
  readonly parts: Parts;
  readonly readers: ReadonlyMap<string, FieldReader>;
  readonly note: Note;
}

function place({ to }: ImportTarget, content: unknown, { fields, parts, readers, note }: Place): void {
  const read = readers.get(to);
  if (read === undefined) {
    parts[to as keyof Parts] ??= content;
    return;
  }
  const value = read(content, note);
  if (value !== undefined) fields[to] = value;
}
