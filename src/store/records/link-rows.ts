import type { RecordType } from '../../contract/entities/index.ts';
import { type Relation, relations } from '../../contract/relations.ts';
import type { Dialect } from '../sql/dialect.ts';
import { all, insertRows, type RowUpdate, run, runEach, type SqlProgram, type Value } from '../sql/program.ts';

/** A record by its type and number. */
export interface Place {
  readonly type: RecordType;
  readonly id: number;
}

/** A record that names another, and the types that the name may lead to. */
export interface Naming extends Place {
  readonly to: readonly RecordType[];
}

/** A link as it is kept: where it leads, and the folded name or slug that it was looked up by. */
export interface LinkRow {
  readonly to_type: RecordType | null;
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
const COLUMNS = ['relation', 'from_id', 'position', 'to_type', 'to_id', 'key'];
const LEAD: RowUpdate = {
  table: 'links',
  set: { to_type: 'text', to_id: 'number' },
  keys: { relation: 'text', from_id: 'number', position: 'number' },
  also: [],
};

/** The links of one record along one relation, in order. */
export interface LinksOf {
  readonly relation: Relation;
  readonly id: number;
  readonly links: readonly LinkRow[];
}

/** A link that leads somewhere now. */
export interface Led {
  readonly relation: Relation;
  readonly id: number;
  readonly position: number;
  readonly link: LinkRow;
}

/** Links that lead from one record back to another one. */
interface MovedBack {
  readonly from: number;
  readonly to: number;
  readonly links: readonly (readonly [relation: string, fromId: number, key: string])[];
}

/** Statements over the table of links. */
export interface LinkTable {
  /** The links of some records along a relation, those of each in order. */
  of(relation: Relation, ids: readonly number[]): SqlProgram<(LinkRow & { readonly from_id: number })[]>;
  clear(relation: Relation, ids: readonly number[]): SqlProgram<void>;
  insertAll(added: readonly LinksOf[]): SqlProgram<void>;
  lead(led: readonly Led[]): SqlProgram<void>;
  /** Has the links to a record lead to another one of its type. */
  moveAll(type: RecordType, from: number, to: number): SqlProgram<void>;
  /** Has some links lead to another record again, those that still lead where they were moved. */
  moveBack(type: RecordType, moved: MovedBack): SqlProgram<void>;
  /** Has the links to a record lead nowhere. */
  open(type: RecordType, id: number): SqlProgram<void>;
  /** The records with links that lead nowhere and wait for one of these keys. */
  pending(keys: readonly string[]): SqlProgram<Naming[]>;
  naming(type: RecordType, id: number): SqlProgram<Naming[]>;
}

export function createLinkTable({ numbersOf, textsOf, updateRows }: Dialect): LinkTable {
  const of = `SELECT from_id, to_type, to_id, key FROM links
    WHERE relation = ? AND from_id IN (${numbersOf}) ORDER BY from_id, position`;
  const clear = `DELETE FROM links WHERE relation = ? AND from_id IN (${numbersOf})`;
  const pending = `SELECT DISTINCT relation, from_id FROM links
    WHERE key IN (${textsOf}) AND to_id IS NULL ORDER BY relation, from_id`;
  return {
    of: (relation, ids) => all(of, relation.name, JSON.stringify(ids)),
    clear: (relation, ids) => run(clear, relation.name, JSON.stringify(ids)),
    insertAll: (added) => insertRows('links', COLUMNS, added.flatMap(rowsOf)),
    lead: (led) =>
      updateRows(
        LEAD,
        led.map(({ relation, id, position, link }) => [link.to_type, link.to_id, relation.name, id, position]),
      ),
    moveAll: (type, from, to) => run('UPDATE links SET to_id = ? WHERE to_type = ? AND to_id = ?', to, type, from),
    moveBack: (type, { from, to, links }) =>
      runEach(
        'UPDATE links SET to_id = ? WHERE to_type = ? AND to_id = ? AND relation = ? AND from_id = ? AND key = ?',
        links.map(([relation, fromId, key]) => [to, type, from, relation, fromId, key]),
      ),
    open: (type, id) => run('UPDATE links SET to_type = NULL, to_id = NULL WHERE to_type = ? AND to_id = ?', type, id),
    pending: function* findPending(keys) {
      return keys.length === 0 ? [] : (yield* all<Source>(pending, JSON.stringify(keys))).flatMap(toNaming);
    },
    naming: function* naming(type, id) {
      return (yield* all<Source>(NAMING, type, id)).flatMap(toNaming);
    },
  };
}

const rowsOf = ({ relation, id, links }: LinksOf): Value[][] =>
  links.map(({ to_type, to_id, key }, position) => [relation.name, id, position, to_type, to_id, key]);
