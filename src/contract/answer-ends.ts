import { type AnswerParts, enumerated, linked, type Named, say, strong } from './answer-parts.ts';
import type { AnsweredSearch } from './answer-sentence.ts';
import { dayText, statedText } from './day-text.ts';
import type { RecordData } from './entities/index.ts';
import { isNamed } from './named-records.ts';
import { countedRecords, recordsPhrase } from './records-phrase.ts';
import { isOfEditors, UNSOURCED } from './unsourced.ts';
import { isBlank } from './value-text.ts';

/** Answers about what became of companies: who acquired them, and when they were acquired or closed. */

const ASKS_ACQUIRED =
  /\b(?:who owns|acquired?|buy|bought|purchased?|take over|took over|taken over|gekauft|übernommen|compr[oó]u?|adquirió|racheté|acquis)(?!\p{L})/iu;
const ASKS_WHEN_ENDED =
  /\bwhat(?: has)? happened (?:to|with)\b|\bwann .* geschlossen\b|\b(?:cu[aá]ndo cerr[oó]|quando fechou|quand a ferm[eé])(?!\p{L})|\b(?:when|(?:what|which) year)\b.*\b(?:closed?|shut ?down|collapsed?|fail|die|go bankrupt|go out of business|cease operations)\b/iu;

/** What became of the company that a question names; undefined if it does not ask that, or the company goes on. */
export function endSentence({ query, understood, results: [company] }: AnsweredSearch): AnswerParts | undefined {
  const { text = '', type } = understood ?? {};
  if (company?.type !== 'companies' || type !== undefined || !isNamed(company, text, ['name', 'alias']))
    return undefined;
  const asksAcquired = ASKS_ACQUIRED.test(query);
  if (!asksAcquired && !ASKS_WHEN_ENDED.test(query)) return undefined;
  const status = company['status'] ?? company['company_stage'];
  if (status === 'acquired') return acquiredSentence(company);
  if (asksAcquired) return say`No source on record states an acquisition of ${linked(company)}.`;
  return status === 'closed' ? closedSentence(company) : undefined;
}

/** By whom and when a company was acquired. */
export function acquiredSentence(company: RecordData): AnswerParts {
  const acquirer = company['acquired_by'] as (Named & { readonly slug: string | null }) | null;
  const by =
    isBlank(acquirer) || acquirer === null
      ? ''
      : say` by ${acquirer.slug === null ? strong(acquirer.name) : linked(acquirer)}`;
  const unstated = by === '' ? '; no source on record states by whom' : '';
  return say`${linked(company)} was acquired${by}${whenOf(company)}${markOf(company)}${unstated}.`;
}

/** Since when a company is closed. */
export const closedSentence = (company: RecordData): AnswerParts =>
  isBlank(company['status_since'])
    ? say`${linked(company)} is closed; no source on record states since when.`
    : say`${linked(company)} closed${whenOf(company)}${markOf(company)}.`;

/** ` in Nov 2022`, ` on 9 Mar 2022`; blank if no source states it. */
function whenOf({ status_since: since }: RecordData): AnswerParts {
  const date = String(since ?? '');
  if (date === '') return [];
  const isDay = date.length > 'YYYY-MM'.length;
  return say` ${isDay ? 'on' : 'in'} ${strong(isDay ? dayText(date) : statedText(date))}`;
}

const markOf = (company: RecordData): string =>
  ['acquired_by', 'status_since'].some((field) => isOfEditors(company, field)) ? `, ${UNSOURCED}` : '';

const SHOWN = 5;

/** The companies that somebody acquired, or that were acquired or closed in a period. */
export function endedSentence({ type, text, given, results, total }: AnsweredSearch): AnswerParts | undefined {
  const isAsked = ['acquirer', 'status_from', 'status_to'].some((name) => name in given);
  if (type !== 'companies' || text !== '' || !isAsked || 'group_by' in given) return undefined;
  const phrase = recordsPhrase(type, given);
  if (total === 0)
    return 'acquirer' in given
      ? say`No ${phrase.before}company${phrase.after} is on record${phrase.scope}.`
      : undefined;
  const names = Array.from({ length: total }, (_, index) => (results[index] ? linked(results[index]) : ''));
  const mark = results.every((company) => markOf(company) !== '') ? `, ${UNSOURCED}` : '';
  return say`${strong(countedRecords(total, type, phrase))} on record${phrase.scope}${mark}: ${enumerated(names, Math.min(SHOWN, results.length))}.`;
}
