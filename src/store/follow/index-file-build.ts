import { setImmediate } from 'node:timers/promises';
import { RECORD_TYPES } from '../../contract/entities/index.ts';
import { relations } from '../../contract/relations.ts';
import { rebuildDerived } from '../records/derived.ts';
import { all, type SqlProgram } from '../sql/program.ts';
import type { Runner } from '../sql/runner.ts';
import { sqliteDialect } from '../sqlite/dialect.ts';
import { insertLinks, insertRecords, type LinkChange, newestPosition, type RecordRow } from './apply-changes.ts';
import type { ChangeSource } from './change-source.ts';
import type { IndexFile } from './index-file.ts';
import { DERIVED } from './index-schema.ts';

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
  for (const type of RECORD_TYPES) {
    const sql = `SELECT id, slug, version, document FROM ${type}
      WHERE deleted_at IS NULL AND id > ? ORDER BY id LIMIT ?`;
    for (let last = 0; ; ) {
      check();
      const rows: RecordRow[] = await source.runner.query(all<RecordRow>(sql, last, BATCH));
      if (rows.length === 0) break;
      write(insertRecords(type, rows));
      last = rows.at(-1)?.id ?? last;
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

function deriveWords({ database, runProgram, words, model }: IndexFile, check: () => void): Promise<void> {
  const within = async <Result>(program: SqlProgram<Result>): Promise<Result> => {
    check();
    // Yield to other work of this thread.
    await setImmediate();
    return database.transaction(() => runProgram(program))();
  };
  const transaction: Runner['transaction'] = (_written, program) => within(program);
  return rebuildDerived({
    dialect: sqliteDialect,
    kinds: DERIVED,
    model: { words, answers: model.answers },
    runner: {
      query: async (program) => runProgram(program),
      transaction,
      longTransaction: transaction,
      relaxedTransaction: transaction,
    },
  });
}
