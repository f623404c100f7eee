import type { AtLeast } from '../port/analytics.ts';
import type { SearchPage, SearchRequest } from '../port/records.ts';
import { lazySentence, mayBeSentence } from '../sentences/sentence.ts';
import type { ReadModel } from './record-index.ts';

/** A search in transferable form. */
export interface SearchTask extends AtLeast {
  readonly search: SearchRequest;
  /** The day that dates such as `last month` in the text are relative to. */
  readonly today: Date;
}

/** Searches a read model; a search that would read more than `rowsMax` rows rejects with `LongSearch`. */
export function createSearch({ read }: ReadModel) {
  return async ({ search, today, atLeast }: SearchTask, rowsMax?: number): Promise<SearchPage> => {
    const sentence = mayBeSentence(search.text) ? await lazySentence(search.text, today) : undefined;
    return read(({ index }) => index.find(search, sentence, rowsMax), atLeast);
  };
}
