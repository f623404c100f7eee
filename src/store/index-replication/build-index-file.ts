import { setImmediate } from 'node:timers/promises';
import { RECORD_TYPES } from '../../contract/entities/index.ts';
import { relations } from '../../contract/relations.ts';
import { rebuildDerived } from '../records/rebuild-derived.ts';
import { createRecordTables, recordPages } from '../records/tables.ts';
import { all, type Runner, type SqlProgram } from '../sql.ts';
import { sqliteDialect } from '../sqlite/dialect.ts';
import { type ChangeSource, insertLinks, insertRecords, type LinkChange, newestPosition } from './apply-changes.ts';
import { DERIVED, type IndexFile } from './index-file.ts';

/** Rows fetched at a time. */
const BATCH = 2_000;

const LINKS = `SELECT relation, from_id, position, to_type, to_id, key FROM links
  WHERE (relation, from_id, position) > (?, ?, ?) ORDER BY relation, from_id, position LIMIT ?`;

/**
 * Fills a new index from the records, which may change meanwhile: the position is that of the log before the first
 * read, so following from there corrects inconsistencies.
 * @param check throws if the work must stop
 */
export async function buildIndexFile(source: ChangeSource, index: IndexFile, check: () => void): Promise<void> {
  const position = await source.runner.query(newestPosition());
  const write = index.database.transaction((program: SqlProgram<void>) => index.runProgram(program));
  const tables = createRecordTables(source.dialect);
  for (const type of RECORD_TYPES) {
    for await (const rows of recordPages(source.runner, tables[type], BATCH)) {
      check();
      write(insertRecords(type, rows));
    }
  }
  for (let last: LinkChange | undefined; ; ) {
    check();
    const { relation = '', from_id = 0, position: at = 0 } = last ?? {};
    const rows: LinkChange[] = await source.runner.query(all<LinkChange>(LINKS, relation, from_id, at, BATCH));
    if (rows.length === 0) break;
    write(insertLinks(rows));
    last = rows.at(-1);
  }
  // Deleted records keep their links in the source for a restore.
  for (const { name, from } of relations)
    index.database
      .prepare(`DELETE FROM links WHERE relation = ? AND from_id NOT IN (SELECT id FROM ${from})`)
      .run(name);
  await deriveWords(index, check);
  index.advance(position);
}

function deriveWords(index: IndexFile, check: () => void): Promise<void> {
  // Yields to other work of this thread.
  const before = async (): Promise<void> => {
    check();
    await setImmediate();
  };
  return rebuildDerived({
    dialect: sqliteDialect,
    kinds: DERIVED,
    model: index.model,
    runner: runnerOf(index, before),
  });
}

/** Runs programs on an index file, each after `before`. */
export function runnerOf({ database, runProgram }: IndexFile, before: () => Promise<void>) {
  const transaction: Runner['transaction'] = async (_written, program) => {
    await before();
    return database.transaction(() => runProgram(program))();
  };
  return {
    query: async <Result>(program: SqlProgram<Result>): Promise<Result> => {
      await before();
      return runProgram(program);
    },
    transaction,
    longTransaction: transaction,
    relaxedTransaction: transaction,
  };
}
