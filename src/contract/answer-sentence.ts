import { angelSentence, groupCountSentence } from './answer-backers.ts';
import { checkSentence, existenceSentence } from './answer-checks.ts';
import { comparedRecordsSentence, describedSentence, foundersSentence, placedSentence } from './answer-described.ts';
import { endedSentence, endSentence } from './answer-ends.ts';
import type { AnswerParts } from './answer-parts.ts';
import {
  countSentence,
  factSentence,
  placeIn,
  rankSentence,
  roleSentence,
  vacantOfficeSentence,
} from './answer-records.ts';
import { companiesSentence, otherLeadSentence, roundSentence, stageSentence } from './answer-rounds.ts';
import { shareSentence } from './answer-shares.ts';
import { type AnsweredTotal, totalSentence } from './answer-totals.ts';
import type { RecordData, RecordType } from './entities/index.ts';
import { leftOutWords, measureOf, type ReadSentence } from './sentence-calls.ts';

/** A search and what it found, as far as a sentence answers it. */
export interface AnsweredSearch {
  /** The words as typed. */
  readonly query: string;
  /** The type, keywords, filters and order of the search, by its parameters and its sentence. */
  readonly type: RecordType | 'all';
  readonly text: string;
  readonly given: Readonly<Record<string, unknown>>;
  readonly sort: string | undefined;
  readonly understood: ReadSentence | undefined;
  /** The first page. */
  readonly results: readonly RecordData[];
  readonly total: number;
  /** Whether the records lack something that was asked for. */
  readonly isApproximate: boolean;
  readonly totalled?: AnsweredTotal | undefined;
}

/**
 * The answer to a question in a sentence, of no more than the records found state; undefined where only a list answers, and for
 * keywords.
 */
export function answerSentence(search: AnsweredSearch): AnswerParts | undefined {
  const { understood, totalled, results } = search;
  // A fact beside the one that nothing states is no answer.
  if (understood === undefined || understood.unstated !== undefined) return undefined;
  if (leftOutWords(understood).some((word) => ORDINAL.test(word) || MEASURES.has(measureOf(word)))) return undefined;
  if (totalled !== undefined && placeIn(search.query).number > 0) return undefined;
  if (understood.share !== undefined) return totalled && shareSentence(totalled, understood);
  if (totalled !== undefined)
    return groupCountSentence(search.query, totalled) ?? totalSentence(totalled, results, understood);
  const exact = isExact(search) ? search : undefined;
  return (
    // `how many investors led more than 5 rounds` is not answered by the one that led most.
    angelSentence(search) ??
    checkSentence(search) ??
    (exact && (countSentence(exact) ?? existenceSentence(exact))) ??
    (exact && endedSentence(exact)) ??
    foundersSentence(search) ??
    rankSentence(search) ??
    endSentence(search) ??
    factSentence(search) ??
    describedSentence(search) ??
    placedSentence(search) ??
    comparedRecordsSentence(search) ??
    (exact && (roleSentence(exact) ?? roundSentence(exact) ?? companiesSentence(exact))) ??
    otherLeadSentence(search) ??
    vacantOfficeSentence(search) ??
    stageSentence(search)
  );
}

/** Words by which others than the first are asked for: `second largest round`, `zweitgrößte`. */
const ORDINAL =
  /^(?:second|third|fourth|fifth|[2-9](?:nd|rd|th)|zweit|dritt|segund|tercer|terceir|deuxi|troisi|第[二三])/i;
/** Of these, an order of records by another figure says nothing. */
const MEASURES: ReadonlySet<unknown> = new Set(['average', 'median']);

/** Whether the records are all that was asked for. */
function isExact({ understood = {}, isApproximate, total }: AnsweredSearch): boolean {
  const { list, nearest, connect, ...read } = understood;
  return (
    (!isApproximate || total === 0) && (list ?? nearest ?? connect) === undefined && leftOutWords(read).length === 0
  );
}
