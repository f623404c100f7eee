import type { RecordType } from '../../contract/entities/index.ts';
import { filters as filterDefinitions } from '../../contract/filters.ts';
import { groupBy } from '../../contract/group-by.ts';
import { isNearMiss, suggestValues } from '../../contract/name-similarity.ts';
import { foldName } from '../../contract/names.ts';
import type { RecordRef } from '../port/analytics.ts';
import type { ParsedQuery, SearchPage } from '../port/records.ts';
import type { SearchIndex } from '../search/search-index.ts';
import { editDistancesTo } from '../search/typos.ts';
import { phraseOf } from '../sentences/knowledge.ts';
import type { ParsedSentence } from '../sentences/parser.ts';
import type { Sentence } from '../sentences/sentence.ts';
import { allTogether, type SqlProgram } from '../sql.ts';
import { LISTED } from '../sqlite/dialect.ts';
import type { Document } from './document.ts';

/** Adds the names of records like the party that a sentence names and no record has; none of one that nothing found mentions. */
export function* withNearest(
  fullText: SearchIndex,
  sentence: ParsedSentence,
  page: SearchPage,
): SqlProgram<SearchPage> {
  const unknownParty = sentence.unknownParty ?? (page.total === 0 ? sentence.unnamedParty : undefined);
  if (unknownParty === undefined || page.understood === undefined) return page;
  return {
    ...page,
    understood: {
      ...page.understood,
      nearest: yield* namesLike(fullText, filterDefinitions[unknownParty.filter].parties, unknownParty.name),
    },
  };
}

/** Candidates that are read. */
const NEAR_MAX = 20;

const TYPOS_MAX = 2;
/** Letters per typo. */
const TYPO_LENGTH = 6;
/** Shorter names have a typo only where a sentence names a party, after the first letter, and if they are like one name alone. */
const PARTY_LENGTH_MIN = 4;

/** A sentence with the investor that it misspells as its filter. */
export function* withParty(
  fullText: SearchIndex,
  sentence: ParsedSentence,
  isUnfound: boolean,
): SqlProgram<ParsedSentence> {
  const { filters, text, unnamedParty } = sentence;
  const unknownParty = sentence.unknownParty ?? (isUnfound ? unnamedParty : undefined);
  if (unknownParty === undefined) return sentence;
  const { name, filter, isLead } = unknownParty;
  const party = yield* nameMeant(fullText, filterDefinitions[filter].parties, {
    text: name,
    lengthMin: PARTY_LENGTH_MIN,
  });
  if (party === undefined) return sentence;
  return {
    ...sentence,
    filters: { ...filters, [filter]: party, ...(isLead && { led: true }) },
    text: text.replace(name, '').trim(),
    isWhole: false,
    unknownParty: undefined,
  };
}

/** A text as the name of the record that it misspells beside words of sentences: `Zorblned funding`. Undefined for others. */
export function* misspeltName(
  fullText: SearchIndex,
  types: readonly RecordType[],
  { tokens, lexicon }: Sentence,
): SqlProgram<ParsedQuery | undefined> {
  const unlike = tokens.filter(({ text }) => lexicon.phrase(text) === undefined);
  if (unlike.length === tokens.length) return undefined;
  // Words of sentences may be part of the name: `Crypto.com Capital`, `Bitkraft VC`.
  const parts = [tokens, tokens.slice(0, -1), tokens.slice(1), unlike].filter((part) =>
    unlike.every((token) => part.includes(token)),
  );
  for (const [words, named] of new Map(parts.map((part) => [phraseOf(part), part]))) {
    const name = yield* nameMeant(fullText, types, { text: words, lengthMin: TYPO_LENGTH });
    const others = tokens.filter((token) => !named.includes(token)).map(({ raw }) => raw);
    if (name !== undefined) return { filters: {}, text: name, ignored: others };
  }
  return undefined;
}

/** The name of the record that a text misspells by a letter or two. */
function* nameMeant(
  fullText: SearchIndex,
  types: readonly RecordType[],
  { text, lengthMin }: { readonly text: string; readonly lengthMin: number },
): SqlProgram<string | undefined> {
  const folded = foldName(text);
  if (folded.length < lengthMin) return undefined;
  const isShort = folded.length < TYPO_LENGTH;
  const typosMax = isShort ? 1 : Math.min(TYPOS_MAX, Math.floor(folded.length / TYPO_LENGTH));
  const distanceTo = editDistancesTo(folded, typosMax);
  const typosOf = (near: string): number => {
    const name = foldName(near.replace(/\(.*\)$/, ''));
    return isShort && name[0] !== folded[0] ? Number.POSITIVE_INFINITY : distanceTo(name).whole;
  };
  const near = (yield* recordsLike(fullText, types, text)).map(({ name, aliases }) => ({
    name,
    typos: Math.min(...[name, ...aliases].map(typosOf)),
  }));
  const least = Math.min(...near.map(({ typos }) => typos));
  const nearest = new Set(near.filter(({ typos }) => typos === least).map(({ name }) => name));
  return least > typosMax || (isShort && nearest.size > 1) ? undefined : [...nearest][0];
}

/** Names of records like a text, the most similar first. */
export function* namesLike(fullText: SearchIndex, types: readonly RecordType[], text: string): SqlProgram<string[]> {
  const names = (yield* recordsLike(fullText, types, text)).map(({ name }) => name);
  return suggestValues(
    text,
    names.filter((name) => isNearMiss(name, text)),
  );
}

type Named = Pick<Document, 'name'> & { readonly aliases: readonly string[] };

function* recordsLike(fullText: SearchIndex, types: readonly RecordType[], text: string): SqlProgram<Named[]> {
  const { hits } = fullText.find({ types, text, offset: 0, limit: NEAR_MAX });
  return (yield* documentsOf(hits)).map((json) => ({ aliases: [], ...(JSON.parse(json) as Document) }));
}

/** The documents of hits, in order; the join reads rows in the order of the ids. */
export function* documentsOf(hits: readonly RecordRef[]): SqlProgram<string[]> {
  const byType = groupBy(hits, ({ type }) => type);
  const rows = yield* allTogether<[document: string]>(
    [...byType].map(([type, some]) => ({
      sql: `SELECT document FROM (${LISTED}) AS hit CROSS JOIN ${type} WHERE ${type}.id = hit.value`,
      parameters: [`[${some.map(({ id }) => id).join()}]`],
    })),
    'arrays',
  );
  const documents = new Map([...byType.keys()].map((type, index) => [type, rows[index]?.values()]));
  return hits.map(({ type, id }) => {
    const [document] = documents.get(type)?.next().value ?? [];
    if (document === undefined) throw new Error(`The index holds ${type} ${id}, which is not there`);
    return document;
  });
}
