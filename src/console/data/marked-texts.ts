import type { RecordData } from '../../contract/entities/index.ts';
import { DAGGER, UNSOURCED } from '../../contract/unsourced.ts';
import { markedText } from '../../contract/unsourced-texts.ts';

/** What stands on the page of a record behind a fact in its texts that only the editors state; its sources explain it. */
const TEXT_MARK = ` ${DAGGER}`;

/** A record whose texts have such marks. */
export function withMarkedTexts(record: RecordData): RecordData {
  const texts = ['tagline', 'headline', 'overview'].filter((field) => record[field] != null);
  return { ...record, ...Object.fromEntries(texts.map((field) => [field, markedText(record, field, TEXT_MARK)])) };
}

/** A text with the word for its marks, where nothing explains them. */
export const withWordsForMarks = (text: string): string => text.replaceAll(TEXT_MARK, ` (${UNSOURCED})`);
