import type { RecordType, SearchedType } from '../../contract/entities/index.ts';
import { type Relation, relations } from '../../contract/relations.ts';
import type { Dialect } from '../sql/dialect.ts';
import { all, run, runEach, type Steps } from '../sql/steps.ts';

/** A record by its type and number. */
export interface Place {
  readonly type: RecordType;
  readonly id: number;
}

/** A record that names another, and the types that the name may lead to. */
export interface Naming extends Place {
  readonly to: readonly SearchedType[];
}

/** A link as it is kept: where it leads, and the folded name or slug that it was looked up by. */
export interface LinkRow {
  readonly to_type: SearchedType | null;
  readonly to_id: number | null;
  readonly key: string;
}

interface Source {
  readonly relation: string;
  readonly from_id: number;
}

const relationByName = new Map(relations.map((relation) => [relation.name, relation]));

function toNaming({ relation, from_id }: Source): Naming[] {
  const found = relationByName.get(relation);
  return found === undefined ? [] : [{ type: found.from, id: from_id, to: found.to }];
}

const NAMING =
  'SELECT DISTINCT relation, from_id FROM links WHERE to_type = ? AND to_id = ? ORDER BY relation, from_id';
const LEAD = 'UPDATE links SET to_type = ?, to_id = ? WHERE relation = ? AND from_id = ? AND position = ?';
const ADD = 'INSERT INTO links (relation, from_id, position, to_type, to_id, key) VALUES (?, ?, ?, ?, ?, ?)';

/** Statements over the table of links. */
export const linkRows = {
  of: (relation: Relation, id: number): Steps<LinkRow[]> =>
    all(
      'SELECT to_type, to_id, key FROM links WHERE relation = ? AND from_id = ? ORDER BY position',
      relation.name,
      id,
    ),
  clear: (relation: Relation, id: number): Steps<void> =>
    run('DELETE FROM links WHERE relation = ? AND from_id = ?', relation.name, id),
  add: (relation: Relation, id: number, links: readonly LinkRow[]): Steps<void> =>
    runEach(
      ADD,
      links.map(({ to_type, to_id, key }, position) => [relation.name, id, position, to_type, to_id, key]),
    ),
  lead: (relation: Relation, id: number, position: number, { to_type, to_id }: LinkRow): Steps<void> =>
    run(LEAD, to_type, to_id, relation.name, id, position),
  open: (type: RecordType, id: number): Steps<void> =>
    run('UPDATE links SET to_type = NULL, to_id = NULL WHERE to_type = ? AND to_id = ?', type, id),
  pending: function* pending({ textsOf }: Dialect, keys: readonly string[]): Steps<Naming[]> {
    const sql = `SELECT DISTINCT relation, from_id FROM links
      WHERE key IN (${textsOf}) AND to_id IS NULL ORDER BY relation, from_id`;
    return keys.length === 0 ? [] : (yield* all<Source>(sql, JSON.stringify(keys))).flatMap(toNaming);
  },
  naming: function* naming(type: RecordType, id: number): Steps<Naming[]> {
    return (yield* all<Source>(NAMING, type, id)).flatMap(toNaming);
  },
};
