import { domainKey } from './analyzer.ts';
import {
  KEY,
  KEY_SCORE,
  type KeyKind,
  NAME_IN_QUERY_WEIGHT,
  ORDINARY_WORD_SCALE,
  PREFIX_BOOST,
  SCORE_TIER,
} from './matches.ts';
import type { Query, Shingle } from './query.ts';

export interface KeyRow {
  docId: number;
  kind: KeyKind;
}

export interface KeyLookup {
  /** Documents of a key, at most `DOCUMENTS_PER_KEY_MAX`. */
  equal(key: string): readonly KeyRow[];
  /** Ids of documents with a name or alias between two keys, both exclusive, at most `NAME_PREFIX_MATCHES_MAX` + 1. */
  between(after: string, before: string): readonly number[];
}

/** A document whose name, alias, slug, ticker or domain matches the query or a shingle of it. */
export type NameMatch = ReturnType<typeof exactMatch>;

export const exactMatch = ({ tokens }: Query, { docId, kind }: KeyRow) => ({
  docId,
  /** Added to the score of its terms. */
  bonus: SCORE_TIER.exactName + KEY_SCORE[kind],
  /** First and last token that the name covers, and their weight in place of the weight of their terms. */
  from: 0,
  to: tokens.length - 1,
  weight: 1,
  /** Score factor for a document that lacks one of the tokens. */
  scale: 1,
});

/**
 * A key as stored. Keys of sorted tokens have a prefix: many begin with a common token, which a prefix scan of names would have
 * to skip.
 */
export const storedKey = (kind: KeyKind, key: string): string => (kind === KEY.unordered ? `~${key}` : key);

/** The ticker of a query that says that it is one, such as `LINK token`; undefined for any other. */
function tickerIn({ allTokens }: Query): string | undefined {
  const others = allTokens.filter((token) => !/^(?:token|coin)$/.test(token));
  return allTokens.length === 2 && others.length === 1 ? others[0] : undefined;
}

export const DOCUMENTS_PER_KEY_MAX = 256;
export const NAME_PREFIX_MATCHES_MAX = 100;
const SHINGLE_LENGTH_MIN = 2;

export type NameMatcher = ReturnType<typeof createNameMatcher>;

export function createNameMatcher(keys: KeyLookup) {
  const isName = (kind: KeyKind) => kind === KEY.name || kind === KEY.alias;

  return {
    /** Documents with a key equal to the query: name, alias, slug, ticker, domain, the tokens of a name in another order, or a ticker with the word `token` or `coin`. */
    exact(query: Query): NameMatch[] {
      const found = query.domain ? [...keys.equal(domainKey(query.domain))] : [];
      if (query.joined) found.push(...keys.equal(query.joined));
      if (query.tokens.length > 1) found.push(...keys.equal(storedKey(KEY.unordered, query.unordered)));
      const ticker = tickerIn(query);
      if (ticker !== undefined) found.push(...keys.equal(ticker).filter(({ kind }) => kind === KEY.ticker));
      return found.map((row) => exactMatch(query, row));
    },
    /** Documents whose name or alias begins with the query; empty if they are more than `NAME_PREFIX_MATCHES_MAX`. */
    startingWith(query: Query): NameMatch[] {
      if (!query.joined) return [];
      const docIds = keys.between(query.joined, `${query.joined}\u{10ffff}`);
      if (docIds.length > NAME_PREFIX_MATCHES_MAX) return [];
      const to = query.tokens.length - 1;
      return docIds.map((docId) => ({
        docId,
        bonus: SCORE_TIER.namePrefix,
        from: 0,
        to,
        weight: PREFIX_BOOST,
        scale: 1,
      }));
    },
    /** Documents whose whole name or alias equals one of these shingles of the query. */
    amongShingles(query: Query, shingles: readonly Shingle[]): NameMatch[] {
      return shingles.flatMap(({ key, from, to, isRestOptional }) => {
        const scale = isRestOptional ? 1 : ORDINARY_WORD_SCALE;
        if (key.length < SHINGLE_LENGTH_MIN || (from === 0 && to === query.tokens.length - 1)) return [];
        const rows = keys.equal(key).filter(({ kind }) => isName(kind));
        return rows.map(({ docId }) => ({
          docId,
          bonus: 0,
          from,
          to,
          weight: scale === 1 ? NAME_IN_QUERY_WEIGHT : 1,
          scale,
        }));
      });
    },
  };
}
