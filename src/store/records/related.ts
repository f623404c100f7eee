import { type RelatedList, relatedLists, type Step } from '../../contract/relations.ts';
import type { Page, Window } from '../port/records.ts';
import { column, number, type SqlProgram } from '../sql.ts';
import { computedLists } from './computed-lists.ts';
import { columnOf } from './conditions.ts';
import { isNoGrant, isNoGrantee } from './party-filters.ts';

/** One statement per related list, over the links table. */
const reached = new Map(
  relatedLists.filter(({ computed }) => computed === undefined).map((list) => [list, foundSql(list)]),
);

interface RelatedRequest {
  /** Id of the record that owns the list. */
  readonly id: number;
  readonly window: Window;
}

export function* relatedRecords(list: RelatedList, { id, window }: RelatedRequest): SqlProgram<Page> {
  if (list.computed !== undefined) return yield* computedLists[list.computed](id, window);
  const { offset, limit } = window;
  const found = reached.get(list);
  if (found === undefined) throw new Error(`No related list ${list.of}/${list.name}`);
  const ids = list.paths.map(() => id);
  const order = list.types.map((type, position) => `WHEN '${type}' THEN ${position}`).join(' ');
  // Lists rounds newest first, grants after them, because programs give many.
  const within =
    list.types[0] === 'rounds'
      ? `CASE WHEN ${isNoGrant('found.id')} THEN 0 ELSE 1 END, ${columnOf('rounds', 'announced_date', 'found')} DESC, id`
      : 'id';
  const page = `${found} SELECT document FROM found ORDER BY CASE type ${order} END, ${within} LIMIT ? OFFSET ?`;
  return {
    results: yield* column<string>(page, ...ids, limit, offset),
    total: yield* number(`${found} SELECT count(*) FROM found`, ...ids),
  };
}

function foundSql(list: RelatedList): string {
  const ends = list.paths.map((path) => pathSql(list, path)).join(' UNION ');
  const documents = list.types
    .map(
      (type) =>
        `SELECT type, ${type}.id AS id, document FROM reached JOIN ${type} ON ${type}.id = reached.id WHERE type = '${type}' AND deleted_at IS NULL`,
    )
    .join(' UNION ALL ');
  return `WITH reached AS (${ends}), found AS (${documents})`;
}

/** A path of one or two steps as a SELECT of the type and id of its end. */
function pathSql(list: RelatedList, path: readonly Step[]): string {
  const [first, second] = path;
  if (first === undefined) throw new Error(`The related list ${list.of}/${list.name} has an empty path`);
  const start = stepSql(first, 'one', `'${list.of}'`, '?');
  if (second === undefined)
    return `SELECT ${start.type} AS type, ${start.id} AS id FROM links AS one WHERE ${start.where}${evidenceOf(list, first)}`;
  const next = stepSql(second, 'two', start.type, start.id);
  const { relation, direction } = first;
  if (direction !== 'back')
    throw new Error(`The related list ${list.of}/${list.name} has a path that is not supported`);
  // Deleted records keep their links and are excluded.
  const isLive = `EXISTS (SELECT 1 FROM ${relation.from} WHERE id = ${start.id} AND deleted_at IS NULL)`;
  const isCounted = list.isWithoutGrants === true && relation.from === 'rounds' ? ` AND ${isNoGrant(start.id)}` : '';
  return `SELECT ${next.type} AS type, ${next.id} AS id FROM links AS one JOIN links AS two ON ${next.where} WHERE ${start.where} AND ${isLive}${isCounted}`;
}

/** Without grants, a portfolio is no evidence of an investment in a company that had a grant of the investor. */
function evidenceOf({ isWithoutGrants }: RelatedList, { relation, direction }: Step): string {
  const isPortfolio = relation.name === 'investors.portfolio' && direction === 'back';
  return isWithoutGrants === true && isPortfolio ? ` AND ${isNoGrantee('one.from_id', 'one.to_id')}` : '';
}

/** One step of a path in SQL, over the links table aliased as `alias`. */
function stepSql({ relation, direction }: Step, alias: string, type: string, id: string) {
  const isRelation = `${alias}.relation = '${relation.name}'`;
  if (direction === 'to') {
    return {
      type: `${alias}.to_type`,
      id: `${alias}.to_id`,
      where: `${isRelation} AND ${alias}.from_id = ${id} AND ${alias}.to_id IS NOT NULL`,
    };
  }
  return {
    type: `'${relation.from}'`,
    id: `${alias}.from_id`,
    where: `${isRelation} AND ${alias}.to_type = ${type} AND ${alias}.to_id = ${id}`,
  };
}
