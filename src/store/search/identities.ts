import { domainKey } from './features.ts';
import {
  KEY,
  KEY_SCORE,
  type KeyKind,
  LAYER,
  NAME_PART_WEIGHT,
  ORDINARY_PART_SCALE,
  PREFIX_QUALITY,
} from './layers.ts';
import type { Query, QueryPart } from './query.ts';

export interface NameMatch {
  docId: number;
  /** Added to the score of its words: the layer, and the offset within it. */
  bonus: number;
  /** Words of the query covered by the name, and their weight. */
  from: number;
  to: number;
  weight: number;
  /** Factor for documents that lack some words. */
  scale: number;
}

export interface Identities {
  /** Documents whose name, alias, slug, ticker or domain equals the query. */
  whole(query: Query): NameMatch[];
  /** Documents whose name begins with the query; empty if there are too many. */
  starting(query: Query): NameMatch[];
  /** Documents whose whole name equals one of these parts of the query. */
  parts(query: Query, parts: readonly QueryPart[]): NameMatch[];
}

/** A document of a key. */
export interface KeyRow {
  docId: number;
  kind: KeyKind;
}

/** Key look-ups of an engine. */
export interface KeyLookup {
  /** Documents of a key, at most `SAME_KEY_MAX`. */
  same(key: string): readonly KeyRow[];
  /** Documents with a name or alias between two keys, at most `STARTING_MAX` + 1. */
  starting(after: string, before: string): readonly number[];
}

/**
 * A key as stored. Keys of reordered words are prefixed, because common words begin many of them, which a prefix scan
 * of names would have to skip.
 */
export const keptKey = (kind: KeyKind, key: string): string => (kind === KEY.unordered ? `~${key}` : key);

export const SAME_KEY_MAX = 256;
export const STARTING_MAX = 100;
const PART_LENGTH_MIN = 2;

export function createIdentities(keys: KeyLookup): Identities {
  const isName = (kind: KeyKind) => kind === KEY.name || kind === KEY.alias;

  return {
    whole(query) {
      const to = query.words.length - 1;
      const called = (row: KeyRow) => ({
        docId: row.docId,
        bonus: LAYER.identity + KEY_SCORE[row.kind],
        from: 0,
        to,
        weight: 1,
        scale: 1,
      });
      const found = query.domain ? [...keys.same(domainKey(query.domain))] : [];
      if (query.joined) found.push(...keys.same(query.joined));
      if (query.words.length > 1) found.push(...keys.same(keptKey(KEY.unordered, query.unordered)));
      return found.map(called);
    },
    starting(query) {
      if (!query.joined) return [];
      const docIds = keys.starting(query.joined, `${query.joined}\u{10ffff}`);
      if (docIds.length > STARTING_MAX) return [];
      const to = query.words.length - 1;
      return docIds.map((docId) => ({
        docId,
        bonus: LAYER.nameStart,
        from: 0,
        to,
        weight: PREFIX_QUALITY,
        scale: 1,
      }));
    },
    parts(query, parts) {
      return parts.flatMap(({ key, from, to, isRestAdded }) => {
        const scale = isRestAdded ? 1 : ORDINARY_PART_SCALE;
        if (key.length < PART_LENGTH_MIN || (from === 0 && to === query.words.length - 1)) return [];
        const rows = keys.same(key).filter(({ kind }) => isName(kind));
        return rows.map(({ docId }) => ({
          docId,
          bonus: 0,
          from,
          to,
          weight: scale === 1 ? NAME_PART_WEIGHT : 1,
          scale,
        }));
      });
    },
  };
}
