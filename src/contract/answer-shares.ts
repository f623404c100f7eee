import { type AnswerParts, say, strong } from './answer-parts.ts';
import type { AnsweredTotal } from './answer-totals.ts';
import { capitalize } from './capitalize.ts';
import { countedRecords, recordsPhrase } from './records-phrase.ts';
import type { ReadSentence } from './sentence-calls.ts';
import { isNotable, UNSOURCED } from './unsourced.ts';
import { shortMoney } from './usd.ts';
import { countText } from './value-text.ts';
import { GRANT, labelOf } from './vocabulary.ts';

/** The filter of a group that is named otherwise. */
const FILTERS: Readonly<Record<string, string>> = { stage: 'funding_stage', lead_investor: 'investor' };

/** Which part of all the records of one group are, or their amounts, where that is asked. */
export function shareSentence(
  { asked, data }: AnsweredTotal,
  { filters: read = {} }: ReadSentence,
): AnswerParts | undefined {
  const {
    of,
    group_by: [group = ''],
    measure = 'count',
    filters,
  } = asked;
  const { covered, rows } = data;
  const [row] = rows;
  const isSum = measure === 'sum';
  const [part, all] = [Number(row?.[1] ?? 0), Number(isSum ? covered.sum : covered.known)];
  if (rows.length !== 1 || !(isSum || measure === 'count') || !(all > 0)) return undefined;
  const name = FILTERS[group] ?? group;
  const { before, after } = recordsPhrase(of, { [name]: read[name], ...(group === 'lead_investor' && { led: true }) });
  const whole = recordsPhrase(of, filters);
  const share = strong(percentText(part / all));
  const isOfGrants = of === 'rounds' && filters['funding_stage'] === GRANT;
  const nouns = isOfGrants ? 'grants' : of;
  const subject = capitalize(before + nouns + after);
  const what = labelOf(group).toLowerCase();
  if (!isSum) {
    const known = covered.unknown === 0 ? '' : ` whose ${what} is known`;
    return say`${subject} are ${share} of the ${countedRecords(all, of, whole, isOfGrants)} on record${whole.scope}${known}: ${countText(part)}.`;
  }
  const money = (amount: number, unsourced: unknown): string => {
    const mark = isNotable(Number(unsourced ?? 0), amount) ? ` (${shortMoney(Number(unsourced))} ${UNSOURCED})` : '';
    return shortMoney(amount) + mark;
  };
  const ofWhole = whole.before + whole.after === '' ? '' : ` of ${whole.before}${nouns}${whole.after}`;
  const unknown = Number(covered.ungrouped_sum ?? 0);
  const beside = unknown === 0 ? '' : `; of ${shortMoney(unknown)} the ${what} is not known`;
  return say`${subject} have ${share} of the known total${ofWhole} on record${whole.scope}: ${money(part, covered.unsourced_by_row?.[0])} of ${money(all, covered.unsourced?.sum)}${beside}.`;
}

const PERCENT = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const LEAST = 0.001;

const percentText = (share: number): string =>
  share > 0 && share < LEAST ? `less than ${PERCENT.format(LEAST)}` : PERCENT.format(share);
