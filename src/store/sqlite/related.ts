import { RECORD_TYPES } from '../../contract/entities/index.ts';
import { type RelatedList, relatedLists, type Step } from '../../contract/relations.ts';
import type { Found, Window } from '../port/records.ts';
import type { Sqlite } from './database.ts';

export interface RelatedLists {
  find(list: RelatedList, id: number, window: Window): Found;
}

/** Related lists over the table of links; each list is one statement, prepared when it is first asked for. */
export function createRelatedLists(database: Sqlite): RelatedLists {
  const prepared = new Map(
    relatedLists.map((list) => {
      const reached = list.paths.map((path) => pathSql(list, path)).join(' UNION ');
      const documents = list.types
        .map(
          (type) =>
            `SELECT type, ${type}.id AS id, document FROM reached JOIN ${type} ON ${type}.id = reached.id WHERE type = '${type}' AND deleted_at IS NULL`,
        )
        .join(' UNION ALL ');
      const found = `WITH reached AS (${reached}), found AS (${documents})`;
      const order = list.types.map((type, position) => `WHEN '${type}' THEN ${position}`).join(' ');
      const page = database
        .prepare<{ id: number; offset: number; limit: number }, string>(
          `${found} SELECT document FROM found ORDER BY CASE type ${order} END, id LIMIT :limit OFFSET :offset`,
        )
        .pluck();
      const count = database.prepare<{ id: number }, number>(`${found} SELECT count(*) FROM found`).pluck();
      return [list, { page, count }];
    }),
  );
  const find = database.transaction((list: RelatedList, id: number, { offset, limit }: Window): Found => {
    const statements = prepared.get(list);
    if (statements === undefined) throw new Error(`No related list ${list.of}/${list.name}`);
    return {
      results: statements.page.all({ id, offset, limit }),
      total: statements.count.get({ id }) ?? 0,
      totals: {},
    };
  });
  return { find: (list, id, window) => find(list, id, window) };
}

/** A path of one or two steps as a SELECT of the type and number of the records at its end. */
function pathSql(list: RelatedList, path: readonly Step[]): string {
  const [first, second] = path;
  if (first === undefined) throw new Error(`The related list ${list.of}/${list.name} has an empty path`);
  const start = stepSql(first, 'one', `'${list.of}'`, ':id');
  if (second === undefined)
    return `SELECT ${start.type} AS type, ${start.id} AS id FROM links AS one WHERE ${start.where}`;
  const next = stepSql(second, 'two', start.type, start.id);
  const { relation, direction } = first;
  if (direction !== 'back')
    throw new Error(`The related list ${list.of}/${list.name} has a path that is not supported`);
  // A deleted record keeps its links, but nothing is reached over it.
  const isLive = `EXISTS (SELECT 1 FROM ${relation.from} WHERE id = ${start.id} AND deleted_at IS NULL)`;
  return `SELECT ${next.type} AS type, ${next.id} AS id FROM links AS one JOIN links AS two ON ${next.where} WHERE ${start.where} AND ${isLive}`;
}

/** One step from a record (its type and number as SQL) along a relation, over the links table named `alias`. */
function stepSql({ relation, direction }: Step, alias: string, type: string, id: string) {
  const isRelation = `${alias}.relation = '${relation.name}'`;
  if (direction === 'to') {
    return {
      type: `${alias}.to_type`,
      id: `${alias}.to_id`,
      where: `${isRelation} AND ${alias}.from_id = ${id} AND ${alias}.to_id IS NOT NULL`,
    };
  }
  if (!RECORD_TYPES.includes(relation.from)) throw new Error(`Unknown type ${relation.from}`);
  return {
    type: `'${relation.from}'`,
    id: `${alias}.from_id`,
    where: `${isRelation} AND ${alias}.to_type = ${type} AND ${alias}.to_id = ${id}`,
  };
}
