import type { NamedType } from '../../contract/entities/index.ts';
import { foldName } from '../../contract/names.ts';
import { blankInput, type Document, identityKeys } from './document.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Identity of list items: the folded name; for sources the whole value. */
function itemKey(item: unknown): string {
  const { name, organization, title } = (typeof item === 'object' ? item : { name: item }) as Fields;
  const named = name ?? organization;
  return typeof named === 'string' ? `${foldName(named)} ${title ?? ''}` : JSON.stringify(item);
}

function united(kept: readonly unknown[], more: readonly unknown[]): unknown[] {
  const known = new Set(kept.map(itemKey));
  return [...kept, ...more.filter((item) => !known.has(itemKey(item)))];
}

const isKnown = (value: unknown): boolean => value !== null && value !== undefined;

/**
 * The fields that change when another record, or a row about it, is merged into a remaining one: fills unknown fields,
 * unites lists, and adds its name and slug as aliases.
 */
export function mergedFields(type: NamedType, survivor: Document, other: Fields): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  for (const field of Object.keys(blankInput(type))) {
    const [own, more] = [survivor[field], other[field]];
    if (Array.isArray(own) && Array.isArray(more)) {
      const all = united(own, more);
      if (all.length > own.length) changed[field] = all;
    } else if (!isKnown(own) && isKnown(more)) changed[field] = more;
  }
  const aliases = (changed['aliases'] ?? survivor['aliases']) as readonly string[];
  const keys = new Set([...identityKeys(survivor), ...aliases.map(foldName)]);
  const more = [other['name'], other['slug']].filter((name): name is string => typeof name === 'string');
  for (const name of more) {
    if (keys.has(foldName(name))) continue;
    keys.add(foldName(name));
    changed['aliases'] = [...((changed['aliases'] ?? aliases) as readonly string[]), name];
  }
  return newer(changed, survivor, other);
}

/** The newer of the two dates of the newest source. */
function newer(changed: Record<string, unknown>, survivor: Document, other: Fields): Record<string, unknown> {
  const [own, more] = [survivor['as_of'], other['as_of']];
  return typeof more === 'string' && typeof own === 'string' && more > own ? { ...changed, as_of: more } : changed;
}

/** The fields that a matched row writes: its values, and its name as an alias. */
export function joinedFields(type: NamedType, survivor: Document, given: Fields): Record<string, unknown> {
  const { name: _, slug: __, ...values } = given;
  const { aliases, sources } = mergedFields(type, survivor, given);
  const lists = Object.entries({ aliases, sources }).filter(([, list]) => list !== undefined);
  const { aliases: ___, sources: ____, ...own } = values;
  return { ...own, ...Object.fromEntries(lists) };
}
