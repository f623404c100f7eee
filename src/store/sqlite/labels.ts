import type { SearchedType } from '../../contract/entities/index.ts';
import type { Document } from '../records/document.ts';
import { labelsOf } from '../records/labels.ts';
import type { Sqlite } from './database.ts';

/** Values of the fields that filters ask for. */
export interface LabelTable {
  set(document: Document): void;
  clear(type: SearchedType, id: number): void;
}

export function createLabelTable(database: Sqlite): LabelTable {
  const clear = database.prepare('DELETE FROM labels WHERE type = ? AND id = ?');
  const add = database.prepare('INSERT INTO labels (type, field, value, id) VALUES (?, ?, ?, ?)');
  return {
    set: (document) => {
      clear.run(document.type, document.id);
      for (const { field, value } of labelsOf(document)) add.run(document.type, field, value, document.id);
    },
    clear: (type, id) => void clear.run(type, id),
  };
}
