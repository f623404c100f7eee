import { isCorrected } from '../../search/corrections.ts';
import type { Features } from '../../search/features.ts';
import { stem } from '../../search/stem.ts';
import { wordTerm } from '../../search/terms.ts';
import { deletionCodes } from '../../search/typos.ts';
import { all, insertRows, run, type Steps } from '../../sql/steps.ts';
import { arrayOf } from './lexemes.ts';

/** Where a term is written as a word: nowhere (a beginning), in some text, in a name. */
const SPELLING = { none: 0, text: 1, name: 2 } as const;

interface Term {
  readonly term: string;
  readonly spelling: number;
  readonly stem: string | null;
}

interface KnownTerm {
  readonly id: number;
  readonly term: string;
  readonly spelling: number;
}

/** Numbers of the terms of some features and of others that are known; makes those that are new, in their order. */
export function* termIds(features: readonly Features[], others: readonly string[]): Steps<Map<string, number>> {
  const terms = termsIn(features);
  const known = new Map<string, KnownTerm>();
  const note = (rows: readonly KnownTerm[]): void => {
    for (const row of rows) known.set(row.term, row);
  };
  note(yield* all<KnownTerm>(FIND, arrayOf([...new Set([...terms.keys(), ...others])])));
  const made = [...terms.values()].filter(({ term }) => !known.has(term));
  if (made.length > 0) note(yield* all<KnownTerm>(INSERT, JSON.stringify(made)));
  const isNew = new Set(made);
  const spelt = [...terms.values()].filter((term) => isNew.has(term) || spellingOf(known, term) < term.spelling);
  yield* spell(known, spelt, isNew);
  return new Map([...known].map(([term, { id }]) => [term, id]));
}

const FIND = 'SELECT id, term, spelling FROM search_terms WHERE term = ANY (CAST(? AS TEXT[]))';
const INSERT = `INSERT INTO search_terms (term, spelling, stem)
  SELECT term, spelling, stem
  FROM ROWS FROM (json_to_recordset(CAST(? AS JSON)) AS (term TEXT, spelling SMALLINT, stem TEXT)) WITH ORDINALITY AS made
  ORDER BY made.ordinality RETURNING id, term, spelling`;

const spellingOf = (known: ReadonlyMap<string, KnownTerm>, { term }: Term): number => known.get(term)?.spelling ?? 0;

/** Every term in the order of its first use; a word before the beginnings that stand for it. */
function termsIn(features: readonly Features[]): Map<string, Term> {
  const found = new Map<string, Term>();
  for (const { terms, spellings } of features) {
    for (const [word, isNamed] of spellings) {
      const term = wordTerm(word);
      const spelling = isNamed ? SPELLING.name : SPELLING.text;
      const base = stem(word);
      if ((found.get(term)?.spelling ?? -1) < spelling)
        found.set(term, { term, spelling, stem: base === word ? null : base });
    }
    for (const term of terms.keys())
      if (!found.has(term)) found.set(term, { term, spelling: SPELLING.none, stem: null });
  }
  return found;
}

/** Makes words known as they are written, and those that were written nowhere findable by one typo. */
function* spell(known: ReadonlyMap<string, KnownTerm>, spelt: readonly Term[], isNew: ReadonlySet<Term>): Steps<void> {
  const changed = spelt
    .filter((term) => !isNew.has(term))
    .map(({ term, spelling, stem: own }) => ({ id: known.get(term)?.id, spelling, stem: own }));
  if (changed.length > 0) yield* run(SPELL, JSON.stringify(changed));
  const codes = spelt
    .filter((term) => term.spelling > SPELLING.none && (isNew.has(term) || spellingOf(known, term) === SPELLING.none))
    .filter(({ term }) => isCorrected(term.slice(1)))
    .flatMap(({ term }) => deletionCodes(term.slice(1)).map((code) => [code, known.get(term)?.id ?? 0] as const));
  // In the order of the index, so that neighbours are written together.
  yield* insertRows(
    'search_deletions',
    ['code', 'term'],
    codes.toSorted(([one], [other]) => one - other),
  );
}

const SPELL = `UPDATE search_terms SET spelling = given.spelling, stem = given.stem
  FROM json_to_recordset(CAST(? AS JSON)) AS given (id BIGINT, spelling SMALLINT, stem TEXT)
  WHERE search_terms.id = given.id`;
