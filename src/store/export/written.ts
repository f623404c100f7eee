import type { RecordType } from '../../contract/entities/index.ts';
import { writableFields } from '../../contract/import-names.ts';
import { type Relation, relations } from '../../contract/relations.ts';

type Fields = Record<string, unknown>;

/** A record as an import takes it: its number and the fields that a file may give, without what is not known. */
export function writtenRecord(type: RecordType, record: Readonly<Fields>): Fields {
  const written: Fields = {
    id: record['id'],
    ...Object.fromEntries(writableFields(type).map((field) => [field, record[field]])),
  };
  for (const relation of relations) {
    if (relation.from === type)
      written[relation.field] = mapped(written[relation.field], (item) => writtenItem(relation, item));
  }
  return known(written);
}

function mapped(value: unknown, write: (item: Fields) => Fields): unknown {
  if (value === null || value === undefined) return value;
  return Array.isArray(value) ? value.map(write) : write(value as Fields);
}

/** A reference by name and slug. Its type is said only where the slug alone would be looked for elsewhere first. */
function writtenItem({ keys, to }: Relation, item: Readonly<Fields>): Fields {
  const { [keys.id]: _number, [keys.type]: type, ...rest } = item;
  return known(type === to[0] ? rest : { ...rest, [keys.type]: type });
}

/** The fields that say something. */
function known(fields: Readonly<Fields>): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && !isBlankList(value)),
  );
}

const isBlankList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
