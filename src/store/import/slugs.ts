import { createHash } from 'node:crypto';
import { entityOf, type RecordType } from '../../contract/entities/index.ts';
import { SLUG_PATTERN } from '../../contract/fields.ts';
import { foldName, slugify } from '../../contract/names.ts';

const COMPANY_PART_MAX = 60;

/** A given slug, normalized. One without a letter is prefixed with the noun of its type. */
export function readSlug(type: RecordType, value: unknown): unknown {
  if ((typeof value !== 'string' && typeof value !== 'number') || SLUG_PATTERN.test(String(value))) return value;
  return slugOfName(type, String(value));
}

function slugOfName(type: RecordType, name: string): string {
  const slug = slugify(name);
  if (slug !== '') return slug;
  const digits = /^\d+$/.test(name) ? name : createHash('sha256').update(foldName(name)).digest('hex').slice(0, 10);
  return `${slugify(entityOf(type).noun)}-${digits}`;
}

/** The derived slug of a row without one; undefined if the row has too little content. */
export function derivedSlug(type: RecordType, fields: Readonly<Record<string, unknown>>): string | undefined {
  if (type !== 'rounds') return typeof fields['name'] === 'string' ? slugOfName(type, fields['name']) : undefined;
  const { slug, name } = (fields['company'] ?? {}) as { slug?: string; name?: string };
  if (slug === undefined && name === undefined) return undefined;
  const company = (slug ?? slugOfName('companies', name ?? '')).slice(0, COMPANY_PART_MAX).replace(/-$/, '');
  const stage = slugify(String(fields['stage'] ?? 'round').replaceAll('_', '-'));
  const date = fields['announced_date'];
  return typeof date === 'string' ? `${company}-${stage}-${slugify(`d${date}`).slice(1)}` : `${company}-${stage}`;
}

const FIRST_SIZE = 1 << 12;
const LOAD_MAX = 0.7;
const HALF = 2 ** 32;

/**
 * Counts occurrences of texts in about 20 bytes each, because an import may have millions. Stores 53-bit hashes; a
 * collision only causes an unnecessary suffix.
 */
export function createCounter(): (text: string) => number {
  let keys = new Float64Array(FIRST_SIZE);
  let counts = new Uint32Array(FIRST_SIZE);
  let used = 0;
  const slotOf = (key: number): number => {
    let slot = key % keys.length;
    while (keys[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) % keys.length;
    return slot;
  };
  const grow = (): void => {
    const [oldKeys, oldCounts] = [keys, counts];
    keys = new Float64Array(oldKeys.length * 2);
    counts = new Uint32Array(oldKeys.length * 2);
    oldKeys.forEach((key, index) => {
      if (key === 0) return;
      const slot = slotOf(key);
      keys[slot] = key;
      counts[slot] = oldCounts[index] ?? 0;
    });
  };
  return (text) => {
    if (used > keys.length * LOAD_MAX) grow();
    const key = hashOf(text);
    const slot = slotOf(key);
    if (keys[slot] === 0) used += 1;
    keys[slot] = key;
    counts[slot] = (counts[slot] ?? 0) + 1;
    return counts[slot];
  };
}

/** The 53-bit hash cyrb53, never zero. */
function hashOf(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return HALF * (2097151 & low) + (high >>> 0) + 1;
}
