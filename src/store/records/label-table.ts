import type { SearchedType } from '../../contract/entities/index.ts';
import type { Dialect } from '../sql/dialect.ts';
import { insertRows, run, type Steps } from '../sql/steps.ts';
import type { Document } from './document.ts';
import { labelsOf } from './labels.ts';

/** Keeps the values of the fields that filters ask for, of documents of a type, instead of those that were kept. */
export function* setLabels(dialect: Dialect, type: SearchedType, documents: readonly Document[]): Steps<void> {
  const ids = JSON.stringify(documents.map(({ id }) => id));
  yield* run(`DELETE FROM labels WHERE type = ? AND id IN (${dialect.numbersOf})`, type, ids);
  const rows = documents.flatMap((document) =>
    labelsOf(document).map(({ field, value }) => [type, field, value, document.id]),
  );
  yield* insertRows('labels', ['type', 'field', 'value', 'id'], rows);
}

export function clearLabels(type: SearchedType, id: number): Steps<void> {
  return run('DELETE FROM labels WHERE type = ? AND id = ?', type, id);
}
