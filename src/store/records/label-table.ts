import type { SearchedType } from '../../contract/entities/index.ts';
import { run, runEach, type Steps } from '../sql/steps.ts';
import type { Document } from './document.ts';
import { labelsOf } from './labels.ts';

/** Keeps the values of the fields that filters ask for, instead of those that were kept. */
export function* setLabels(document: Document): Steps<void> {
  const { type, id } = document;
  yield* clearLabels(type as SearchedType, id);
  const labels = labelsOf(document).map(({ field, value }) => [type, field, value, id]);
  yield* runEach('INSERT INTO labels (type, field, value, id) VALUES (?, ?, ?, ?)', labels);
}

export function clearLabels(type: SearchedType, id: number): Steps<void> {
  return run('DELETE FROM labels WHERE type = ? AND id = ?', type, id);
}
