/** Interns texts as consecutive numbers from 1, about 30 bytes each, outside the garbage-collected heap. */
export interface TextNumbers {
  idOf(text: string): number;
  last(): number;
  /** A text, from its UTF-16 unit `start` on. */
  text(id: number, start?: number): string;
  /** Compares numbers by their texts, like `<`. */
  compare(one: number, other: number): number;
}

const FIRST_TEXTS = 2 ** 12;
const FIRST_UNITS = 2 ** 16;
const UNIT_BYTES = Uint16Array.BYTES_PER_ELEMENT;
/** Maximum load factor of the hash table. */
const FULL = 0.6;

export function createTextNumbers(): TextNumbers {
  /** Concatenated UTF-16 units, with start offsets by number. */
  let units = new Uint16Array(FIRST_UNITS);
  let starts = new Uint32Array(FIRST_TEXTS);
  /** Open addressing: numbers, or 0. */
  let slots = new Uint32Array(2 * FIRST_TEXTS);
  let last = 0;

  const isAt = (id: number, text: string): boolean => {
    const start = starts[id];
    if (starts[id + 1] - start !== text.length) return false;
    for (let index = 0; index < text.length; index++) if (units[start + index] !== text.charCodeAt(index)) return false;
    return true;
  };

  const add = (text: string): number => {
    const start = starts[++last];
    const end = start + text.length;
    if (last + 2 > starts.length) starts = larger(starts, new Uint32Array(starts.length * 2));
    if (end > units.length) units = larger(units, new Uint16Array(Math.max(end, units.length * 2)));
    for (let index = 0; index < text.length; index++) units[start + index] = text.charCodeAt(index);
    starts[last + 1] = end;
    if (last > slots.length * FULL) rehash();
    return last;
  };

  const rehash = () => {
    slots = new Uint32Array(slots.length * 2);
    const mask = slots.length - 1;
    for (let id = 1; id <= last; id++) {
      let code = SEED;
      for (let index = starts[id]; index < starts[id + 1]; index++) code = mixed(code, units[index]);
      let slot = spread(code) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id;
    }
  };

  return {
    idOf(text) {
      let code = SEED;
      for (let index = 0; index < text.length; index++) code = mixed(code, text.charCodeAt(index));
      const mask = slots.length - 1;
      let slot = spread(code) & mask;
      for (; slots[slot] !== 0; slot = (slot + 1) & mask) if (isAt(slots[slot], text)) return slots[slot];
      slots[slot] = last + 1;
      return add(text);
    },
    last: () => last,
    text: (id, start = 0) =>
      Buffer.from(
        units.buffer,
        (starts[id] + start) * UNIT_BYTES,
        (starts[id + 1] - starts[id] - start) * UNIT_BYTES,
      ).toString('utf16le'),
    compare(one, other) {
      let left = starts[one];
      let right = starts[other];
      const leftEnd = starts[one + 1];
      const rightEnd = starts[other + 1];
      while (left < leftEnd && right < rightEnd) {
        const difference = units[left++] - units[right++];
        if (difference !== 0) return difference;
      }
      return leftEnd - left - (rightEnd - right);
    },
  };
}

const SEED = 0x9e3779b9;
const mixed = (code: number, unit: number): number => Math.imul(code ^ unit, 0x85ebca6b) ^ (code >>> 13);
const spread = (code: number): number => Math.imul(code ^ (code >>> 15), 0xc2b2ae35) >>> 5;

function larger<Numbers extends Uint16Array | Uint32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
