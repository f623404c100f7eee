import { statedText } from '../../contract/day-text.ts';
import { recordNoun } from '../../contract/entities/index.ts';
import { usdText } from '../../contract/record-texts.ts';
import { unstatedText } from '../../contract/sentence-calls.ts';
import { unsourcedText } from '../../contract/unsourced.ts';
import { countText } from '../../contract/value-text.ts';
import { GRANT } from '../../contract/vocabulary.ts';
import type { SearchPage } from '../../store/port/records.ts';
import { ALL, GRANTS, kindOf, type ParsedSearch } from './parsed-search.ts';
import type { SearchOutcome } from './search.ts';

/** The parts of a sentence that no filter can express, in the quotation marks of pages. */
export const unstatedNote = (words: readonly string[]): string => unstatedText(words).replaceAll(/"([^"]*)"/g, '“$1”');

/** Number of matching records; for rounds and events, out of how many on record, because the data is a sample. */
export function foundText(search: ParsedSearch, { total, onRecord = total }: SearchPage): string {
  const { type, stage, label } = kindOf(search);
  const one = type === ALL ? 'record' : recordNoun({ type, stage });
  const all = type === ALL ? 'records' : label.toLowerCase();
  // What is on record in a period are funding rounds without grants.
  const of =
    onRecord > total && stage !== GRANT ? `${countText(total)} of the ${countText(onRecord)}` : countText(total);
  return `${of} ${onRecord === 1 ? one : all}`;
}

/** The date that shows how recent a list is: of people and events, none of rounds does. */
export function recencyText({ effective, newestRound, newestGrant }: SearchOutcome): string {
  const { type } = effective;
  if (type === 'events' || type === 'people') return '';
  const [newest, what] = kindOf(effective) === GRANTS ? [newestGrant, 'grants'] : [newestRound, 'funding rounds'];
  return newest === undefined ? '' : ` · ${what} to ${statedText(newest)}`;
}

/** The known amounts of listed rounds. */
export function sumText({ amounts, results, found: { total } }: SearchOutcome): string {
  if (amounts === undefined || amounts.known < AMOUNTS_MIN) return '';
  const { sum, known } = amounts;
  return ` · ${usdText(Number(sum), results)} in ${known === total ? 'all' : `${countText(known)} of known amount`}`;
}

/** How much of these amounts is unsourced; blank for little. */
export function unsourcedSumText({ amounts }: SearchOutcome): string {
  const { known = 0, sum, unsourced } = amounts ?? {};
  return known < AMOUNTS_MIN ? '' : unsourcedText(Number(unsourced?.sum ?? 0), Number(sum));
}

/** The amount of one is in its row. */
const AMOUNTS_MIN = 2;
